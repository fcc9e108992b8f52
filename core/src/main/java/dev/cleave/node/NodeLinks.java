package dev.cleave.node;

import dev.cleave.call.FrameTable;
import dev.cleave.call.Link;
import dev.cleave.call.LinkOwner;
import dev.cleave.client.BrokerSession;
import dev.cleave.client.Client;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Steps;
import dev.cleave.concurrent.Timer;
import dev.cleave.config.Pings;
import dev.cleave.ref.References;
import dev.cleave.server.Server;
import dev.cleave.wire.Awaited;
import dev.cleave.wire.CallClaim;
import dev.cleave.wire.Caller;
import dev.cleave.wire.CallerGone;
import dev.cleave.wire.Cancel;
import dev.cleave.wire.Drain;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Held;
import dev.cleave.wire.LaneEnd;
import dev.cleave.wire.LaneOf;
import dev.cleave.wire.LaneShare;
import dev.cleave.wire.Lease;
import dev.cleave.wire.Load;
import dev.cleave.wire.LoadWatch;
import dev.cleave.wire.Methods;
import dev.cleave.wire.PeerGone;
import dev.cleave.wire.PeerOf;
import dev.cleave.wire.Registered;
import dev.cleave.wire.Reload;
import dev.cleave.wire.Reloaded;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Services;
import dev.cleave.wire.Welcome;
import io.netty.buffer.ByteBuf;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Passes the frames that arrive over a node's links to its client or its server side. */
final class NodeLinks implements LinkOwner {

    private static final System.Logger LOG = SafeLog.of(NodeLinks.class);

    private final Server server;
    private final References references;
    private final FrameTable<Link> frames;
    private final Set<Link> open = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Client client;
    private volatile @Nullable Early early;
    private volatile Runnable whenToLeave = () -> {};
    private volatile BiConsumer<Link, Reload> whenToReload = (link, said) -> {};

    /** The WELCOME of a broker that came before there was a client to tell. */
    private record Early(Link link, Welcome said) {}

    NodeLinks(Server server, References references) {
        this.server = server;
        this.references = references;
        frames = table();
    }

    /** Pings all peers from now on, until the timer is closed. */
    void watch(Timer timer, Pings pings) {
        Pinger.start(open, timer, pings);
    }

    /** Sets the client side, once it exists; earlier frames belong to the handshake. */
    void connected(Client connected) {
        client = connected;
        Early said = early;
        if (said != null) {
            connected.welcomed(said.link(), said.said());
        }
        connected.broker().check();
    }

    /** Runs a task when the broker asks this node to leave. On the event thread: the task may not block. */
    void onDrain(Runnable task) {
        whenToLeave = task;
    }

    /** Receives the application file that the broker passes on. On the event thread: may not block. */
    void onReload(BiConsumer<Link, Reload> receiver) {
        whenToReload = receiver;
    }

    /** Asks all peers that have dialled this node to make no more calls here. */
    void sendAway(String why) {
        open.stream().filter(Link::isAccepted).forEach(link -> link.sendAway(why));
    }

    /** The number of peers that have dialled this node and are still connected. */
    int accepted() {
        return (int) open.stream().filter(Link::isAccepted).count();
    }

    /** Says whether this node is sending large values. */
    boolean areSending() {
        return open.stream().anyMatch(link -> link.streams().areSending());
    }

    @Override
    public void onOpened(Link link) {
        open.add(link);
    }

    @Override
    public FrameTable<Link> frames() {
        return frames;
    }

    /** A FAILURE of a request to the broker. */
    @Override
    public void onFailure(Link link, ByteBuf frame) {
        if (!link.isAccepted()) {
            Failure failure = Failure.read(frame);
            answered(link, failure.id(), failure);
        }
    }

    private FrameTable<Link> table() {
        return Link.frames()
                .on(FrameKind.REQUEST, server::onRequest)
                .on(FrameKind.METHODS, Methods::read, server::onMethods)
                .on(FrameKind.CANCEL, Cancel::read, (link, said) -> server.onCancel(link, said.peer(), said.id()))
                .on(
                        FrameKind.CALLER_GONE,
                        CallerGone::read,
                        (link, said) -> server.onCallerGone(link, said.peer(), said.id()))
                .on(FrameKind.LANE_END, LaneEnd::read, server::onLaneEnd)
                .on(FrameKind.LANE_SHARE, LaneShare::read, server::onLaneShare)
                .on(FrameKind.AWAITED, Awaited::read, server::onAwaited)
                .on(FrameKind.PEER_GONE, PeerGone::read, (link, said) -> server.onPeerGone(link, said.peer()))
                .on(FrameKind.HELD, Held::read, (link, said) -> references.changed(link.tables(said.peer()), said))
                .on(FrameKind.LOAD_WATCH, LoadWatch::read, ofBroker(server::onLoadWatch))
                .on(FrameKind.CALL_CLAIM, CallClaim::read, ofBroker(server::onClaim))
                .on(FrameKind.CALLER, Caller::read, ofBroker((link, said) -> link.tables(said.peer())
                        .identity(said.identity())))
                .on(FrameKind.DRAIN, Drain::read, ofBroker((link, said) -> whenToLeave.run()))
                .on(FrameKind.RELOAD, Reload::read, ofBroker((link, said) -> whenToReload.accept(link, said)))
                .on(FrameKind.RELOADED, Reloaded::read, answer(Reloaded::id))
                .on(FrameKind.WELCOME, Welcome::read, this::onWelcome)
                .on(FrameKind.REPLICAS, Replicas::read, answer(Replicas::id))
                .on(FrameKind.REGISTERED, Registered::read, answer(Registered::id))
                .on(FrameKind.SERVICES, Services::read, answer(Services::id))
                .on(FrameKind.LEASE, Lease::read, answer(Lease::id))
                .on(FrameKind.PEER_OF, PeerOf::read, answer(PeerOf::id))
                .on(FrameKind.LANE_OF, LaneOf::read, answer(LaneOf::id))
                .build();
    }

    private <F extends Frame> BiConsumer<Link, F> answer(ToLongFunction<F> id) {
        return (link, said) -> {
            answered(link, id.applyAsLong(said), said);
        };
    }

    private void answered(Link link, long id, Frame said) {
        Client known = client;
        if (known != null && known.broker().isLink(link)) {
            known.broker().onAnswer(id, said);
        } else if (known != null) {
            known.broker().onLateAnswer(link, id, said);
        }
    }

    /** Drops frames that come over other links than that to the broker. */
    private <F> BiConsumer<Link, F> ofBroker(BiConsumer<Link, F> handler) {
        return (link, said) -> {
            if (brokerAt(link) != null) {
                handler.accept(link, said);
            }
        };
    }

    private void onWelcome(Link link, Welcome said) {
        if (link.isAccepted()) { // brokers are dialled
            return;
        }
        if (client == null) {
            early = new Early(link, said); // the first link stands before the client does
        }
        Client known = client;
        if (known != null) {
            known.welcomed(link, said);
        }
    }

    private @Nullable BrokerSession brokerAt(Link link) {
        Client known = client;
        return known != null && known.broker().isLink(link) ? known.broker() : null;
    }

    @Override
    public void onSuspicion(Link link) {
        Client known = client;
        if (known != null) {
            known.suspicionChanged();
        }
    }

    @Override
    public void onClosed(Link link, @Nullable Throwable cause) {
        open.remove(link);
        Steps.runAll(LOG, "end of the connection to " + link.connection().peer(), () -> server.onClosed(link), () -> {
            Client known = client;
            if (known != null) {
                known.broker().onClosed(link);
            }
        });
    }

    @Override
    public Load load() {
        return server.load();
    }

    /** Closes all links. */
    void close() {
        open.forEach(Link::close);
    }
}
