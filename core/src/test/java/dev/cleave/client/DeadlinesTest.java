package dev.cleave.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.FakeTimer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class DeadlinesTest {

    private final FakeTimer timer = new FakeTimer();
    private final Deadlines deadlines = new Deadlines(timer);
    private final long begin = timer.nanos();
    private final List<Call> expired = new ArrayList<>();

    private final class Call implements Deadlines.Watched {

        private final long at;
        private boolean done;

        private Call(long millis) {
            at = begin + Duration.ofMillis(millis).toNanos();
        }

        @Override
        public long deadlineAt() {
            return at;
        }

        @Override
        public boolean isDone() {
            return done;
        }

        @Override
        public void expire() {
            assertThat(timer.nanos()).isGreaterThanOrEqualTo(at);
            done = true;
            expired.add(this);
        }
    }

    private Call added(long millis) {
        Call call = new Call(millis);
        assertThat(deadlines.add(call)).isTrue();
        return call;
    }

    @Test
    void eachCallExpiresAtItsOwnTime() {
        Call first = added(10);
        Call second = added(10);
        Call third = added(25);

        timer.advance(Duration.ofMillis(9));
        assertThat(expired).isEmpty();
        timer.advance(Duration.ofMillis(1));
        assertThat(expired).containsExactly(first, second);
        timer.advance(Duration.ofMillis(14));
        assertThat(expired).hasSize(2);
        timer.advance(Duration.ofMillis(1));
        assertThat(expired).containsExactly(first, second, third);
        assertThat(timer.pending()).isZero();
    }

    @Test
    void aCallThatHasEndedDoesNotExpire() {
        Call first = added(10);
        Call second = added(20);
        first.done = true;

        timer.advance(Duration.ofMillis(20));

        assertThat(expired).containsExactly(second);
    }

    @Test
    void oneTaskOfTheTimerServesAllCallsThatEndInTime() {
        for (int i = 0; i < 10_000; i++) {
            added(1_000 + i).done = true;
            assertThat(timer.pending()).isEqualTo(1);
        }

        assertThat(deadlines.places()).isEqualTo(Deadlines.FIRST);
        timer.advance(Duration.ofSeconds(20));
        assertThat(timer.pending()).isZero();
        assertThat(expired).isEmpty();
    }

    @Test
    void callsBehindOneThatLastsTakeNoRoomOnceTheyHaveEnded() {
        Call lasting = added(1_000);
        Deque<Call> underWay = new ArrayDeque<>();
        for (int i = 0; i < 10_000; i++) {
            underWay.add(added(1_000 + i));
            if (underWay.size() > 30) {
                underWay.remove().done = true;
            }
        }

        assertThat(deadlines.places()).isEqualTo(Deadlines.FIRST);
        timer.advance(Duration.ofMillis(1_000));
        assertThat(expired).containsExactly(lasting);
    }

    @Test
    void thousandsOfCallsUnderWayExpireInTheirOrder() {
        List<Call> all = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            all.add(added(i / 3));
        }

        assertThat(deadlines.places()).isEqualTo(8_192);
        timer.advance(Duration.ofSeconds(2));
        assertThat(expired).isEqualTo(all);
    }

    @Test
    void aCallWhoseDeadlineIsEarlierIsNotTaken() {
        Call first = added(10);

        assertThat(deadlines.add(new Call(9))).isFalse();
        first.done = true;
        assertThat(deadlines.add(new Call(9))).isTrue();
    }
}
