package dev.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PendingArgumentTest {

    private static final List<PendingArgument> TWO = List.of(new PendingArgument(3, 0), new PendingArgument(2, 4));

    private static ByteBuf request(List<PendingArgument> pending) {
        ByteBuf frame = new Request(0, 1, 5, 0).begin(new UnpooledByteBufAllocator(false), 64);
        frame.writeInt(0xcafe);
        PendingArgument.put(pending, frame);
        new Lane(9, Lane.Kind.DEPENDENT, false).put(frame);
        Header.finish(frame);
        return frame;
    }

    private static List<PendingArgument> read(ByteBuf frame) {
        Lane lane = Lane.of(frame);
        boolean has = PendingArgument.has(frame);
        Request.read(frame);
        if (lane != null) {
            Lane.strip(frame);
        }
        return has ? PendingArgument.strip(frame) : List.of();
    }

    @Test
    void isDrawnAsDocumented() {
        assertThat(ByteBufUtil.hexDump(request(TWO)))
                .isEqualTo("00000039" + "02" + "37" + "0000" + "0000000000000001" // header
                        + "00000005" + "0000000000000000" + "0000cafe" // method, deadline, arguments
                        + "00000003" + "00000000" + "00000002" + "00000004" + "02" + "0000000000000009");
    }

    @Test
    void leavesTheOtherArgumentsToTheReader() {
        ByteBuf frame = request(TWO);

        assertThat(Lane.of(frame)).isEqualTo(new Lane(9, Lane.Kind.DEPENDENT, false));
        assertThat(read(frame)).isEqualTo(TWO);
        assertThat(frame.readableBytes()).isEqualTo(4);
        assertThat(frame.readInt()).isEqualTo(0xcafe);
    }

    @Test
    void aRequestWithoutAnyHasNoTrace() {
        ByteBuf frame = request(List.of());

        assertThat(PendingArgument.has(frame)).isFalse();
        assertThat(read(frame)).isEmpty();
        assertThat(frame.readableBytes()).isEqualTo(4);
    }

    @Test
    void refusesPlacesOutsideTheArgumentsAndBackwards() {
        for (List<PendingArgument> wrong : List.of(
                List.of(new PendingArgument(0, 5)),
                List.of(new PendingArgument(0, 4), new PendingArgument(0, 3)),
                List.of(new PendingArgument(0, Integer.MAX_VALUE)))) {
            assertThatThrownBy(() -> read(request(wrong)))
                    .isInstanceOfSatisfying(
                            WireException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PROTOCOL));
        }
    }

    @Test
    void refusesAnyBytesWithNothingWorseThanAWireException() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            ByteBuf frame = request(TWO);
            for (int k = random.nextInt(3); k >= 0; k--) {
                int at = Header.LENGTH + random.nextInt(frame.readableBytes() - Header.LENGTH);
                frame.setByte(at, random.nextInt(256));
            }
            if (random.nextInt(4) == 0) {
                frame.writerIndex(Header.LENGTH + random.nextInt(frame.readableBytes() - Header.LENGTH));
            }
            try {
                assertThat(read(frame)).hasSizeLessThan(PendingArgument.MOST + 1);
            } catch (WireException expected) {
                assertThat(expected.code()).isNotNull();
            }
        }
    }
}
