package dev.cleave.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.wire.Lane;
import org.junit.jupiter.api.Test;

class LaneQueueTest {

    private final LaneQueue queue = new LaneQueue(new Lanes.Caller(null, 0), new Lane(7, Lane.Kind.DEPENDENT, true));

    @Test
    void keepsNoMoreResultsThanAWindowHasCallsAndDropsTheOldest() {
        int kept = 0;
        for (int call = 0; call < 3 * LaneQueue.MOST_RESULTS; call++) {
            kept += queue.keep(call, new byte[100]);
        }

        assertThat(kept).isEqualTo(100 * LaneQueue.MOST_RESULTS);
        assertThat(queue.result(2 * LaneQueue.MOST_RESULTS - 1)).isNull();
        assertThat(queue.result(2 * LaneQueue.MOST_RESULTS)).hasSize(100);
        assertThat(queue.result(3 * LaneQueue.MOST_RESULTS - 1)).hasSize(100);
    }

    @Test
    void saysHowManyBytesItLetsGo() {
        queue.keep(0, new byte[30]);
        queue.keep(1, new byte[12]);

        assertThat(queue.forgetResults()).isEqualTo(42);
        assertThat(queue.forgetResults()).isZero();
        assertThat(queue.result(1)).isNull();
    }
}
