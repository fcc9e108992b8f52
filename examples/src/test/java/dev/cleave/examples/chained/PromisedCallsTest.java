package dev.cleave.examples.chained;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Async;
import dev.cleave.CallException;
import dev.cleave.Idempotent;
import dev.cleave.Remote;
import dev.cleave.node.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs whose calls need results of calls before them, as written and woven, against real nodes. */
@Tag("one-jdk")
@Timeout(120)
class PromisedCallsTest extends WovenPrograms {

    /** Goes from place to place. */
    @Remote
    @Async
    public interface Walk {

        /** The next place. */
        int next(int place);

        /** The name of a place. */
        String name(int place);

        /** Says something of a name. */
        @Idempotent
        String greet(String name);

        /** Remembers a place. */
        void remember(int place);
    }

    /** What is run both ways. */
    public interface Program {

        /** Makes calls; returns what it has computed. */
        Object run(Walk walk, int start);
    }

    /** Eight calls, each of which needs the result of the one before. */
    public static final class Eight implements Program {

        @Override
        public Object run(Walk walk, int start) {
            int far = walk.next(walk.next(walk.next(walk.next(walk.next(walk.next(start))))));
            return walk.greet(walk.name(far));
        }
    }

    /** A loop each call of which needs the result of the one before. */
    public static final class Far implements Program {

        @Override
        public Object run(Walk walk, int start) {
            int place = start;
            for (int i = 0; i < 40; i++) {
                place = walk.next(place);
            }
            return place;
        }
    }

    /** Results are passed on and needed here too, and failures gone over. */
    public static final class Wandering implements Program {

        @Override
        public Object run(Walk walk, int start) {
            String seen = "";
            try {
                int one = walk.next(start);
                int two = walk.next(one);
                walk.remember(two);
                seen = one + "," + two + "," + walk.name(one);
                seen += walk.greet(walk.name(two));
            } catch (IllegalStateException e) {
                seen += " and " + e.getMessage();
            }
            return seen;
        }
    }

    /** Writes down what it executes. */
    private static final class WrittenWalk implements Walk {

        private final List<String> log = new ArrayList<>(); // guarded by itself
        private final Semaphore gate = new Semaphore(Integer.MAX_VALUE);
        private volatile int failing = -1;

        private void enter(String what) {
            gate.acquireUninterruptibly();
            synchronized (log) {
                log.add(what);
                if (log.size() - 1 == failing) {
                    throw new IllegalStateException(what);
                }
            }
        }

        @Override
        public int next(int place) {
            enter("next " + place);
            return place * 5 + 1;
        }

        @Override
        public String name(int place) {
            enter("name " + place);
            return place % 2 == 0 ? null : "place " + place;
        }

        @Override
        public String greet(String name) {
            enter("greet " + name);
            return "hello " + name;
        }

        @Override
        public void remember(int place) {
            enter("remember " + place);
        }

        List<String> log() {
            synchronized (log) {
                return List.copyOf(log);
            }
        }

        void clear() {
            synchronized (log) {
                log.clear();
            }
        }
    }

    private final WrittenWalk served = new WrittenWalk();

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void theServersLogIsThatOfTheProgramAsWrittenAlsoWhenACallFails(String route) {
        start("walk", route);
        node("one").bind("walk", served);
        node("two").bind("walk", served);
        Walk walk = node("client").lookup("walk", Walk.class);
        for (Program program : List.of(new Eight(), new Wandering(), new Far())) {
            Program woven = woven(program, Program.class);
            for (int failing : new int[] {-1, 0, 1, 3, 4, 6, 7, 20, 39}) {
                served.failing = failing;
                served.clear();
                String expected = outcome(() -> program.run(walk, failing + 3));
                List<String> log = served.log();
                served.clear();

                String actual = outcome(() -> woven.run(walk, failing + 3));

                String where = program.getClass().getSimpleName() + ", call " + failing + " fails";
                assertThat(actual).as(where).isEqualTo(expected);
                assertThat(served.log()).as(where).isEqualTo(log);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void whenTheServerDiesBetweenTheCallsNoneIsExecutedTwice(String route) throws Exception {
        start("walk", route);
        served.gate.drainPermits();
        served.gate.release(3);
        Node server = node("one");
        server.bind("walk", served);
        Walk walk = node("client").lookup("walk", Walk.class);
        Thread killer = killer(server, served.gate, () -> served.log().size(), 3);
        Throwable thrown = null;
        try {
            woven(new Eight(), Program.class).run(walk, 1);
        } catch (CallException e) {
            thrown = e;
        }
        killer.join();

        assertThat(thrown).isInstanceOfSatisfying(CallException.class, e -> assertThat(e.maybeExecuted())
                .isTrue());
        assertThat(served.log()).startsWith("next 1", "next 6", "next 31").doesNotHaveDuplicates();
        assertThat(served.log().size()).isBetween(3, 4);
    }

    /** Less than half of what a warm program shows alone on a machine: 4.7 to 5.5. */
    @Test
    void eightDependentCallsTakeAboutOneRoundTrip() {
        start("walk", "direct");
        node("one").bind("walk", served);
        overOneMillisecond(far -> {
            Walk walk = far.lookup("walk", Walk.class);
            Program written = new Eight();
            Program woven = woven(written, Program.class);
            for (int i = 0; i < 100; i++) {
                assertThat(woven.run(walk, i)).isEqualTo(written.run(walk, i));
            }
            double ratio = bestMedian(2, 7, () -> (double) nanos(written, walk) / nanos(woven, walk));

            System.out.printf("promised: 8 calls over 1 ms, one by one / passed on = %.1f (median of 7)%n", ratio);
            assertThat(ratio).isGreaterThanOrEqualTo(2);
        });
    }

    private static long nanos(Program program, Walk walk) {
        long begun = System.nanoTime();
        program.run(walk, 1);
        return System.nanoTime() - begun;
    }
}
