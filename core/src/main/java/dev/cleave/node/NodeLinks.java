package dev.cleave.node;

import dev.cleave.call.Link;
import dev.cleave.call.LinkOwner;
import dev.cleave.call.PeerTables;
import dev.cleave.client.Client;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Steps;
import dev.cleave.concurrent.Timer;
import dev.cleave.config.Pings;
import dev.cleave.ref.References;
import dev.cleave.server.Server;
import dev.cleave.wire.Awaited;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Held;
import dev.cleave.wire.LaneEnd;
import dev.cleave.wire.Load;
import io.netty.buffer.ByteBuf;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Hands what comes over a node's links to its client or its server side. */
final class NodeLinks implements LinkOwner {

    private static final System.Logger LOG = SafeLog.of(NodeLinks.class);

    private final Server server;
    private final References references;
    private final Set<Link> open = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Client client;
    private volatile Runnable whenToLeave = () -> {};

    NodeLinks(Server server, References references) {
        this.server = server;
        this.references = references;
    }

    /** Pings all peers from now on, until the timer is closed. */
    void watch(Timer timer, Pings pings) {
        Beats.start(open, timer, pings);
    }

    /** The client side stands; what comes before is of the greeting alone. */
    void connected(Client connected) {
        client = connected;
        connected.broker().check();
    }

    /** Runs a task when the broker asks this node to leave. On the event thread: the task may not block. */
    void onDrain(Runnable task) {
        whenToLeave = task;
    }

    /** Asks all who have dialled to make no more calls here. */
    void sendAway(String why) {
        open.stream().filter(Link::isAccepted).forEach(link -> link.sendAway(why));
    }

    /** How many who have dialled are still connected. */
    int accepted() {
        return (int) open.stream().filter(Link::isAccepted).count();
    }

    /** Whether large values are on their way out. */
    boolean areSending() {
        return open.stream().anyMatch(link -> link.streams().areSending());
    }

    @Override
    public void onOpened(Link link) {
        open.add(link);
    }

    @Override
    public void onRequest(Link link, ByteBuf frame) {
        server.onRequest(link, frame);
    }

    @Override
    public void onCancel(Link link, int peer, long id) {
        server.onCancel(link, peer, id);
    }

    @Override
    public void onLaneEnd(Link link, LaneEnd end) {
        server.onLaneEnd(link, end);
    }

    @Override
    public void onAwaited(Link link, Awaited awaited) {
        server.onAwaited(link, awaited);
    }

    @Override
    public void onPeerGone(Link link, int peer) {
        server.onPeerGone(link, peer);
    }

    @Override
    public void onHeld(PeerTables peer, Held change) {
        references.changed(peer, change);
    }

    @Override
    public void onMigration(Link link, FrameKind kind, ByteBuf frame) {
        Client known = client;
        if (known != null && known.broker().isLink(link)) {
            server.onMigration(link, kind, frame);
        }
    }

    @Override
    public void onRegistry(Link link, FrameKind kind, ByteBuf frame) {
        Client known = client;
        if (known != null && known.broker().isLink(link)) {
            if (kind == FrameKind.DRAIN) {
                whenToLeave.run();
            } else {
                known.broker().onRegistry(kind, frame);
            }
        }
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
