package dev.cleave.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.serial.ValueKind;
import dev.cleave.serial.WrittenValue;
import dev.cleave.wire.Lane;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaneQueueTest {

    private final LaneQueue queue = new LaneQueue(new Lanes.Caller(null, 0), new Lane(7, Lane.Kind.DEPENDENT, true));

    @Test
    void keepsNoMoreResultsThanAWindowHasCallsAndDropsTheOldest() {
        int kept = 0;
        for (int call = 0; call < 3 * LaneQueue.MOST_RESULTS; call++) {
            kept += queue.keep(call, value(100));
        }

        assertThat(kept).isEqualTo(100 * LaneQueue.MOST_RESULTS);
        assertThat(queue.result(2 * LaneQueue.MOST_RESULTS - 1)).isNull();
        assertThat(queue.result(2 * LaneQueue.MOST_RESULTS).size()).isEqualTo(100);
        assertThat(queue.result(3 * LaneQueue.MOST_RESULTS - 1).size()).isEqualTo(100);
    }

    @Test
    void saysHowManyBytesItLetsGo() {
        queue.keep(0, value(30));
        queue.keep(1, value(12));

        assertThat(queue.forgetResults()).isEqualTo(42);
        assertThat(queue.forgetResults()).isZero();
        assertThat(queue.result(1)).isNull();
    }

    @Test
    void saysOfEachCallWhetherItHasSucceeded() {
        queue.number();
        queue.number();
        queue.hasSucceeded();
        int first = LaneQueue.endOf(0);
        int second = LaneQueue.endOf(1);

        assertThat(queue.result(first)).isSameAs(WrittenValue.NOTHING);
        assertThat(queue.result(0)).isNull();
        assertThat(queue.result(second)).isNull();
        assertThat(queue.mayHaveResult(second)).isFalse(); // neither runs nor waits, so it was not executed
        assertThat(queue.mayHaveResult(LaneQueue.endOf(2))).isTrue(); // may come
        queue.shut();
        assertThat(queue.mayHaveResult(LaneQueue.endOf(2))).isFalse();
    }

    private static WrittenValue value(int bytes) {
        return WrittenValue.of(ValueKind.BYTES, new byte[bytes], List.of(), List.of());
    }
}
