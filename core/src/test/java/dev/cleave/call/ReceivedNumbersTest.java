package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.testing.Seed;
import dev.cleave.wire.WireException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReceivedNumbersTest {

    private final ReceivedNumbers numbers = new ReceivedNumbers();

    @Test
    void whatComesInOrderComesOnceAndCostsNothing() {
        for (long i = 1; i <= 10_000; i++) {
            assertThat(numbers.isFirst(i)).isTrue();
            assertThat(numbers.isFirst(i)).isFalse();
            assertThat(numbers.ranges()).isZero();
        }
        assertThat(numbers.isFirst(1)).isFalse();
    }

    @Test
    void oneThatIsLateByAMillionOthersIsExecutedOnce() {
        assertThat(numbers.isFirst(1)).isTrue();
        for (long i = 3; i < 1_000_000; i++) {
            assertThat(numbers.isFirst(i)).isTrue();
        }

        assertThat(numbers.isFirst(2)).isTrue();
        assertThat(numbers.isFirst(2)).isFalse();
        assertThat(numbers.ranges()).isZero();
    }

    @Test
    void whateverTheOrderEachNumberIsFirstOnce() {
        long seed = Seed.of(ReceivedNumbersTest.class);
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            ReceivedNumbers fresh = new ReceivedNumbers();
            List<Long> order = new ArrayList<>();
            for (long i = 1; i <= 300; i++) {
                if (random.nextInt(10) > 0) { // else it never comes
                    order.add(i);
                }
            }
            int span = 1 + random.nextInt(100);
            for (int from = 0; from < order.size(); from += span) {
                Collections.shuffle(order.subList(from, Math.min(order.size(), from + span)), random);
            }
            Set<Long> seen = new HashSet<>();
            for (int i = 0; i < order.size(); i++) {
                long id = random.nextInt(4) == 0 ? order.get(random.nextInt(i + 1)) : order.get(i);
                assertThat(fresh.isFirst(id)).as("seed %s, number %s", seed, id).isEqualTo(seen.add(id));
                boolean first = seen.add(order.get(i));
                assertThat(fresh.isFirst(order.get(i))).as("seed %s", seed).isEqualTo(first);
            }
        }
    }

    @Test
    void ofWhatIsForgottenNothingIsExecuted() {
        for (long i = 1; i <= 1 + ReceivedNumbers.MOST; i++) {
            assertThat(numbers.isFirst(2 * i)).isTrue(); // 1, 3, 5 ... do not come
        }
        assertThat(numbers.ranges()).isEqualTo(ReceivedNumbers.MOST);

        assertThatThrownBy(() -> numbers.isFirst(1))
                .isInstanceOf(WireException.class)
                .hasMessage("call id: 1 (expected: at least 2; of lower ones it is not known any more whether they"
                        + " have come)");
        assertThat(numbers.isFirst(2)).isFalse();
        assertThat(numbers.isFirst(3)).isTrue();
        assertThat(numbers.isFirst(3)).isFalse();
    }

    @Test
    void aRangeThatIsPartedWhenThereAreManyLosesTheLowest() {
        for (long i = 1; i <= ReceivedNumbers.MOST; i++) {
            assertThat(numbers.isFirst(10 * i)).isTrue();
        }

        assertThat(numbers.isFirst(5)).isTrue();

        assertThat(numbers.ranges()).isEqualTo(ReceivedNumbers.MOST);
        assertThatThrownBy(() -> numbers.isFirst(4)).isInstanceOf(WireException.class);
        assertThat(numbers.isFirst(5)).isFalse();
        assertThat(numbers.isFirst(6)).isTrue();
        assertThat(numbers.isFirst(2555)).isTrue();
        assertThat(numbers.isFirst(2555)).isFalse();
    }

    @Test
    void numbersThatNoCallHasAreRefused() {
        for (long id : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> numbers.isFirst(id)).isInstanceOf(WireException.class);
        }
        assertThat(numbers.isFirst(Long.MAX_VALUE - 1)).isTrue();
        assertThatThrownBy(() -> numbers.isFirst(Long.MAX_VALUE)).isInstanceOf(WireException.class);
        assertThat(numbers.isFirst(1)).isTrue();
        assertThat(numbers.ranges()).isEqualTo(1);
    }
}
