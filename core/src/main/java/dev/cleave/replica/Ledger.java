package dev.cleave.replica;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.wire.Load;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The loads of replicas: this process counts its own calls, and the replicas report those of others.
 *
 * <h2>Reports</h2>
 *
 * A report loses weight with age, and expires after {@value #FORGOTTEN_SECONDS} s: a replica that was busy when it was
 * last heard of is tried again. A report counts for at most {@value #MOST_PER_SLOT} calls per slot, so that a wrong one
 * does not keep all calls away. Calls of this process are subtracted from a report, since this process counts them
 * itself.
 *
 * <p>Thread-safe.
 */
final class Ledger implements InFlightCounts {

    static final int FORGOTTEN_SECONDS = 3;
    static final int MOST_PER_SLOT = 64;

    private static final int MOST_WAITING = 64;
    private static final int MOST_LOOKED_AT = 64; // calls of a replica: those beyond are taken for the average
    private static final double LONGER = 16;
    private static final double LEARNED = 8; // calls over which averages reach back
    private static final double MOST_SLOWNESS = 10;

    private final LongSupplier nanos;

    @GuardedBy("times")
    private final ServiceTimes times = new ServiceTimes();

    private final Map<String, Account> accounts = new ConcurrentHashMap<>();

    private static final class Account {

        private final AtomicInteger outstanding = new AtomicInteger();
        private final AtomicInteger placed = new AtomicInteger(); // the number of calls that ever were
        private final AtomicInteger begun = new AtomicInteger(); // the number of outstanding calls that have begun
        private volatile @Nullable Report report;

        @GuardedBy("this")
        private final Set<Entry> weighed = new LinkedHashSet<>(); // outstanding calls that are weighed

        @GuardedBy("this")
        private double slowness; // the binary logarithm of how much longer calls take here than expected

        @GuardedBy("this")
        private double way = -1; // nanoseconds from sending a call until it has begun, at an idle replica

        @GuardedBy("this")
        private double run = -1; // nanoseconds from the beginning of a call to its end, as seen here
    }

    /** A call at a replica. */
    static final class Entry {

        private final @Nullable Object key;
        private final long sentAt;
        private final boolean wasIdle; // the call was alone there when it was sent
        private volatile long begunAt; // when it has begun, as reported; 0 before

        private Entry(@Nullable Object key, long sentAt, boolean wasIdle) {
            this.key = key;
            this.sentAt = sentAt;
            this.wasIdle = wasIdle;
        }

        /** Whether the policy weighs the call. */
        boolean isWeighed() {
            return key instanceof Work;
        }
    }

    private record Report(double others, int capacity, long atNanos) {}

    Ledger(LongSupplier nanos) {
        this.nanos = requireNonNull(nanos, "nanos");
    }

    /** Counts a call that is sent to a replica. */
    Entry begin(String replica, @Nullable Object key) {
        Account account = account(replica);
        boolean wasIdle = account.outstanding.getAndIncrement() == 0;
        account.placed.getAndIncrement();
        Entry entry = new Entry(key, nanos.getAsLong(), wasIdle);
        if (entry.isWeighed()) {
            synchronized (account) {
                account.weighed.add(entry);
            }
        }
        return entry;
    }

    /** Counts a call that has begun at a replica. */
    void begun(String replica, Entry entry) {
        Account account = account(replica);
        account.begun.incrementAndGet();
        long now = nanos.getAsLong();
        entry.begunAt = now | 1;
        if (entry.wasIdle) {
            synchronized (account) {
                account.way = averaged(account.way, now - entry.sentAt);
            }
        }
    }

    private static double averaged(double before, double more) {
        return before < 0 ? more : before + (more - before) / LEARNED;
    }

    /** Learns from a call that has ended how long such calls take, if the replica has reported that it began. */
    void learn(String replica, Entry entry) {
        Account account = account(replica);
        long now = nanos.getAsLong();
        synchronized (account) {
            account.weighed.remove(entry);
            if (entry.begunAt == 0) { // nothing is known of its time
                return;
            }
            double took = Math.max(1, now - entry.begunAt);
            account.run = averaged(account.run, took);
            if (!(entry.key instanceof Work work)) {
                return;
            }
            double expected;
            synchronized (times) {
                expected = times.of(work);
                times.ended(work, (long) (took / Math.pow(2, account.slowness)));
            }
            double ratio = Math.log(took / Math.max(1, expected)) / Math.log(2);
            account.slowness = Math.max(-MOST_SLOWNESS, Math.min(MOST_SLOWNESS, averaged(account.slowness, ratio)));
        }
    }

    @Override
    public double work(String replica) {
        Account account = accounts.get(replica);
        if (account == null) {
            return 0;
        }
        long now = nanos.getAsLong();
        synchronized (account) {
            double slowness = Math.pow(2, account.slowness);
            double work = 0;
            int looked = 0;
            for (Entry entry : account.weighed) {
                double whole = time(entry.key) * slowness;
                // what takes longer than expected has still something to do
                work += entry.begunAt == 0 ? whole : Math.max(whole / LONGER, whole - (now - entry.begunAt));
                if (++looked == MOST_LOOKED_AT) {
                    return work * account.weighed.size() / looked;
                }
            }
            return work;
        }
    }

    @Override
    public double time(@Nullable Object key) {
        if (!(key instanceof Work work)) {
            return 1;
        }
        synchronized (times) {
            return times.of(work);
        }
    }

    @Override
    public int mayWait(String replica) {
        Account account = accounts.get(replica);
        if (account == null) {
            return 1;
        }
        synchronized (account) {
            if (account.way < 0 || account.run < 0) {
                return 1;
            }
            double meanwhile = Math.max(1, account.begun.get()) * account.way / Math.max(1, account.run);
            return 1 + (int) Math.min(MOST_WAITING, meanwhile);
        }
    }

    /**
     * Counts a call that has ended.
     *
     * @param hadBegun whether the replica had reported that it began
     */
    void end(String replica, boolean hadBegun) {
        Account account = account(replica);
        if (hadBegun) {
            account.begun.decrementAndGet();
        }
        account.outstanding.decrementAndGet();
    }

    /** Takes the load that a replica has reported. */
    void report(String replica, Load load) {
        Account account = account(replica);
        int capacity = Math.max(1, load.capacity());
        double all = Math.min((double) load.queued() + load.running(), (double) MOST_PER_SLOT * capacity);
        account.report = new Report(Math.max(0, all - account.outstanding.get()), capacity, nanos.getAsLong());
    }

    /** Forgets all replicas but these. */
    void keep(Collection<String> replicas) {
        accounts.entrySet()
                .removeIf(entry -> !replicas.contains(entry.getKey())
                        && entry.getValue().outstanding.get() == 0);
    }

    @Override
    public int outstanding(String replica) {
        Account account = accounts.get(replica);
        return account == null ? 0 : account.outstanding.get();
    }

    @Override
    public int waiting(String replica) {
        Account account = accounts.get(replica);
        return account == null ? 0 : account.outstanding.get() - account.begun.get();
    }

    @Override
    public double load(String replica) {
        Account account = accounts.get(replica);
        if (account == null) {
            return 0;
        }
        Report report = account.report;
        if (report == null) {
            return account.outstanding.get();
        }
        double age = (nanos.getAsLong() - report.atNanos) / 1e9 / FORGOTTEN_SECONDS;
        return (report.others * Math.max(0, 1 - age) + account.outstanding.get()) / report.capacity;
    }

    @Override
    public int free(String replica) {
        Account account = accounts.get(replica);
        Report report = account == null ? null : account.report;
        if (account == null || report == null) {
            return 0;
        }
        double age = (nanos.getAsLong() - report.atNanos) / 1e9 / FORGOTTEN_SECONDS;
        double busy = report.others * Math.max(0, 1 - age) + account.outstanding.get();
        return Math.max(0, report.capacity - (int) Math.ceil(busy));
    }

    /** The load of a replica: calls of other processes, as last reported, and calls of this one. */
    Load shown(String replica) {
        Account account = accounts.get(replica);
        Report report = account == null ? null : account.report;
        if (account == null || report == null) {
            return Load.NONE;
        }
        int busy = (int) Math.ceil(report.others) + account.outstanding.get();
        int running = Math.min(busy, report.capacity);
        return new Load(busy - running, 0, running, report.capacity);
    }

    /** The number of calls of this process that the replica ever got; overflows. */
    int placed(String replica) {
        Account account = accounts.get(replica);
        return account == null ? 0 : account.placed.get();
    }

    private Account account(String replica) {
        return accounts.computeIfAbsent(replica, r -> new Account());
    }
}
