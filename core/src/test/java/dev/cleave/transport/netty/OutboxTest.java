package dev.cleave.transport.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.LeakCheckingAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OutboxTest {

    private final LeakCheckingAllocator allocator = new LeakCheckingAllocator();
    private final Outbox outbox = new Outbox(allocator.allocator());

    @AfterEach
    void everyBufferIsReleased() {
        outbox.close();
        allocator.assertNoLeaks();
    }

    private ByteBuf frame(String text) {
        return allocator.allocator().buffer().writeBytes(text.getBytes(US_ASCII));
    }

    private String next() {
        ByteBuf part = requireNonNull(outbox.poll());
        String text = part.toString(US_ASCII);
        part.release();
        return text;
    }

    @Test
    void smallFramesAreSentTogether() {
        outbox.add(frame("one "));
        assertThat(outbox.add(frame("two"))).isEqualTo(7);

        assertThat(next()).isEqualTo("one two");
        assertThat(outbox.poll()).isNull();
        assertThat(outbox.add(frame("x"))).isEqualTo(1);
    }

    @Test
    void keepsTheOrderOfSmallAndLargeFrames() {
        String large = "L".repeat(Outbox.COPIED + 1);
        outbox.add(frame("a"));
        outbox.add(frame(large));
        outbox.add(frame("b"));
        outbox.add(frame("c"));

        assertThat(next()).isEqualTo("a");
        assertThat(next()).isEqualTo(large);
        assertThat(next()).isEqualTo("bc");
    }

    @Test
    void aLoneFrameThatIsNotSmallIsNotCopied() {
        ByteBuf lone = frame("L".repeat(Outbox.SMALL + 1));
        outbox.add(lone);

        assertThat(outbox.poll()).isSameAs(lone);
        lone.release();
    }

    @Test
    void aLoneFrameOnTheHeapIsCopiedForTheKernel() {
        outbox.add(Unpooled.wrappedBuffer("L".repeat(Outbox.COPIED).getBytes(US_ASCII)));

        ByteBuf part = requireNonNull(outbox.poll());
        assertThat(part.hasMemoryAddress()).isTrue();
        assertThat(part.readableBytes()).isEqualTo(Outbox.COPIED);
        part.release();
    }

    @Test
    void aWindowOfFramesTakesFewBuffers() {
        String text = "w".repeat(1100);
        for (int i = 0; i < 64; i++) {
            outbox.add(frame(text));
        }

        ByteBuf[] parts = new ByteBuf[8];
        int count = outbox.poll(parts, 1 << 20);

        assertThat(count).isLessThanOrEqualTo(3);
        assertThat(outbox.bytes()).isZero();
        int bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += parts[i].readableBytes();
            parts[i].release();
        }
        assertThat(bytes).isEqualTo(64 * 1100);
    }

    @Test
    void polledTogetherAreNoMoreBytesThanAskedFor() {
        for (int i = 0; i < 4; i++) {
            outbox.add(frame("L".repeat(Outbox.COPIED + 1)));
        }
        ByteBuf[] parts = new ByteBuf[8];

        assertThat(outbox.poll(parts, Outbox.COPIED)).isZero();
        assertThat(outbox.poll(parts, 3 * Outbox.COPIED)).isEqualTo(2);
        outbox.putBack(parts[1]);
        outbox.putBack(parts[0]);
        assertThat(outbox.bytes()).isEqualTo(4 * (Outbox.COPIED + 1));
    }

    @Test
    void whatIsPutBackComesFirst() {
        outbox.add(frame("one "));
        ByteBuf part = requireNonNull(outbox.poll());
        outbox.add(frame("two"));
        part.skipBytes(1);

        outbox.putBack(part);

        assertThat(outbox.add(frame("."))).isEqualTo(7);
        assertThat(next()).isEqualTo("ne ");
        assertThat(next()).isEqualTo("two.");
    }

    @Test
    void whatIsPutBackIsDroppedWhenItIsClosed() {
        outbox.add(frame("one"));
        ByteBuf part = requireNonNull(outbox.poll());
        outbox.close();

        outbox.putBack(part);

        assertThat(outbox.poll()).isNull();
    }

    @Test
    void beginsAnotherBlockWhereOneIsFull() {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            String text = i + "-".repeat(Outbox.SMALL - 10);
            all.append(text);
            outbox.add(frame(text));
        }

        StringBuilder sent = new StringBuilder();
        for (int i = 0; sent.length() < all.length(); i++) {
            assertThat(i).isLessThan(20);
            sent.append(next());
        }
        assertThat(sent.toString()).isEqualTo(all.toString());
    }

    @Test
    void theFirstBlockIsUsedAgainWhenTheChannelHasLetGoOfIt() {
        outbox.add(frame("one"));
        ByteBuf block = requireNonNull(outbox.poll());
        block.release();
        outbox.add(frame("two"));

        ByteBuf again = requireNonNull(outbox.poll());

        assertThat(again).isSameAs(block);
        assertThat(again.toString(US_ASCII)).isEqualTo("two");
        again.release();
    }

    /** Adds small frames of some bytes together, and returns the first block of them; all blocks are released. */
    private ByteBuf sent(int bytes) {
        String text = "-".repeat(100);
        for (int i = 0; i < bytes / text.length(); i++) {
            outbox.add(frame(text));
        }
        ByteBuf block = requireNonNull(outbox.poll());
        block.release();
        for (ByteBuf next = outbox.poll(); next != null; next = outbox.poll()) {
            next.release();
        }
        return block;
    }

    @Test
    void aConnectionThatSendsMuchKeepsALargerBlock() {
        ByteBuf small = sent(2_000);
        ByteBuf larger = sent(2_000);

        assertThat(small.capacity()).isEqualTo(Outbox.FIRST_BLOCK);
        assertThat(larger.capacity()).isEqualTo(Outbox.BLOCK);
        assertThat(sent(2_000)).isSameAs(larger);
        assertThat(sent(100)).isSameAs(larger);
        assertThat(sent(2_000)).isSameAs(larger);
    }

    @Test
    void theLargerBlockIsGivenUpWhenTheConnectionSendsLittle() {
        ByteBuf small = sent(2_000);
        ByteBuf larger = sent(2_000);

        for (int i = 0; i < 8; i++) {
            assertThat(sent(100)).isSameAs(larger);
        }

        assertThat(larger.refCnt()).isZero();
        assertThat(sent(100)).isSameAs(small);
    }

    @Test
    void whatTheChannelStillSendsIsNotTouched() {
        outbox.add(frame("one"));
        ByteBuf sending = requireNonNull(outbox.poll());
        outbox.add(frame("two"));

        assertThat(next()).isEqualTo("two");
        assertThat(sending.toString(US_ASCII)).isEqualTo("one");
        outbox.close();
        assertThat(sending.toString(US_ASCII)).isEqualTo("one");
        sending.release();
    }

    @Test
    void dropsWhatComesAfterTheEnd() {
        outbox.add(frame("one"));
        outbox.close();

        assertThat(outbox.add(frame("two"))).isZero();
        assertThat(outbox.poll()).isNull();
    }
}
