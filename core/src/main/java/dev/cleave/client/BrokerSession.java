package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException;
import dev.cleave.CallException.CallSite;
import dev.cleave.call.Failures;
import dev.cleave.call.LaneResults;
import dev.cleave.call.Link;
import dev.cleave.call.LinkContext;
import dev.cleave.call.PeerTables;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.serial.Reference;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.Drain;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.LaneOf;
import dev.cleave.wire.Lease;
import dev.cleave.wire.ListServices;
import dev.cleave.wire.Names;
import dev.cleave.wire.PeerOf;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.Reload;
import dev.cleave.wire.Reloaded;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Services;
import dev.cleave.wire.SharedLane;
import dev.cleave.wire.Unregister;
import dev.cleave.wire.Unwatch;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The registrations and watches of a node at its broker, kept over restarts of the broker.
 *
 * <p>When the connection breaks, a thread dials again, after random waits whose bound doubles up to {@value
 * #LONGEST_WAIT_MILLIS} ms, and then registers and watches everything again. Meanwhile descriptions of services stay
 * as they were. Thread-safe.
 */
public final class BrokerSession implements AutoCloseable {

    static final long FIRST_WAIT_MILLIS = 100;
    static final long LONGEST_WAIT_MILLIS = 3_000;

    /** The first and the longest wait before a replica whose name another process has tries to register again. */
    static final long FIRST_RETURN_MILLIS = 1_000;

    static final long LONGEST_RETURN_MILLIS = 30_000;

    private static final System.Logger LOG = SafeLog.of(BrokerSession.class);
    private static final int LEASE_MILLIS = 60_000;

    private final Supplier<Link> dialler;
    private final LinkContext context;
    private final RandomGenerator random;
    private final BrokerRequests requests = new BrokerRequests();
    private final Map<String, WatchedService> watched = new ConcurrentHashMap<>();
    private final Map<String, Integer> lookups = new ConcurrentHashMap<>(); // that wait for the broker, by service
    private final Set<String> expected = ConcurrentHashMap.newKeySet(); // services that need not be known yet
    private final Map<String, RegisterReplica> registered = new ConcurrentHashMap<>(); // by service + '\n' + replica
    private final Object reconnecting = new Object();
    private volatile Runnable beforeFirst = () -> {};
    private volatile @Nullable Link link;
    private final AtomicBoolean reconnects = new AtomicBoolean();
    private final AtomicBoolean returns = new AtomicBoolean(); // a name is held by another process
    private volatile boolean closed;

    private BrokerSession(Supplier<Link> dialler, LinkContext context, RandomGenerator random) {
        this.dialler = requireNonNull(dialler, "dialler");
        this.context = requireNonNull(context, "context");
        this.random = requireNonNull(random, "random");
    }

    /**
     * Connects to a broker. A broker that accepts the connection but sends no HELLO in time, as while it starts on a
     * busy machine, is dialled again, {@value FirstLink#MUTE_DIALS} times at most.
     *
     * @param dialler makes a link to it
     * @param patience how long to dial again while the broker cannot be reached
     * @param random spreads reconnects
     * @throws TransportException if the broker cannot be reached
     */
    static BrokerSession connect(
            Supplier<Link> dialler, Duration patience, LinkContext context, RandomGenerator random) {
        BrokerSession session = new BrokerSession(dialler, context, random);
        session.link = new FirstLink(dialler, context.timer(), random).dial(patience);
        session.scheduleRenewal();
        return session;
    }

    /** The session of a node that has no broker: nothing can be registered or looked up. */
    static BrokerSession none(LinkContext context, RandomGenerator random) {
        BrokerSession session = new BrokerSession(
                () -> {
                    throw new TransportException("this node has no broker", null);
                },
                context,
                random);
        session.closed = true;
        return session;
    }

    /** Returns the link, if it is open. */
    public Optional<Link> link() {
        Link current = link;
        return current == null || current.isClosed() ? Optional.empty() : Optional.of(current);
    }

    /**
     * Waits until the link is open, for {@code nanos} at most, and returns it; it may have broken since. An interrupt
     * ends the wait.
     */
    Optional<Link> awaitLink(long nanos) {
        long until = context.timer().nanos() + nanos;
        Optional<Link> found = link();
        synchronized (reconnecting) {
            while (!closed && found.isEmpty()) {
                long left =
                        TimeUnit.NANOSECONDS.toMillis(until - context.timer().nanos());
                if (left <= 0) {
                    break;
                }
                try {
                    reconnecting.wait(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    break;
                }
                found = link();
            }
        }
        return found;
    }

    /** Goes on over another link, to another broker; what was asked over the old one is answered there. Blocks. */
    void move(Link better) {
        link = better;
        synchronized (reconnecting) {
            reconnecting.notifyAll();
        }
        if (closed) {
            better.close();
        } else if (better.isClosed()) {
            check();
        } else {
            restoreQuietly();
        }
    }

    /** Sets a task that runs before this session registers its first replica. It may {@link #move} the session. */
    void beforeFirstRegistration(Runnable task) {
        beforeFirst = requireNonNull(task, "task");
    }

    /** Says whether a link is the current one to the broker. */
    public boolean isLink(Link other) {
        return link == other;
    }

    /**
     * Watches a service, from now on and over reconnects, unless the broker does not know it.
     *
     * @param maker creates the service, if it is not watched yet
     */
    WatchedService watch(String service, Function<String, WatchedService> maker) {
        WatchedService known = watched.get(service);
        if (known != null && known.set().isKnown()) {
            return known;
        }
        lookups.merge(service, 1, Integer::sum);
        try {
            WatchedService made = watched.computeIfAbsent(service, maker);
            watch(made);
            return made;
        } finally {
            // Within compute: a lookup that begins now writes its WATCH behind the UNWATCH.
            lookups.compute(service, (name, open) -> {
                if (open != null && open > 1) {
                    return open - 1;
                }
                unwatchUnknown(name);
                return null;
            });
        }
    }

    /** Asks for the replicas of a service as it is watched now: all, or a part. */
    void watch(WatchedService service) {
        service.update(ReplicaSet.of((Replicas) ask(service.service(), "lookup", service::watch)));
    }

    /** Asks soon for the replicas of a service as it is watched now; a session that is lost does so when it is restored. */
    void watchAgain(WatchedService service) {
        start(() -> {
            try {
                watch(service);
            } catch (CallException e) {
                LOG.log(System.Logger.Level.DEBUG, "the broker was lost while a service was asked for", e);
            }
        });
    }

    /**
     * Watches a service, from now on and over reconnects, also if the broker does not know it yet.
     *
     * @param maker as for {@link #watch}
     */
    WatchedService expect(String service, Function<String, WatchedService> maker) {
        expected.add(service);
        WatchedService made = watch(service, maker);
        made.expect();
        return made;
    }

    /** Forgets a service that the broker does not know, that no lookup waits for, and that is not expected. */
    private void unwatchUnknown(String service) {
        WatchedService made = watched.get(service);
        if (made == null || made.set().isKnown() || expected.contains(service)) {
            return;
        }
        watched.remove(service);
        link().filter(to -> to.has(FrameKind.UNWATCH.feature())).ifPresent(to -> {
            to.write(new Unwatch(service).write(to.connection().allocator()));
            to.flush();
        });
    }

    /** The services that are watched. */
    Collection<WatchedService> watched() {
        return watched.values();
    }

    /**
     * Registers a replica, now and after each reconnect.
     *
     * @param maker the registration with a request id
     * @throws CallException if the broker refuses
     */
    public void register(LongFunction<RegisterReplica> maker) {
        RegisterReplica register = maker.apply(0);
        if (registered.isEmpty()) {
            beforeFirst.run();
        }
        Link before = link;
        ask(register.service(), "bind", id -> maker.apply(id));
        registered.put(register.service() + '\n' + register.replica(), register);
        if (before != link && link().isPresent()) { // moved to another broker meanwhile, which was told of the others
            registerAgain(register);
        }
    }

    /** Whether the broker knows all registrations, of which there is one at least. */
    public boolean isRegistered() {
        return !registered.isEmpty() && link().isPresent() && !reconnects.get() && !returns.get();
    }

    /** Takes a registration back. */
    public void unregister(String service, String replica) {
        if (registered.remove(service + '\n' + replica) != null && link().isPresent()) {
            ask(service, "unbind", id -> new Unregister(id, service, replica));
        }
    }

    /**
     * Asks the broker to drain a replica.
     *
     * @throws CallException if the broker knows no replica of the name, or it cannot be drained
     */
    public void drain(String replica) {
        ask(replica, "drain", id -> new Drain(id, replica));
    }

    /**
     * Returns the way through the broker to another node; null if the broker does not know the node, or this way is
     * not known to it.
     */
    @Nullable
    PeerTables peer(Reference.Owner owner) {
        Link to = link().filter(it -> it.has(FrameKind.PEER_OF.feature())).orElse(null);
        if (to == null) {
            return null;
        }
        try {
            CallSite site = new CallSite("*", "Ref", null, true);
            PeerOf answer = (PeerOf) requests.ask(to, site, id -> new PeerOf(0, id, owner.node(), owner.incarnation()));
            return to.tables(answer.peer());
        } catch (CallException e) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "no way to node {0} through the broker: {1}",
                    owner.node(),
                    e.getMessage());
            return null;
        }
    }

    /**
     * Returns the way through a broker to the node that runs the calls of a lane.
     *
     * @param to the link to the broker; null if there is none
     * @throws CallException if the broker knows no such lane, or it is one of this node, or this way is not known to it
     */
    PeerTables runs(@Nullable Link to, SharedLane lane) {
        CallSite site = new CallSite(LaneResults.SERVICE, "result", null, true);
        if (to == null || !to.has(FrameKind.LANE_OF.feature())) {
            throw noWay("no broker has a way to the lane", site);
        }
        LaneOf answer = (LaneOf) requests.ask(to, site, id -> new LaneOf(0, id, lane.high(), lane.low()));
        if (answer.peer() == 0) {
            throw noWay("the lane has ended", site);
        }
        return to.tables(answer.peer());
    }

    private static CallException noWay(String why, CallSite site) {
        return Failures.exception(ErrorCode.CONNECTION_LOST, CallException.Execution.NOT_EXECUTED, why, site, null);
    }

    /**
     * Asks the broker to apply an application file, and to pass it on to the nodes of the application.
     *
     * @param text of the file, with what it includes
     * @return what the broker and each of the nodes have done
     * @throws CallException if the broker refuses, or does not know the request
     */
    public List<String> reload(String text) {
        if (link().filter(to -> !to.has(FrameKind.RELOAD.feature())).isPresent()) {
            throw Failures.exception(
                    ErrorCode.VERSION,
                    CallException.Execution.NOT_EXECUTED,
                    "the broker is of a version without reload",
                    new CallSite("*", "Node.reload", null, true),
                    null);
        }
        return ((Reloaded) ask("*", "reload", id -> new Reload(id, text))).outcomes();
    }

    /** Lists all services registered with the broker. */
    public List<Services.Service> list() {
        return ((Services) ask("*", "list", ListServices::new)).services();
    }

    /** Handles an answer or a notice of the broker; {@code id} is that of the request, or 0. On the event thread. */
    public void onAnswer(long id, Frame read) {
        if (read instanceof Replicas replicas) {
            WatchedService service = watched.get(replicas.service());
            if (service != null) {
                service.update(ReplicaSet.of(replicas));
            }
        }
        if (requests.isAnswered(id, read)) {
            return;
        }
        if (read instanceof Failure failure && failure.code() == ErrorCode.NOT_REGISTERED) {
            start(this::restoreQuietly); // the lease of this node had ended: it was silent for too long
        } else if (read instanceof Failure failure && failure.code() == ErrorCode.ALREADY_BOUND) {
            refused(failure.message());
        }
    }

    /** Handles an answer over a link from which this node has moved to another broker. On the event thread. */
    public void onLateAnswer(Link over, long id, Frame read) {
        requests.answered(over, id, read);
    }

    /** Handles that a link is gone: ends its requests, and reconnects if it led to the broker. On the event thread. */
    public void onClosed(Link gone) {
        requests.lost(gone);
        if (gone == link) {
            if (!closed) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "the connection to the broker is lost: direct calls go on, and it is dialled until it answers");
            }
            check();
        }
    }

    /** Begins to reconnect if the link is gone and no thread reconnects yet. */
    public void check() {
        if (closed || link().isPresent() || !reconnects.compareAndSet(false, true)) {
            return;
        }
        try {
            start(this::reconnect);
        } catch (Throwable e) { // no memory for a thread
            LOG.log(System.Logger.Level.WARNING, "no thread to reconnect to the broker; tried again", e);
            reconnects.set(false);
            context.timer().schedule(Duration.ofMillis(LONGEST_WAIT_MILLIS), this::check);
        }
    }

    @Override
    public void close() {
        closed = true;
        synchronized (reconnecting) {
            reconnecting.notifyAll();
        }
        Link current = link;
        if (current != null) {
            current.close();
        }
    }

    private void reconnect() {
        try {
            dialUntilItStands();
        } finally {
            reconnects.set(false);
        }
        check();
    }

    private void dialUntilItStands() {
        long wait = FIRST_WAIT_MILLIS;
        while (!closed) {
            pause(random.nextLong(wait) + 1);
            wait = Math.min(2 * wait, LONGEST_WAIT_MILLIS);
            if (closed) {
                return;
            }
            try {
                Link made = dialler.get();
                link = made;
                synchronized (reconnecting) {
                    reconnecting.notifyAll();
                }
                if (made.isClosed()) {
                    continue;
                }
                restore();
                LOG.log(System.Logger.Level.INFO, "connected to the broker again");
                return;
            } catch (TransportException | CallException e) {
                LOG.log(System.Logger.Level.DEBUG, "no broker yet: {0}", e.getMessage());
            } catch (Throwable e) { // an Error, too: no other thread connects again
                LOG.log(System.Logger.Level.WARNING, "no broker yet", e);
            }
        }
    }

    private void start(Runnable task) {
        Thread thread = new Thread(task, "cleave-reconnect-" + context.hello().node());
        thread.setDaemon(true);
        thread.start();
    }

    private void restoreQuietly() {
        try {
            restore();
        } catch (CallException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the broker has forgotten us: {0}",
                    Names.escaped(String.valueOf(e.getMessage())));
        }
    }

    private void restore() {
        for (RegisterReplica r : List.copyOf(registered.values())) {
            try {
                registerAgain(r);
            } catch (CallException e) {
                if (link().isEmpty()) {
                    throw e;
                }
                refused(String.valueOf(e.getMessage())); // the other registrations are still to be restored
            }
        }
        for (String service : List.copyOf(watched.keySet())) {
            WatchedService of = watched.get(service);
            if (of != null) {
                watch(of);
            }
        }
    }

    private void registerAgain(RegisterReplica r) {
        ask(
                r.service(),
                "bind",
                id -> new RegisterReplica(
                        id,
                        r.service(),
                        r.replica(),
                        r.incarnation(),
                        r.endpoints(),
                        r.interfaceName(),
                        r.methodKeys(),
                        r.leaseMillis()));
    }

    /** Logs once that another process has a name of this node, and registers again when the name is free. */
    private void refused(String why) {
        if (returns.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}; it is registered again here when the name is free",
                    Names.escaped(why));
            comeBackAfter(FIRST_RETURN_MILLIS);
        }
    }

    private void comeBackAfter(long millis) {
        context.timer().schedule(Duration.ofMillis(millis), () -> {
            if (closed) {
                return;
            }
            try {
                start(() -> comeBack(millis));
            } catch (Throwable e) { // no memory for a thread
                comeBackAfter(millis);
                throw e;
            }
        });
    }

    private void comeBack(long waitedMillis) {
        try {
            for (RegisterReplica r : List.copyOf(registered.values())) {
                registerAgain(r);
            }
            returns.set(false);
        } catch (CallException e) {
            LOG.log(System.Logger.Level.DEBUG, "not registered yet: {0}", e.getMessage());
            comeBackAfter(Math.min(2 * waitedMillis, LONGEST_RETURN_MILLIS));
        } catch (Throwable e) { // an Error, too: no other thread registers again
            LOG.log(System.Logger.Level.WARNING, "not registered yet", e);
            comeBackAfter(Math.min(2 * waitedMillis, LONGEST_RETURN_MILLIS));
        }
    }

    private void pause(long millis) {
        long until = context.timer().nanos() + TimeUnit.MILLISECONDS.toNanos(millis);
        synchronized (reconnecting) {
            long left = millis;
            while (!closed && left > 0) {
                try {
                    reconnecting.wait(left);
                } catch (InterruptedException e) {
                    // No code interrupts this thread.
                    LOG.log(System.Logger.Level.DEBUG, "interrupted", e);
                }
                left = TimeUnit.NANOSECONDS.toMillis(until - context.timer().nanos());
            }
        }
    }

    private void scheduleRenewal() {
        context.timer().schedule(Duration.ofMillis(LEASE_MILLIS / 3), () -> {
            if (closed) {
                return;
            }
            try {
                link().filter(l -> !registered.isEmpty()).ifPresent(l -> {
                    l.write(new Lease(requests.number(), LEASE_MILLIS)
                            .write(l.connection().allocator()));
                    l.flush();
                });
            } finally { // also after an Error
                scheduleRenewal();
            }
        });
    }

    /** Sends a request and waits for its answer. */
    private Frame ask(String service, String verb, LongFunction<Frame> request) {
        CallSite site = new CallSite(service, "Node." + verb, null, true);
        Link current = link().orElse(null);
        if (current == null) {
            throw Failures.exception(
                    ErrorCode.CONNECTION_LOST,
                    CallException.Execution.NOT_EXECUTED,
                    "no connection to the broker",
                    site,
                    null);
        }
        return requests.ask(current, site, request);
    }
}
