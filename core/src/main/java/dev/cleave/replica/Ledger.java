package dev.cleave.replica;

import static java.util.Objects.requireNonNull;

import dev.cleave.wire.Load;
import java.util.Collection;
import java.util.Map;
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
final class Ledger implements Burden {

    static final int FORGOTTEN_SECONDS = 3;
    static final int MOST_PER_SLOT = 64;

    private final LongSupplier nanos;
    private final Map<String, Account> accounts = new ConcurrentHashMap<>();

    private static final class Account {

        private final AtomicInteger outstanding = new AtomicInteger();
        private final AtomicInteger begun = new AtomicInteger(); // the number of outstanding calls that have begun
        private volatile @Nullable Report report;
    }

    private record Report(double others, int capacity, long atNanos) {}

    Ledger(LongSupplier nanos) {
        this.nanos = requireNonNull(nanos, "nanos");
    }

    void begin(String replica) {
        account(replica).outstanding.incrementAndGet();
    }

    /** Counts a call that has begun at a replica. */
    void begun(String replica) {
        account(replica).begun.incrementAndGet();
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

    private Account account(String replica) {
        return accounts.computeIfAbsent(replica, r -> new Account());
    }
}
