package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.call.Balances;
import dev.cleave.call.Expression;
import dev.cleave.call.ExpressionLanguage;
import dev.cleave.call.ExpressionLanguage.Purpose;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.client.ServiceRoute.Wish;
import dev.cleave.concurrent.LendingThread;
import dev.cleave.config.Balance;
import dev.cleave.replica.Balancer;
import dev.cleave.replica.Placement;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Load;
import dev.cleave.wire.Replicas;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Spreads the calls of this node to one service over its replicas; the policy can be changed at any time. Thread-safe.
 */
final class Spread {

    private final RandomGenerator random;
    private final LongSupplier nanos;
    private final Balancer balancer;
    private final Object room = new Object();
    private volatile boolean isRated; // some methods have priorities
    private final AtomicInteger waiting = new AtomicInteger(); // threads that wait for room
    private volatile Balance balance;
    private volatile Map<String, Expression> keys = Map.of(); // by the keys of the methods

    @GuardedBy("this")
    private @Nullable RemoteInterface contract;

    Spread(Balance balance, RandomGenerator random, LongSupplier nanos) {
        this.balance = requireNonNull(balance, "balance");
        this.random = requireNonNull(random, "random");
        this.nanos = requireNonNull(nanos, "nanos");
        balancer = new Balancer(Balances.policy(balance, random), nanos);
    }

    /**
     * Prepares the keys of the calls of an interface, for which a stub is made.
     *
     * @throws IllegalArgumentException if the affinity of the file can be computed for none of its methods
     */
    synchronized void serve(RemoteInterface type) {
        contract = type;
        keys = keys(balance, type);
        isRated |= type.methods().stream().anyMatch(method -> method.priority() != null);
    }

    /**
     * Applies another balance policy from now on.
     *
     * @throws IllegalArgumentException as {@link #serve}; then nothing changes
     */
    synchronized void change(Balance next) {
        if (next.equals(balance)) {
            return;
        }
        RemoteInterface known = contract;
        Map<String, Expression> computed = known == null ? Map.of() : keys(next, known);
        balance = next;
        keys = computed;
        balancer.change(Balances.policy(next, random));
    }

    /** Sets a task that runs each time that there may be room for a waiting call. It may not block. */
    void onRoom(Runnable task) {
        balancer.onRoom(() -> {
            wake();
            task.run();
        });
    }

    /** Whether calls wait in a line for room, and not the threads that make them. */
    boolean linesUp() {
        return (isRated || balancer.learns()) && balancer.counts();
    }

    /**
     * Whether some of many replicas will do: the policy neither needs a certain replica, nor is there to give work to all.
     */
    boolean isPartEnough() {
        Balance now = balance;
        return now instanceof Balance.RoundRobin || now instanceof Balance.LeastLoaded;
    }

    /** Whether the policy learns the times of calls. */
    boolean learns() {
        return balancer.learns();
    }

    /** Whether the policy chooses among the waiting calls. */
    boolean chooses() {
        return balancer.chooses();
    }

    /** Chooses the waiting call to be placed next, by what is known of each; -1 if there is no room. */
    int choose(List<Replicas.Replica> candidates, Iterator<? extends @Nullable Object> keysOfCalls) {
        return balancer.choose(candidates, keysOfCalls);
    }

    /** Returns a random number below a bound. */
    int next(int bound) {
        return random.nextInt(bound);
    }

    /** Returns the expression of the keys of a method's calls; null if the policy needs none. */
    @Nullable
    Expression key(RemoteMethod method) {
        Map<String, Expression> known = keys;
        return known.isEmpty() ? null : known.get(method.key());
    }

    /** Whether the policy needs the number of calls at each replica. */
    boolean counts() {
        return balancer.counts();
    }

    /** Whether the policy needs the load that replicas report. */
    boolean needsReports() {
        return balancer.needsReports();
    }

    void report(String replica, Load load) {
        balancer.report(replica, load);
    }

    void keep(ReplicaSet set) {
        balancer.keep(set.replicas().stream().map(Replicas.Replica::name).toList());
    }

    /** Places a call; null if no replica may take one more now. */
    @Nullable
    Placement place(List<Replicas.Replica> candidates, @Nullable Object key) {
        return balancer.place(candidates, key);
    }

    Placement placeAnyway(List<Replicas.Replica> candidates, @Nullable Object key) {
        return balancer.placeAnyway(candidates, key);
    }

    Placement placeAt(Replicas.Replica replica) {
        return balancer.placeAt(replica);
    }

    /**
     * Waits until a replica may take one more call.
     *
     * @throws NoHopException if the patience of the call ends before, or there is no replica any more
     */
    Placement awaitRoom(Supplier<List<Replicas.Replica>> live, Wish wish) {
        LendingThread lender = Thread.currentThread() instanceof LendingThread thread ? thread : null;
        if (lender != null) {
            lender.lend(0);
        }
        waiting.incrementAndGet();
        try {
            return await(live, wish);
        } finally {
            waiting.decrementAndGet();
            if (lender != null) {
                lender.reclaim();
            }
        }
    }

    /**
     * Waits until there is a replica, for a time at most.
     *
     * @return whether there is
     */
    boolean awaitLive(Supplier<List<Replicas.Replica>> live, long mostNanos) {
        LendingThread lender = Thread.currentThread() instanceof LendingThread thread ? thread : null;
        if (lender != null) {
            lender.lend(0);
        }
        waiting.incrementAndGet();
        try {
            return waitForLive(live, nanos.getAsLong() + mostNanos);
        } finally {
            waiting.decrementAndGet();
            if (lender != null) {
                lender.reclaim();
            }
        }
    }

    private boolean waitForLive(Supplier<List<Replicas.Replica>> live, long until) {
        boolean interrupted = false;
        try {
            synchronized (room) {
                while (live.get().isEmpty()) {
                    long left = TimeUnit.NANOSECONDS.toMillis(until - nanos.getAsLong());
                    if (left <= 0) {
                        return false;
                    }
                    interrupted |= isInterrupted(left);
                }
                return true;
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt(); // as after any other call
            }
        }
    }

    /** The clock. */
    long nanos() {
        return nanos.getAsLong();
    }

    private Placement await(Supplier<List<Replicas.Replica>> live, Wish wish) {
        long until = nanos.getAsLong() + wish.patienceNanos();
        boolean interrupted = false;
        try {
            synchronized (room) {
                while (true) {
                    List<Replicas.Replica> candidates = live.get();
                    Placement placed = candidates.isEmpty() ? null : balancer.place(candidates, wish.key());
                    if (placed != null) {
                        return placed;
                    }
                    long left = TimeUnit.NANOSECONDS.toMillis(until - nanos.getAsLong());
                    if (candidates.isEmpty() || left <= 0) {
                        throw new NoHopException(
                                candidates.isEmpty() ? ErrorCode.NO_REPLICA : ErrorCode.OVERLOAD,
                                candidates.isEmpty()
                                        ? "no live replica"
                                        : "each replica had as many calls as it may have until the deadline",
                                null);
                    }
                    interrupted |= isInterrupted(left);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt(); // as after any other call
            }
        }
    }

    @GuardedBy("room")
    private boolean isInterrupted(long millis) {
        try {
            room.wait(millis);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    private void wake() {
        if (waiting.get() > 0) {
            synchronized (room) {
                room.notifyAll();
            }
        }
    }

    private static Map<String, Expression> keys(Balance balance, RemoteInterface type) {
        if (balance instanceof Balance.Learned) {
            return type.methods().stream()
                    .filter(method -> !method.hasPrimitivesOnly())
                    .collect(Collectors.toMap(RemoteMethod::key, method -> arguments -> kind(method, arguments)));
        }
        String expression = balance.keys();
        if (expression == null) {
            return Map.of();
        }
        Map<String, Expression> keys = new HashMap<>();
        IllegalArgumentException mistake = null;
        for (RemoteMethod method : type.methods()) {
            try {
                keys.put(method.key(), ExpressionLanguage.compile(expression, Purpose.AFFINITY, method));
            } catch (IllegalArgumentException e) { // a method without such a parameter has no key
                mistake = e;
            }
        }
        if (keys.isEmpty() && mistake != null) {
            throw mistake;
        }
        return Map.copyOf(keys);
    }

    /** Returns what is equal for calls of a method whose arguments are of equal classes. */
    private static Object kind(RemoteMethod method, @Nullable Object[] arguments) {
        StringBuilder kind = new StringBuilder(method.key());
        for (Object argument : arguments) {
            kind.append(' ').append(argument == null ? "" : argument.getClass().getName());
        }
        return kind.toString();
    }
}
