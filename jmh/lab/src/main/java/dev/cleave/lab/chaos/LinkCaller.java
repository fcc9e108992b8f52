package dev.cleave.lab.chaos;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import dev.cleave.lab.history.Outcome;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * A thread that calls: a loop of calls of all kinds, or of calls that have an order, some of them in flight: by turns a number of calls of a
 * group, and as many of a chain.
 */
final class LinkCaller extends Thread {

    private static final int ID_BITS = 32;
    private static final int LARGE = 200_000; // bytes: some chunks
    private static final int WINDOW = 4;
    private static final int TURN = 10; // calls of a group, or of a chain
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
        CHAINED,
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
            return this == APPLY || this == ORDERED || this == CHAINED || this == GIVEN_UP;
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
            return turnOf(call) % 2 == 0 ? Kind.ORDERED : Kind.CHAINED;
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

    private static int turnOf(long call) {
        return (int) call / TURN;
    }

    /** The numbers of its calls. */
    List<Long> made() {
        return LongStream.range(first, first + calls).boxed().toList();
    }

    @Override
    public void run() {
        long end = first + calls;
        for (long call = first; call < end && !isOrdered; call++) {
            long of = call;
            make(call, System.nanoTime(), () -> result(of));
        }
        for (long begin = first; begin < end && isOrdered; ) {
            long next = begin;
            while (next < end && turnOf(next) == turnOf(begin)) {
                next++;
            }
            if (kindOf(begin) == Kind.ORDERED) {
                group(begin, next);
            } else {
                chain(begin, next);
            }
            begin = next;
        }
    }

    private void group(long begin, long end) {
        Deque<Sent> sent = new ArrayDeque<>();
        for (long call = begin; call < end; call++) {
            long of = call;
            if (sent.size() == WINDOW) {
                sent.remove().await();
            }
            long began = System.nanoTime(); // before it is sent
            Pending<Long> pending = Cleave.async(() -> ledger.inOrder(of));
            sent.add(new Sent(call, began, pending::await));
        }
        sent.forEach(Sent::await);
    }

    /** Makes calls of a chain as a loop does that the agent has rewritten. */
    private void chain(long begin, long end) {
        Chain chain = Chain.stopping();
        Deque<Sent> sent = new ArrayDeque<>();
        long ahead = begin;
        for (long call = begin; call < end; call++) {
            if (chain.isBroken() && sent.isEmpty()) {
                chain.renew();
            }
            while (ahead < end && sent.size() < WINDOW && !chain.isBroken()) {
                long began = System.nanoTime(); // before it is sent
                Handle handle = send(chain, ahead);
                sent.add(new Sent(ahead++, began, () -> result(handle)));
            }
            sent.remove().await();
        }
        chain.end();
    }

    private Handle send(Chain chain, long call) {
        try {
            Method method = ledger.getClass().getMethod("chained$chain", Chain.class, long.class);
            method.setAccessible(true);
            return (Handle) method.invoke(ledger, chain, call);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("stubs have no chains", e);
        }
    }

    private static long result(Handle handle) throws Exception {
        try {
            return handle.awaitLong();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** A call in flight. */
    private final class Sent {

        private final long call;
        private final long began;
        private final Callable<Long> result;

        private Sent(long call, long began, Callable<Long> result) {
            this.call = call;
            this.began = began;
            this.result = result;
        }

        private void await() {
            make(call, began, result);
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
