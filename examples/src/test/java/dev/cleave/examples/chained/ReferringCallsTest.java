package dev.cleave.examples.chained;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Async;
import dev.cleave.CallContext;
import dev.cleave.Ref;
import dev.cleave.Remote;
import dev.cleave.node.Node;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that pass references from call to call, as written and woven, against real nodes. */
@Tag("one-jdk")
@Timeout(120)
class ReferringCallsTest extends WovenPrograms {

    /** Computes with arrays that stay where they are. */
    @Remote
    @Async
    public interface Store {

        /** An array that stays here. */
        Ref<int[]> make(int size);

        /** Changes an array where it is, and returns its reference. */
        Ref<int[]> grow(Ref<int[]> array);

        /** Another array, from two. */
        Ref<int[]> sum(Ref<int[]> one, Ref<int[]> other);

        /** The sum of the elements. */
        int total(Ref<int[]> array);

        /** The reference that was kept here. */
        Ref<int[]> kept();

        /** Keeps a reference. */
        void keep(Ref<int[]> array);
    }

    /** What is run both ways. */
    public interface Program {

        /** Makes calls; returns what it has computed. */
        Object run(Store one, Store two, int[] own);
    }

    /** Each call needs the reference that the one before has made. */
    public static final class Row implements Program {

        @Override
        public Object run(Store one, Store two, int[] own) {
            return two.total(one.grow(two.grow(one.grow(one.make(5)))));
        }
    }

    /** A reference is passed to calls of two stores, which must not change places. */
    public static final class Fork implements Program {

        @Override
        public Object run(Store one, Store two, int[] own) {
            Ref<int[]> made = one.make(4);
            Ref<int[]> grown = one.grow(made);
            int before = two.total(made);
            Ref<int[]> more = two.grow(made);
            int both = one.total(one.sum(made, grown));
            return before + "," + both + "," + one.total(more) + "," + made.get()[0];
        }
    }

    /** The reference leads to the program, which changes the value between the calls. */
    public static final class Own implements Program {

        @Override
        public Object run(Store one, Store two, int[] own) {
            Ref<int[]> mine = one.kept();
            own[0] += 10;
            return one.total(mine);
        }
    }

    /** A reference is freed before it is used again. */
    public static final class Freed implements Program {

        @Override
        public Object run(Store one, Store two, int[] own) {
            Ref<int[]> made = one.make(4);
            int sum = two.total(made);
            made.free();
            return sum + one.total(made);
        }
    }

    /** Writes down what it executes. */
    private static final class WrittenStore implements Store {

        private final String name;
        private final List<String> log; // guarded by itself
        private volatile Ref<int[]> kept;
        private volatile int failing = -1;

        WrittenStore(String name, List<String> log) {
            this.name = name;
            this.log = log;
        }

        private void enter(String what) {
            synchronized (log) {
                log.add(name + " " + what);
                if (log.size() - 1 == failing) {
                    throw new IllegalStateException(what);
                }
            }
        }

        @Override
        public Ref<int[]> make(int size) {
            enter("make " + size);
            return CallContext.current().put(new int[size]);
        }

        @Override
        public Ref<int[]> grow(Ref<int[]> array) {
            int[] values = array.get().clone();
            enter("grow " + values[0]);
            for (int i = 0; i < values.length; i++) {
                values[i] = values[i] * 3 + i + 1;
            }
            array.set(values);
            return array;
        }

        @Override
        public Ref<int[]> sum(Ref<int[]> one, Ref<int[]> other) {
            int[] values = one.get().clone();
            enter("sum " + values[0]);
            int[] more = other.get();
            for (int i = 0; i < values.length; i++) {
                values[i] += more[i];
            }
            return CallContext.current().put(values);
        }

        @Override
        public int total(Ref<int[]> array) {
            int sum = 0;
            for (int each : array.get()) {
                sum += each;
            }
            enter("total " + sum);
            return sum;
        }

        @Override
        public Ref<int[]> kept() {
            enter("kept");
            return kept;
        }

        @Override
        public void keep(Ref<int[]> array) {
            kept = array;
        }
    }

    private final List<String> log = new ArrayList<>();
    private final int[] own = {1, 2, 3};
    private final WrittenStore one = new WrittenStore("one", log);
    private final WrittenStore two = new WrittenStore("two", log);

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void theServersLogIsThatOfTheProgramAsWrittenAlsoWhenACallFails(String route) {
        Parties parties = start(route);
        compare(parties, List.of(new Row(), new Fork(), new Freed()));

        parties.client().close();
        parties.second().close(); // it has passed references on, and keeps them for a minute
        assertNoneIsHeld(parties.first());
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void aReferenceToAValueOfTheCallerIsUsedWhereTheProgramUsesIt(String route) {
        Parties parties = start(route);
        parties.one().keep(parties.client().put(own));

        compare(parties, List.of(new Own()));
    }

    /** The nodes, and the stubs of the client. */
    private record Parties(Node first, Node second, Node client, Store one, Store two) {}

    private Parties start(String route) {
        start(List.of("one", "two"), route);
        Node first = node("one");
        Node second = node("two");
        first.bind("one", one);
        second.bind("two", two);
        Node client = node("client");
        return new Parties(first, second, client, client.lookup("one", Store.class), client.lookup("two", Store.class));
    }

    private void compare(Parties parties, List<Program> programs) {
        for (Program program : programs) {
            Program woven = woven(program, Program.class);
            for (int failing : new int[] {-1, 0, 1, 2, 3, 5}) {
                one.failing = failing;
                two.failing = failing;
                String expected = outcome(program, parties);
                List<String> executed = taken();

                String actual = outcome(woven, parties);

                String where = program.getClass().getSimpleName() + ", call " + failing + " fails";
                assertThat(actual).as(where).isEqualTo(expected);
                assertThat(taken()).as(where).isEqualTo(executed);
            }
        }
    }

    private String outcome(Program program, Parties parties) {
        own[0] = 1;
        return outcome(() -> program.run(parties.one(), parties.two(), own));
    }

    private List<String> taken() {
        synchronized (log) {
            List<String> all = List.copyOf(log);
            log.clear();
            return all;
        }
    }
}
