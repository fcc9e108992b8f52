package dev.cleave.broker.relay;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.wire.Header;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class KeptRequestTest {

    private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false);
    private static final long SENT = 1_000_000;

    private final AtomicLong bytes = new AtomicLong();

    private static ByteBuf request(long deadlineMicros) {
        return new RequestHead(7, 99, 3, deadlineMicros).write(HEAP);
    }

    private KeptRequest kept(ByteBuf frame, int moves) {
        return requireNonNull(KeptRequest.of(frame, bytes, SENT, moves));
    }

    @Test
    void whatIsLeftOfADeadlineGetsLess() {
        KeptRequest kept = kept(request(500), 0);

        assertThat(kept.micros(SENT)).isEqualTo(500);
        assertThat(kept.micros(SENT + 400_000)).isEqualTo(100);
        assertThat(kept.micros(SENT + 500_000)).isEqualTo(-1);
    }

    @Test
    void aCallWithoutDeadlineHasNoneLeft() {
        assertThat(kept(request(0), 0).micros(SENT + 1_000_000_000L)).isZero();
    }

    @Test
    void aCopyHasTheNumberOfItsClientAndLeavesTheRequestAsItIs() {
        ByteBuf frame = request(500);
        KeptRequest kept = kept(frame, 2);

        RequestHead copy = RequestHead.read(kept.copy(HEAP, 5, 100));

        assertThat(copy).isEqualTo(new RequestHead(0, 5, 3, 100));
        assertThat(Header.id(frame)).isEqualTo(99);
        assertThat(kept.moves()).isEqualTo(2);
    }

    @Test
    void bytesAreCountedUntilTheFirstRelease() {
        ByteBuf frame = request(0);
        KeptRequest kept = kept(frame, 0);
        assertThat(bytes).hasValue(frame.readableBytes());
        assertThat(frame.refCnt()).isEqualTo(2);

        kept.release();
        kept.release();

        assertThat(bytes).hasValue(0);
        assertThat(frame.refCnt()).isEqualTo(1);
    }

    @Test
    void aCallThatHasMovedTooOftenOrIsTooLongIsNotKept() {
        ByteBuf frame = request(0);

        assertThat(KeptRequest.of(frame, bytes, SENT, KeptRequest.MOST_MOVES)).isNull();
        ByteBuf tooLong = HEAP.buffer().writeZero(KeptRequest.LONGEST + 1);
        assertThat(KeptRequest.of(tooLong, bytes, SENT, 0)).isNull();
        assertThat(bytes).hasValue(0);
    }

    @Test
    void noMoreBytesAreKeptThanTheLimit() {
        bytes.set(KeptRequest.MOST_BYTES);

        assertThat(KeptRequest.of(request(0), bytes, SENT, 0)).isNull();
        assertThat(bytes).hasValue(KeptRequest.MOST_BYTES);
    }

    @Test
    void aCallIsGivenUpForGood() {
        KeptRequest kept = kept(request(0), 0);
        assertThat(kept.isGivenUp()).isFalse();

        kept.giveUp();

        assertThat(kept.isGivenUp()).isTrue();
    }
}
