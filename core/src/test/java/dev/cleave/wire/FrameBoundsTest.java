package dev.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.cleave.testing.Seed;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("one-jdk")
class FrameBoundsTest {

    private static final UnpooledByteBufAllocator ALLOCATOR = new UnpooledByteBufAllocator(false);
    private static final int MUTATIONS = Boolean.getBoolean("cleave.full") ? 100_000 : 15_000;

    static final List<Frame> EXAMPLES = Frames.EXAMPLES;

    @ParameterizedTest
    @ValueSource(ints = {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, Header.CALL_LIMIT + 1})
    void refusesDeclaredLengthFromItsFourBytesAlone(int length) {
        ByteBuf bytes = Unpooled.buffer().writeInt(length);

        refused(ErrorCode.TOO_LARGE, () -> Header.frameLength(bytes, Header.CALL_LIMIT))
                .hasMessage("frame length: " + Integer.toUnsignedString(length) + " (expected: 16..67108864)");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15})
    void refusesLengthShorterThanAHeader(int length) {
        ByteBuf bytes = Unpooled.buffer().writeInt(length);

        refused(ErrorCode.PROTOCOL, () -> Header.frameLength(bytes, Header.CALL_LIMIT));
    }

    @Test
    void waitsForTheBytesThatTellTheLength() {
        ByteBuf bytes = Unpooled.buffer().writeMedium(0);

        assertThat(Header.frameLength(bytes, Header.CALL_LIMIT)).isEqualTo(-1);
        bytes.clear().writeInt(100);
        assertThat(Header.frameLength(bytes, Header.CALL_LIMIT)).isEqualTo(-1);
        bytes.writeByte(FrameKind.REQUEST.number());
        assertThat(Header.frameLength(bytes, Header.CALL_LIMIT)).isEqualTo(100);
    }

    @Test
    void refusesControlFrameLongerThanItsKindMayBe() {
        ByteBuf bytes = Unpooled.buffer().writeInt(Header.CONTROL_LIMIT + 1).writeByte(FrameKind.TYPES.number());

        refused(ErrorCode.TOO_LARGE, () -> Header.frameLength(bytes, Header.CALL_LIMIT));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 43, 255})
    void refusesUnknownKind(int kind) {
        ByteBuf bytes = Unpooled.buffer().writeInt(16).writeByte(kind);

        refused(ErrorCode.PROTOCOL, () -> Header.frameLength(bytes, Header.CALL_LIMIT))
                .hasMessage("frame kind: " + kind + " (expected: one that this version knows)");
    }

    @ParameterizedTest
    @FieldSource("EXAMPLES")
    void refusesEveryTruncation(Frame frame) {
        ByteBuf whole = frame.write(ALLOCATOR);
        for (int length = 0; length < whole.readableBytes(); length++) {
            ByteBuf cut = whole.copy(0, length);
            if (length >= Header.LENGTH) {
                cut.setInt(0, length);
            }
            Function<ByteBuf, Frame> reader = Frames.READERS.get(Header.kind(whole));

            assertThatThrownBy(() -> reader.apply(cut)).as("cut at " + cut).isInstanceOf(WireException.class);
        }
    }

    @ParameterizedTest
    @FieldSource("EXAMPLES")
    void refusesFrameOfAnotherKind(Frame frame) {
        ByteBuf whole = frame.write(ALLOCATOR);
        FrameKind kind = Header.kind(whole);
        Frames.READERS.forEach((other, reader) -> {
            if (other != kind) {
                assertThatThrownBy(() -> reader.apply(whole.duplicate())).isInstanceOf(WireException.class);
            }
        });
    }

    @Test
    void refusesStringLongerThanTheRest() {
        ByteBuf bytes = body(FrameKind.LOOKUP, out -> out.writeShort(0xffff).writeByte('x'));

        refused(ErrorCode.PROTOCOL, () -> Lookup.read(bytes)).hasMessage("LOOKUP frame: 65535 bytes wanted, 1 left");
    }

    @Test
    void refusesListLongerThanTheRestCanHold() {
        ByteBuf bytes = body(FrameKind.METHODS, out -> out.writeShort(2).writeZero(15));

        refused(ErrorCode.PROTOCOL, () -> Methods.read(bytes)).hasMessage("METHODS frame: 16 bytes wanted, 15 left");
    }

    @Test
    void allocatesNothingForWhatIsOnlyDeclared() {
        ByteBuf[] lies = new ByteBuf[1_000];
        Arrays.setAll(
                lies,
                i -> body(
                        FrameKind.TYPES,
                        out -> out.writeInt(0).writeShort(0xffff).writeZero(60)));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        long before = threads.getCurrentThreadAllocatedBytes();
        int refused = 0;
        for (ByteBuf lie : lies) {
            try {
                Types.read(lie);
            } catch (WireException e) {
                refused++;
            }
        }
        long perFrame = (threads.getCurrentThreadAllocatedBytes() - before) / lies.length;

        assertThat(refused).isEqualTo(lies.length);
        assertThat(perFrame).isLessThan(16 << 10);
    }

    @Test
    void refusesBytesThatAreNotUtf8() {
        ByteBuf bytes = body(FrameKind.LOOKUP, out -> out.writeShort(1).writeByte(0xff));

        refused(ErrorCode.PROTOCOL, () -> Lookup.read(bytes))
                .hasMessage("LOOKUP frame: string of 1 bytes that are not UTF-8");
    }

    @Test
    void refusesBytesAfterTheEnd() {
        ByteBuf bytes = body(FrameKind.PING, out -> out.writeByte(0));

        refused(ErrorCode.PROTOCOL, () -> Ping.read(bytes))
                .hasMessage("PING frame: 1 bytes after the end (expected: none)");
    }

    @Test
    void refusesNumbersThatJavaCannotHold() {
        ByteBuf method = body(FrameKind.REQUEST, out -> out.writeInt(-1).writeLong(0));
        ByteBuf deadline = body(FrameKind.REQUEST, out -> out.writeInt(0).writeLong(-1));

        refused(ErrorCode.PROTOCOL, () -> RequestHead.read(method));
        refused(ErrorCode.PROTOCOL, () -> RequestHead.read(deadline));
    }

    @Test
    void refusesForeignMagic() {
        ByteBuf bytes = body(FrameKind.HELLO, out -> out.writeInt(0x47455420).writeZero(30));

        refused(ErrorCode.PROTOCOL, () -> Hello.read(bytes)).hasMessage("magic: 47455420 (expected: 434c5645, 'CLVE')");
    }

    @Test
    void refusesStringTooLongToWrite() {
        refused(ErrorCode.TOO_LARGE, () -> new Lookup(1, "x".repeat(70_000)).write(ALLOCATOR));
    }

    /** Nothing but a {@link WireException} comes out of mutated frames, and what is read is no bigger than its bytes. */
    @Test
    void answersMutatedFramesWithWireException() {
        long seed = Seed.of(FrameBoundsTest.class);
        System.out.println("FrameBoundsTest seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        int accepted = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            ByteBuf frame = EXAMPLES.get(random.nextInt(EXAMPLES.size())).write(ALLOCATOR);
            mutate(frame, random);
            try {
                int length = Header.frameLength(frame, Header.CALL_LIMIT);
                if (length >= Header.LENGTH) {
                    Frames.read(frame);
                    accepted++;
                }
            } catch (WireException expected) {
                assertThat(expected.code()).isIn(ErrorCode.PROTOCOL, ErrorCode.TOO_LARGE);
            }
        }
        assertThat(accepted).isBetween(1, MUTATIONS - 1);
    }

    private static void mutate(ByteBuf frame, SplittableRandom random) {
        for (int edits = random.nextInt(1, 5); edits > 0; edits--) {
            int at = random.nextInt(frame.readableBytes());
            switch (random.nextInt(4)) {
                case 0 -> frame.setByte(at, random.nextInt(256));
                case 1 -> frame.setByte(at, frame.getByte(at) ^ 1 << random.nextInt(8));
                case 2 -> frame.setByte(at, random.nextBoolean() ? 0xff : 0);
                default -> {
                    frame.writerIndex(Math.max(5, at));
                    frame.setInt(0, frame.readableBytes());
                }
            }
        }
        if (random.nextBoolean()) {
            frame.setInt(0, frame.readableBytes());
        }
    }

    private static ByteBuf body(FrameKind kind, Consumer<ByteBuf> body) {
        ByteBuf frame = Unpooled.buffer();
        Header.begin(frame, kind, 0, 0);
        body.accept(frame);
        Header.finish(frame);
        return frame;
    }

    private static AbstractThrowableAssert<?, ?> refused(ErrorCode code, ThrowingCallable act) {
        return assertThatThrownBy(act).isInstanceOfSatisfying(WireException.class, e -> assertThat(e.code())
                .isEqualTo(code));
    }
}
