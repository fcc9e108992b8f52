package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.LeakCheckingAllocator;
import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FrameRoomTest {

    private static final int FIXED = 16;

    private final LeakCheckingAllocator allocator = new LeakCheckingAllocator();
    private final FrameRoom room = new FrameRoom(2);

    @AfterEach
    void everyBufferIsReleased() {
        allocator.assertNoLeaks();
    }

    private ByteBuf allocate(int method) {
        return room.allocate(method, FIXED, allocator.allocator());
    }

    /** Writes a frame of some bytes; returns how many its buffer had at the beginning. */
    private int write(int method, int bytes) {
        ByteBuf frame = allocate(method);
        int capacity = frame.capacity();
        frame.writeZero(bytes);
        room.complete(method, frame, allocator.allocator()).release();
        return capacity;
    }

    @Test
    void theBufferOfTheNextFrameHasRoomForTheLastOne() {
        assertThat(write(0, 1_044)).isLessThan(1_044);

        assertThat(write(0, 1_044)).isBetween(1_044, 1_044 + 64);
        assertThat(write(1, 20)).as("of another method").isLessThan(1_044);
    }

    @Test
    void theRoomFallsStepByStepWhenFramesGetShorter() {
        write(0, 1_044);
        write(0, 20);

        assertThat(allocate(0).capacity()).isBetween(512, 1_044);
        for (int i = 0; i < 64; i++) {
            write(0, 20);
        }
        assertThat(allocate(0).capacity()).isLessThan(128);
    }

    @Test
    void shortFramesAreOnTheHeapAndLongOnesInDirectMemory() {
        ByteBuf first = allocate(0);
        assertThat(first.isDirect()).isFalse();

        first.writeInt(1).readInt();
        first.writeLong(42).writeZero(FrameRoom.COPIED);
        ByteBuf sent = room.complete(0, first, allocator.allocator());

        assertThat(first.refCnt()).isZero();
        assertThat(sent.isDirect()).isTrue();
        assertThat(sent.readableBytes()).isEqualTo(Long.BYTES + FrameRoom.COPIED);
        assertThat(sent.readLong()).isEqualTo(42);
        sent.release();

        ByteBuf next = allocate(0);
        assertThat(next.isDirect()).isTrue();
        assertThat(room.complete(0, next, allocator.allocator())).isSameAs(next);
        next.release();
    }

    @Test
    void oneVeryLongFrameReservesNoMoreThanTheBoundForTheNext() {
        write(0, 8 << 20);

        ByteBuf next = allocate(0);
        assertThat(next.capacity()).isLessThanOrEqualTo(256 << 10);
        next.release();
    }
}
