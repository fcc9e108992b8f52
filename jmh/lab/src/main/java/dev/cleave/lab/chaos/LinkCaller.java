package dev.cleave.lab.chaos;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.call.Handle;
import dev.cleave.lab.history.Outcome;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** A thread that calls: a loop of calls of all kinds, or of calls that have an order, some of them in flight. */
final class LinkCaller extends Thread {

    private static final int ID_BITS = 32;
    private static final int LARGE = 200_000; // bytes: some chunks
    private static final int WINDOW = 4;
    private static final long PAUSE_NANOS = 5_000_000;

    private final Ledger ledger;
    private final LedgerBook book;
    private final boolean isOrdered;
    private final Consumer<Outcome> outcomes;
    private final long first;
    private final int calls;

    /** The kinds of calls. */
    enum Kind {
        APPLY,
        ORDERED,
        AGAIN,
        HEDGED,
        THROUGH,
        LARGE,
        FILL,
        GIVEN_UP,
        BACK,
        NOTE;

        /** Whether servers remember its outcome: the reply is small, and there are no references. */
        boolean isRemembered() {
            return this != FILL && this != BACK;
        }

        /** Whether it changes the model of its key. */
        boolean isModelled() {
            return this == APPLY || this == ORDERED || this == GIVEN_UP;
        }
    }

    /**
     * Creates a caller that does not call yet.
     *
     * @param number of the caller, from 1; every fourth makes calls that have an order
     * @param from the number of its first call
     */
    LinkCaller(int number, int from, int calls, Ledger ledger, LedgerBook book, Consumer<Outcome> outcomes) {
        super("chaos-link-" + number);
        setDaemon(true);
        this.ledger = ledger;
        this.book = book;
        this.calls = calls;
        this.outcomes = outcomes;
        isOrdered = isOrdered(number);
        first = ((long) number << ID_BITS) + from;
    }

    private static boolean isOrdered(long number) {
        return number % 4 == 3;
    }

    /** The lane of a call: its caller, if its calls have an order, else 0. */
    static long laneOf(long call) {
        return isOrdered(call >>> ID_BITS) ? call >>> ID_BITS : 0;
    }

    static Kind kindOf(long call) {
        if (laneOf(call) != 0) {
            return Kind.ORDERED;
        }
        return switch ((int) Long.remainderUnsigned(Probe.resultOf(call) >>> 20, 12)) {
            case 0 -> Kind.AGAIN;
            case 1 -> Kind.HEDGED;
            case 2 -> Kind.THROUGH;
            case 3 -> Kind.LARGE;
            case 4 -> Kind.BACK;
            case 5 -> Kind.NOTE;
            case 6 -> Kind.FILL;
            case 7 -> Kind.GIVEN_UP;
            default -> Kind.APPLY;
        };
    }

    /** The numbers of its calls. */
    List<Long> made() {
        return LongStream.range(first, first + calls).boxed().toList();
    }

    @Override
    public void run() {
        Deque<Sent> sent = new ArrayDeque<>();
        for (long call = first; call < first + calls; call++) {
            if (isOrdered) {
                if (sent.size() == WINDOW) {
                    sent.remove().await();
                }
                sent.add(new Sent(call));
            } else {
                long of = call;
                make(call, System.nanoTime(), () -> result(of));
            }
        }
        sent.forEach(Sent::await);
    }

    /** A call in flight. */
    private final class Sent {

        private final long call;
        private final long began = System.nanoTime();
        private final Pending<Long> pending;

        private Sent(long call) {
            this.call = call;
            pending = Cleave.async(() -> ledger.inOrder(call));
        }

        private void await() {
            make(call, began, pending::await);
        }
    }

    private void make(long call, long began, Callable<Long> what) {
        Kind kind = kindOf(call);
        boolean idempotent = kind == Kind.AGAIN || kind == Kind.HEDGED;
        try {
            long result = what.call();
            outcomes.accept(Outcome.of(call, idempotent, null, result, began, System.nanoTime()));
        } catch (Exception e) { // whatever it is, it is the outcome
            outcomes.accept(Outcome.of(call, idempotent, e, 0, began, System.nanoTime()));
            LockSupport.parkNanos(PAUSE_NANOS); // the caller must not make all its calls while no replica is there
        }
    }

    private long result(long call) {
        long right = Probe.resultOf(call);
        switch (kindOf(call)) {
            case AGAIN -> {
                return ledger.again(call);
            }
            case HEDGED -> {
                return ledger.hedged(call);
            }
            case THROUGH -> {
                return ledger.through(call);
            }
            case LARGE -> {
                byte[] bytes = BookedLedger.bytesOf(call, LARGE);
                return ledger.large(call, bytes) == Sink.sum(bytes) ? right : ~right;
            }
            case FILL -> {
                byte[] bytes = BookedLedger.bytesOf(call, LARGE);
                return Arrays.equals(ledger.fill(call, LARGE), bytes) ? right : ~right;
            }
            case BACK -> {
                boolean isTold = ledger.back(call, book::told);
                return !isTold || book.callbacks().getOrDefault(call, 0) > 0 ? right : ~right;
            }
            case GIVEN_UP -> {
                Pending<Long> pending = Cleave.async(() -> ledger.apply(call));
                ((Handle) pending)
                        .withdrawn(); // as a program does that comes by another way: it is not to run, if it can be
                // helped
                return pending.await();
            }
            case NOTE -> {
                ledger.note(call);
                return right;
            }
            default -> {
                return ledger.apply(call);
            }
        }
    }
}
