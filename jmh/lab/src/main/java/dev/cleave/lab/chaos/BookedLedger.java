package dev.cleave.lab.chaos;

import dev.cleave.CallException;
import dev.cleave.NoSuchReferenceException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/** A replica: its calls take time, so that cuts meet calls that run and calls that wait for them. */
final class BookedLedger implements Ledger {

    private static final long SHORT_NANOS = 300_000;
    private static final long LONG_NANOS = 15_000_000;
    private static final long LONGEST_NANOS = 5_000_000_000L; // until a call that is not executed is given up
    private static final int LONG_EACH = 16;

    private final LedgerBook book;
    private final Probe leaf;
    private final List<Ear> kept = new CopyOnWriteArrayList<>();

    /**
     * Creates one.
     *
     * @param leaf another server
     */
    BookedLedger(LedgerBook book, Probe leaf) {
        this.book = book;
        this.leaf = leaf;
    }

    private static void work(long call) {
        boolean isLong = Probe.resultOf(call) % LONG_EACH == 0;
        long until = System.nanoTime() + (isLong ? LONG_NANOS : SHORT_NANOS);
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public long apply(long call) {
        book.begins(call);
        return book.apply(call, () -> work(call));
    }

    @Override
    public long inOrder(long call) {
        return apply(call);
    }

    @Override
    public long chained(long call) {
        return apply(call);
    }

    @Override
    public long again(long call) {
        book.begins(call);
        work(call);
        return Probe.resultOf(call);
    }

    @Override
    public long hedged(long call) {
        return again(call);
    }

    @Override
    public long large(long call, byte[] bytes) {
        book.begins(call);
        work(call);
        return Sink.sum(bytes);
    }

    @Override
    public byte[] fill(long call, int length) {
        book.begins(call);
        work(call);
        return bytesOf(call, length);
    }

    static byte[] bytesOf(long call, int length) {
        byte[] bytes = new byte[length];
        new Random(call).nextBytes(bytes);
        return bytes;
    }

    @Override
    public boolean back(long call, Ear ear) {
        book.begins(call);
        work(call);
        try {
            ear.told(call);
            return true;
        } catch (CallException e) { // its connection is gone, and the caller with it
            return false;
        }
    }

    @Override
    public void keep(Ear ear) {
        kept.add(ear);
    }

    /** Calls what it has kept; returns how many of their objects are not there any more. */
    int missing() {
        int missing = 0;
        for (Ear ear : kept) {
            try {
                ear.told(0);
            } catch (NoSuchReferenceException e) {
                missing++;
            }
        }
        return missing;
    }

    /** Lets go of what it has kept. */
    void drop() {
        kept.clear();
    }

    @Override
    public long through(long call) {
        book.begins(call);
        long until = System.nanoTime() + LONGEST_NANOS;
        while (true) {
            try {
                return leaf.once(call);
            } catch (CallException e) {
                if (!e.notExecuted() || System.nanoTime() - until > 0) {
                    throw e;
                }
                LockSupport.parkNanos(
                        LONG_NANOS); // nothing has run, and it can be tried again: only doubt is the caller's
            }
        }
    }

    @Override
    public void note(long call) {
        book.begins(call);
    }
}
