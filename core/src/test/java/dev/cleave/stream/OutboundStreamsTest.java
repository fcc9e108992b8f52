package dev.cleave.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.FakeTimer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.Credit;
import dev.cleave.wire.Header;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How large the chunks are that a connection is given. */
class OutboundStreamsTest {

    private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false);
    private static final int TOTAL = 32 << 20;

    private final FakeTimer timer = new FakeTimer();
    private final Pipe pipe = new Pipe();
    private final OutboundStreams outflows = new OutboundStreams(pipe, timer, 0);

    /** Takes frames, and no more than a bound. */
    private static final class Pipe implements Connection {

        private static final int FULL = 256 << 10;

        private final List<Integer> chunks = new ArrayList<>();
        private int waiting;

        int lastChunk() {
            return chunks.get(chunks.size() - 1);
        }

        @Override
        public ByteBufAllocator allocator() {
            return HEAP;
        }

        @Override
        public void write(ByteBuf frame) {
            chunks.add(frame.readableBytes() - Header.LENGTH);
            waiting += frame.readableBytes();
            frame.release();
        }

        @Override
        public void flush() {}

        @Override
        public boolean isWritable() {
            return waiting < FULL;
        }

        @Override
        public void reading(boolean enabled) {}

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public Endpoint peer() {
            return Endpoint.local("there");
        }

        @Override
        public boolean isClosed() {
            return false;
        }

        @Override
        public void close() {}
    }

    private void begin(long id) {
        Block block = BlockFactory.received(new Blocks('B', TOTAL));
        block.make();
        StreamSender flow = StreamSender.ofRequest(0, id, List.of(block));
        outflows.register(flow);
        outflows.start(flow);
    }

    private void credit(long id, int bytes, long micros) {
        timer.advance(Duration.ofNanos(micros * 1000));
        outflows.onCredit(new Credit(0, id, false, bytes));
    }

    /** The connection has sent what was written. */
    private void drain(long micros) {
        timer.advance(Duration.ofNanos(micros * 1000));
        pipe.waiting = 0;
        outflows.onWritable();
    }

    private void drainAll() {
        for (int before = -1; before != pipe.chunks.size(); ) {
            before = pipe.chunks.size();
            drain(0);
        }
    }

    @Test
    void chunksGrowWhereCreditComesBackSoon() {
        begin(1);
        credit(1, InboundStreams.WINDOW, 100);
        assertThat(pipe.lastChunk()).isEqualTo(ChunkSize.FIRST);
        for (int i = 0; i < 4; i++) {
            drainAll();
            credit(1, InboundStreams.WINDOW / 4, 500);
        }

        assertThat(pipe.lastChunk()).isEqualTo(ChunkSize.MOST);
    }

    @Test
    void chunksShrinkWhereTheConnectionTakesLittle() {
        begin(1);
        credit(1, InboundStreams.WINDOW, 1_000);
        for (int i = 0; i < 4; i++) {
            drain(100_000); // 2.5 MB/s
        }

        assertThat(pipe.lastChunk()).isEqualTo(ChunkSize.LEAST);
    }

    @Test
    void timeWithNothingToSendDoesNotCount() {
        begin(1);
        credit(1, InboundStreams.WINDOW, 100);
        credit(1, TOTAL, 1_000);
        drainAll();
        assertThat(outflows.size()).isZero();
        int chosen = pipe.lastChunk();

        timer.advance(Duration.ofHours(1));
        begin(2);
        credit(2, InboundStreams.WINDOW, 100);
        drainAll();
        credit(2, InboundStreams.WINDOW / 4, 500);
        drainAll();

        assertThat(pipe.lastChunk()).isGreaterThanOrEqualTo(chosen);
    }
}
