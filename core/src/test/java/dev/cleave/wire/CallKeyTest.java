package dev.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.Test;

class CallKeyTest {

    private static ByteBuf request() {
        ByteBuf frame = new Request(0, 1, 5, 0).begin(new UnpooledByteBufAllocator(false), 64);
        frame.writeInt(0xcafe);
        new Lane(9, Lane.Kind.THREAD, false).put(frame);
        Header.finish(frame);
        return frame;
    }

    @Test
    void isDrawnAsDocumented() {
        ByteBuf frame = request();

        CallKey.put(-2, frame);

        assertThat(ByteBufUtil.hexDump(frame))
                .isEqualTo("00000030" + "02" + "01" + "0000" + "0000000000000001" // header
                        + "80000005" + "0000000000000000" + "0000cafe" // method, deadline, arguments
                        + "0000000000000009" + "fffffffffffffffe"); // lane, key
    }

    @Test
    void theBrokerTakesItOffWithoutATrace() {
        ByteBuf frame = request();
        CallKey.put(Long.MIN_VALUE, frame);

        assertThat(CallKey.take(frame)).hasValue(Long.MIN_VALUE);
        assertThat(ByteBufUtil.hexDump(frame)).isEqualTo(ByteBufUtil.hexDump(request()));
        assertThat(CallKey.take(frame)).isEmpty();
        assertThat(ByteBufUtil.hexDump(frame)).isEqualTo(ByteBufUtil.hexDump(request()));
    }

    @Test
    void aKeyThatIsNotThereIsAnError() {
        ByteBuf frame = new Request(0, 1, 5, 0).write(new UnpooledByteBufAllocator(false));
        frame.setInt(Header.LENGTH, 5 | 1 << 31);

        assertThatThrownBy(() -> CallKey.take(frame))
                .isInstanceOf(WireException.class)
                .hasMessage("REQUEST frame of 28 bytes with a key");
    }
}
