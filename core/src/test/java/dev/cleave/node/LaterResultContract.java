package dev.cleave.node;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.ConnectionLostException;
import dev.cleave.DeadlineException;
import dev.cleave.Fork;
import dev.cleave.Later;
import dev.cleave.Pending;
import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import dev.cleave.config.Bindings;
import dev.cleave.later.LaterArguments;
import dev.cleave.testing.ChunkGate;
import dev.cleave.transport.Transport;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds over any transport for results that are used while they arrive, and for values that are passed on so. */
abstract class LaterResultContract extends NodesUnderTest {

    private static final int MANY = 500_000; // ints: 2 MB

    private final List<Node> all = new ArrayList<>();
    private RealPress last;
    private ChunkGate gate;
    private Node server;
    private Node middle;
    private Press press; // where things are made
    private Press through; // asks the other one

    abstract Transport real();

    @Override
    final Transport transport() {
        gate = new ChunkGate(real());
        return gate;
    }

    private Node counted(NodeOptions options) {
        Node node = node(options.withCapacity(1, 64).withArriving(64 << 20));
        all.add(node);
        return node;
    }

    @BeforeEach
    void connect() {
        last = new RealPress(null);
        server = counted(NodeOptions.DEFAULT.withName("server"));
        server.bind("press", last);
        middle = counted(NodeOptions.DEFAULT.withName("middle"));
        middle.bind("through", new RealPress(middle.lookup("press", Press.class)));
        connect("20s");
    }

    private void connect(String deadline) {
        String file = "services: {press: {deadline: %s}, through: {deadline: %s}}".formatted(deadline, deadline);
        client = counted(NodeOptions.DEFAULT.withName("client").withBindings(Bindings.parse(file, "cleave.yaml")));
        press = client.lookup("press", Press.class);
        through = client.lookup("through", Press.class);
    }

    @AfterEach
    void nothingIsUnderWay() {
        gate.open();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> all.stream().allMatch(node -> node.arrivingBytes() == 0 && node.pendingCalls() == 0));
    }

    private static int[] ones(int count) {
        int[] ones = new int[count];
        Arrays.fill(ones, 1);
        return ones;
    }

    @Test
    void aResultIsThereBeforeItIsWholeAndIsUsedAsItComes() {
        gate.hold(300_000);
        Later.Value<int[]> ones = press.ones(MANY);

        assertThat(ones.begun()).hasSize(MANY);
        assertThat(ones.await(1_000)).isBetween(1_001, 300_000 / 4);
        assertThat(ones.isHere()).isFalse();
        assertThat(press.small(5)).isEqualTo(5);
        AtomicInteger arrived = new AtomicInteger();
        ones.onArrival(arrived::incrementAndGet);
        assertThatThrownBy(() -> ones.get(Duration.ofMillis(20))).isInstanceOf(DeadlineException.class);
        assertThat(arrived).hasValue(0);
        gate.open();

        assertThat(RealPress.sumOf(ones)).isEqualTo(MANY);
        assertThat(ones.get()).isEqualTo(ones(MANY)).isSameAs(ones.begun());
        await().until(() -> arrived.get() == 1);
    }

    @Test
    void resultsOfEveryKindAndSizeArriveWhole() {
        for (int n : new int[] {0, 10, 5_000, 200_000}) {
            assertThat(press.ones(n).get()).isEqualTo(ones(n));
            assertThat(press.plain(n)).isEqualTo(ones(n));
            assertThat(press.text(n)).hasSize(n);
            assertThat(press.words(n).get()).hasSize(n);
            assertThat(press.same(Later.Value.of(ones(n))).get()).isEqualTo(ones(n));
        }
        int[][] rows = press.rows(100, 1_000).get();
        assertThat(rows).hasNumberOfRows(100);
        assertThat(rows[1]).isNull();
        assertThat(rows[99]).isEqualTo(ones(1_000));
        assertThat(press.none(false)).isNull();
        assertThat(press.none(true).get()).isNull();
        assertThatThrownBy(press::fails)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("out of ink");
    }

    @Test
    void aPlainResultIsAwaitedInWhole() {
        gate.hold(300_000);
        Pending<int[]> ones = Cleave.async(() -> press.plain(MANY));

        assertThat(press.small(5)).isEqualTo(5);
        assertThat(ones.isDone()).isFalse();
        gate.open();

        assertThat(ones.await()).isEqualTo(ones(MANY));
    }

    @Test
    void aCallThatIsGivenUpWhileItsResultArrivesIsNotWaitedFor() throws InterruptedException {
        gate.hold(300_000);
        Pending<int[]> ones = Cleave.async(() -> press.plain(4 * MANY)); // more than is granted at a time
        await().atMost(Duration.ofSeconds(60)).until(() -> client.arrivingBytes() > 0);
        Thread leaving = new Thread(((Fork.Discarded) ones)::discard);
        leaving.start();
        await().until(() -> !leaving.isAlive() // the server may have heard of it before the gate held a chunk
                || Arrays.stream(leaving.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("waitUntil")));
        press.small(1); // its server has heard of it
        gate.open();

        leaving.join(10_000); // half of its deadline
        assertThat(leaving.isAlive()).isFalse();
        assertThatThrownBy(ones::await).isInstanceOfSatisfying(CallException.class, e -> assertThat(e.executed())
                .isTrue());
    }

    /** What rewritten code calls. */
    private static LaterArguments plain(Press stub, int count) {
        try {
            Method twin = stub.getClass().getMethod("plain$later", int.class);
            twin.setAccessible(true);
            return (LaterArguments) twin.invoke(stub, count);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aPlainResultCanBeUsedAsItComesThroughTheTwinOfItsMethod() {
        gate.hold(300_000);
        LaterArguments ones = plain(press, MANY);

        assertThat((int[]) ones.begun(0)).hasSize(MANY);
        assertThat(ones.await(0, 1_000)).isBetween(1_001, 300_000 / 4);
        assertThat(ones.isLater(0)).isTrue();
        gate.open();

        assertThat((int[]) ones.whole(0)).isEqualTo(ones(MANY)).isSameAs(ones.begun(0));
        assertThat(ones.received(0)).isEqualTo(Integer.MAX_VALUE);
        assertThat(ones.await(0, MANY)).isEqualTo(Integer.MAX_VALUE);
        assertThat((int[]) plain(press, 3).begun(0)).isEqualTo(ones(3));
        assertThat(plain(press, 3).isLater(0)).isFalse();
    }

    @Test
    void theResultOfAnIdempotentMethodThatIsLostInTheMiddleIsMadeAgainBeforeAnybodySeesAPart() {
        Node other = counted(NodeOptions.DEFAULT.withName("other"));
        Press again = other.lookup("press", RepeatablePress.class);
        assertThat((int[]) plain(again, 3).whole(0)).isEqualTo(ones(3));
        gate.cutOnce(300_000);

        LaterArguments ones = plain(again, MANY);

        assertThat(ones.isLater(0)).isFalse();
        assertThat((int[]) ones.begun(0)).isEqualTo(ones(MANY));
    }

    @Test
    void anArrayThatIsArrivingIsGivenToAPlainParameterAsItComes() {
        for (boolean isLater : new boolean[] {true, false}) {
            gate.hold(300_000);
            LaterArguments ones = plain(press, MANY);
            int[] array = (int[]) ones.begun(0);
            CompletableFuture<int[]> twice = CompletableFuture.supplyAsync(() -> {
                ones.passOn(0);
                return isLater ? through.twice(array) : through.twiceWhole(array);
            });
            if (isLater) {
                await().atMost(Duration.ofSeconds(60)).until(() -> middle.arrivingBytes() > 0);
            }
            assertThat(ones.isLater(0)).isTrue();
            gate.open();

            int[] twos = ones(MANY);
            Arrays.fill(twos, 2);
            assertThat(twice.join()).isEqualTo(twos);
        }
    }

    @Test
    void anArrayThatDoesNotArriveIsGivenToNobodyAsWhole() {
        for (long at = 0; at < 4L * 150_000; at += 50_000) {
            for (boolean isLater : new boolean[] {true, false}) {
                gate.cut(at);
                Throwable thrown = catchThrowable(() -> {
                    LaterArguments ones = plain(press, 150_000);
                    ones.passOn(0);
                    int[] array = (int[]) ones.begun(0);
                    assertThat(isLater ? through.twice(array) : through.twiceWhole(array))
                            .isNull();
                });

                assertThat(thrown)
                        .as("cut at %d", at)
                        .isInstanceOf(CallException.class)
                        .isNotInstanceOf(DeadlineException.class);
                gate.open();
                await().atMost(Duration.ofSeconds(60)).until(() -> client.arrivingBytes() == 0);
            }
        }
    }

    @Test
    void whatDoesNotArriveIsWhatItsCallThrows() {
        gate.cut(300_000);
        LaterArguments ones = plain(press, MANY);

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> ones.whole(0))
                    .isInstanceOf(ConnectionLostException.class)
                    .hasMessageContaining("Press.plain of service press");
        }
        assertThatThrownBy(() -> ones.await(0, MANY - 1)).isInstanceOfSatisfying(CallException.class, e -> {
            assertThat(e.executed()).isTrue();
            assertThat(e.getStackTrace()[0].getClassName()).doesNotStartWith("dev.cleave.client");
        });
    }

    @Test
    void theServersArrayIsItsOwnAgainWhenTheCallHasReturned() {
        gate.hold(300_000);
        Later.Value<int[]> ones = press.ones(MANY);
        press.small(1); // its only worker is free
        last.spoil();
        gate.open();

        assertThat(ones.get()).isEqualTo(ones(MANY));
    }

    @Test
    void aResultIsPassedOnToAnotherCallAsItComes() {
        gate.hold(300_000);
        Later.Value<int[]> ones = press.ones(MANY);
        Pending<Long> sum = Cleave.async(() -> through.sum(ones));
        Pending<Long> far = Cleave.async(() -> through.sumOfNext(ones));
        await().atMost(Duration.ofSeconds(60)).until(() -> last.begun.get() == 1);

        assertThat(ones.isHere()).isFalse();
        gate.open();

        assertThat(sum.await()).isEqualTo(MANY);
        assertThat(far.await()).isEqualTo(MANY);
    }

    @Test
    void aServerPassesOnResultsAndArgumentsAsTheyCome() {
        gate.hold(400_000);
        Later.Value<int[]> ones = through.onesOfNext(MANY);
        Later.Value<int[]> same = through.same(Later.Value.of(ones(MANY)));
        Later.Value<int[]> far = through.sameOfNext(Later.Value.of(ones(MANY)));

        for (Later.Value<int[]> each : List.of(ones, same, far)) {
            assertThat(each.begun()).hasSize(MANY);
            assertThat(each.isHere()).isFalse();
        }
        assertThat(through.small(5)).isEqualTo(5); // its only worker waits for none
        gate.open();

        for (Later.Value<int[]> each : List.of(ones, same, far)) {
            assertThat(RealPress.sumOf(each)).isEqualTo(MANY);
            assertThat(each.get()).isEqualTo(ones(MANY));
        }
    }

    @Test
    void rowsArePassedOnRowByRow() {
        gate.hold(300_000);
        Later.Value<int[][]> rows = press.rows(500, 1_000);
        await().until(() -> rows.received() > 10);
        gate.open();

        assertThat(rows.get()[499]).isEqualTo(ones(1_000));
    }

    @Test
    void argumentsMayBeChangedWhenTheCallHasReturnedThoughItsResultIsStillMadeOfThem() {
        int[] values = ones(MANY);
        gate.hold(300_000);
        Later.Value<int[]> same = through.sameOfNext(Later.Value.of(values));
        Arrays.fill(values, 2);
        gate.open();

        assertThat(same.get()).isEqualTo(ones(MANY));
    }

    @Test
    void aDeadlineEndsTheWaitsAndTheRestMayStillCome() {
        connect("400ms");
        gate.hold(300_000);
        Later.Value<int[]> ones = press.ones(MANY);

        assertThatThrownBy(ones::get).isInstanceOf(DeadlineException.class);
        gate.open();

        await().atMost(Duration.ofSeconds(60)).until(ones::isHere);
        assertThat(ones.get()).isEqualTo(ones(MANY));
    }

    @Test
    void aCallThatIsCancelledTakesWhatItPassesOnFromItsServer() {
        gate.hold(300_000);
        Later.Value<int[]> ones = press.ones(MANY);
        Pending<Long> sum = Cleave.async(() -> press.sum(ones));
        await().atMost(Duration.ofSeconds(60)).until(() -> last.begun.get() == 1);
        sum.cancel();

        await().atMost(Duration.ofSeconds(60)).until(() -> last.ended.get() == 1);
        assertThat(last.failure.get()).isInstanceOf(CallException.class).hasMessageContaining("cancelled");
        gate.open();
        assertThat(ones.get()).isEqualTo(ones(MANY));
    }

    @Test
    void whereverTheConnectionIsCutWhoeverWaitsFailsAndNothingIsHalf() {
        for (long at = 0; at < 4L * 150_000; at += 50_000) {
            gate.cut(at);

            Throwable thrown = catchThrowable(() -> press.ones(150_000).get());

            assertThat(thrown)
                    .as("cut at %d", at)
                    .isInstanceOf(CallException.class)
                    .isNotInstanceOf(DeadlineException.class);
            gate.open();
            await().atMost(Duration.ofSeconds(60)).until(() -> client.arrivingBytes() == 0);
        }
        assertThat(press.ones(150_000).get()).hasSize(150_000);
    }

    @Test
    void whereverAPipelineIsCutEverybodyFails() {
        for (long at = 0; at < 4L * 4 * 100_000; at += 70_000) {
            gate.cut(at);

            Throwable thrown = catchThrowable(
                    () -> through.sameOfNext(Later.Value.of(ones(100_000))).get());

            assertThat(thrown)
                    .as("cut at %d", at)
                    .isInstanceOf(CallException.class)
                    .isNotInstanceOf(DeadlineException.class);
            gate.open();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> all.stream().allMatch(node -> node.arrivingBytes() == 0));
        }
        assertThat(through.sameOfNext(Later.Value.of(ones(100_000))).get()).hasSize(100_000);
    }

    /** Sends a call, some of whose arguments are results of others. */
    private static Handle chained(
            Chain chain, Press stub, String name, Map<Integer, Handle> passed, Object... arguments) throws Throwable {
        passed.forEach(chain::pass);
        for (Method twin : stub.getClass().getMethods()) {
            if (twin.getName().equals(name + "$chain")) {
                List<Object> given = new ArrayList<>(List.of(chain));
                given.addAll(Arrays.asList(arguments));
                twin.setAccessible(true);
                return requireNonNull((Handle) twin.invoke(stub, given.toArray()), name);
            }
        }
        throw new AssertionError(name);
    }

    private static final Object NONE = null; // in the place of an argument that is passed

    /** Waits until a call has ended, for whose arguments its caller was not asked: it has awaited none of the others. */
    private static void awaitServers(Handle last) {
        await().atMost(Duration.ofSeconds(60)).until(last::isDone);
        assertThat(last.hasAnswer()).isTrue();
    }

    @Test
    void resultsThatComeLaterGoFromCallToCallAtTheirServers() throws Throwable {
        for (int n : new int[] {0, 10, 5_000, 200_000}) {
            for (Press other : List.of(press, through)) {
                Chain chain = Chain.dependent();
                Handle first = chained(chain, press, "ones", Map.of(), n);
                Handle second = chained(chain, press, "same", Map.of(0, first), NONE);
                Handle third = chained(chain, other, "same", Map.of(0, second), NONE);
                Handle fourth = chained(chain, press, "same", Map.of(0, third), NONE);
                Handle sum = chained(chain, press, "sum", Map.of(0, fourth), NONE);
                awaitServers(sum);

                assertThat(sum.awaitLong()).isEqualTo(n);
                for (Handle each : List.of(fourth, third, second, first)) {
                    assertThat(((Later.Value<?>) each.await()).get()).isEqualTo(ones(n));
                }
                chain.end();
            }
        }
        assertThat(press.small(3) + through.small(4)).isEqualTo(7);
        await().atMost(Duration.ofSeconds(60)).until(() -> server.keptResults() + middle.keptResults() == 0);
    }

    @Test
    void resultsOfEveryKindThatComeLaterGoFromCallToCall() throws Throwable {
        for (int n : new int[] {0, 10, 5_000, 100_000}) {
            for (Press other : List.of(press, through)) {
                Chain chain = Chain.dependent();
                Handle words = chained(chain, press, "words", Map.of(), n);
                Handle count = chained(chain, other, "count", Map.of(0, words), NONE);
                Handle rows = chained(chain, press, "rows", Map.of(), 5, n);
                Handle cells = chained(chain, other, "cells", Map.of(0, rows), NONE);
                Handle plain = chained(chain, press, "plain", Map.of(), n);
                Handle twice = chained(chain, other, "twice", Map.of(0, plain), NONE);
                Handle whole = chained(chain, other, "twiceWhole", Map.of(0, plain), NONE);
                Handle text = chained(chain, press, "text", Map.of(), n);
                Handle letters = chained(chain, other, "letters", Map.of(0, text), NONE);
                for (Handle each : List.of(count, cells, twice, whole, letters)) {
                    awaitServers(each);
                }

                assertThat(count.awaitInt()).isEqualTo(n);
                assertThat(cells.awaitLong()).isEqualTo(4L * n);
                int[] twos = ones(n);
                Arrays.fill(twos, 2);
                assertThat(twice.await()).isEqualTo(twos);
                assertThat(whole.await()).isEqualTo(twos);
                assertThat(letters.awaitInt()).isEqualTo(n);
                assertThat((List<?>) ((Later.Value<?>) words.await()).get()).hasSize(n);
                assertThat((int[][]) ((Later.Value<?>) rows.await()).get()).hasNumberOfRows(5);
                assertThat(plain.await()).isEqualTo(ones(n));
                assertThat((String) text.await()).hasSize(n);
                chain.end();
            }
        }
    }

    @Test
    void nothingAndAValueThatIsNullAreToldApartOnTheirWayFromCallToCall() throws Throwable {
        for (boolean isValue : new boolean[] {true, false}) {
            Chain chain = Chain.dependent();
            Handle none = chained(chain, press, "none", Map.of(), isValue);
            Handle told = chained(chain, press, "told", Map.of(0, none), NONE);
            awaitServers(told);

            assertThat(told.await()).isEqualTo(isValue ? "null" : "nothing");
            Object known = none.await();
            assertThat(known == null ? "nothing" : String.valueOf(((Later.Value<?>) known).get()))
                    .isEqualTo(isValue ? "null" : "nothing");
            chain.end();
        }
    }

    @Test
    void aCallWhoseLaterArgumentIsTheCallersIsNotSentInAChain() {
        Chain chain = Chain.dependent();

        assertThat(catchThrowable(() -> chained(chain, press, "sum", Map.of(), Later.Value.of(ones(3)))))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("sum");
        chain.end();
    }

    /** The caller of the calls gives the second one what it has. */
    @Test
    void aResultThatIsStillArrivingAtItsServerGoesThroughItsCaller() throws Throwable {
        gate.hold(300_000);
        Chain chain = Chain.dependent();
        Handle first = chained(chain, through, "onesOfNext", Map.of(), MANY);
        Handle second = chained(chain, through, "same", Map.of(0, first), NONE);
        Handle third = chained(chain, press, "sum", Map.of(0, second), NONE);
        Later.Value<?> arriving = (Later.Value<?>) first.await();
        assertThat(arriving.isHere()).isFalse();
        gate.open();

        assertThat(((Later.Value<?>) second.await()).get()).isEqualTo(ones(MANY));
        assertThat(third.awaitLong()).isEqualTo(MANY);
        assertThat(arriving.get()).isEqualTo(ones(MANY));
        chain.end();
    }

    @Test
    void nothingIsExecutedBehindAFailureInThePlaceOfAResultThatComesLater() throws Throwable {
        Chain chain = Chain.dependent();
        Handle first = chained(chain, press, "fails", Map.of());
        chain.pass(0, first);
        Handle second = chained(chain, press, "sum", Map.of(), NONE);

        assertThat(catchThrowable(first::await)).hasMessage("out of ink");
        second.discard();
        chain.end();
        press.small(1); // its only worker is behind both
        assertThat(last.begun).hasValue(0);
    }

    @Test
    void theServerIsGoneWhileAResultArrivesThatWasPassedOn() {
        gate.hold(300_000);
        Later.Value<int[]> ones = press.ones(MANY);
        Later.Value<int[]> passed = through.onesOfNext(MANY);
        Pending<Long> sum = Cleave.async(() -> through.sum(ones));
        server.close();

        assertThatThrownBy(ones::get).isInstanceOf(ConnectionLostException.class);
        assertThatThrownBy(passed::get).isInstanceOf(ConnectionLostException.class);
        assertThatThrownBy(sum::await).isInstanceOf(ConnectionLostException.class);
        assertThatThrownBy(() -> through.sum(ones))
                .isInstanceOfSatisfying(ConnectionLostException.class, e -> assertThat(e.notExecuted())
                        .isTrue());
    }

    @Test
    void theCallerIsGoneWhileItsArgumentIsPassedOn() {
        gate.hold(300_000);
        Later.Value<int[]> far = through.sameOfNext(Later.Value.of(ones(MANY)));
        Pending<Long> sum = Cleave.async(() -> through.sumOfNext(Later.Value.of(ones(MANY))));
        client.close();

        assertThat(catchThrowable(far::get)).isInstanceOf(CallException.class);
        assertThat(catchThrowable(sum::await)).isInstanceOf(CallException.class);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> last.begun.get() == last.ended.get()
                        && server.arrivingBytes() == 0
                        && middle.arrivingBytes() == 0);
    }
}
