package dev.cleave.rt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.call.Handle;
import dev.cleave.call.Stub;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.Vector;
import org.junit.jupiter.api.Test;

class RtTest {

    /** What a program calls. */
    public interface Doubler {
        /** Doubles. */
        int twice(int x);
    }

    private static final MethodType SEND = MethodType.methodType(Object.class, Doubler.class, int.class);

    private final CallSite send = Rt.send(MethodHandles.lookup(), "twice", SEND, "RtTest.program", 7);

    private Object send(Doubler receiver, int x) throws Throwable {
        return send.dynamicInvoker().invoke(receiver, x);
    }

    @Test
    void sendsCallsOfStubs() throws Throwable {
        Object sent = send(new StubA(), 21);

        assertThat(Rt.awaitInt(sent)).isEqualTo(42);
    }

    @Test
    void declinesForNullAndForLocalObjects() throws Throwable {
        Doubler local = x -> x;

        assertThat(send(null, 1)).isNull();
        assertThat(send(local, 1)).isNull();
        assertThat(Rt.isStub(local)).isFalse();
        assertThat(Rt.isStub(null)).isFalse();
        assertThat(Rt.isStub(new StubA())).isTrue();
    }

    @Test
    void findsTheTwinOfEachClassOfStubsPastTheInlineCache() throws Throwable {
        List<Doubler> stubs = List.of(new StubA(), new StubB(), new StubC(), new StubD(), new StubE(), new StubF());

        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < stubs.size(); i++) {
                assertThat(Rt.awaitInt(send(stubs.get(i), i))).isEqualTo(2 * i);
            }
        }
    }

    @Test
    void declinesWhileSwitchedOff() throws Throwable {
        StubA stub = new StubA();
        assertThat(send(stub, 1)).isNotNull();
        Sites.switchOff();
        try {
            assertThat(send(stub, 1)).isNull();
            assertThat(Rt.isStub(stub)).isFalse();
        } finally {
            Sites.switchOn();
        }
        assertThat(send(stub, 1)).isNotNull();
    }

    @Test
    void throwsWhatTheCallThrows() throws Throwable {
        Object sent = send(new StubA(), -1);

        assertThatThrownBy(() -> Rt.awaitInt(sent)).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void countsAtTheSite() throws Throwable {
        CallSite site = Rt.send(MethodHandles.lookup(), "twice", SEND, "RtTest.counted", 3);
        Object first = site.dynamicInvoker().invoke((Doubler) new StubA(), 1);
        Object second = site.dynamicInvoker().invoke((Doubler) new StubA(), 2);
        Object third = site.dynamicInvoker().invoke((Doubler) x -> x, 2);
        Rt.awaitInt(first);
        Rt.discard(second);
        Rt.discard(third);

        SiteCounters counted = Sites.counters().stream()
                .filter(c -> c.place().equals("RtTest.counted"))
                .findFirst()
                .orElseThrow();
        assertThat(counted.sends()).isEqualTo(2);
        assertThat(counted.awaits()).isEqualTo(1);
        assertThat(counted.discards()).isEqualTo(1);
        assertThat(counted.declined()).isEqualTo(1);
        assertThat(counted.maxInFlight()).isEqualTo(2);
        assertThat(Sites.text()).contains("RtTest.counted\t3\tDoubler.twice\t2\t1\t1\t1\t");
    }

    @Test
    void knowsPlainCollectionsByTheirExactClass() {
        assertThat(Rt.isPlain(new ArrayList<>())).isTrue();
        assertThat(Rt.isPlain(List.of(1))).isTrue();
        assertThat(Rt.isPlain(new HashMap<>(Map.of("a", 1)).entrySet())).isTrue();
        assertThat(Rt.isPlain(new TreeMap<>(Map.of("a", 1)).keySet())).isFalse();
        assertThat(Rt.iterator(new TreeMap<>(Map.of("a", 1)).keySet())).isNotNull();
        assertThat(Rt.isPlain(System.out)).isTrue();
        assertThat(Rt.isPlain(new PrintStream(OutputStream.nullOutputStream()))).isFalse();
        assertThat(Rt.isPlain(new ArrayList<>() {})).isFalse();
        assertThat(Rt.isPlain(new Vector<>())).isFalse();
        assertThat(Rt.isPlain(new LinkedHashMap<>(16, 0.75f, true))).isFalse();
        assertThat(Rt.isPlain(Collections.unmodifiableList(new Vector<>()))).isFalse();
        assertThat(Rt.isPlain(null)).isFalse();
        assertThat(Rt.isContained(new LinkedHashMap<>())).isTrue();
        assertThat(Rt.isContained(new Vector<>())).isFalse();
    }

    @Test
    void tellsObjectsApart() {
        List<Integer> list = new ArrayList<>();
        Integer[] array = {1, 2};
        Map<String, Integer> map = new HashMap<>();

        assertThat(Rt.areApart(list, list)).isFalse();
        assertThat(Rt.areApart(list, new ArrayList<>())).isTrue();
        assertThat(Rt.areApart(array, Arrays.asList(array))).isFalse();
        assertThat(Rt.areApart(Arrays.asList(array), array)).isFalse();
        assertThat(Rt.areApart(Arrays.asList(array), Arrays.asList(array))).isFalse();
        assertThat(Rt.areApart(array, list)).isTrue();
        assertThat(Rt.areApart(new int[1], new int[1])).isTrue();
        assertThat(Rt.areApart(map, map.keySet())).isFalse();
        assertThat(Rt.areApart(list, map.keySet())).isTrue();
    }

    @Test
    void makesSecondIteratorsOfPlainCollectionsOnly() {
        Iterator<?> second = Rt.iterator(List.of(5, 6));

        assertThat(second).isNotNull();
        assertThat(second.next()).isEqualTo(5);
        assertThat(Rt.iterator(new Vector<>())).isNull();
        assertThat(Rt.iterator(null)).isNull();
    }

    @Test
    void iteratesOverCopiesOfPlainCollectionsThatAreNotTooLarge() {
        List<Integer> list = new ArrayList<>(List.of(5, 6));

        Iterator<?> second = Rt.iteratorOfCopy(list);
        list.clear();

        assertThat(second).isNotNull();
        assertThat(second.next()).isEqualTo(5);
        assertThat(second.next()).isEqualTo(6);
        assertThat(Rt.iteratorOfCopy(new ArrayList<>(Collections.nCopies(16_384, 1))))
                .isNotNull();
        assertThat(Rt.iteratorOfCopy(new ArrayList<>(Collections.nCopies(16_385, 1))))
                .isNull();
        assertThat(Rt.iteratorOfCopy(new Vector<>())).isNull();
        assertThat(Rt.iteratorOfCopy(null)).isNull();
    }

    @Test
    void knowsPriorityQueuesOfValuesInNaturalOrReverseOrder() {
        PriorityQueue<Object> reversed = new PriorityQueue<>(Collections.reverseOrder());
        reversed.add("a");

        assertThat(Rt.isContained(new PriorityQueue<>(List.of(2, 1)))).isTrue();
        assertThat(Rt.isContained(reversed)).isTrue();
        assertThat(Rt.isContained(new PriorityQueue<Integer>((a, b) -> b - a))).isFalse();
        assertThat(Rt.isContained(new PriorityQueue<>(List.of(new Date(1))))).isFalse();
        assertThat(Rt.isContained(new PriorityQueue<Integer>() {})).isFalse();
    }

    @Test
    void tellsEntriesFromTheirMapsAndTheViewsOfThese() {
        Map<String, Integer> map = new HashMap<>(Map.of("a", 1, "b", 2));
        Iterator<Map.Entry<String, Integer>> entries = map.entrySet().iterator();
        Map.Entry<String, Integer> one = entries.next();

        assertThat(Rt.areApart(one, entries.next())).isTrue();
        assertThat(Rt.areApart(one, map)).isFalse();
        assertThat(Rt.areApart(one, map.values())).isFalse();
    }

    @Test
    void keepsWhatHasArrivedApartFromWhatTheProgramChanges() {
        int[] numbers = {3, 1};
        List<Integer> list = new ArrayList<>(List.of(3, 1));

        int[] copy = (int[]) ResultCopies.of(numbers);
        Object copied = ResultCopies.of(list);
        Arrays.sort(numbers);
        list.clear();

        assertThat(copy).containsExactly(3, 1);
        assertThat(copied).isEqualTo(List.of(3, 1));
        assertThat(ResultCopies.of(new ArrayList<>() {})).isNull();
        assertThat(ResultCopies.of("text")).isNull();
        assertThat(ResultCopies.of(null)).isNull();
    }

    @Test
    void tellsWhatHoldsValues() {
        assertThat(Rt.holdsValues(Arrays.asList("a", null))).isTrue();
        assertThat(Rt.holdsValues(new Object[] {1})).isTrue();
        assertThat(Rt.holdsValues(List.of(new Date(1)))).isFalse();
        assertThat(Rt.holdsValues(new Vector<>())).isFalse();
        assertThat(Rt.holdsValues(null)).isFalse();
    }

    /** A stub that answers at once. */
    public abstract static class AnyStub extends Stub implements Doubler {
        @Override
        public String service() {
            return "doubler";
        }

        @Override
        public int twice(int x) {
            return 2 * x;
        }

        /** The sending twin. */
        public final Handle twice$send(int x) {
            return new IntHandle(2 * x, true);
        }
    }

    static final class StubA extends AnyStub {}

    static final class StubB extends AnyStub {}

    static final class StubC extends AnyStub {}

    static final class StubD extends AnyStub {}

    static final class StubE extends AnyStub {}

    static final class StubF extends AnyStub {}
}
