package dev.cleave.broker;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.cluster.BrokerMember;
import dev.cleave.broker.cluster.Cluster;
import dev.cleave.broker.gossip.FarLoads;
import dev.cleave.broker.gossip.LoadGossip;
import dev.cleave.broker.migration.Migrations;
import dev.cleave.broker.migration.Ownership;
import dev.cleave.broker.relay.BackPressure;
import dev.cleave.call.FrameTable;
import dev.cleave.call.LinkCore;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Timer;
import dev.cleave.config.MemoryBounds;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.Peer;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.Forward;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Load;
import dev.cleave.wire.LoadAsk;
import dev.cleave.wire.Loads;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Pong;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The connections of this broker to others of its cluster. It dials another broker when it moves waiting calls of a replica that is
 * connected there, or wants the loads of such replicas, and not before. The state of calls and of the registry never depends on
 * these connections: without one, those calls stay where they wait.
 *
 * <p>A broker that leaves the answers to its pings unread, or of whose frames {@link MemoryBounds#FROM_BROKER} bytes wait for the
 * registry, is not read from until it has read, or the registry has handled most of them.
 *
 * <p>Registry's thread only, except where methods say otherwise.
 */
final class BrokerLinks implements Ownership, LoadGossip.OtherBrokers, AutoCloseable {

    /** How long a broker is not dialled again after that was in vain. */
    static final Duration PAUSE = Duration.ofSeconds(5);

    private static final System.Logger LOG = SafeLog.of(BrokerLinks.class);
    private static final int MOST_WAITING = 256; // frames, while a connection is being opened
    private static final int TASK = 256; // bytes of the heap that a frame takes besides its own

    private static final FrameTable<LinkTo> FRAMES = FrameTable.<LinkTo>of("a broker that has dialled another one")
            .on(FrameKind.PING, Ping::read, LinkTo::onPing)
            .on(FrameKind.FORWARD, Forward::read, LinkTo::onForward)
            .on(FrameKind.LOADS, Loads::read, LinkTo::onLoads)
            .on(FrameKind.GOAWAY, GoAway::read, (link, said) -> link.sentAway())
            .build();

    private final Cluster cluster;
    private final Migrations migrations;
    private final LoadGossip gossip;
    private final FarLoads far;
    private final Handshake handshake;
    private final Transport transport;
    private final Timer timer;
    private final Executor registryThread;
    private final ExecutorService dialers = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "cleave-broker-dial");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<String, LinkTo> links =
            new ConcurrentHashMap<>(); // by endpoint; the registry's thread changes it
    private final Map<String, Long> notBefore = new HashMap<>(); // by endpoint, on the timer's clock
    private final LongSupplier unread =
            () -> links.values().stream().mapToLong(LinkTo::unread).sum();

    /**
     * Creates the connections of a broker, of which there are none yet.
     *
     * @param registryThread runs tasks on the registry's thread
     */
    BrokerLinks(
            Cluster cluster,
            Migrations migrations,
            LoadGossip gossip,
            FarLoads far,
            Handshake handshake,
            Transport transport,
            Timer timer,
            Executor registryThread) {
        this.cluster = requireNonNull(cluster, "cluster");
        this.migrations = requireNonNull(migrations, "migrations");
        this.gossip = requireNonNull(gossip, "gossip");
        this.far = requireNonNull(far, "far");
        this.handshake = requireNonNull(handshake, "handshake");
        this.transport = requireNonNull(transport, "transport");
        this.timer = requireNonNull(timer, "timer");
        this.registryThread = requireNonNull(registryThread, "registryThread");
        MemoryBounds.BROKER_LINKS.watch(unread);
    }

    @Override
    public long token(String service) {
        return cluster.movesWith(service);
    }

    @Override
    public boolean hasGiven(String service, long token) {
        return cluster.hasGiven(service, token);
    }

    @Override
    public boolean reaches(String home) {
        Long until = notBefore.get(home);
        if (until != null && until - timer.nanos() > 0) {
            return false;
        }
        notBefore.remove(home);
        return true;
    }

    @Override
    public void tell(String home, Forward said) {
        send(home, said);
    }

    @Override
    public void ask(String home, LoadAsk said) {
        send(home, said);
    }

    @Override
    public long fence() {
        return cluster.fence();
    }

    @Override
    public Map<String, Long> fences() {
        return cluster.members().stream()
                .collect(Collectors.toMap(BrokerMember::endpoint, BrokerMember::fence, Math::max));
    }

    private void send(String home, Frame said) {
        LinkTo link = links.get(home);
        if (link == null) {
            if (!reaches(home)) {
                return;
            }
            link = new LinkTo(home);
            links.put(home, link);
            link.dial();
        }
        link.tell(said);
    }

    /** Closes the connections to brokers that are no members any more. */
    void keep(List<String> endpoints) {
        List.copyOf(links.values()).stream()
                .filter(link -> !endpoints.contains(link.home))
                .forEach(LinkTo::close);
        notBefore.keySet().retainAll(endpoints);
    }

    /** The number of connections, for tests. */
    int size() {
        return links.size();
    }

    @Override
    public void close() {
        dialers.shutdownNow();
        MemoryBounds.BROKER_LINKS.forget(unread);
        List.copyOf(links.values()).forEach(LinkTo::close);
    }

    /** Returns false if the broker has ended, and the task does not run. */
    private boolean onRegistry(Runnable task) {
        try {
            registryThread.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "after the end of the broker", e);
            return false;
        }
    }

    /** A connection to another broker, open or on its way. */
    private final class LinkTo implements FrameHandler {

        private final String home;
        private final List<Frame> waiting = new ArrayList<>();
        private @Nullable Connection open;
        private volatile @Nullable LinkCore<LinkTo> core;
        private volatile @Nullable BackPressure pressure; // set with core
        private final AtomicLong unhandled = new AtomicLong(); // bytes of frames that wait for the registry
        private final Object manyFrames = new Object(); // a reason for not reading
        private boolean isClosed;
        private int length; // of the current frame; event thread only

        private LinkTo(String home) {
            this.home = home;
        }

        private void dial() {
            try {
                dialers.execute(() -> {
                    try {
                        Connection connection = handshake.connect(transport, Endpoint.parse(home), this::met);
                        onRegistry(() -> opened(connection));
                    } catch (TransportException | IllegalArgumentException e) {
                        LOG.log(System.Logger.Level.DEBUG, "broker {0} cannot be dialled: {1}", home, e.getMessage());
                        onRegistry(this::gone);
                    }
                });
            } catch (RejectedExecutionException e) {
                onRegistry(this::gone);
            }
        }

        private FrameHandler met(Connection connection, Peer peer) {
            pressure = new BackPressure(connection);
            core = new LinkCore<>(connection, peer, FRAMES, false);
            return this;
        }

        /** The bytes that the other broker has not read. On any thread. */
        private long unread() {
            LinkCore<LinkTo> met = core;
            return met == null ? 0 : met.connection().unsent();
        }

        private void opened(Connection connection) {
            LinkCore<LinkTo> met = core;
            if (isClosed || met == null || !met.has(FrameKind.FORWARD.feature())) { // an earlier version
                connection.close();
                gone();
                return;
            }
            open = connection;
            waiting.forEach(this::tell);
            waiting.clear();
        }

        private void tell(Frame said) {
            Connection connection = open;
            LinkCore<LinkTo> met = core;
            if (said instanceof LoadAsk
                    && connection != null
                    && met != null
                    && !met.has(FrameKind.LOAD_ASK.feature())) {
                return; // an earlier version
            }
            if (connection != null && connection.isWritable()) {
                connection.write(said.write(connection.allocator()));
                connection.flush();
            } else if (connection == null && waiting.size() < MOST_WAITING) {
                waiting.add(said);
            } // else a claim, or the wish for loads, is lost as if the connection were: see gone
            if (connection != null && !connection.isWritable()) {
                close();
            }
        }

        private void close() {
            Connection connection = open;
            if (connection != null) {
                connection.close();
            }
            gone();
        }

        /** Forgets this connection, and lets its replicas take no part; they do again when the broker is dialled again. */
        private void gone() {
            if (isClosed) {
                return;
            }
            isClosed = true;
            links.remove(home, this);
            notBefore.put(home, timer.nanos() + PAUSE.toNanos());
            onRegistry(
                    () -> { // later: they may be told just now
                        migrations.lost(home);
                        gossip.lost(home);
                    });
        }

        private void onPing(Ping said) {
            far.heard(home);
            LinkCore<LinkTo> met = requireNonNull(core);
            Connection connection = met.connection();
            connection.write(new Pong(said.id(), Load.NONE).write(connection.allocator()));
            connection.flush();
            requireNonNull(pressure).answered();
        }

        private void onForward(Forward said) {
            handle(() -> migrations.answered(home, said));
        }

        private void onLoads(Loads said) {
            handle(() -> gossip.told(home, said));
        }

        private void sentAway() {
            handle(this::close);
        }

        /** Runs what the current frame says on the registry's thread; reads no more frames while too many wait there. */
        private void handle(Runnable news) {
            long bytes = TASK + length;
            long now = count(bytes);
            boolean isAccepted = onRegistry(() -> {
                try {
                    news.run();
                } finally {
                    count(-bytes);
                    releaseIfFew();
                }
            });
            if (!isAccepted) {
                count(-bytes);
            } else if (MemoryBounds.room(MemoryBounds.FROM_BROKER, now) <= 0) {
                if (requireNonNull(pressure).holdFirst(manyFrames)) {
                    MemoryBounds.BROKER_LINKS.refused();
                }
                releaseIfFew(); // all may have been handled before the hold
            }
        }

        private long count(long bytes) {
            MemoryBounds.BROKER_LINKS.add(bytes);
            return unhandled.addAndGet(bytes);
        }

        private void releaseIfFew() {
            if (unhandled.get() <= MemoryBounds.FROM_BROKER / 4) {
                requireNonNull(pressure).release(manyFrames);
            }
        }

        @Override
        public void onOpen(Connection connection) {
            // handled on the registry's thread when the dial has returned
        }

        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            length = frame.readableBytes();
            requireNonNull(core).handle(this, frame);
        }

        @Override
        public void onWritable(Connection connection) {
            requireNonNull(pressure).onWritable();
        }

        @Override
        public void onClose(Connection connection, @Nullable Throwable cause) {
            onRegistry(this::gone);
        }
    }
}
