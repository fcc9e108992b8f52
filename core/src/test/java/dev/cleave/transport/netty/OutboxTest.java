package dev.cleave.transport.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.LeakCheckingAllocator;
import io.netty.buffer.ByteBuf;
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
        String large = "L".repeat(Outbox.SMALL + 1);
        outbox.add(frame("a"));
        outbox.add(frame(large));
        outbox.add(frame("b"));
        outbox.add(frame("c"));

        assertThat(next()).isEqualTo("a");
        assertThat(next()).isEqualTo(large);
        assertThat(next()).isEqualTo("bc");
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
