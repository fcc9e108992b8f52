package dev.cleave.transport.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.transport.Handshake;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FirstBytesTest {

    private final List<String> events = new ArrayList<>();
    private final Guest guest = new Guest() {

        @Override
        public byte[] magic() {
            return "JRMI".getBytes(ISO_8859_1);
        }

        @Override
        public void welcome(Channel channel, ByteBuf first) {
            events.add("guest " + first.toString(ISO_8859_1));
            first.release();
        }
    };
    private final EmbeddedChannel channel =
            new EmbeddedChannel(new FirstBytes(guest, own -> own.pipeline().addLast(new Own()), new Strangers()));

    private final class Own extends ChannelInboundHandlerAdapter {

        @Override
        public void channelActive(ChannelHandlerContext context) {
            events.add("active");
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            events.add("own " + ((ByteBuf) message).toString(ISO_8859_1));
            ((ByteBuf) message).release();
        }
    }

    /** However long the machine takes: the peer has time to say something. */
    @BeforeEach
    void freezeTime() {
        channel.freezeTime();
    }

    private void comes(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, ISO_8859_1));
    }

    @Test
    void aConnectionThatBeginsAsTheGuestsIsTheGuests() {
        comes("J");
        comes("RM");
        assertThat(events).isEmpty();

        comes("IK");

        assertThat(events).containsExactly("guest JRMIK");
        assertThat(channel.pipeline().get(FirstBytes.class)).isNull();
    }

    @Test
    void anyOtherConnectionIsOurs() {
        comes("J");
        comes("X");
        comes("more");

        assertThat(events).containsExactly("active", "own JX", "own more");
    }

    @Test
    void aPeerThatSendsNothingIsDisconnected() {
        channel.advanceTimeBy(Handshake.TIME_LIMIT.toMillis() + 1, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();

        assertThat(channel.isOpen()).isFalse();
        assertThat(events).isEmpty();
    }

    @Test
    void bytesOfAConnectionThatEndsAreReleased() {
        ByteBuf bytes = Unpooled.copiedBuffer("JR", ISO_8859_1);
        channel.writeInbound(bytes);

        channel.close();

        assertThat(bytes.refCnt()).isZero();
    }
}
