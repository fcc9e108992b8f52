package dev.cleave.broker;

import static java.util.Objects.requireNonNull;

import dev.cleave.admin.AdminServer;
import dev.cleave.broker.cluster.BrokerMember;
import dev.cleave.broker.cluster.Cluster;
import dev.cleave.broker.cluster.ClusterThreads;
import dev.cleave.broker.gossip.FarLoads;
import dev.cleave.broker.gossip.LoadGossip;
import dev.cleave.broker.health.Health;
import dev.cleave.broker.migration.Migrations;
import dev.cleave.broker.registry.Registry;
import dev.cleave.broker.relay.Relay;
import dev.cleave.call.FrameTable;
import dev.cleave.call.RightsGuard;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.SerialExecutor;
import dev.cleave.concurrent.SystemTimer;
import dev.cleave.concurrent.Timer;
import dev.cleave.config.Bindings;
import dev.cleave.config.FollowedFile;
import dev.cleave.config.KeyFiles;
import dev.cleave.config.MemoryBounds;
import dev.cleave.metrics.Meter;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportException;
import dev.cleave.transport.local.LocalTransport;
import dev.cleave.transport.netty.NettyOptions;
import dev.cleave.transport.netty.NettyTransport;
import dev.cleave.wire.Hello;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A running broker: nodes register services with it, look them up, and may call through it.
 *
 * <p>One thread runs the registry and the pings; relayed calls stay on the event threads of the connections.
 */
public final class Broker implements AutoCloseable {

    private static final System.Logger LOG = SafeLog.of(Broker.class);

    /** Bytes that nodes have not read, of all nodes; the limit is that of one node, which is not read from above it. */
    private static final Meter UNREAD = Meter.of("broker.unread.bytes", () -> MemoryBounds.UNREAD_AT_BROKER);

    /** Questions that wait for the registry; the limit is that of one node. */
    private static final Meter QUESTIONS = Meter.of("broker.questions", () -> Session.MANY_QUESTIONS);

    /** How long a broker of a cluster waits for relayed calls when it leaves. */
    private static final Duration LEAVE = Duration.ofSeconds(20);

    /** For how long no relayed call may be in flight then: meanwhile nodes go to other brokers. */
    private static final Duration LEAVE_QUIET = Duration.ofMillis(1_500);

    /** For how long no relayed call may be in flight when a broker without a cluster leaves. */
    private static final Duration DRAIN_QUIET = Duration.ofMillis(100);

    /** How long a broker that leaves waits for its nodes to close their connections. */
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private static final Duration LOOK = Duration.ofMillis(10);

    private final BrokerOptions options;
    private final Transport transport;
    private final RightsGuard guard;
    private final Timer timer;
    private final List<AutoCloseable> owned = new ArrayList<>();
    private final ExecutorService threads = oneThread("cleave-broker-registry");
    private final SerialExecutor registryThread = new SerialExecutor(threads);
    private final Registry registry;
    private final Health health;
    private final Relay relay;
    private final Migrations migrations;
    private final FarLoads farLoads;
    private final LoadGossip gossip;
    private final Desk desk;
    private final Reloading reloading;
    private final @Nullable ExecutorService storeThreads;
    private final SecureRandom seeds = new SecureRandom();
    private volatile @Nullable Cluster cluster;
    private volatile @Nullable BrokerLinks brokerLinks;
    private final Set<Session> sessions = Collections.newSetFromMap(new ConcurrentHashMap<>());
    private final CompletableFuture<Listener> listener = new CompletableFuture<>();
    private final LongSupplier unread =
            () -> sessions.stream().mapToLong(Session::unsent).sum();
    private final LongSupplier questions =
            () -> sessions.stream().mapToLong(Session::questions).sum();
    private volatile @Nullable FollowedFile followed;
    private volatile boolean closed;

    private Broker(BrokerOptions options, Transport transport, RightsGuard guard) {
        this.options = options;
        this.transport = transport;
        this.guard = guard;
        if (options.transport() == null) {
            owned.add(transport);
        }
        timer = options.timer() != null ? options.timer() : own(SystemTimer.create("cleave-broker-timer"));
        registry = new Registry(options.bindings(), options.limits().lease(), timer::nanos);
        health = new Health(
                registry,
                options.bindings().pings(),
                timer::nanos,
                alarm -> LOG.log(System.Logger.Level.WARNING, alarm));
        farLoads = new FarLoads(timer::nanos);
        gossip = new LoadGossip(registry::view, farLoads, timer, registryThread);
        relay = new Relay(registry::view, timer, options.limits().pending(), guard);
        registry.onRoom(relay::onRoom);
        health.onSuspect(patient -> {
            if (registry.hasOther(patient)) {
                relay.suspect(patient);
            }
        });
        migrations = new Migrations(options.bindings(), registry::view, timer, registryThread);
        reloading = new Reloading(options.bindings(), this::change, sessions, timer, registryThread);
        desk = new Desk(
                registry,
                health,
                new Desk.Moves(migrations, gossip, farLoads),
                guard,
                reloading,
                registryThread,
                sessions::remove);
        storeThreads = options.cluster() == null
                ? null
                : Executors.newFixedThreadPool(1 + ClusterThreads.WRITERS, daemons("cleave-broker-store"));
        UNREAD.watch(unread);
        QUESTIONS.watch(questions);
    }

    /**
     * Starts a broker, which listens when this returns.
     *
     * @throws TransportException if the address is in use, or is not one of this machine
     * @throws IllegalArgumentException if other machines can reach the address and the options do not allow that
     */
    public static Broker start(BrokerOptions options) {
        Transport transport = options.transport() != null ? options.transport() : transportFor(options);
        Broker broker = null;
        try {
            checkExposure(options, transport.identity() != null);
            broker = new Broker(
                    options,
                    transport,
                    new RightsGuard(options.bindings().security().rights(transport.identity())));
            broker.open();
            return broker;
        } catch (RuntimeException e) {
            if (broker != null) {
                broker.close();
            } else if (options.transport() == null) {
                transport.close();
            }
            throw e;
        }
    }

    /**
     * Follows an application file: checks it once a second, and applies its balance policies to relayed calls, and its
     * rights, when it has changed. A mistake in it is logged, and nothing changes.
     */
    public void follow(Path file) {
        followed = FollowedFile.of(file, this::change);
    }

    /** Applies an application file. On the registry's thread. */
    private void change(Bindings bindings) {
        registry.rebalance(bindings);
        migrations.change(bindings);
        guard.change(bindings.security().rights(transport.identity()));
    }

    /**
     * Begins to answer {@code /ready}, {@code /live} and {@code /metrics}; returns the port.
     *
     * @param host where it answers; null for loopback
     * @param port 0 for one that the system chooses
     * @throws java.io.UncheckedIOException if the address is in use or not one of this machine
     */
    public int administer(@Nullable String host, int port) {
        return own(AdminServer.start(
                        host,
                        port,
                        new BrokerState(
                                registry,
                                registryThread,
                                sessions::size,
                                () -> !closed,
                                cluster == null ? null : new BrokerState.Clustered(cluster, gossip, farLoads))))
                .port();
    }

    /** Returns the address at which it listens; its port is the real one. */
    public Endpoint endpoint() {
        return listener.join().endpoint();
    }

    /** Disconnects all peers, and stops. */
    @Override
    public void close() {
        if (closed && threads.isShutdown()) {
            return;
        }
        closed = true;
        if (listener.isDone()) {
            listener.join().close();
        }
        desk.close();
        Cluster joined = cluster;
        if (joined != null) {
            leave(joined);
        }
        UNREAD.forget(unread);
        QUESTIONS.forget(questions);
        sessions.forEach(Session::close);
        BrokerLinks links = brokerLinks;
        if (links != null) {
            registryThread.execute(links::close);
        }
        for (int i = owned.size() - 1; i >= 0; i--) {
            closeOwned(owned.get(i));
        }
        threads.shutdown();
        if (storeThreads != null) {
            storeThreads.shutdownNow();
        }
    }

    /**
     * Lets relayed calls in flight end, and refuses new ones, unexecuted: then {@link #close} leaves no call in doubt. A broker
     * of a cluster does so when it is closed.
     *
     * @param most how long to wait
     * @return whether all have ended
     */
    public boolean drain(Duration most) {
        if (cluster != null) {
            return true;
        }
        if (listener.isDone()) {
            listener.join().close(); // who was sent away comes back when another broker listens here
        }
        relay.leave();
        sessions.stream().filter(Session::isOfClient).forEach(Session::sendAway);
        long until = System.nanoTime() + most.toNanos();
        long quietSince = System.nanoTime();
        while (System.nanoTime() - quietSince < DRAIN_QUIET.toNanos()) {
            if (System.nanoTime() - until >= 0) {
                return false;
            }
            if (relay.hasCalls()) {
                quietSince = System.nanoTime();
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
        sayFarewell();
        return true;
    }

    /**
     * Has the nodes that serve and call leave, too: they send until they are told, and what is on its way when the broker closes
     * a connection is in doubt. The others are not told that these are gone: direct calls go on.
     */
    private void sayFarewell() {
        desk.close();
        sessions.forEach(Session::sendAway);
        long until = System.nanoTime() + FAREWELL.toNanos();
        while (!sessions.isEmpty() && System.nanoTime() - until < 0) {
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    /** The brokers of the cluster that this one knows, itself among them; none if it is alone. */
    public List<BrokerMember> members() {
        Cluster joined = cluster;
        return joined == null ? List.of() : joined.members();
    }

    /** Leaves the cluster: nodes go to other brokers, and relayed calls in flight end, for {@link #LEAVE} at most. */
    private void leave(Cluster joined) {
        joined.close();
        boolean hasOthers = joined.members().size() > 1;
        registryThread.execute(() -> sessions.forEach(desk::welcome));
        relay.lookAtHeld(); // their clients go to other brokers, too
        long until = System.nanoTime() + (hasOthers ? LEAVE.toNanos() : 0);
        long quietSince = System.nanoTime();
        while (System.nanoTime() - until < 0 && System.nanoTime() - quietSince < LEAVE_QUIET.toNanos()) {
            if (!relay.isQuiet()) {
                quietSince = System.nanoTime();
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    private static ExecutorService oneThread(String name) {
        return Executors.newSingleThreadExecutor(daemons(name));
    }

    private static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    private ClusterThreads clusterThreads(ExecutorService ofStore) {
        List<Executor> writers = new ArrayList<>();
        for (int i = 0; i < ClusterThreads.WRITERS; i++) {
            writers.add(new SerialExecutor(ofStore));
        }
        return new ClusterThreads(registryThread, new SerialExecutor(ofStore), writers);
    }

    /** Whether no state of any peer is left: for tests of what a peer leaves behind. */
    boolean isEmpty() {
        CompletableFuture<Boolean> empty = new CompletableFuture<>();
        registryThread.execute(() -> empty.complete(registry.isEmpty()
                && health.isEmpty()
                && migrations.isEmpty()
                && gossip.isEmpty()
                && relay.isEmpty()
                && reloading.isEmpty()
                && sessions.isEmpty()));
        return empty.join();
    }

    private void open() {
        long incarnation = System.currentTimeMillis();
        BrokerOptions.Membership membership = options.cluster();
        FrameTable<Session> frames = desk.frames();
        Handshake handshake = new Handshake(Hello.ofRelay("broker", incarnation), timer);
        listener.complete(handshake.listen(transport, options.endpoint(), (connection, peer) -> {
            Session session = new Session(connection, peer, frames, relay, desk);
            sessions.add(session);
            if (closed) {
                session.close();
            }
            return session;
        }));
        if (membership != null) {
            join(membership, incarnation);
        }
        scheduleInterval(1);
    }

    private void join(BrokerOptions.Membership membership, long startedMillis) {
        Endpoint at = endpoint();
        String host = membership.host() != null ? membership.host() : at.host();
        Endpoint told = new Endpoint(at.scheme(), host, at.port(), transport.identity());
        Cluster joined = new Cluster(
                new BrokerMember("b-" + Long.toHexString(seeds.nextLong()), told.toString(), 0, startedMillis),
                membership.store(),
                registry,
                clusterThreads(requireNonNull(storeThreads)),
                timer::nanos);
        cluster = joined;
        registry.expectLost(Cluster.ORPHANED);
        relay.onJoin(
                () -> !closed && joined.knowsAll(),
                service -> !closed && (registry.isExpected(service) || !joined.isSynced()),
                farLoads);
        desk.join(joined);
        BrokerLinks links = new BrokerLinks(
                joined,
                migrations,
                gossip,
                farLoads,
                new Handshake(Hello.ofBroker(joined.id(), startedMillis), timer),
                transport,
                timer,
                registryThread);
        brokerLinks = links;
        registryThread.execute(() -> {
            migrations.join(links);
            gossip.join(links, relay::holds, relay::onRoom);
        });
        joined.onMembers(() -> {
            sessions.forEach(desk::welcome);
            links.keep(joined.members().stream().map(BrokerMember::endpoint).toList());
            migrations.look();
            gossip.membersChanged();
        });
        joined.onOwners(migrations::look);
        joined.onFile(reloading::shared);
        reloading.join(joined::share);
        joined.start();
        registryThread.execute(() -> sessions.forEach(desk::welcome)); // of nodes that were quicker
    }

    private void scheduleInterval(long count) {
        Timer.Timeout unused = timer.schedule(options.bindings().pings().every(), () -> onInterval(count));
    }

    private void onInterval(long count) {
        if (closed) {
            return;
        }
        try {
            // Tasks of their own: an Error of one is logged, and the others run.
            registryThread.execute(health::onInterval);
            registryThread.execute(registry::expire);
            registryThread.execute(migrations::look);
            Cluster joined = cluster;
            if (joined != null) {
                registryThread.execute(joined::onInterval);
                registryThread.execute(relay::lookAtHeld);
                registryThread.execute(gossip::look);
            }
            FollowedFile file = followed;
            if (file != null) {
                registryThread.execute(file::poll);
            }
            if (count % stallIntervals() == 0) {
                registryThread.execute(relay::onStallLimit);
            }
        } catch (RejectedExecutionException e) {
            closed = true; // the broker was closed meanwhile
        } finally { // after an Error, too
            if (!closed) {
                scheduleInterval(count + 1);
            }
        }
    }

    private long stallIntervals() {
        return Math.max(
                1, Relay.STALL_LIMIT.dividedBy(options.bindings().pings().every()));
    }

    private <T extends AutoCloseable> T own(T closeable) {
        owned.add(closeable);
        return closeable;
    }

    private static Transport transportFor(BrokerOptions options) {
        KeyFiles keys = options.keys() != null
                ? options.keys()
                : options.bindings().security().keyFiles("broker");
        if (options.endpoint().scheme().equals("local")) {
            return LocalTransport.create();
        }
        return keys == null ? NettyTransport.create() : NettyTransport.create(NettyOptions.DEFAULT, keys);
    }

    private static void checkExposure(BrokerOptions options, boolean isEncrypted) {
        Endpoint endpoint = options.endpoint();
        if (!endpoint.scheme().equals("tcp") || isEncrypted || options.exposure() == BrokerOptions.Exposure.INSECURE) {
            return;
        }
        boolean loopback;
        try {
            loopback = InetAddress.getByName(endpoint.host()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new TransportException(endpoint + ": unknown host", e);
        }
        if (!loopback) {
            throw new IllegalArgumentException("endpoint: " + endpoint + " (expected: localhost, or keys"
                    + " (-Dcleave.keys=DIR, see cleave keys), or permission for peers without encryption and identity:"
                    + " --insecure)");
        }
    }

    private static void closeOwned(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) { // Transport and Timer throw none
            throw new IllegalStateException(e);
        }
    }
}
