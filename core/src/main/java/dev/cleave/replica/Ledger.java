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
 * What replicas have to do: counted for calls from here, reported for those of others.
 *
 * <h2>Reports</h2>
 *
 * A report counts for less the older it is, and for nothing after {@value #FORGOTTEN_SECONDS} s: a replica that was busy when it was
 * last heard of is tried again. And it counts for at most {@value #MOST_PER_SLOT} calls for each slot, so a wild one does not keep
 * all calls away. What a report says of calls from here is known better here, and taken off.
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
        private final AtomicInteger begun = new AtomicInteger(); // of those
        private volatile @Nullable Report report;
    }

    private record Report(double others, int capacity, long atNanos) {}

    Ledger(LongSupplier nanos) {
        this.nanos = requireNonNull(nanos, "nanos");
    }

    void begin(String replica) {
        account(replica).outstanding.incrementAndGet();
    }

    /** A call has begun there. */
    void begun(String replica) {
        account(replica).begun.incrementAndGet();
    }

    /**
     * A call has ended.
     *
     * @param hadBegun whether that has been told
     */
    void end(String replica, boolean hadBegun) {
        Account account = account(replica);
        if (hadBegun) {
            account.begun.decrementAndGet();
        }
        account.outstanding.decrementAndGet();
    }

    /** A replica has said how busy it is. */
    void report(String replica, Load load) {
        Account account = account(replica);
        int capacity = Math.max(1, load.capacity());
        double all = Math.min((double) load.queued() + load.running(), (double) MOST_PER_SLOT * capacity);
        account.report = new Report(Math.max(0, all - account.outstanding.get()), capacity, nanos.getAsLong());
    }

    /** Forgets the replicas that there are no more. */
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
