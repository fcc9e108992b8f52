package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.Cleave;
import dev.cleave.Idempotent;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.testing.EffectOf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls that take long are sent to one more replica where that is wanted. */
@Tag("one-jdk")
@EffectOf("services.hedge")
class HedgeTest extends TcpNodesUnderTest {

    private static final String HEDGED = "services: {desk: {hedge: 20ms}}";

    private final List<NamedDesk> desks = new ArrayList<>();
    private Node caller;

    /** What is served. */
    @Remote
    interface Desk {

        @Idempotent
        String again(String word);

        @Idempotent(hedge = "10ms")
        String hedged(String word);

        String once(String word);
    }

    /** Serves it, and can be made to wait. */
    private static final class NamedDesk implements Desk {

        private final String name;
        private final AtomicInteger executed = new AtomicInteger();
        private volatile CountDownLatch gate = new CountDownLatch(0);

        private NamedDesk(String name) {
            this.name = name;
        }

        @Override
        public String again(String word) {
            return once(word);
        }

        @Override
        public String hedged(String word) {
            return once(word);
        }

        @Override
        public String once(String word) {
            executed.incrementAndGet();
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return name + word;
        }
    }

    @AfterEach
    void letGo() {
        desks.forEach(desk -> desk.gate.countDown());
        await().until(() -> caller.pendingCalls() == 0);
    }

    private NamedDesk serve(String name, boolean waits) {
        NamedDesk desk = new NamedDesk(name);
        desk.gate = new CountDownLatch(waits ? 1 : 0);
        desks.add(desk);
        node(name, 4, "application: test").bind("desk", desk);
        return desk;
    }

    private Desk lookup(String file, int replicas) {
        await().until(() -> broker.replicas("desk") == replicas);
        caller = node("client", 1, file);
        return caller.lookup("desk", Desk.class);
    }

    @Test
    void theAnswerOfTheOtherReplicaCounts() {
        NamedDesk slow = serve("slow", true);
        NamedDesk quick = serve("quick", false);
        Desk desk = lookup(HEDGED, 2);

        AtomicInteger made = new AtomicInteger();
        await().until(
                        () -> { // a machine under load may take the slow one for frozen at first
                            String word = "-" + made.incrementAndGet();
                            assertThat(desk.again(word)).isEqualTo("quick" + word);
                            return caller.hedgesWon() > 0; // and the quick one may be asked too late
                        });

        assertThat(caller.hedgesWon()).isLessThanOrEqualTo(caller.hedges());
        assertThat((long) slow.executed.get())
                .as("what waited there was cancelled")
                .isLessThanOrEqualTo(made.get());
        assertThat(quick.executed).hasValue(made.get());
        slow.gate.countDown();
        assertThat(desk.again("!")).isIn("slow!", "quick!");
    }

    @Test
    void theAnnotationSaysItToo() {
        serve("slow", true);
        serve("quick", false);
        Desk desk = lookup("application: test", 2);

        await().until(() -> {
            assertThat(desk.hedged("a")).isEqualTo("quicka");
            return caller.hedgesWon() > 0;
        });
    }

    @Test
    void whatTakesLongerThanMostCallsIsSentToOneMore() {
        NamedDesk one = serve("one", false);
        NamedDesk two = serve("two", false);
        Desk desk = lookup("services: {desk: {hedge: p99}}", 2);
        one.gate = new CountDownLatch(1);
        two.gate = new CountDownLatch(1);
        Pending<String> unmeasured = Cleave.async(() -> desk.again("?"));
        await().until(() -> one.executed.get() + two.executed.get() == 1);
        desks.forEach(each -> each.gate.countDown());
        assertThat(unmeasured.await()).isIn("one?", "two?");
        for (int i = 0; i < 200; i++) {
            assertThat(desk.again("!")).isIn("one!", "two!");
        }
        long before = caller.hedgesWon();

        one.gate = new CountDownLatch(1);

        await().until(() -> {
            assertThat(desk.again("-")).isEqualTo("two-");
            return caller.hedgesWon() > before;
        });
        assertThat(caller.hedges()).isGreaterThanOrEqualTo(caller.hedgesWon());
    }

    @Test
    void theFirstAnswerCountsWhereBothTakeLong() {
        NamedDesk one = serve("one", true);
        NamedDesk two = serve("two", true);
        Desk desk = lookup(HEDGED, 2);
        Pending<String> call = Cleave.async(() -> desk.again("?"));
        await().until(() -> one.executed.get() + two.executed.get() == 2);

        one.gate.countDown();

        assertThat(call.await()).isEqualTo("one?");
    }

    @Test
    void whatMayNotBeExecutedAgainIsLeftAlone() {
        NamedDesk one = serve("one", true);
        NamedDesk two = serve("two", true);
        Desk desk = lookup(HEDGED, 2);
        Pending<String> plain = Cleave.async(() -> desk.once("?"));
        Pending<String> idempotent = Cleave.async(() -> desk.again("?"));
        await().until(() -> one.executed.get() + two.executed.get() == 3);
        assertThat(caller.hedges()).isEqualTo(1);

        desks.forEach(each -> each.gate.countDown());

        assertThat(plain.await()).isIn("one?", "two?");
        assertThat(idempotent.await()).isIn("one?", "two?");
        assertThat(one.executed.get() + two.executed.get()).isEqualTo(3);
    }

    @Test
    void withoutAnotherReplicaNothingIsSent() {
        NamedDesk one = serve("one", true);
        Desk desk = lookup(HEDGED, 1);
        Pending<String> call = Cleave.async(() -> desk.again("?"));
        Pending<String> other = Cleave.async(() -> desk.again("!"));
        await().until(() -> one.executed.get() == 2);

        one.gate.countDown();

        assertThat(call.await()).isEqualTo("one?");
        assertThat(other.await()).isEqualTo("one!");
        assertThat(caller.hedges()).isZero();
    }
}
