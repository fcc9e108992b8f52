package dev.cleave.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.serial.SerialException;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.Chunk;
import dev.cleave.wire.Credit;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Frame;
import dev.cleave.wire.Header;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InflowsTest {

    /** Nobody has to release these. */
    private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false);

    private static final StreamKey KEY = new StreamKey(0, 7, false);

    private final Arrivals arrivals = new Arrivals(16 << 20);
    private final List<Frame> answers = new ArrayList<>();
    private final Inflows inflows = new Inflows(arrivals, answers::add, 0);

    private void chunk(long id, int bytes) {
        Chunk chunk = new Chunk(0, id, false, false);
        ByteBuf frame = chunk.begin(HEAP, bytes).writeZero(bytes);
        Header.finish(frame);
        inflows.onChunk(frame);
    }

    private int granted() {
        return answers.stream().mapToInt(frame -> ((Credit) frame).bytes()).sum();
    }

    @Test
    void grantsAWindowAndMoreAsBytesCome() {
        int total = 8 << 20;
        Inflow flow = inflows.open(KEY, List.of(new Blocks('D', total)));
        AtomicInteger completed = new AtomicInteger();
        flow.whenComplete(completed::incrementAndGet);

        int sent = 0;
        while (sent < total) {
            assertThat(granted() - sent).isBetween(1, Inflows.WINDOW);
            chunk(7, 64 << 10);
            sent += 64 << 10;
        }

        assertThat(granted()).isEqualTo(total);
        assertThat(completed).hasValue(1);
        assertThat(flow.isComplete()).isTrue();
        assertThat(inflows.size()).isZero();
        assertThat(arrivals.reserved()).isEqualTo(total);
        flow.close();
        flow.close();
        assertThat(arrivals.reserved()).isZero();
    }

    @Test
    void refusesMoreThanWasGranted() {
        Inflow unused = inflows.open(KEY, List.of(new Blocks('B', 1000)));

        assertThatThrownBy(() -> chunk(7, 1001))
                .isInstanceOf(WireException.class)
                .hasMessage(
                        "CHUNK frame with 1001 bytes for call 7 (expected: at most 1000 that were granted, of one value)");
    }

    @Test
    void refusesPartsOfElementsAndOfTwoValues() {
        Inflow unused = inflows.open(KEY, List.of(new Blocks('I', 8), new Blocks('I', 8)));

        assertThatThrownBy(() -> chunk(7, 6)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> chunk(7, 12)).isInstanceOf(WireException.class);
    }

    @Test
    void refusesWhatIsNoArray() {
        assertThatThrownBy(() -> inflows.open(KEY, List.of(new Blocks('X', 8)))).isInstanceOf(SerialException.class);
        assertThatThrownBy(() -> inflows.open(KEY, List.of(new Blocks('D', 12))))
                .isInstanceOf(SerialException.class);
        assertThatThrownBy(() -> inflows.open(KEY, List.of(new Blocks('B', 1L << 40))))
                .isInstanceOf(SerialException.class);
        assertThat(arrivals.reserved()).isZero();
    }

    @Test
    void refusesWhatFindsNoRoomAndTakesItLater() {
        Inflow first = inflows.open(KEY, List.of(new Blocks('B', 10 << 20)));

        assertThatThrownBy(() -> inflows.open(new StreamKey(0, 8, false), List.of(new Blocks('B', 10 << 20))))
                .isInstanceOfSatisfying(
                        WireException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOAD));
        assertThatThrownBy(() -> inflows.open(new StreamKey(0, 8, false), List.of(new Blocks('B', 17 << 20))))
                .isInstanceOfSatisfying(
                        WireException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));
        first.close();
        assertThat(inflows.open(new StreamKey(0, 8, false), List.of(new Blocks('B', 10 << 20)))
                        .isComplete())
                .isFalse();
    }

    @Test
    void dropsWhatComesForNobodyAndWhatWasGivenUp() {
        Inflow flow = inflows.open(KEY, List.of(new Blocks('B', 1000)));
        AtomicInteger completed = new AtomicInteger();
        flow.whenComplete(completed::incrementAndGet);

        chunk(9, 100);
        flow.close();
        chunk(7, 1000);

        assertThat(completed).hasValue(0);
        assertThat(arrivals.reserved()).isZero();
    }

    @Test
    void theEndOfTheConnectionLeavesNothing() {
        Inflow flow = inflows.open(KEY, List.of(new Blocks('B', 1000)));
        AtomicInteger completed = new AtomicInteger();
        flow.whenComplete(completed::incrementAndGet);

        inflows.close();

        assertThat(completed).hasValue(0);
        assertThat(inflows.size()).isZero();
        assertThat(arrivals.reserved()).isZero();
    }
}
