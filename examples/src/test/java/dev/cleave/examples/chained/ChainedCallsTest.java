package dev.cleave.examples.chained;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.CallException;
import dev.cleave.Chained;
import dev.cleave.Remote;
import dev.cleave.node.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs with chained calls, as written and woven, against real nodes: the server's log is always the same. */
@Tag("one-jdk")
@Timeout(120)
class ChainedCallsTest extends WovenPrograms {

    private static final boolean FULL = Boolean.getBoolean("cleave.full");
    private static final int CALLS = FULL ? 1_000 : 300;
    private static final int FEW = FULL ? 200 : 80; // more than a window

    /** Keeps a book. */
    @Remote
    @Chained
    public interface Ledger {

        /** Enters something. */
        void put(int entry);

        /** Enters something and says what to add. */
        int next(int entry);
    }

    /** What is run both ways. */
    public interface Program {

        /** Makes calls; returns what it has computed. */
        Object run(Ledger ledger, int calls);
    }

    /** A loop of calls without a result. */
    public static final class Putting implements Program {

        @Override
        public Object run(Ledger ledger, int calls) {
            for (int i = 0; i < calls; i++) {
                ledger.put(i);
            }
            return calls;
        }
    }

    /** A loop of calls with results. */
    public static final class Adding implements Program {

        @Override
        public Object run(Ledger ledger, int calls) {
            int sum = 0;
            for (int i = 0; i < calls; i++) {
                sum = sum * 31 + ledger.next(i);
            }
            return sum;
        }
    }

    /** A loop that gets over failures. */
    public static final class Tolerating implements Program {

        @Override
        public Object run(Ledger ledger, int calls) {
            int failures = 0;
            int sum = 0;
            for (int i = 0; i < calls; i++) {
                try {
                    sum = sum * 31 + ledger.next(i);
                } catch (IllegalStateException e) {
                    failures++;
                }
            }
            return sum + " and " + failures + " failures";
        }
    }

    /** Calls in a row. */
    public static final class Row implements Program {

        @Override
        public Object run(Ledger ledger, int calls) {
            int a = ledger.next(1);
            ledger.put(a);
            int b = ledger.next(2);
            ledger.put(3);
            return a + b + ledger.next(4);
        }
    }

    /** Writes down what it executes. */
    private static final class WrittenLedger implements Ledger {

        private final List<Integer> entries = new ArrayList<>(); // guarded by itself
        private final CountDownLatch entered = new CountDownLatch(1);
        private volatile Semaphore gate = new Semaphore(Integer.MAX_VALUE);
        private volatile int failing = -1;

        @Override
        public void put(int entry) {
            next(entry);
        }

        @Override
        public int next(int entry) {
            gate.acquireUninterruptibly();
            synchronized (entries) {
                entries.add(entry);
            }
            entered.countDown();
            if (entry == failing) {
                throw new IllegalStateException("entry " + entry);
            }
            return entry * 7 % 13;
        }

        List<Integer> entries() {
            synchronized (entries) {
                return List.copyOf(entries);
            }
        }

        void clear() {
            synchronized (entries) {
                entries.clear();
            }
        }
    }

    private final WrittenLedger served = new WrittenLedger();

    private Ledger lookup() {
        return node("client").lookup("ledger", Ledger.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void theServersLogIsThatOfTheProgramAsWrittenAlsoWhenACallFails(String route) {
        start("ledger", route);
        node("one").bind("ledger", served);
        node("two").bind("ledger", served);
        Ledger ledger = lookup();
        for (Program program : List.of(new Putting(), new Adding(), new Tolerating(), new Row())) {
            Program chained = woven(program, Program.class);
            for (int failing : new int[] {-1, 0, 1, 3, 17, 64, FEW - 1}) {
                served.failing = failing;
                served.clear();
                String expected = outcome(() -> program.run(ledger, FEW));
                List<Integer> log = served.entries();
                served.clear();

                String actual = outcome(() -> chained.run(ledger, FEW));

                String where = program.getClass().getSimpleName() + ", call " + failing + " fails";
                assertThat(actual).as(where).isEqualTo(expected);
                assertThat(served.entries()).as(where).isEqualTo(log);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void whenTheServerDiesInTheMiddleTheLogIsABeginningOfTheProgramAsWritten(String route) throws Exception {
        start("ledger", route);
        served.gate = new Semaphore(40);
        Node server = node("one");
        server.bind("ledger", served);
        Ledger ledger = lookup();
        Thread killer = killer(server, served.gate, () -> served.entries().size(), 40);
        Throwable thrown = null;
        try {
            woven(new Putting(), Program.class).run(ledger, CALLS);
        } catch (CallException e) {
            thrown = e;
        }
        killer.join();

        assertThat(thrown).isInstanceOfSatisfying(CallException.class, e -> assertThat(e.maybeExecuted())
                .isTrue());
        assertThat(served.entries())
                .isEqualTo(IntStream.range(0, served.entries().size()).boxed().toList());
        assertThat(served.entries().size()).isBetween(40, 41);
    }

    /** A third of what a quiet machine shows. */
    @Test
    void chainedCallsAreManyTimesFasterThanOneByOne() {
        start("ledger", "direct");
        node("one").bind("ledger", served);
        overOneMillisecond(far -> {
            Ledger ledger = far.lookup("ledger", Ledger.class);
            Program written = new Putting();
            Program chained = woven(written, Program.class);
            chained.run(ledger, CALLS);
            written.run(ledger, 50);
            double ratio = bestMedian(10, 5, () -> {
                long oneByOne = nanos(written, ledger);
                List<Integer> log = served.entries();
                long together = nanos(chained, ledger);
                assertThat(served.entries()).isEqualTo(log);
                return (double) oneByOne / together;
            });

            System.out.printf("chained: %d calls over 1 ms, one by one / chained = %.1f (median of 5)%n", CALLS, ratio);
            assertThat(ratio).isGreaterThanOrEqualTo(10);
        });
    }

    private long nanos(Program program, Ledger ledger) {
        served.clear();
        long begun = System.nanoTime();
        program.run(ledger, CALLS);
        return System.nanoTime() - begun;
    }
}
