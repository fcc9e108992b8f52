package dev.cleave.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.config.MemoryBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReceiveBudgetTest {

    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(20);

    private final AtomicLong nanos = new AtomicLong();
    private final ReceiveBudget budget = new ReceiveBudget(1000, nanos::get);
    private final List<String> dropped = new ArrayList<>();

    /** A message that has stalled for a time. */
    private final class Message implements ReceiveBudget.Holder {

        private final String name;
        private final long stalled;
        private boolean goesOn;

        Message(String name, long stalled) {
            this.name = name;
            this.stalled = stalled;
            budget.opened(this);
        }

        @Override
        public long stalledFor(long now) {
            return stalled;
        }

        @Override
        public boolean dropIfStalled(long now) {
            if (goesOn) {
                return false;
            }
            dropped.add(name);
            budget.closed(this);
            return true;
        }
    }

    @Test
    void whatPeersHaveTakenInOtherWaysLeavesLessRoom() {
        long others = MemoryBounds.process() - MemoryBounds.PROCESS.used() - 500;
        MemoryBounds.NAMES.add(others);
        try {
            assertThat(budget.reserve(600, 0)).isFalse();
            assertThat(budget.reserve(400, 0)).isTrue();
            assertThat(budget.reserve(200, 0)).as("of 100 that are left").isFalse();
            budget.release(400);
        } finally {
            MemoryBounds.NAMES.add(-others);
        }
        assertThat(budget.reserve(600, 0)).isTrue();
        budget.release(600);
    }

    @Test
    void aPeerTakesAtMostHalfOfWhatTheOthersLeaveUnlessItHasOneValue() {
        assertThat(budget.reserve(1000, 0)).isTrue();
        budget.release(1000);
        assertThat(budget.reserve(400, 0)).isTrue();
        assertThat(budget.reserve(200, 400)).as("600 of 1000").isFalse();
        assertThat(budget.reserve(100, 400)).isTrue();
        assertThat(budget.reserved()).isEqualTo(500);
        assertThat(budget.reserve(501, 0)).as("another peer").isFalse();
        assertThat(budget.reserve(500, 0)).isTrue();
        budget.release(1000);
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void thoseThatStallForLongestAreDroppedFirstUntilThereIsEnough() {
        Message shortly = new Message("shortly", 1);
        Message longest = new Message("longest", 300);
        Message long1 = new Message("long", 200);
        Message moving = new Message("moving", -1);

        assertThat(budget.dropStalled(() -> dropped.size() == 2)).isTrue();

        assertThat(dropped).containsExactly("longest", "long");
        assertThat(List.of(shortly, longest, long1, moving)).hasSize(4);
    }

    @Test
    void aMessageThatGoesOnMeanwhileIsKept() {
        Message message = new Message("message", 100);
        message.goesOn = true;

        assertThat(budget.dropStalled(() -> true)).isFalse();
        assertThat(dropped).isEmpty();
    }

    @Test
    void stalledMessagesAreLookedForEveryTwentyMilliseconds() {
        assertThat(budget.dropStalled(() -> true)).isFalse();
        Message message = new Message("message", 100);

        nanos.addAndGet(LOOK - 1);
        assertThat(budget.dropStalled(() -> true)).isFalse();
        nanos.addAndGet(1);
        assertThat(budget.dropStalled(() -> true)).isTrue();
        assertThat(dropped).containsExactly(message.name);
    }

    @Test
    void thereIsNoBudgetWithoutBytes() {
        assertThatThrownBy(() -> new ReceiveBudget(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void callsThatAreSentAheadHaveRoomOfTheirOwn() {
        AheadRoom ahead = new AheadRoom(100);

        assertThat(ahead.reserve(60)).isTrue();
        assertThat(ahead.reserve(60)).isFalse();
        assertThat(ahead.has(40)).isTrue();
        ahead.add(60);
        assertThat(ahead.taken()).isEqualTo(120);
        assertThat(ahead.has(1)).isFalse();
        ahead.release(120);
        assertThat(ahead.taken()).isZero();
    }
}
