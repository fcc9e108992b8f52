package dev.cleave.broker;

import dev.cleave.broker.cluster.Cluster;
import dev.cleave.broker.gossip.FarLoads;
import dev.cleave.broker.gossip.LoadGossip;
import dev.cleave.broker.health.Health;
import dev.cleave.broker.migration.Migrations;
import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.RefusedException;
import dev.cleave.broker.registry.Registry;
import dev.cleave.broker.relay.RelaySession;
import dev.cleave.broker.store.ClusterStore;
import dev.cleave.call.FrameTable;
import dev.cleave.call.RightsGuard;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.metrics.Refusals;
import dev.cleave.wire.CallGrant;
import dev.cleave.wire.Drain;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Forward;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Lease;
import dev.cleave.wire.ListServices;
import dev.cleave.wire.Load;
import dev.cleave.wire.LoadAsk;
import dev.cleave.wire.Loaded;
import dev.cleave.wire.Lookup;
import dev.cleave.wire.Pong;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.Registered;
import dev.cleave.wire.Reload;
import dev.cleave.wire.Reloaded;
import dev.cleave.wire.Services;
import dev.cleave.wire.Unregister;
import dev.cleave.wire.Unwatch;
import dev.cleave.wire.Watch;
import dev.cleave.wire.Welcome;
import dev.cleave.wire.WireException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes the questions of sessions to the registry. The session's event thread reads them, the registry's thread
 * answers them in order. A session that does not read its answers gets no more until it reads.
 */
final class Desk implements Session.Listener {

    private static final System.Logger LOG = SafeLog.of(Desk.class);

    private final Registry registry;
    private final Health health;
    private final Migrations migrations;
    private final LoadGossip gossip;
    private final FarLoads farLoads;
    private final RightsGuard guard;
    private final Reloading reloading;
    private final Executor thread;
    private final Consumer<Session> whenGone;
    private volatile @Nullable Cluster cluster;
    private volatile boolean closed;

    /** The parts that place calls of this broker at replicas of other brokers, and calls of those here. */
    record Moves(Migrations migrations, LoadGossip gossip, FarLoads farLoads) {}

    Desk(
            Registry registry,
            Health health,
            Moves moves,
            RightsGuard guard,
            Reloading reloading,
            Executor thread,
            Consumer<Session> whenGone) {
        this.guard = guard;
        this.reloading = reloading;
        this.registry = registry;
        this.health = health;
        migrations = moves.migrations();
        gossip = moves.gossip();
        farLoads = moves.farLoads();
        this.thread = thread;
        this.whenGone = whenGone;
    }

    /** Shares registrations with the other brokers of a cluster from now on, before any session opens. */
    void join(Cluster joined) {
        cluster = joined;
    }

    /** The handlers of frames for the registry. */
    FrameTable<Session> frames() {
        return FrameTable.<Session>of("a broker")
                .with(Session::relayed, RelaySession.FRAMES)
                .on(FrameKind.REGISTER, RegisterReplica::read, this::onRegister)
                .on(FrameKind.UNREGISTER, Unregister::read, this::onUnregister)
                .on(FrameKind.LEASE, Lease::read, this::onLease)
                .on(FrameKind.LOOKUP, Lookup::read, this::onLookup)
                .on(FrameKind.WATCH, Watch::read, this::onWatch)
                .on(FrameKind.UNWATCH, Unwatch::read, this::onUnwatch)
                .on(FrameKind.LIST, ListServices::read, this::onList)
                .on(FrameKind.DRAIN, Drain::read, this::onDrain)
                .on(FrameKind.RELOAD, Reload::read, this::onReload)
                .on(FrameKind.RELOADED, Reloaded::read, this::onReloaded)
                .on(FrameKind.PONG, Pong::read, this::onPong)
                .on(FrameKind.LOADED, Loaded::read, this::onLoaded)
                .on(FrameKind.CALL_GRANT, CallGrant::read, this::onGrant)
                .on(FrameKind.FORWARD, Forward::read, this::onForward)
                .on(FrameKind.LOAD_ASK, LoadAsk::read, this::onLoadAsk)
                .on(FrameKind.GOAWAY, GoAway::read, (session, said) -> session.close())
                .build();
    }

    @Override
    public void onOpen(Session session) {
        run(() -> health.joined(session));
        if (cluster != null) {
            run(() -> welcome(session));
        }
    }

    /** Tells a node which brokers there are, if it can be told. Registry's thread only. */
    void welcome(Session session) {
        Cluster joined = cluster;
        if (joined == null || !session.knowsClusters()) {
            return;
        }
        session.answer(new Welcome(
                joined.id(),
                closed,
                joined.health() != ClusterStore.Health.CONNECTED,
                joined.members().stream()
                        .filter(member -> !closed || !member.id().equals(joined.id()))
                        .limit(Welcome.MOST)
                        .map(member -> new Welcome.Broker(
                                member.id(), member.endpoint(), member.fence(), member.startedMillis()))
                        .toList()));
    }

    private void onRegister(Session session, RegisterReplica said) {
        Cluster joined = cluster;
        if (joined != null) {
            registerInCluster(joined, session, said);
            return;
        }
        ask(session, said.id(), () -> {
            check(guard.mayRegister(session.identity(), said.service()), session, "serve " + said.service());
            return registered(session, ofIdentity(session, said));
        });
    }

    private Registered registered(Session session, RegisterReplica said) {
        int lease = registry.register(session, said);
        health.registered(session);
        migrations.registered(session, said.service(), said.replica());
        return new Registered(said.id(), lease);
    }

    /** Registers a replica when the store has it, or does not answer. */
    private void registerInCluster(Cluster joined, Session session, RegisterReplica said) {
        session.asked();
        run(() -> session.whenWritable(() -> {
            try {
                check(guard.mayRegister(session.identity(), said.service()), session, "serve " + said.service());
                RegisterReplica wanted = ofIdentity(session, said);
                registry.admit(session, wanted);
                joined.publish(session, wanted, refusal -> {
                    if (refusal != null) {
                        respond(session, said.id(), () -> {
                            throw refusal;
                        });
                    } else if (session.isClosed()) {
                        joined.withdraw(session, wanted);
                        session.answered();
                    } else if (!respond(session, said.id(), () -> registered(session, wanted))) {
                        joined.withdraw(session, wanted);
                    }
                });
            } catch (RefusedException e) {
                boolean unused = respond(session, said.id(), () -> {
                    throw e;
                });
            }
        }));
    }

    private void onUnregister(Session session, Unregister said) {
        ask(session, said.id(), () -> {
            registry.unregister(session, said.service(), said.replica());
            migrations.unregistered(session, said.service(), said.replica());
            return new Registered(said.id(), 0);
        });
    }

    private void onLease(Session session, Lease said) {
        ask(session, said.id(), () -> new Lease(said.id(), registry.renew(session, said.leaseMillis())));
    }

    private void onLookup(Session session, Lookup said) {
        ask(session, said.id(), () -> {
            checkFind(session, said.service());
            return Session.replicas(said.id(), registry.lookup(said.service()));
        });
    }

    private void onWatch(Session session, Watch said) {
        ask(session, said.id(), () -> {
            checkFind(session, said.service());
            String client = said.isPartEnough() ? session.client() : null;
            return Session.replicas(said.id(), registry.watch(session, said.service(), client));
        });
    }

    private void onUnwatch(Session session, Unwatch said) {
        tell(session, () -> registry.unwatch(session, said.service()));
    }

    private void onList(Session session, ListServices said) {
        ask(
                session,
                said.id(),
                () -> new Services(
                        said.id(),
                        registry.list().stream()
                                .filter(service -> guard.sees(session.identity(), service.name()))
                                .map(this::withFarLoads)
                                .toList()));
    }

    /** Adds the loads that other brokers have told of their replicas. */
    private Services.Service withFarLoads(Services.Service service) {
        return new Services.Service(
                service.name(),
                service.interfaceName(),
                service.route(),
                service.replicas().stream()
                        .map(replica -> {
                            Load load = replica.isElsewhere() ? farLoads.load(service.name(), replica.name()) : null;
                            return load == null ? replica : replica.of(load);
                        })
                        .toList());
    }

    private void checkFind(Session session, String service) {
        check(guard.mayFind(session.identity(), service), session, "find " + service);
    }

    private static void check(boolean may, Session session, String what) {
        if (!may) {
            throw new RefusedException(ErrorCode.DENIED, RightsGuard.refusal(session.identity(), what));
        }
    }

    /** Returns a registration whose endpoints name the identity that the session has proved, whatever they say. */
    private static RegisterReplica ofIdentity(Session session, RegisterReplica said) {
        String identity = session.identity();
        if (identity == null) {
            return said;
        }
        List<String> endpoints = said.endpoints().stream()
                .map(endpoint -> Session.endpoint(endpoint).of(identity).toString())
                .toList();
        return new RegisterReplica(
                said.id(),
                said.service(),
                said.replica(),
                said.incarnation(),
                endpoints,
                said.interfaceName(),
                said.methodKeys(),
                said.leaseMillis());
    }

    private void onDrain(Session session, Drain said) {
        ask(session, said.id(), () -> {
            check(guard.mayAdminister(session.identity(), "drain"), session, "drain " + said.replica());
            Set<Party> parties = registry.offering(said.replica());
            if (parties.isEmpty()) {
                throw new RefusedException(ErrorCode.NOT_REGISTERED, "no replica " + said.replica() + " is registered");
            }
            for (Party party : parties) {
                if (!(party instanceof Session told) || !told.drains()) {
                    throw new RefusedException(
                            ErrorCode.VERSION,
                            "replica " + said.replica() + " at " + party.address() + " cannot be asked");
                }
            }
            parties.forEach(party -> ((Session) party).askToLeave(new Drain(0, said.replica())));
            return new Registered(said.id(), 0);
        });
    }

    private void onReload(Session session, Reload said) {
        session.asked();
        run(() -> {
            try {
                check(guard.mayAdminister(session.identity(), "reload"), session, "reload the application file");
                reloading.begin(session, said);
            } catch (RefusedException e) {
                Refusals.count("registry." + e.code());
                session.answer(new Failure(0, said.id(), e.code(), Execution.NOT, String.valueOf(e.getMessage())));
            } finally {
                session.answered();
            }
        });
    }

    private void onReloaded(Session session, Reloaded said) {
        tell(session, () -> reloading.answered(session, said));
    }

    private void onPong(Session session, Pong said) {
        tell(session, () -> {
            health.answered(session, said.id(), said.load());
            migrations.look();
        });
    }

    private void onLoaded(Session session, Loaded said) {
        tell(session, () -> migrations.loaded(session, said));
    }

    private void onGrant(Session session, CallGrant said) {
        tell(session, () -> migrations.granted(session, said));
    }

    private void onForward(Session session, Forward said) {
        if (isMember(session)) {
            tell(session, () -> migrations.ordered(session, said));
        } else {
            boolean unused = guard.denied("forward", session.identity(), "orders to servers of this broker");
        }
    }

    private void onLoadAsk(Session session, LoadAsk said) {
        if (isMember(session)) {
            tell(session, () -> {
                if (!session.isClosed()) { // else its end was handled before
                    gossip.asked(session, said);
                }
            });
        } else {
            boolean unused = guard.denied("loads", session.identity(), "loads of servers of this broker");
        }
    }

    /** Whether a session is that of another broker of the cluster. */
    private boolean isMember(Session session) {
        Cluster joined = cluster;
        return joined != null && session.isBroker() && (guard.isOpen() || joined.hasIdentity(session.identity()));
    }

    /** Wakes the registry's thread, once until it has looked. */
    @Override
    public void onWritable(Session session) {
        if (session.mayHaveMissed()) {
            run(() -> session.pushMissed(service -> registry.lookup(session, service)));
        }
    }

    /** Ends all sessions with the broker. They are not told that the others are gone, since those still run. */
    void close() {
        closed = true;
    }

    @Override
    public void onClose(Session session) {
        whenGone.accept(session);
        if (closed) {
            return;
        }
        run(() -> {
            health.gone(session);
            reloading.gone(session);
            migrations.lost(session);
            gossip.lost(session);
        });
    }

    private void ask(Session session, long id, Supplier<Frame> question) {
        session.asked();
        run(() -> session.whenWritable(() -> {
            boolean unused = respond(session, id, question);
        }));
    }

    /** Answers a question; returns whether it was not refused. */
    private static boolean respond(Session session, long id, Supplier<Frame> question) {
        try {
            session.answer(question.get());
            return true;
        } catch (RefusedException e) {
            Refusals.count("registry." + e.code());
            session.answer(new Failure(0, id, e.code(), Execution.NOT, String.valueOf(e.getMessage())));
        } catch (WireException e) {
            session.answer(new Failure(0, id, e.code(), Execution.EXECUTED, String.valueOf(e.getMessage())));
        } finally {
            session.answered();
        }
        return false;
    }

    /** Runs a task that needs no answer; a session with many waiting tasks is not read from meanwhile. */
    private void tell(Session session, Runnable news) {
        session.asked();
        run(() -> {
            try {
                news.run();
            } finally {
                session.answered();
            }
        });
    }

    private void run(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            // The broker has been closed: there is no registry left to ask or to tell.
            LOG.log(System.Logger.Level.DEBUG, "after the end of the broker", e);
        }
    }
}
