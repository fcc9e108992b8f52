package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.cleave.Async;
import dev.cleave.CallException;
import dev.cleave.Chained;
import dev.cleave.Idempotent;
import dev.cleave.Remote;
import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What holds for results that go from one server to another (R50, C12, C13), over any transport. */
@Timeout(120)
abstract class ForwardedResultsContract extends NodesUnderTest {

    /** A stage of a computation. */
    @Remote
    @Async
    interface Stage {

        int step(int value);

        @Idempotent
        long sum(int one, long other);

        Parcel parcel(int bytes);

        Parcel open(Parcel parcel);

        double[] matrix(int size);

        double total(double[] matrix);

        double[] doubled(double[] matrix);

        @Chained
        void note(int value);
    }

    /** A record with a large array. */
    record Parcel(String label, byte[] content) {}

    /** Writes down what it executes, fails and waits as told. */
    static final class WrittenStage implements Stage {

        final List<String> log = new ArrayList<>(); // guarded by itself
        final Semaphore gate = new Semaphore(Integer.MAX_VALUE / 2);
        private final Queue<Integer> notes;
        volatile int failing = -1;

        WrittenStage(Queue<Integer> notes) {
            this.notes = notes;
        }

        private void enter(String what) {
            gate.acquireUninterruptibly();
            synchronized (log) {
                log.add(what);
            }
        }

        @Override
        public int step(int value) {
            enter("step " + value);
            if (value == failing) {
                throw new IllegalStateException("step " + value);
            }
            return value * 3 + 1;
        }

        @Override
        public long sum(int one, long other) {
            enter("sum " + one + " " + other);
            return one + other;
        }

        @Override
        public Parcel parcel(int bytes) {
            enter("parcel " + bytes);
            byte[] content = new byte[bytes];
            Arrays.fill(content, (byte) 1);
            return new Parcel("parcel", content);
        }

        @Override
        public Parcel open(Parcel parcel) {
            enter("open " + parcel.label());
            parcel.content()[0]++;
            return new Parcel("opened " + parcel.label(), parcel.content());
        }

        @Override
        public double[] matrix(int size) {
            enter("matrix " + size);
            double[] matrix = new double[size];
            Arrays.fill(matrix, 0.5);
            return matrix;
        }

        @Override
        public double total(double[] matrix) {
            enter("total");
            return Arrays.stream(matrix).sum();
        }

        @Override
        public double[] doubled(double[] matrix) {
            enter("doubled");
            return Arrays.stream(matrix).map(each -> each * 2).toArray();
        }

        @Override
        public void note(int value) {
            enter("note " + value);
            notes.add(value);
            if (value == failing) {
                throw new IllegalStateException("note " + value);
            }
        }

        List<String> log() {
            synchronized (log) {
                return List.copyOf(log);
            }
        }
    }

    private static final int NO_VALUE = 77_777;

    private final Queue<Integer> notes = new ConcurrentLinkedQueue<>(); // of all servers
    private final WrittenStage[] served = {new WrittenStage(notes), new WrittenStage(notes), new WrittenStage(notes)};
    private final Node[] servers = new Node[served.length];
    private final Stage[] stages = new Stage[served.length];
    private final Chain chain = Chain.dependent();

    private void serve() {
        for (int i = 0; i < served.length; i++) {
            servers[i] = node(NodeOptions.DEFAULT.withName("server" + i).withCapacity(1, 64));
            servers[i].bind("stage" + i, served[i]);
        }
        client = node(NodeOptions.DEFAULT.withName("client"));
        for (int i = 0; i < served.length; i++) {
            stages[i] = client.lookup("stage" + i, Stage.class);
        }
    }

    private Handle send(int stage, String name, Map<Integer, Handle> passed, Object... arguments) {
        passed.forEach(chain::pass);
        Object stub = stages[stage];
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

    @Test
    void aValueGoesStraightFromServerToServer() throws Throwable {
        serve();
        Handle first = send(0, "step", Map.of(), 1);
        Handle second = send(1, "step", Map.of(0, first), NO_VALUE);
        Handle third = send(2, "step", Map.of(0, second), NO_VALUE);
        Handle fourth = send(0, "step", Map.of(0, third), NO_VALUE);

        await().atMost(Duration.ofSeconds(60)).until(fourth::isDone);

        assertThat(chain.lanes()).hasSize(3);
        assertThat(first.awaitInt()).isEqualTo(4);
        assertThat(second.awaitInt()).isEqualTo(13);
        assertThat(third.awaitInt()).isEqualTo(40);
        assertThat(fourth.awaitInt()).isEqualTo(121);
        chain.end();
        assertThat(served[0].log()).containsExactly("step 1", "step 40");
        assertThat(served[1].log()).containsExactly("step 4");
        assertThat(served[2].log()).containsExactly("step 13");
    }

    @Test
    void oneValueGoesToSeveralServersAndSeveralToOne() throws Throwable {
        serve();
        Handle first = send(0, "step", Map.of(), 1);
        Handle one = send(1, "step", Map.of(0, first), NO_VALUE);
        Handle two = send(2, "step", Map.of(0, first), NO_VALUE);
        Handle both = send(2, "sum", Map.of(0, first, 1, one), NO_VALUE, 5L);
        Handle all = send(0, "sum", Map.of(0, two, 1, both), NO_VALUE, 5L);

        await().atMost(Duration.ofSeconds(60)).until(all::isDone);

        assertThat(both.awaitLong()).isEqualTo(17);
        assertThat(all.awaitLong()).isEqualTo(13 + 17);
        assertThat(first.awaitInt() + one.awaitInt() + two.awaitInt()).isEqualTo(4 + 13 + 13);
        chain.end();
    }

    @Test
    void recordsAndLargeArraysGoStraightToo() throws Throwable {
        serve();
        Handle parcel = send(0, "parcel", Map.of(), 3 << 20);
        Handle opened = send(1, "open", Map.of(0, parcel), (Object) null);
        Handle again = send(2, "open", Map.of(0, opened), (Object) null);
        Handle other = send(2, "open", Map.of(0, parcel), (Object) null);
        Handle matrix = send(1, "matrix", Map.of(), 1 << 18);
        Handle total = send(0, "total", Map.of(0, matrix), (Object) null);
        await().atMost(Duration.ofSeconds(60)).until(() -> again.isDone() && other.isDone() && total.isDone());

        assertThat(total.awaitDouble()).isEqualTo(1 << 17);
        Parcel last = (Parcel) again.await();
        assertThat(last.label()).isEqualTo("opened opened parcel");
        assertThat(last.content()[0]).isEqualTo((byte) 3);
        assertThat(((Parcel) other.await()).content()[0]).isEqualTo((byte) 2);
        assertThat(((Parcel) parcel.await()).content()[0]).isEqualTo((byte) 1);
        opened.await();
        matrix.await();
        chain.end();
    }

    @Test
    void nothingIsExecutedBehindAFailureOnAnotherServer() throws Throwable {
        serve();
        served[0].failing = 1;
        Handle first = send(0, "step", Map.of(), 1);
        Handle second = send(1, "step", Map.of(0, first), NO_VALUE);
        // Nothing is sent behind a failure that has arrived.
        Handle third = second == null ? null : send(2, "step", Map.of(0, second), NO_VALUE);

        assertThat(catchThrowable(first::awaitInt))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("step 1");
        for (Handle sent : Stream.of(third, second).filter(Objects::nonNull).toList()) {
            sent.withdrawn();
            sent.discard();
        }
        chain.end();

        assertThat(served[1].log()).isEmpty();
        assertThat(served[2].log()).isEmpty();
    }

    @Test
    void aCallThatIsGivenUpWhileItsArgumentIsOnItsWayIsNotExecuted() throws Throwable {
        serve();
        served[0].gate.drainPermits();
        Handle first = send(0, "step", Map.of(), 1);
        Handle second = send(1, "step", Map.of(0, first), NO_VALUE);

        second.withdrawn();
        second.discard();
        served[0].gate.release(100);

        assertThat(first.awaitInt()).isEqualTo(4);
        assertThat(catchThrowable(second::awaitInt))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.notExecuted()).isTrue());
        chain.end();
        assertThat(stages[1].step(5)).isEqualTo(16);
        assertThat(served[1].log()).containsExactly("step 5");
    }

    @Test
    void whenTheServerOfAResultDiesItsCallersCopyIsUsed() throws Throwable {
        serve();
        served[1].gate.drainPermits();
        Handle busy = send(1, "step", Map.of(), 0);
        Handle first = send(0, "step", Map.of(), 1);
        assertThat(first.awaitInt()).isEqualTo(4);
        servers[0].close();

        Handle second = send(1, "step", Map.of(0, first), NO_VALUE);
        served[1].gate.release(100);

        assertThat(busy.awaitInt()).isEqualTo(1);
        assertThat(second.awaitInt()).isEqualTo(13);
        chain.end();
        assertThat(served[1].log()).containsExactly("step 0", "step 4");
    }

    @Test
    void resultsAreForgottenWhenNobodyNeedsThem() throws Throwable {
        serve();
        for (int i = 0; i < 100; i++) {
            Handle first = send(0, "step", Map.of(), i);
            Handle second = send(1, "step", Map.of(0, first), NO_VALUE);
            assertThat(second.awaitInt()).isEqualTo((i * 3 + 1) * 3 + 1);
            assertThat(first.awaitInt()).isEqualTo(i * 3 + 1);
            chain.renew();
        }
        assertThat(stages[0].step(0) + stages[1].step(0)).isEqualTo(2);

        await().atMost(Duration.ofSeconds(60))
                .until(() -> servers[0].keptResults() == 0 && servers[1].keptResults() == 0);
    }

    @Test
    void callsOfSeveralServersKeepTheirOrderThoughNoResultGoesOn() throws Throwable {
        serve();
        served[0].gate.drainPermits();
        served[2].gate.drainPermits();
        List<Handle> sent = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            sent.add(send(i % 3, "note", Map.of(), i));
        }
        served[2].gate.release(100); // it could go first
        served[0].gate.release(100);

        await().atMost(Duration.ofSeconds(60)).until(sent.get(8)::isDone);

        for (Handle note : sent) {
            note.awaitVoid();
        }
        chain.end();
        assertThat(notes).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
        awaitNothingKept();
    }

    @Test
    void noCallIsExecutedBehindOneThatFailedAtAnotherServer() throws Throwable {
        serve();
        served[0].gate.drainPermits();
        served[1].failing = 1;
        List<Handle> sent = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            sent.add(send(i % 3, "note", Map.of(), i));
        }
        served[0].gate.release(100);

        sent.get(0).awaitVoid();
        assertThat(catchThrowable(sent.get(1)::awaitVoid)).hasMessage("note 1");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> sent.subList(2, 6).stream().allMatch(Handle::isDone));
        for (Handle note : sent.subList(2, 6)) {
            note.withdrawn();
            note.discard();
        }
        chain.end();

        assertThat(notes).containsExactly(0, 1);
        awaitNothingKept();
    }

    /** What the program does that goes on: it makes the calls at their places, each once. */
    @Test
    void callsBehindAServerThatIsGoneAreMadeAtTheirPlaces() throws Throwable {
        serve();
        Handle first = send(0, "note", Map.of(), 0);
        first.awaitVoid();
        servers[0].close();

        Handle second = send(1, "note", Map.of(), 1);
        Handle third = send(2, "note", Map.of(), 2);
        second.awaitVoid();
        third.awaitVoid();
        chain.end();

        assertThat(notes).containsExactly(0, 1, 2);
        assertThat(served[1].log()).containsExactly("note 1");
        assertThat(served[2].log()).containsExactly("note 2");
    }

    /** The program goes on behind the failure, and nothing of the chain may come later. */
    @Test
    void aCallThatItsCallerHasGivenUpLetsNoCallOfAnotherServerRun() throws Throwable {
        serve();
        served[0].gate.drainPermits();
        Handle first = send(0, "note", Map.of(), 0);
        Handle second = send(1, "note", Map.of(), 1);
        first.withdrawn();

        await().atMost(Duration.ofSeconds(60)).until(second::isDone);

        served[0].gate.release(100);
        first.discard();
        second.discard();
        assertThat(served[1].log()).isEmpty();
        chain.end();
    }

    private Handle sendForCalls(int uses, int stage, String name, Map<Integer, Handle> passed, Object... arguments) {
        chain.isUsedBy(uses);
        return send(stage, name, passed, arguments);
    }

    @Test
    void aLargeResultThatOnlyTravelsOnStaysAtItsServer() throws Throwable {
        serve();
        Handle matrix = sendForCalls(2, 0, "matrix", Map.of(), 1 << 18);
        Handle there = send(0, "total", Map.of(0, matrix), (Object) null);
        Handle elsewhere = send(1, "total", Map.of(0, matrix), (Object) null);

        assertThat(matrix.await()).isNull();
        assertThat(matrix.stayedBytes()).isBetween(8L << 18, (8L << 18) + 100);
        assertThat(there.awaitDouble()).isEqualTo(1 << 17);
        assertThat(elsewhere.awaitDouble()).isEqualTo(1 << 17);
        chain.end();
        assertThat(served[0].log()).containsExactly("matrix 262144", "total");
        awaitNothingKept();
    }

    @Test
    void aSmallOneComesAsItCostsAsMuchAsTheWordThatItStays() throws Throwable {
        serve();
        Handle matrix = sendForCalls(1, 0, "matrix", Map.of(), 8);
        Handle total = send(1, "total", Map.of(0, matrix), (Object) null);

        assertThat((double[]) matrix.await()).hasSize(8);
        assertThat(matrix.stayedBytes()).isZero();
        assertThat(total.awaitDouble()).isEqualTo(4);
        chain.end();
    }

    @Test
    void aResultThatHasStayedComesIfACallThatItIsForWasNotSent() throws Throwable {
        serve();
        Handle matrix = sendForCalls(2, 0, "matrix", Map.of(), 1 << 18);
        Handle total = send(1, "total", Map.of(0, matrix), (Object) null);
        await().atMost(Duration.ofSeconds(60)).until(() -> matrix.isDone() && total.isDone());
        assertThat(matrix.stayedBytes()).isPositive();

        assertThat((double[]) matrix.await()).hasSize(1 << 18).contains(0.5);
        assertThat(matrix.stayedBytes()).isZero();
        assertThat(total.awaitDouble()).isEqualTo(1 << 17);
        chain.end();
        awaitNothingKept();
    }

    @Test
    void aCallThatWasNotExecutedIsMadeWithTheResultThatHasStayed() throws Throwable {
        serve();
        served[1].gate.drainPermits();
        Handle matrix = sendForCalls(1, 0, "matrix", Map.of(), 1 << 18);
        Handle failing = send(1, "step", Map.of(), 5);
        Handle total = send(1, "total", Map.of(0, matrix), (Object) null);
        served[1].failing = 5; // what is behind it in the chain is not executed
        await().atMost(Duration.ofSeconds(60)).until(matrix::isDone);
        served[1].gate.release(100);

        assertThat((double[]) matrix.await()).hasSize(1 << 18);
        assertThat(catchThrowable(failing::awaitInt)).hasMessage("step 5");
        assertThat(total.awaitDouble()).isEqualTo(1 << 17);
        chain.end();
        assertThat(served[1].log()).containsExactly("step 5", "total");
        awaitNothingKept();
    }

    @Test
    void aResultThatHasStayedIsLostWithItsServerWhereItsCallStands() throws Throwable {
        serve();
        Handle matrix = sendForCalls(2, 0, "matrix", Map.of(), 1 << 18);
        Handle total = send(1, "total", Map.of(0, matrix), (Object) null);
        await().atMost(Duration.ofSeconds(60)).until(() -> matrix.isDone() && total.isDone());
        servers[0].close();

        assertThat(catchThrowable(matrix::await))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.maybeExecuted()).isTrue())
                .hasMessageContaining("stayed at the server");
        assertThat(total.awaitDouble()).isEqualTo(1 << 17);
        chain.end();
    }

    @Test
    void aServerKeepsAResultNoLongerThanTheCallsThatItIsForNeedIt() throws Throwable {
        serve();
        Handle matrix = sendForCalls(1, 0, "matrix", Map.of(), 1 << 18);
        Handle twice = sendForCalls(1, 0, "doubled", Map.of(0, matrix), (Object) null);
        Handle total = send(0, "total", Map.of(0, twice), (Object) null);

        assertThat(total.awaitDouble()).isEqualTo(1 << 18);
        await().atMost(Duration.ofSeconds(60)).until(() -> servers[0].keptResults() == 1); // the total
        assertThat(matrix.await()).isNull();
        assertThat(twice.await()).isNull();
        chain.end();
        awaitNothingKept();
    }

    @Test
    void aResultThatHasStayedIsDroppedWithItsCallerOrItsCall() throws Throwable {
        serve();
        Handle matrix = sendForCalls(1, 0, "matrix", Map.of(), 1 << 18);
        await().atMost(Duration.ofSeconds(60)).until(matrix::isDone);
        assertThat(servers[0].keptResults()).isEqualTo(1);
        matrix.discard();
        chain.renew();
        awaitNothingKept();

        Handle other = sendForCalls(1, 0, "matrix", Map.of(), 1 << 18);
        await().atMost(Duration.ofSeconds(60)).until(other::isDone);
        assertThat(servers[0].keptResults()).isEqualTo(1);
        client.close();
        awaitNothingKept();
    }

    private void awaitNothingKept() {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> Arrays.stream(servers).allMatch(server -> server.keptResults() == 0));
    }
}
