package dev.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

@Tag("one-jdk")
class FramesTest {

    private static final UnpooledByteBufAllocator ALLOCATOR = new UnpooledByteBufAllocator(false);

    static final List<Frame> EXAMPLES = Frames.EXAMPLES;

    @Test
    void everyKindHasAnExampleAndAReader() {
        Set<FrameKind> seen = EnumSet.noneOf(FrameKind.class);
        Frames.EXAMPLES.forEach(frame -> seen.add(Header.kind(frame.write(ALLOCATOR))));

        assertThat(seen).isEqualTo(EnumSet.allOf(FrameKind.class)).isEqualTo(Frames.READERS.keySet());
    }

    @ParameterizedTest
    @FieldSource("EXAMPLES")
    void readsWhatItWrote(Frame frame) {
        ByteBuf bytes = frame.write(ALLOCATOR);

        assertThat(Header.frameLength(bytes, Header.CALL_LIMIT)).isEqualTo(bytes.readableBytes());
        assertThat(Frames.read(bytes)).isEqualTo(frame);
        assertThat(bytes.isReadable()).isFalse();
    }

    /** Frames as they have been on the wire: whoever changes one breaks those who run the last release. */
    @Test
    void framesOfTheLastReleaseAreReadAndWrittenAsTheyWere() throws IOException {
        List<String> recorded = Files.readAllLines(Path.of("src/test/fixtures/frames-c3f15194.txt"));

        assertThat(recorded).hasSizeGreaterThan(40).allSatisfy(line -> {
            ByteBuf bytes = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(line.substring(line.indexOf(' ') + 1)));
            ByteBuf again = Frames.read(bytes).write(ALLOCATOR);
            assertThat(Header.kind(again) + " " + ByteBufUtil.hexDump(again)).isEqualTo(line);
        });
    }

    @Test
    void drawsHelloAsDocumented() {
        ByteBuf bytes = new Hello(1, 2, 3, "ab", 4).write(ALLOCATOR);

        assertThat(ByteBufUtil.hexDump(bytes))
                .isEqualTo("0000002c" + "01" + "00" + "0000" + "0000000000000000" // header
                        + "434c5645" + "0001" + "0002" + "0000000000000003" + "0002" + "6162" + "0000000000000004");
    }

    @Test
    void drawsRequestAsDocumented() {
        ByteBuf bytes = new RequestHead(0x0102, 0x1122334455667788L, 5, 1_000).begin(ALLOCATOR, 4);
        bytes.writeInt(0xcafe);
        Header.finish(bytes);

        assertThat(ByteBufUtil.hexDump(bytes))
                .isEqualTo("00000020" + "02" + "00" + "0102" + "1122334455667788" // header
                        + "00000005" + "00000000000003e8" + "0000cafe");
    }

    @Test
    void drawsFailureAsDocumented() {
        ByteBuf bytes = new Failure(0, 1, ErrorCode.THROWN, Execution.EXECUTED, "x").begin(ALLOCATOR, 1);
        bytes.writeByte(0x7f);
        Header.finish(bytes);

        assertThat(ByteBufUtil.hexDump(bytes))
                .isEqualTo("00000016" + "04" + "00" + "0000" + "0000000000000001" + "01" + "02" + "0001" + "78" + "7f");
    }

    @Test
    void drawsMethodsAsDocumented() {
        ByteBuf bytes = new Methods(1, List.of(new Methods.Method(9, "s", "m()V"))).write(ALLOCATOR);

        assertThat(ByteBufUtil.hexDump(bytes))
                .isEqualTo("0000001f" + "0a" + "00" + "0001" + "0000000000000000" // header
                        + "0001" + "00000009" + "0001" + "73" + "0004" + "6d282956");
    }

    @Test
    void leavesArgumentsToTheReader() {
        ByteBuf bytes = new RequestHead(0, 1, 5, 0).begin(ALLOCATOR, 8);
        bytes.writeLong(77);
        Header.finish(bytes);

        RequestHead.read(bytes);

        assertThat(bytes.readLong()).isEqualTo(77);
    }

    @Test
    void readdressesWithoutTouchingTheRest() {
        ByteBuf bytes = new RequestHead(0, 1, 5, 600).write(ALLOCATOR);

        Header.readdress(bytes, 3, 99);

        assertThat(Header.peer(bytes)).isEqualTo(3);
        assertThat(Header.id(bytes)).isEqualTo(99);
        assertThat(RequestHead.read(bytes)).isEqualTo(new RequestHead(3, 99, 5, 600));
    }

    @Test
    void readsFrameThatDoesNotBeginAtTheBuffersStart() {
        ByteBuf bytes = Unpooled.wrappedBuffer(Unpooled.wrappedBuffer(new byte[3]), new Ping(4).write(ALLOCATOR));
        bytes.skipBytes(3);

        assertThat(Header.kind(bytes)).isEqualTo(FrameKind.PING);
        assertThat(Ping.read(bytes)).isEqualTo(new Ping(4));
    }

    @Test
    void ignoresWhatALaterHelloAdds() {
        Hello hello = new Hello(1, 1, 0, "n", 1);
        ByteBuf bytes = hello.write(ALLOCATOR).writeLong(5);
        bytes.setInt(0, bytes.readableBytes());

        assertThat(Hello.read(bytes)).isEqualTo(hello);
    }

    @Test
    void agreesOnTheNewestCommonVersion() {
        assertThat(versions(1, 3).commonVersion(versions(2, 5))).hasValue(3);
        assertThat(versions(2, 5).commonVersion(versions(1, 3))).hasValue(3);
        assertThat(versions(1, 1).commonVersion(versions(2, 5))).isEmpty();
        assertThat(versions(2, 5).commonVersion(versions(1, 1))).isEmpty();
    }

    @Test
    void cutsLongFailureMessage() {
        Failure failure = new Failure(0, 1, ErrorCode.INTERNAL, Execution.NOT, "x".repeat(100_000));

        assertThat(Failure.read(failure.write(ALLOCATOR)).message()).hasSize(Failure.MAX_MESSAGE);
    }

    @Test
    void refusesToWriteFrameLongerThanItsKindMayBe() {
        UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
        String[] names = new String[300];
        Arrays.fill(names, "x".repeat(300));

        assertThatThrownBy(() -> new Types(0, 0, List.of(names)).write(allocator))
                .isInstanceOfSatisfying(
                        WireException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE))
                .hasMessage("TYPES frame: 90622 bytes (expected: at most 65536)");
        assertThat(allocator.metric().usedHeapMemory()).isZero();
    }

    private static Hello versions(int min, int max) {
        return new Hello(min, max, 0, "n", 0);
    }
}
