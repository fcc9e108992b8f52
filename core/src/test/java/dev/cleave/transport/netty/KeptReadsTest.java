package dev.cleave.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator.Handle;
import org.junit.jupiter.api.Test;

@SuppressWarnings("deprecation") // of Netty's interface
class KeptReadsTest {

    private static final ByteBufAllocator POOL = new PooledByteBufAllocator(true);

    private static Handle handle(KeptReads reads) {
        return reads.newHandle();
    }

    @Test
    void theBufferIsFilledAgainWhenItHasBeenLetGoOf() {
        KeptReads reads = new KeptReads(new FixedRecvByteBufAllocator(64));
        Handle handle = handle(reads);
        ByteBuf first = handle.allocate(POOL);
        first.writeLong(1).readByte();
        first.release();

        ByteBuf second = handle.allocate(POOL);

        assertThat(second).isSameAs(first);
        assertThat(second.isReadable()).isFalse();
        assertThat(second.writableBytes()).isEqualTo(KeptReads.KEPT);
        second.release();
        reads.close();
        assertThat(first.refCnt()).isZero();
    }

    @Test
    void whatSomebodyHasKeptIsNotOverwritten() {
        KeptReads reads = new KeptReads(new FixedRecvByteBufAllocator(64));
        Handle handle = handle(reads);
        ByteBuf first = handle.allocate(POOL);
        ByteBuf kept = first.writeLong(42).readRetainedSlice(8);
        first.release();

        ByteBuf second = handle.allocate(POOL).writeLong(0);

        assertThat(second).isNotSameAs(first);
        assertThat(kept.readLong()).isEqualTo(42);
        kept.release();
        second.release();
        reads.close();
        assertThat(first.refCnt()).isZero();
    }

    @Test
    void muchIsReadToOthers() {
        KeptReads reads = new KeptReads(new FixedRecvByteBufAllocator(2 * KeptReads.KEPT));

        ByteBuf large = handle(reads).allocate(POOL);

        assertThat(large.writableBytes()).isEqualTo(2 * KeptReads.KEPT);
        assertThat(large.release()).isTrue();
        reads.close();
    }

    @Test
    void afterTheEndNothingIsKept() {
        KeptReads reads = new KeptReads(new FixedRecvByteBufAllocator(64));
        reads.close();

        assertThat(handle(reads).allocate(POOL).release()).isTrue();
    }
}
