package dev.cleave.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Reading ends when nobody waits any longer, by a clock that the values themselves move. */
class TimeLimitTest {

    private static final AtomicLong CLOCK = new AtomicLong();

    record Made(int id) {
        Made {
            CLOCK.incrementAndGet();
        }
    }

    static final class Hashed {
        final int id;

        Hashed(int id) {
            this.id = id;
        }

        @Override
        public int hashCode() {
            CLOCK.incrementAndGet();
            return id;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Hashed that && id == that.id;
        }
    }

    private final Bench bench = Bench.of(Made.class, Hashed.class, Object.class);

    private void endsAt(long time, Object value) {
        ByteBuf bytes = bench.write(value);
        CLOCK.set(0);
        assertThatThrownBy(() -> read(bytes, () -> CLOCK.get() >= time))
                .isInstanceOfSatisfying(
                        SerialException.class, e -> assertThat(e.reason()).isEqualTo(SerialException.Reason.LATE))
                .hasMessage("deadline passed while it was read");
        assertThat(CLOCK.get()).isBetween(time, time + 8);
    }

    private Object read(ByteBuf bytes, TimeLimit limit) {
        try (ValueReader reader = bench.codec().reader(bytes, bench.names()).until(limit)) {
            return reader.takeObject();
        }
    }

    @Test
    void constructorsThatTakeLongEndAtTheLimit() {
        endsAt(10, IntStream.range(0, 1000).mapToObj(Made::new).toList());
    }

    @Test
    void hashesThatTakeLongEndAtTheLimit() {
        Set<Object> set = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            set.add(new Hashed(i));
        }
        endsAt(10, set);
        endsAt(1500, set); // while they are put in
    }

    @Test
    void theClockIsAskedEveryFewObjects() {
        AtomicLong asked = new AtomicLong();
        List<Object> list = new ArrayList<>(Arrays.asList(new Object[100_000]));

        assertThat(read(bench.write(list), () -> asked.incrementAndGet() < 0)).isEqualTo(list);
        assertThat(asked.get()).isBetween(1_000L, 2_000L);
    }

    @Test
    void countedWorkEndsAtTheLimit() {
        List<Object> key = new ArrayList<>();
        Object hostile = new HashSet<>(Set.of(key));
        Object shared = "x";
        for (int i = 0; i < 18; i++) { // 262144 steps are allowed
            shared = List.of(shared, shared);
        }
        key.add(shared);
        AtomicLong asked = new AtomicLong();

        assertThatThrownBy(() -> read(bench.write(hostile), () -> asked.incrementAndGet() >= 100))
                .hasMessage("deadline passed while it was read");
    }

    @Test
    void aReaderThatIsUsedAgainHasNoLimit() {
        ByteBuf bytes = bench.write(IntStream.range(0, 1000).mapToObj(Made::new).toList());
        ByteBuf more = bytes.copy();
        CLOCK.set(0);
        ValueReader reader = bench.codec().reader(bytes, bench.names()).until(() -> true);
        assertThatThrownBy(reader::takeObject).hasMessage("deadline passed while it was read");
        reader.close();

        try (ValueReader again = reader.again(more, bench.names(), ReceivedBlocks.none())) {
            assertThat((List<?>) again.takeObject()).hasSize(1000);
        }
    }
}
