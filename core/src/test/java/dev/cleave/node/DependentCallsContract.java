package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.cleave.Async;
import dev.cleave.CallException;
import dev.cleave.ConnectionLostException;
import dev.cleave.DeadlineException;
import dev.cleave.Idempotent;
import dev.cleave.Remote;
import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import dev.cleave.config.Bindings;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What holds for calls that are given the pending results of others (R50), over any transport. */
@Timeout(120)
abstract class DependentCallsContract extends NodesUnderTest {

    /** Steps of a computation. */
    @Remote
    @Async
    interface Steps {

        int step(int value);

        int mix(int one, String between, int other, List<Integer> objects);

        @Idempotent
        int repeat(int value);

        long wide(long value);

        Integer boxed(int value);

        int unboxed(Integer value);

        void put(int value);

        byte[] bytes(int length);

        int length(byte[] bytes);

        Person person(int age);

        Person older(Person person);

        int ages(int one, Person person, List<Integer> more);

        List<Person> people(int count);

        String all(List<Person> people, String text, int number, List<Integer> more);

        List<Person> crowd(int count);

        int size(List<Person> people);
    }

    /** A record. */
    record Person(String name, int age, List<String> tags) {}

    /** Gives back what it is given. */
    @Remote
    interface Echo {

        boolean echo(boolean value);

        byte echo(byte value);

        char echo(char value);

        short echo(short value);

        int echo(int value);

        long echo(long value);

        float echo(float value);

        double echo(double value);

        String echo(String value);

        boolean[] echo(boolean[] value);

        byte[] echo(byte[] value);

        char[] echo(char[] value);

        short[] echo(short[] value);

        int[] echo(int[] value);

        long[] echo(long[] value);

        float[] echo(float[] value);

        double[] echo(double[] value);
    }

    /** Writes down what it executes, fails and waits as told. */
    static final class WrittenSteps implements Steps {

        final List<String> log = new ArrayList<>(); // guarded by itself
        final Semaphore gate = new Semaphore(Integer.MAX_VALUE / 2);
        final CountDownLatch entered = new CountDownLatch(1);
        volatile int failing = -1;
        volatile int slow = -1;

        private void enter(String name, int value) {
            entered.countDown();
            gate.acquireUninterruptibly();
            synchronized (log) {
                log.add(name + value);
            }
            try {
                if (value == slow) {
                    new CountDownLatch(1).await(6_500, TimeUnit.MILLISECONDS);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            if (value == failing) {
                throw new IllegalStateException(name + value);
            }
        }

        @Override
        public int step(int value) {
            enter("step ", value);
            return value * 3 + 1;
        }

        @Override
        public int mix(int one, String between, int other, List<Integer> objects) {
            enter("mix ", one);
            return Integer.parseInt(one + between + other) + objects.size();
        }

        @Override
        public int repeat(int value) {
            enter("repeat ", value);
            return value + 1;
        }

        @Override
        public long wide(long value) {
            return value;
        }

        @Override
        public Integer boxed(int value) {
            return value < 0 ? null : value;
        }

        @Override
        public Person person(int age) {
            return new Person("p" + age, age, new ArrayList<>(List.of("a", "b")));
        }

        @Override
        public Person older(Person person) {
            return new Person(person.name(), person.age() + 1, person.tags());
        }

        @Override
        public int ages(int one, Person person, List<Integer> more) {
            return one + person.age() + more.get(0);
        }

        @Override
        public List<Person> people(int count) {
            List<Person> people = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                people.add(new Person("p" + i, i, List.of()));
            }
            return people;
        }

        @Override
        public String all(List<Person> people, String text, int number, List<Integer> more) {
            return people.stream().map(Person::name).toList() + text + number + more;
        }

        @Override
        public List<Person> crowd(int count) {
            return people(count);
        }

        @Override
        public int size(List<Person> people) {
            return people.size();
        }

        @Override
        public int unboxed(Integer value) {
            return value;
        }

        @Override
        public void put(int value) {
            enter("put ", value);
        }

        @Override
        public byte[] bytes(int length) {
            return new byte[length];
        }

        @Override
        public int length(byte[] bytes) {
            return bytes.length;
        }

        List<String> log() {
            synchronized (log) {
                return List.copyOf(log);
            }
        }
    }

    private static final int NO_VALUE = 77_777;

    private final WrittenSteps served = new WrittenSteps();
    private final Chain chain = Chain.dependent();

    private Node serve(String name, int workers, int queue, Steps steps) {
        Node node = node(NodeOptions.DEFAULT.withName(name).withCapacity(workers, queue));
        node.bind("steps", steps);
        return node;
    }

    private Steps lookup(String file) {
        client = node(NodeOptions.DEFAULT.withName("client").withBindings(Bindings.parse(file, "cleave.yaml")));
        return client.lookup("steps", Steps.class);
    }

    private Steps lookup() {
        return lookup("application: test");
    }

    /** Sends a call, some of whose arguments are results of others; null if that is declined. */
    private Handle send(Object stub, String name, Map<Integer, Handle> passed, Object... arguments) {
        passed.forEach(chain::pass);
        for (Method twin : stub.getClass().getMethods()) {
            if (twin.getName().equals(name + "$chain") && twin.getParameterCount() == arguments.length + 1) {
                List<Object> all = new ArrayList<>(List.of(chain));
                all.addAll(Arrays.asList(arguments));
                twin.setAccessible(true);
                try {
                    return (Handle) twin.invoke(stub, all.toArray());
                } catch (ReflectiveOperationException e) {
                    throw new AssertionError(e);
                }
            }
        }
        throw new AssertionError(name);
    }

    private Handle step(Steps steps, Handle of) {
        return send(steps, "step", Map.of(0, of), NO_VALUE);
    }

    private static int value(int steps) {
        int value = 0;
        for (int i = 0; i < steps; i++) {
            value = value * 3 + 1;
        }
        return value;
    }

    @Test
    void manyDependentCallsAreAnsweredBeforeTheirCallerHasWaitedForAny() throws Throwable {
        serve("one", 1, 64, served);
        serve("two", 1, 64, served);
        Steps steps = lookup();
        List<Handle> sent = new ArrayList<>(List.of(send(steps, "step", Map.of(), 0)));
        for (int i = 1; i < 12; i++) {
            sent.add(step(steps, sent.get(i - 1)));
        }

        await().atMost(Duration.ofSeconds(60)).until(sent.get(11)::isDone);

        for (int i = 0; i < 12; i++) {
            assertThat(sent.get(i).awaitInt()).isEqualTo(value(i + 1));
            assertThat(served.log().get(i)).isEqualTo("step " + value(i));
        }
        chain.end();
    }

    @Test
    void valuesArriveAsThroughTheCaller() throws Throwable {
        Echo real = (Echo) java.lang.reflect.Proxy.newProxyInstance(
                Echo.class.getClassLoader(), new Class<?>[] {Echo.class}, (proxy, method, arguments) -> arguments[0]);
        node(NodeOptions.DEFAULT.withName("one")).bind("echo", real);
        client = node(NodeOptions.DEFAULT.withName("client"));
        Echo echo = client.lookup("echo", Echo.class);
        Object[] values = {
            true,
            (byte) -3,
            'Z',
            (short) 1 << 14,
            -1,
            Long.MIN_VALUE,
            Float.NaN,
            -0.0,
            "",
            "text",
            "wide \u4e2d",
            new boolean[] {true, false},
            new byte[0],
            new byte[] {1, -1},
            new char[] {'a', '\u4e2d'},
            new short[] {-1},
            new int[] {1, 2, 3},
            new long[1000],
            new float[] {Float.NaN},
            new double[] {1e300, -0.0}
        };
        for (Object value : values) {
            Method plain = Arrays.stream(Echo.class.getMethods())
                    .filter(m -> accepts(m.getParameterTypes()[0], value))
                    .findFirst()
                    .orElseThrow();
            Class<?> type = plain.getParameterTypes()[0];
            Method twin = echo.getClass().getMethod("echo$chain", Chain.class, type);
            twin.setAccessible(true);
            Handle first = (Handle) twin.invoke(echo, chain, value);
            chain.pass(0, first);
            Object none = type.isPrimitive()
                    ? java.lang.reflect.Array.get(java.lang.reflect.Array.newInstance(type, 1), 0)
                    : null;
            Handle second = (Handle) twin.invoke(echo, chain, none);

            assertThat(((dev.cleave.Pending<?>) second).await())
                    .as(type.getName())
                    .isEqualTo(value);
        }
        Method twin = echo.getClass().getMethod("echo$chain", Chain.class, String.class);
        twin.setAccessible(true);
        chain.pass(0, (Handle) twin.invoke(echo, chain, null));
        assertThat(((Handle) twin.invoke(echo, chain, "not this")).await()).isNull();
        chain.end();
    }

    private static boolean accepts(Class<?> type, Object value) {
        return java.lang.invoke.MethodType.methodType(type).wrap().returnType() == value.getClass();
    }

    @Test
    void resultsStandBetweenTheOtherArguments() throws Throwable {
        serve("one", 1, 64, served);
        Steps steps = lookup();
        Handle one = send(steps, "step", Map.of(), 1);
        Handle two = send(steps, "step", Map.of(), 2);

        Handle both = send(steps, "mix", Map.of(0, one, 2, two), NO_VALUE, "0", NO_VALUE, List.of(1, 2));
        Handle twice = send(steps, "mix", Map.of(0, two, 2, two), NO_VALUE, "", NO_VALUE, List.of());

        assertThat(both.awaitInt()).isEqualTo(407 + 2);
        assertThat(twice.awaitInt()).isEqualTo(77);
        chain.end();
    }

    @Test
    void nothingIsExecutedBehindAFailure() throws Throwable {
        serve("one", 4, 64, served);
        Steps steps = lookup();
        served.failing = 1;
        Handle first = send(steps, "step", Map.of(), 0);
        Handle failing = step(steps, first);
        Handle behind = step(steps, failing);

        assertThat(first.awaitInt()).isEqualTo(1);
        assertThat(catchThrowable(failing::awaitInt))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("step 1");
        behind.discard();
        chain.end();

        assertThat(served.log()).containsExactly("step 0", "step 1");
    }

    @Test
    void oneWorkerIsEnoughAndOthersGoBetween() throws Throwable {
        serve("one", 1, 64, served);
        Steps steps = lookup();
        Handle first = send(steps, "step", Map.of(), 0);
        assertThat(first.awaitInt()).isEqualTo(1);
        steps.put(5);

        Handle second = step(steps, first);

        assertThat(second.awaitInt()).isEqualTo(4);
        chain.end();
        assertThat(served.log()).containsExactly("step 0", "put 5", "step 1");
    }

    @Test
    void aServerWithoutRoomMakesNobodyFailAndNothingIsExecutedTwice() throws Throwable {
        serve("one", 1, 3, served);
        Steps steps = lookup();
        List<Handle> sent = new ArrayList<>(List.of(send(steps, "step", Map.of(), 0)));
        for (int i = 1; i < 12; i++) {
            Handle next = step(steps, sent.get(i - 1));
            if (next == null) {
                break;
            }
            sent.add(next);
        }

        for (int i = 0; i < sent.size(); i++) {
            assertThat(sent.get(i).awaitInt()).isEqualTo(value(i + 1));
        }
        chain.end();

        assertThat(served.log()).hasSize(sent.size()).doesNotHaveDuplicates();
    }

    @Test
    void aResultThatIsKeptNoLongerGoesThroughTheCaller() throws Throwable {
        serve("one", 1, 200, served);
        Steps steps = lookup();
        Handle first = send(steps, "step", Map.of(), 0);
        List<Handle> others = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            others.add(send(steps, "repeat", Map.of(), i));
        }
        Handle late = step(steps, first);
        Handle behind = send(steps, "repeat", Map.of(), 500);

        assertThat(first.awaitInt()).isEqualTo(1);
        for (int i = 0; i < 70; i++) {
            assertThat(others.get(i).awaitInt()).isEqualTo(i + 1);
        }
        assertThat(late.awaitInt()).isEqualTo(4);
        assertThat(behind.awaitInt()).isEqualTo(501);
        chain.end();

        assertThat(served.log()).hasSize(73).endsWith("step 1", "repeat 500").doesNotHaveDuplicates();
    }

    @Test
    void largeResultsArePassedOnToo() throws Throwable {
        serve("one", 1, 64, served);
        Steps steps = lookup();

        Handle large = send(steps, "bytes", Map.of(), 5 << 20);
        Handle length = send(steps, "length", Map.of(0, large), (Object) null);

        assertThat(length.awaitInt()).isEqualTo(5 << 20);
        assertThat((byte[]) large.await()).hasSize(5 << 20);
        chain.end();
    }

    @Test
    void theServerPutsInLargeObjectsItself() throws Throwable {
        serve("one", 1, 64, served);
        Steps steps = lookup();

        for (int count : new int[] {1_000, 20_000, 100_000}) {
            Handle crowd = send(steps, "crowd", Map.of(), count);
            Handle size = send(steps, "size", Map.of(0, crowd), (Object) null);
            await().atMost(Duration.ofSeconds(60)).until(size::isDone);

            assertThat(size.hasAnswer()).as("%d people", count).isTrue();
            assertThat(size.awaitInt()).isEqualTo(count);
            assertThat((List<?>) crowd.await()).hasSize(count);
        }
        chain.end();
    }

    @Test
    void whatIsBoxedWidenedOrAnObjectIsPassedOnToo() throws Throwable {
        serve("one", 1, 64, served);
        Steps steps = lookup();
        Handle number = send(steps, "step", Map.of(), 1);
        Handle boxed = send(steps, "boxed", Map.of(), 5);
        Handle wide = send(steps, "wide", Map.of(0, number), 1L);
        Handle wideOfBoxed = send(steps, "wide", Map.of(0, boxed), 1L);
        Handle unboxed = send(steps, "unboxed", Map.of(0, boxed), 1);
        Handle boxedAgain = send(steps, "unboxed", Map.of(0, number), 1);
        Handle person = send(steps, "person", Map.of(), 3);
        Handle older = send(steps, "older", Map.of(0, person), (Object) null);
        Handle sum = send(steps, "ages", Map.of(1, older), 1, null, new ArrayList<>(List.of(2)));
        Handle people = send(steps, "people", Map.of(), 3);
        Handle ages =
                send(steps, "all", Map.of(0, people, 2, number), null, "x", NO_VALUE, older == null ? null : List.of());
        await().atMost(Duration.ofSeconds(60)).until(ages::isDone);

        assertThat(wide.awaitLong()).isEqualTo(4);
        assertThat(wideOfBoxed.awaitLong()).isEqualTo(5);
        assertThat(unboxed.awaitInt()).isEqualTo(5);
        assertThat(boxedAgain.awaitInt()).isEqualTo(4);
        assertThat(older.await()).isEqualTo(new Person("p3", 4, List.of("a", "b")));
        assertThat(sum.awaitInt()).isEqualTo(4 + 1 + 2);
        assertThat(ages.await()).isEqualTo("[p0, p1, p2]x4[]");
        assertThat(served.log()).hasSize(1);
        number.awaitInt();
        boxed.await();
        person.await();
        people.await();
        chain.end();
    }

    @Test
    void whatTheParameterDoesNotTakeGoesThroughTheCaller() throws Throwable {
        serve("one", 1, 64, served);
        Steps steps = lookup();
        Handle nothing = send(steps, "put", Map.of(), 1);
        assertThat(send(steps, "step", Map.of(0, nothing), 1)).as("no result").isNull();
        Handle number = send(steps, "step", Map.of(), 1);
        Chain other = Chain.dependent();
        other.pass(0, number);
        Method twin = steps.getClass().getMethod("step$chain", Chain.class, int.class);
        twin.setAccessible(true);
        assertThat(twin.invoke(steps, other, 5)).as("of another chain").isNull();
        Handle missing = send(steps, "boxed", Map.of(), -1);
        Handle unboxed = send(steps, "step", Map.of(0, missing), 1);

        assertThat(missing.await()).isNull();
        assertThat(catchThrowable(unboxed::awaitInt))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.notExecuted()).isTrue());
        number.awaitInt();
        nothing.awaitVoid();
        chain.end();
        assertThat(served.log()).containsExactly("put 1", "step 1");
    }

    @Test
    void objectsThatTheServerDidNotKeepGoThroughTheCaller() throws Throwable {
        serve("one", 1, 200, served);
        Steps steps = lookup();
        Handle person = send(steps, "person", Map.of(), 3);
        Handle large = send(steps, "crowd", Map.of(), 100_000);
        List<Handle> others = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            others.add(send(steps, "repeat", Map.of(), i));
        }
        Handle sum = send(steps, "ages", Map.of(1, person), 1, null, new ArrayList<>(List.of(2)));
        Handle size = send(steps, "size", Map.of(0, large), (Object) null);
        for (int i = 0; i < 70; i++) {
            assertThat(others.get(i).awaitInt()).isEqualTo(i + 1);
        }

        assertThat(sum.awaitInt()).isEqualTo(3 + 1 + 2);
        assertThat(size.awaitInt()).isEqualTo(100_000);
        assertThat(person.await()).isEqualTo(new Person("p3", 3, List.of("a", "b")));
        assertThat((List<?>) large.await()).hasSize(100_000);
        chain.end();
    }

    @Test
    void callsOfSeveralServicesOfOneServerAreOneLane() throws Throwable {
        Node one = serve("one", 1, 64, served);
        one.bind("more", new WrittenSteps());
        Steps steps = lookup();
        Steps more = client.lookup("more", Steps.class);

        Handle first = send(steps, "step", Map.of(), 0);
        Handle second = send(more, "step", Map.of(0, first), NO_VALUE);
        Handle third = send(steps, "step", Map.of(0, second), NO_VALUE);
        await().atMost(Duration.ofSeconds(60)).until(third::isDone);

        assertThat(chain.lanes()).hasSize(1);
        assertThat(third.awaitInt()).isEqualTo(value(3));
        assertThat(second.awaitInt()).isEqualTo(value(2));
        assertThat(first.awaitInt()).isEqualTo(value(1));
        chain.end();
    }

    @Test
    void aChainThatHasBegunAgainPassesNoResultsOfBefore() throws Throwable {
        serve("one", 1, 64, served);
        Steps steps = lookup();
        Handle before = send(steps, "step", Map.of(), 0);
        before.awaitInt();
        chain.renew();

        assertThat(step(steps, before)).as("no lane yet").isNull();
        Handle first = send(steps, "step", Map.of(), 7);
        assertThat(step(steps, before)).as("another lane").isNull();

        assertThat(step(steps, first).awaitInt()).isEqualTo(67);
        first.awaitInt();
        chain.end();
    }

    @Test
    void whenTheServerDiesBetweenTheCallsTheSecondIsInDoubt() throws Throwable {
        Node one = serve("one", 1, 64, served);
        Steps steps = lookup();
        served.gate.drainPermits();
        served.gate.release(1);
        Handle first = send(steps, "step", Map.of(), 0);
        Handle second = step(steps, first);
        Handle third = send(steps, "repeat", Map.of(0, second), NO_VALUE);
        assertThat(first.awaitInt()).isEqualTo(1);

        one.close();

        assertThat(catchThrowable(second::awaitInt))
                .isInstanceOfSatisfying(ConnectionLostException.class, e -> assertThat(e.maybeExecuted())
                        .isTrue());
        third.discard();
        served.gate.release(100);
        chain.end();
        assertThat(served.log().get(0)).isEqualTo("step 0");
    }

    @Test
    void idempotentCallsAreMadeAnewElsewhereWithTheResultThatHasArrived() throws Throwable {
        Node one = serve("one", 1, 64, served);
        Steps steps = lookup();
        served.gate.drainPermits();
        served.gate.release(1);
        Handle first = send(steps, "step", Map.of(), 0);
        Handle second = send(steps, "repeat", Map.of(0, first), NO_VALUE);
        Handle third = send(steps, "repeat", Map.of(0, second), NO_VALUE);
        assertThat(first.awaitInt()).isEqualTo(1);

        one.close();
        WrittenSteps other = new WrittenSteps();
        serve("two", 1, 64, other);
        await().atMost(Duration.ofSeconds(60)).until(() -> broker.replicas("steps") == 1);

        assertThat(second.awaitInt()).isEqualTo(2);
        assertThat(third.awaitInt()).isEqualTo(3);
        served.gate.release(100);
        chain.end();
        assertThat(other.log()).containsExactly("repeat 1", "repeat 2");
    }

    @Test
    void aCallThatTakesTooLongEndsTheChain() {
        serve("one", 4, 64, served);
        Steps steps = lookup("services: {steps: {deadline: 5s}}");
        served.slow = 1;
        Handle first = send(steps, "step", Map.of(), 0);
        Handle slow = step(steps, first);
        Handle behind = step(steps, slow);

        assertThat(catchThrowable(slow::awaitInt)).isInstanceOf(DeadlineException.class);
        behind.discard();
        chain.end();

        steps.put(9);
        await().atMost(Duration.ofSeconds(60)).until(() -> served.log().size() == 3);
        assertThat(served.log()).containsExactlyInAnyOrder("step 0", "step 1", "put 9");
    }

    @Test
    void aCallThatIsGivenUpIsNotExecutedWhenItsArgumentHasCome() throws Throwable {
        serve("one", 4, 64, served);
        Steps steps = lookup();
        served.gate.drainPermits();
        Handle first = send(steps, "step", Map.of(), 0);
        Handle second = step(steps, first);
        served.entered.await();

        second.discard();
        served.gate.release(100);

        assertThat(first.awaitInt()).isEqualTo(1);
        assertThat(catchThrowable(second::awaitInt))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.notExecuted()).isTrue());
        chain.end();
        steps.put(9);
        assertThat(served.log()).containsExactly("step 0", "put 9");
    }
}
