package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.wire.Chunk;
import dev.cleave.wire.Credit;
import dev.cleave.wire.Frame;
import dev.cleave.wire.Held;
import dev.cleave.wire.PeerGone;
import dev.cleave.wire.Reply;
import dev.cleave.wire.RequestHead;
import dev.cleave.wire.Types;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which frames are those of a peer that calls: only these may be dropped without a call that waits for ever. */
class ExilesTest {

    @Test
    void framesOfACallerAreToldFromThoseOfAPeerThatIsCalled() {
        assertThat(isOfCaller(new RequestHead(7, 1, 0, 0))).isTrue();
        assertThat(isOfCaller(new Types(7, 0, List.of()))).isTrue();
        assertThat(isOfCaller(new Held(7, 1, 1, 1))).isTrue();
        assertThat(isOfCaller(new Chunk(7, 1, false, true))).isTrue();
        assertThat(isOfCaller(new Credit(7, 1, true, 8))).isTrue();

        assertThat(isOfCaller(new Chunk(7, 1, true, true))).isFalse();
        assertThat(isOfCaller(new Credit(7, 1, false, 8))).isFalse();
        assertThat(isOfCaller(new Reply(7, 1))).isFalse();
        assertThat(isOfCaller(new PeerGone(7))).isFalse();
    }

    private static boolean isOfCaller(Frame said) {
        ByteBuf frame = said.write(UnpooledByteBufAllocator.DEFAULT);
        try {
            return Exiles.isOfCaller(frame);
        } finally {
            frame.release();
        }
    }
}
