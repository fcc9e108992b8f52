package dev.cleave.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.wire.Blocks;
import dev.cleave.wire.Chunk;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StreamSenderTest {

    private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false);

    private final int[] first = IntStream.range(0, 10).toArray();
    private final int[] second = IntStream.range(10, 14).toArray();
    private final StreamSender sender =
            StreamSender.ofRequest(0, 7, List.of(BlockFactory.of(first), BlockFactory.of(second)));

    /** The next chunk, of at most so many bytes, and its ints; null if there is none. */
    private record Part(Chunk chunk, List<Integer> ints) {

        static @Nullable Part of(@Nullable ByteBuf frame) {
            if (frame == null) {
                return null;
            }
            Chunk chunk = Chunk.read(frame);
            List<Integer> ints = new ArrayList<>();
            while (frame.isReadable()) {
                ints.add(frame.readIntLE());
            }
            frame.release();
            return new Part(chunk, ints);
        }
    }

    private @Nullable Part take(int most) {
        return Part.of(sender.take(HEAP, most));
    }

    private List<Integer> rest() {
        List<Integer> all = new ArrayList<>();
        for (Part part = take(1 << 10); part != null; part = take(1 << 10)) {
            all.addAll(part.ints());
        }
        return all;
    }

    @Test
    void aChunkHasWholeElementsOfOneBlockAsFarAsCreditLasts() {
        assertThat(take(100)).as("no credit").isNull();
        sender.credit = 49;

        Part part = take(15);
        assertThat(part).isNotNull();
        assertThat(part.ints()).containsExactly(0, 1, 2);
        assertThat(part.chunk().place()).isEqualTo(1);
        assertThat(part.chunk().isLast()).isFalse();
        part = take(1000);
        assertThat(part).isNotNull();
        assertThat(part.ints()).as("no more than the block has").containsExactly(3, 4, 5, 6, 7, 8, 9);
        assertThat(part.chunk().place()).isEqualTo(2);
        part = take(1000);
        assertThat(part).isNotNull();
        assertThat(part.ints()).as("9 bytes of credit").containsExactly(10, 11);
        assertThat(take(1000)).isNull();
        assertThat(sender.isOver()).isFalse();
        sender.credit += 7;
        part = take(1000);
        assertThat(part).isNotNull();
        assertThat(part.ints()).containsExactly(12, 13);
        assertThat(part.chunk().isLast()).isTrue();
        assertThat(sender.isOver()).isTrue();
        assertThat(take(1000)).isNull();
    }

    @Test
    void whatHasBeenCopiedIsSentAsItWas() {
        sender.credit = 1000;
        assertThat(take(8)).isNotNull();

        sender.copyRest();
        first[5] = -1;
        second[0] = -1;

        assertThat(rest()).containsExactly(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
    }

    @Test
    void whatIsStoppedSendsNoMoreAndTellsOnce() {
        AtomicInteger over = new AtomicInteger();
        sender.credit = 1000;
        sender.onOver(over::incrementAndGet);
        assertThat(take(8)).isNotNull();

        assertThat(sender.stop()).isTrue();
        assertThat(sender.stop()).isFalse();

        assertThat(take(8)).isNull();
        assertThat(over).hasValue(1);
        sender.onOver(over::incrementAndGet);
        assertThat(over).as("at once").hasValue(2);
    }

    @Test
    void aReceiverThatTakesNothingIsNotWaitedFor() throws InterruptedException {
        assertThat(sender.awaitTaken(1, 1000)).isFalse();
        sender.credit = 1000;
        assertThat(rest()).hasSize(14);
        assertThat(sender.awaitTaken(1, 1000)).isTrue();
    }

    @Test
    void whatIsForwardedGoesOnAsItArrives() {
        Block arriving = BlockFactory.received(new Blocks('I', 12, 1));
        StreamedValue source = new StreamedValue(1, List.of(arriving));
        StreamSender forwarding = StreamSender.ofReply(3, 8, List.of(BlockFactory.forwarding(source)));
        AtomicInteger more = new AtomicInteger();
        forwarding.follow(more::incrementAndGet);
        forwarding.credit = 1000;
        assertThat(forwarding.forwards()).isTrue();
        assertThat(Part.of(forwarding.take(HEAP, 100))).isNull();

        arriving.fill(0, 8, Unpooled.buffer().writeIntLE(5).writeIntLE(6));
        source.filled(8);

        assertThat(more).hasValue(1);
        Part part = Part.of(forwarding.take(HEAP, 100));
        assertThat(part).isNotNull();
        assertThat(part.ints()).containsExactly(5, 6);
        assertThat(part.chunk()).isEqualTo(new Chunk(3, 8, true, false, 1));
        forwarding.stop();
        arriving.fill(8, 4, Unpooled.buffer().writeIntLE(7));
        source.filled(12);
        assertThat(more).as("nothing follows what is stopped").hasValue(1);
    }

    @Test
    void placesGoRound() {
        StreamSender many = StreamSender.ofRequest(0, 7, List.of(BlockFactory.of(new int[2 * Chunk.PLACES])));
        many.credit = 1 << 20;
        List<Integer> places = new ArrayList<>();
        for (Part part = Part.of(many.take(HEAP, 4)); part != null; part = Part.of(many.take(HEAP, 4))) {
            places.add(part.chunk().place());
        }

        assertThat(places).hasSize(2 * Chunk.PLACES).startsWith(1, 2).endsWith(Chunk.PLACES);
    }
}
