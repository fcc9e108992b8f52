package dev.cleave.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.config.MemoryBounds;
import dev.cleave.metrics.Refusals;
import dev.cleave.testing.LeakCheckingAllocator;
import dev.cleave.testing.Seed;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Reply;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class FrameSplitterTest {

    private static final UnpooledByteBufAllocator ALLOCATOR = new UnpooledByteBufAllocator(false);
    private static final int STREAMS = 300;

    private final LeakCheckingAllocator buffers = new LeakCheckingAllocator();
    private final UnfinishedFrames unfinished = new UnfinishedFrames(1 << 20);
    private final FrameSplitter splitter = new FrameSplitter(buffers.allocator(), unfinished, () -> false);
    private final List<String> frames = new ArrayList<>();

    @AfterEach
    void releasesAll() {
        splitter.release();
        buffers.assertNoLeaks();
    }

    @Test
    void allocatesNothingForFramesThatCameWhole() {
        feed(Unpooled.wrappedBuffer(ping(1), ping(2), ping(3)));

        assertThat(frames).hasSize(3);
        assertThat(buffers.given()).isZero();
        assertThat(splitter.isWithinFrame()).isFalse();
    }

    @Test
    void findsTheSameFramesHoweverTheBytesAreCut() {
        long seed = Seed.of(FrameSplitterTest.class);
        System.out.println("FrameSplitterTest seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < STREAMS; round++) {
            FrameSplitter fresh = new FrameSplitter(buffers.allocator(), unfinished, () -> false);
            List<String> expected = new ArrayList<>();
            ByteBuf stream = Unpooled.buffer();
            for (int i = random.nextInt(1, 20); i > 0; i--) {
                ByteBuf frame = reply(i, random.nextInt(random.nextBoolean() ? 10 : 3_000));
                expected.add(ByteBufUtil.hexDump(frame));
                stream.writeBytes(frame);
            }
            List<String> found = new ArrayList<>();
            while (stream.isReadable()) {
                int step = Math.min(stream.readableBytes(), random.nextInt(1, random.nextBoolean() ? 9 : 5_000));
                fresh.feed(stream.readSlice(step), frame -> found.add(ByteBufUtil.hexDump(frame)));
            }

            assertThat(found).isEqualTo(expected);
            assertThat(fresh.isWithinFrame()).isFalse();
        }
    }

    @Test
    void framesThatNeverEndTakeABoundedPartTogether() {
        long shown = MemoryBounds.UNFINISHED.used();
        long counted = Refusals.of("unfinished-frames.bytes");
        List<FrameSplitter> splitters = new ArrayList<>();
        int refused = 0;
        for (int i = 0; i < 12; i++) {
            FrameSplitter endless = new FrameSplitter(buffers.allocator(), unfinished, () -> false);
            splitters.add(endless);
            try {
                endless.feed(Unpooled.wrappedBuffer(ping(0)), frame -> true);
                endless.feed(
                        Unpooled.buffer()
                                .writeInt(Header.CALL_LIMIT)
                                .writeByte(FrameKind.REPLY.number())
                                .writeZero(200 << 10),
                        frame -> true);
            } catch (WireException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.OVERLOAD);
                refused++;
            }
            assertThat(unfinished.taken()).isLessThanOrEqualTo(1 << 20);
            assertThat(MemoryBounds.UNFINISHED.used() - shown).isEqualTo(unfinished.taken());
        }

        assertThat(refused).isBetween(1, 11);
        assertThat(Refusals.of("unfinished-frames.bytes") - counted).isEqualTo(refused);
        splitters.forEach(FrameSplitter::release);
        assertThat(unfinished.taken()).isZero();
        assertThat(MemoryBounds.UNFINISHED.used()).isEqualTo(shown);
    }

    @Test
    void oneFrameAloneMayBeAsLongAsAny() {
        UnfinishedFrames one = new UnfinishedFrames(MemoryBounds.unfinishedFrames());
        one.take(0, Header.CALL_LIMIT / 2);
        one.take(Header.CALL_LIMIT / 2, Header.CALL_LIMIT / 2);

        assertThat(one.taken()).isEqualTo(Header.CALL_LIMIT);
        one.giveBack(Header.CALL_LIMIT);
    }

    @Test
    void shortBeginningsOnManyConnectionsAreCountedToo() {
        List<FrameSplitter> splitters = new ArrayList<>();
        int refused = 0;
        for (int i = 0; i < 200; i++) {
            FrameSplitter each = new FrameSplitter(buffers.allocator(), unfinished, () -> false);
            splitters.add(each);
            try {
                each.feed(Unpooled.wrappedBuffer(ping(0)), frame -> true);
                each.feed(
                        Unpooled.buffer()
                                .writeInt(Header.CALL_LIMIT)
                                .writeByte(FrameKind.REPLY.number())
                                .writeZero(20 << 10),
                        frame -> true);
            } catch (WireException e) {
                refused++;
            }
        }

        assertThat(refused).as("of 200 connections with 20 KiB each, of 1 MiB").isGreaterThan(100);
        splitters.forEach(FrameSplitter::release);
        assertThat(unfinished.taken()).isZero();
    }

    @Test
    void whatPeersHaveTakenInOtherWaysLeavesLessRoomForFrames() {
        long others = MemoryBounds.process() - MemoryBounds.PROCESS.used() - (128 << 10);
        MemoryBounds.STORED.add(others);
        try {
            unfinished.take(0, 100 << 10);
            assertThatThrownBy(() -> unfinished.take(0, 100 << 10)).isInstanceOf(WireException.class);
        } finally {
            MemoryBounds.STORED.add(-others);
            unfinished.giveBack(100 << 10);
        }
        unfinished.take(0, 200 << 10);
        unfinished.giveBack(200 << 10);
    }

    @Test
    void allocatesNoMoreThanTwiceWhatHasArrived() {
        feed(ping(0));
        feed(Unpooled.buffer()
                .writeInt(Header.CALL_LIMIT)
                .writeByte(FrameKind.REQUEST.number())
                .writeZero(95));
        assertThat(buffers.largest()).isLessThanOrEqualTo(1024);

        for (int sent = 100; sent < 100_000; sent += 100) {
            feed(Unpooled.buffer().writeZero(100));
            assertThat(buffers.largest()).isLessThanOrEqualTo(Math.max(1024, 2 * (sent + 100)));
        }
        assertThat(splitter.isWithinFrame()).isTrue();
    }

    @Test
    void refusesALengthAsSoonAsItIsThere() {
        feed(ping(0));

        assertThatThrownBy(() -> feed(Unpooled.buffer().writeInt(Integer.MAX_VALUE)))
                .isInstanceOf(WireException.class)
                .hasMessage("frame length: 2147483647 (expected: 16..67108864)");
        assertThat(buffers.given()).isZero();
    }

    @Test
    void refusesALengthThatCameByteByByte() {
        feed(ping(0));
        feed(Unpooled.buffer().writeByte(0x7f));
        feed(Unpooled.buffer().writeByte(0xff));
        feed(Unpooled.buffer().writeByte(0xff));

        assertThatThrownBy(() -> feed(Unpooled.buffer().writeByte(0xff))).isInstanceOf(WireException.class);
    }

    @Test
    void limitsTheFirstFrameToAHello() {
        assertThatThrownBy(() -> feed(Unpooled.buffer().writeInt(Header.HELLO_LIMIT + 1)))
                .isInstanceOf(WireException.class)
                .hasMessage("frame length: 4097 (expected: 16..4096)");
    }

    @Test
    void stopsWhenTheSinkHasHadEnough() {
        splitter.feed(Unpooled.wrappedBuffer(ping(1), ping(2)), frame -> {
            frames.add("one");
            return false;
        });

        assertThat(frames).hasSize(1);
    }

    private void feed(ByteBuf bytes) {
        splitter.feed(bytes, frame -> frames.add(ByteBufUtil.hexDump(frame)));
    }

    private static ByteBuf ping(long id) {
        return new Ping(id).write(ALLOCATOR);
    }

    private static ByteBuf reply(long id, int bytes) {
        ByteBuf frame = new Reply(0, id).begin(ALLOCATOR, bytes);
        frame.writeZero(bytes);
        Header.finish(frame);
        return frame;
    }
}
