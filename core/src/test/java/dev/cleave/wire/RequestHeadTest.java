package dev.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.cleave.testing.Seed;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

@Tag("one-jdk")
class RequestHeadTest {

    private static final int MUTATIONS = Boolean.getBoolean("cleave.full") ? 50_000 : 10_000;

    /** Nobody has to release these. */
    private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false);

    private static final byte[] ARGUMENTS = {1, 2, 3, 4, 5, 6, 7};

    /** Each option alone, all together, and each as large as it may be. */
    static final List<RequestOptions> OPTIONS = options();

    private static List<RequestOptions> options() {
        List<RequestOptions> all = new ArrayList<>();
        for (int flags = 0; flags <= RequestOptions.FLAGS; flags++) {
            all.add(RequestOptions.of(flags));
            all.add(RequestOptions.of(flags).keyed(Long.MIN_VALUE));
        }
        for (Lane.Kind kind : Lane.Kind.values()) {
            all.add(RequestOptions.NONE.in(new Lane(7, kind, true)));
            all.add(RequestOptions.NONE.in(new Lane(-7, kind, false)));
        }
        RequestOptions longest = RequestOptions.NONE
                .behind(CallPath.of(LongStream.range(0, CallPath.MOST).toArray()))
                .lacking(Collections.nCopies(PendingArgument.MOST, new PendingArgument(9, ARGUMENTS.length, 0)))
                .followedBy(Collections.nCopies(Blocks.MOST, new Blocks(255, 1L << 35, Blocks.MOST_GROUPS)));
        all.add(RequestOptions.NONE.behind(longest.path()));
        all.add(RequestOptions.NONE.lacking(longest.pending()).in(new Lane(1, Lane.Kind.DEPENDENT, false)));
        all.add(RequestOptions.NONE.followedBy(longest.blocks()));
        all.add(RequestOptions.NONE.elsewhereThan(-1));
        all.add(RequestOptions.NONE.sharing(List.of(new SharedLane(-1, 2, "cleave://harvey:7420"))));
        all.add(RequestOptions.NONE.with(Attachments.of(Map.of("tenant", "acme\u20ac", "empty", ""))));
        all.add(RequestOptions.NONE.with(Attachments.of(Map.of("k", "x".repeat(Attachments.MOST_BYTES - 5)))));
        all.add(RequestOptions.NONE.rated(new Rating(-2.5, 7, true)));
        all.add(RequestOptions.of(RequestOptions.AWAITED).keyed(3).rated(new Rating(Double.NaN, -1, false)));
        all.add(Frames.allOptions());
        all.add(longest.in(new Lane(1, Lane.Kind.DEPENDENT, true)).keyed(2).elsewhereThan(3));
        return all;
    }

    private static ByteBuf frame(RequestOptions options) {
        ByteBuf frame = new RequestHead(3, 42, 5, 1000, options).begin(HEAP, ARGUMENTS.length);
        frame.writeBytes(ARGUMENTS);
        Header.finish(frame);
        return frame;
    }

    private static void isRead(ByteBuf frame, RequestOptions options, byte[] arguments) {
        assertThat(Header.frameLength(frame, Header.CALL_LIMIT)).isEqualTo(frame.readableBytes());
        assertThat(RequestHead.read(frame)).isEqualTo(new RequestHead(3, 42, 5, 1000, options));
        assertThat(ByteBufUtil.getBytes(frame)).isEqualTo(arguments);
    }

    @ParameterizedTest
    @FieldSource("OPTIONS")
    void readsTheOptionsThatItWroteAndLeavesTheArguments(RequestOptions options) {
        ByteBuf frame = frame(options);

        assertThat(frame.readableBytes()).isEqualTo(RequestHead.PLAIN_LENGTH + options.length() + ARGUMENTS.length);
        isRead(frame, options, ARGUMENTS);
    }

    @Test
    void drawsOptionsAsDocumented() {
        RequestOptions options = RequestOptions.of(RequestOptions.AWAITED)
                .in(new Lane(9, Lane.Kind.DEPENDENT, true))
                .behind(CallPath.of(new long[] {6, 7}))
                .lacking(List.of(new PendingArgument(3, 0, 1), new PendingArgument(2, 4, 5, 1)))
                .followedBy(List.of(new Blocks('D', 16, 1)))
                .keyed(-2)
                .elsewhereThan(8)
                .with(Attachments.of(Map.of("k", "v\u00fc")))
                .sharing(List.of(new SharedLane(10, -11, "ab")));

        assertThat(ByteBufUtil.hexDump(frame(options)))
                .isEqualTo("000000a3" + "02" + "81" + "0003" + "000000000000002a" // header
                        + "00000005" + "00000000000003e8" + "007e" // method, deadline, length of the options
                        + "010009" + "07" + "0000000000000009"
                        + "020010" + "0000000000000006" + "0000000000000007"
                        + "030018" + "00000003" + "00000000" + "0001" + "0000" + "00000002" + "00000004" + "0005"
                        + "0001"
                        + "040009" + "44" + "0001" + "000000000010"
                        + "050008" + "fffffffffffffffe"
                        + "060008" + "0000000000000008"
                        + "070008" + "0001" + "6b" + "0003" + "76c3bc"
                        + "080014" + "000000000000000a" + "fffffffffffffff5" + "0002" + "6162"
                        + "01020304050607");
    }

    @Test
    void flagsMakeTheHeadNoLongerAndCreateNothing() {
        assertThat(ByteBufUtil.hexDump(frame(RequestOptions.of(RequestOptions.MOVABLE | RequestOptions.MOVED))))
                .isEqualTo("00000023" + "02" + "06" + "0003" + "000000000000002a" // header
                        + "00000005" + "00000000000003e8" + "01020304050607");
        assertThat(RequestOptions.NONE.and(RequestOptions.AWAITED)).isSameAs(RequestOptions.of(RequestOptions.AWAITED));
        assertThat(RequestHead.read(frame(RequestOptions.NONE)).options()).isSameAs(RequestOptions.NONE);
    }

    @Test
    void everyMethodNumberIsItsOwn() {
        ByteBuf frame = new RequestHead(0, 1, Integer.MAX_VALUE, 0).write(HEAP);

        assertThat(RequestHead.read(frame)).isEqualTo(new RequestHead(0, 1, Integer.MAX_VALUE, 0));
    }

    @ParameterizedTest
    @FieldSource("OPTIONS")
    void optionsGoInFrontOfArgumentsThatAreWritten(RequestOptions options) {
        for (ByteBufAllocator allocator : List.of(HEAP, PooledByteBufAllocator.DEFAULT)) {
            for (int length : new int[] {7, 100, 10_000}) {
                byte[] arguments = new byte[length];
                new SplittableRandom(length).nextBytes(arguments);
                for (boolean isTight : new boolean[] {false, true}) {
                    ByteBuf frame = begun(allocator, isTight, arguments);
                    RequestFrame.put(options, frame);
                    isRead(frame.duplicate(), options, arguments);

                    RequestFrame.put(options.forServer(), frame); // as a broker does
                    isRead(frame, options.forServer(), arguments);
                    frame.release();
                }
            }
        }
    }

    private static ByteBuf begun(ByteBufAllocator allocator, boolean isTight, byte[] arguments) {
        ByteBuf frame = allocator.buffer(16);
        if (isTight) {
            RequestFrame.beginTight(frame, 5);
        } else {
            RequestFrame.begin(frame, 5);
        }
        Header.readdress(frame, 3, 42);
        RequestFrame.deadline(frame, 1000);
        return frame.writeBytes(arguments);
    }

    @ParameterizedTest
    @FieldSource("OPTIONS")
    void argumentsForWhichThereIsRoomInFrontDoNotMove(RequestOptions options) {
        ByteBuf frame = begun(HEAP, false, ARGUMENTS);
        RequestOptions early = new RequestOptions(
                options.flags(),
                null,
                options.path(),
                options.pending(),
                options.blocks(),
                null,
                null,
                options.attachments(),
                options.shared(),
                options.rating());
        RequestFrame.reserve(early, frame);
        ByteBuf kept = frame.retainedSlice(frame.readerIndex() + RequestHead.PLAIN_LENGTH, ARGUMENTS.length);

        RequestFrame.put(options, frame);

        isRead(frame, options, ARGUMENTS);
        assertThat(ByteBufUtil.getBytes(kept)).isEqualTo(ARGUMENTS);
    }

    @Test
    void aFrameWithoutOptionsStaysWhereItIs() {
        ByteBuf frame = begun(HEAP, false, ARGUMENTS);
        int at = frame.readerIndex();

        RequestFrame.put(RequestOptions.of(RequestOptions.AWAITED), frame);

        assertThat(frame.readerIndex()).isEqualTo(at);
        isRead(frame, RequestOptions.of(RequestOptions.AWAITED), ARGUMENTS);
    }

    @Test
    void flagsChangeInPlace() {
        ByteBuf frame = frame(RequestOptions.of(RequestOptions.AWAITED).keyed(3));

        RequestFrame.movable(frame, true);
        RequestFrame.moved(frame);
        RequestOptions moved = RequestHead.read(frame.duplicate()).options();
        assertThat(moved.isMovable() && moved.hasMoved() && moved.isAwaited()).isTrue();

        RequestFrame.movable(frame, false);
        assertThat(RequestHead.read(frame.duplicate()).options().isMovable()).isFalse();
        assertThat(RequestHead.read(frame).options().key()).isEqualTo(3);
    }

    @Test
    void drawsARatingAsDocumented() {
        ByteBuf frame = frame(RequestOptions.NONE.rated(new Rating(1, 2, true)));

        assertThat(ByteBufUtil.hexDump(frame, RequestHead.PLAIN_LENGTH, 18))
                .isEqualTo("0010" + "09000d" + "3ff0000000000000" + "00000002" + "01");
    }

    @Test
    void refusesAFrameThatOptionsMakeTooLong() {
        ByteBuf frame = HEAP.buffer();
        RequestFrame.begin(frame, 5);
        frame.writeZero(Header.CALL_LIMIT - frame.readableBytes());
        RequestFrame.put(RequestOptions.NONE, frame);

        assertThat(RequestOptions.NONE.fit(Header.CALL_LIMIT - RequestHead.PLAIN_LENGTH))
                .isTrue();
        assertThat(RequestOptions.NONE.keyed(1).fit(Header.CALL_LIMIT - RequestHead.PLAIN_LENGTH))
                .isFalse();
        assertThatThrownBy(() -> RequestFrame.put(RequestOptions.NONE.keyed(1), frame))
                .isInstanceOfSatisfying(
                        WireException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));
    }

    @Test
    void refusesOptionsThatAreNotAsDocumented() {
        refused("options of 0 bytes (expected: 1..7)", out -> out.writeShort(0));
        refused("options of 14 bytes (expected: 1..13)", out -> out.writeShort(14)
                .writeZero(6));
        refused("option 0 of 0 bytes behind option 0", out -> out.writeShort(2).writeShort(0));
        refused(
                "option 10 of 0 bytes behind option 0",
                out -> out.writeShort(3).writeByte(10).writeShort(0));
        refused(
                "shared lane 1 with an endpoint of 0 bytes",
                out -> out.writeShort(3).writeByte(8).writeShort(0));
        refused("shared lane 1 with an endpoint of 9 bytes", out -> out.writeShort(22)
                .writeByte(8)
                .writeShort(19)
                .writeZero(16)
                .writeShort(9)
                .writeByte('a'));
        refused("pending argument of shared lane 1 (expected: 0..0)", out -> out.writeShort(27)
                .writeByte(1)
                .writeShort(9)
                .writeByte(3)
                .writeLong(1)
                .writeByte(3)
                .writeShort(12)
                .writeLong(0)
                .writeShort(0)
                .writeShort(1));
        refused(
                "attachments: 0 bytes (expected: 1..8192)",
                out -> out.writeShort(3).writeByte(7).writeShort(0));
        refused(
                "attachments: 8193 bytes (expected: 1..8192)",
                out -> out.writeShort(8196).writeByte(7).writeShort(8193).writeZero(8193));
        refused("attachments: key  (expected: 64 plain names, each once)", out -> attachment(out, "", "v"));
        refused("attachments: key \\u000a", out -> attachment(out, "\n", "v"));
        refused("attachments: text beyond their end", out -> out.writeShort(7)
                .writeByte(7)
                .writeShort(4)
                .writeShort(3)
                .writeShort(0));
        refused("attachments: no UTF-8", out -> out.writeShort(8)
                .writeByte(7)
                .writeShort(5)
                .writeShort(1)
                .writeByte(0xff)
                .writeShort(0));
        refused(
                "option 5 of 9 bytes behind option 0",
                out -> out.writeShort(11).writeByte(5).writeShort(9).writeLong(0));
        refused(
                "option 5 of 7 bytes (expected: 1..1 times 8)",
                out -> out.writeShort(10).writeByte(5).writeShort(7).writeZero(7));
        refused("option 5 of 8 bytes behind option 6", out -> out.writeShort(22)
                .writeByte(6)
                .writeShort(8)
                .writeLong(1)
                .writeByte(5)
                .writeShort(8)
                .writeLong(1));
        refused("option 5 of 8 bytes behind option 5", out -> out.writeShort(22)
                .writeByte(5)
                .writeShort(8)
                .writeLong(1)
                .writeByte(5)
                .writeShort(8)
                .writeLong(1));
        refused(
                "option 1 of 8 bytes (expected: 1..1 times 9)",
                out -> out.writeShort(11).writeByte(1).writeShort(8).writeLong(1));
        refused("lane of kind 8 (expected: 0..3)", out -> out.writeShort(12)
                .writeByte(1)
                .writeShort(9)
                .writeByte(8)
                .writeLong(1));
        refused(
                "option 2 of 520 bytes (expected: 1..64 times 8)",
                out -> out.writeShort(523).writeByte(2).writeShort(520).writeZero(520));
        refused(
                "option 3 of 0 bytes (expected: 1..255 times 12)",
                out -> out.writeShort(3).writeByte(3).writeShort(0));
        refused("pending argument: call 0 at 8 of lane 0 (expected: at 0..7", out -> pending(out, 0, 8));
        refused("pending argument: call 0 at 3 of lane 0 (expected: at 4..7", out -> pending(out, 4, 3));
        refused(
                "pending argument: call 0 at 2147483647 of lane 0 (expected: at 0..7",
                out -> pending(out, 0, Integer.MAX_VALUE));
        refused(
                "option 4 of 36873 bytes (expected: 1..4096 times 9)",
                out -> out.writeShort(36876).writeByte(4).writeShort(36873).writeZero(36873));
    }

    private static void pending(ByteBuf out, int first, int second) {
        out.writeShort(27)
                .writeByte(3)
                .writeShort(24)
                .writeInt(0)
                .writeInt(first)
                .writeInt(0)
                .writeInt(0)
                .writeInt(second)
                .writeInt(0);
    }

    private static void attachment(ByteBuf out, String key, String value) {
        out.writeShort(7 + key.length() + value.length()).writeByte(7).writeShort(4 + key.length() + value.length());
        out.writeShort(key.length()).writeBytes(key.getBytes(StandardCharsets.UTF_8));
        out.writeShort(value.length()).writeBytes(value.getBytes(StandardCharsets.UTF_8));
    }

    private static void refused(String why, Consumer<ByteBuf> block) {
        ByteBuf frame = new RequestHead(3, 42, 5, 1000).begin(HEAP, 64);
        Header.flags(frame, RequestCodec.HAS_BLOCK);
        block.accept(frame);
        frame.writeBytes(ARGUMENTS);
        Header.finish(frame);

        assertThatThrownBy(() -> RequestHead.read(frame))
                .isInstanceOfSatisfying(
                        WireException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PROTOCOL))
                .hasMessageContaining("REQUEST frame: " + why);
    }

    @Test
    void allocatesNothingForOptionsThatAreOnlyDeclared() {
        ByteBuf[] lies = new ByteBuf[1_000];
        Arrays.setAll(lies, i -> {
            ByteBuf lie = new RequestHead(3, 42, 5, 1000).begin(HEAP, 64);
            Header.flags(lie, RequestCodec.HAS_BLOCK);
            lie.writeShort(30).writeByte(i % 7 + 1).writeShort(0xffff).writeZero(27);
            Header.finish(lie);
            return lie;
        });
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        long before = threads.getCurrentThreadAllocatedBytes();
        int refused = 0;
        for (ByteBuf lie : lies) {
            try {
                RequestHead.read(lie);
            } catch (WireException e) {
                refused++;
            }
        }
        long perFrame = (threads.getCurrentThreadAllocatedBytes() - before) / lies.length;

        assertThat(refused).isEqualTo(lies.length);
        assertThat(perFrame).isLessThan(16 << 10);
    }

    @Test
    void refusesPendingArgumentsInALaneWithoutResults() {
        RequestOptions pending = RequestOptions.NONE.lacking(List.of(new PendingArgument(0, 0, 0)));

        for (RequestOptions each : List.of(pending, pending.in(new Lane(1, Lane.Kind.CHAIN, true)))) {
            assertThatThrownBy(() -> RequestHead.read(frame(each)))
                    .hasMessage("REQUEST frame: pending arguments in a lane without results");
        }
    }

    @Test
    void refusesACallThatMovesInALane() {
        ByteBuf frame = frame(RequestOptions.NONE.in(new Lane(1, Lane.Kind.THREAD, false)));
        RequestFrame.movable(frame, true);

        assertThatThrownBy(() -> RequestHead.read(frame)).hasMessageContaining("flags 2 in a lane");
    }

    /** Whatever the bytes are: the head is read, and written as it was, or a WireException says why not. */
    @Test
    void refusesMutatedBytesWithNothingWorseThanAWireException() {
        long seed = Seed.of(RequestHeadTest.class);
        SplittableRandom random = new SplittableRandom(seed);
        List<ByteBuf> frames = OPTIONS.stream().map(RequestHeadTest::frame).toList();
        int refused = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            ByteBuf frame = frames.get(random.nextInt(frames.size()));
            int length = Math.min(frame.readableBytes(), 700);
            ByteBuf mutated = HEAP.buffer(length).writeBytes(frame, 0, length);
            for (int k = random.nextInt(3); k >= 0; k--) {
                int at = random.nextInt(8) == 0
                        ? Header.LENGTH / 3
                        : Header.LENGTH + random.nextInt(length - Header.LENGTH);
                mutated.setByte(at, random.nextInt(256));
            }
            if (random.nextInt(4) == 0) {
                mutated.writerIndex(Header.LENGTH + random.nextInt(length - Header.LENGTH));
            }
            Header.finish(mutated);
            try {
                RequestHead read = RequestHead.read(mutated);
                ByteBuf again = read.begin(HEAP, mutated.readableBytes()).writeBytes(mutated);
                Header.finish(again);
                assertThat(RequestHead.read(again)).as("seed %d", seed).isEqualTo(read);
            } catch (WireException e) {
                refused++;
                assertThat(e.code()).as("seed %d", seed).isEqualTo(ErrorCode.PROTOCOL);
            }
        }
        assertThat(refused).isGreaterThan(MUTATIONS / 10);
    }
}
