package dev.cleave.rmi;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

class ChannelSocketTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final ChannelSocket socket = new ChannelSocket(channel, bytes("JR"));

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, ISO_8859_1);
    }

    @Test
    void bytesAreReadInTheirOrder() throws IOException {
        channel.writeInbound(bytes("MI"), bytes("K"));

        assertThat(socket.getInputStream().available()).isEqualTo(5);
        assertThat(socket.getInputStream().readNBytes(5)).isEqualTo("JRMIK".getBytes(ISO_8859_1));
    }

    @Test
    void theEndOfTheChannelIsTheEndOfTheStream() throws IOException {
        channel.close();

        assertThat(socket.getInputStream().readAllBytes()).isEqualTo("JR".getBytes(ISO_8859_1));
    }

    @Test
    void aReadEndsWithItsTime() throws IOException {
        socket.setSoTimeout(1);
        assertThat(socket.getInputStream().readNBytes(2)).hasSize(2);

        assertThatExceptionOfType(SocketTimeoutException.class)
                .isThrownBy(() -> socket.getInputStream().read());
    }

    @Test
    void aPeerThatIsNotReadIsHeldBack() throws IOException {
        byte[] much = new byte[300 << 10];

        channel.writeInbound(Unpooled.wrappedBuffer(much));

        assertThat(channel.config().isAutoRead()).isFalse();
        assertThat(socket.getInputStream().readNBytes(much.length + 2)).hasSize(much.length + 2);
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void whatIsWrittenGoesOut() throws IOException {
        socket.getOutputStream().write("N".getBytes(ISO_8859_1));

        ByteBuf out = channel.readOutbound();
        assertThat(out.toString(ISO_8859_1)).isEqualTo("N");
        out.release();
    }

    @Test
    void aClosedSocketNeitherReadsNorWrites() {
        socket.close();

        assertThat(channel.isOpen()).isFalse();
        assertThatExceptionOfType(SocketException.class)
                .isThrownBy(() -> socket.getInputStream().read());
        assertThatExceptionOfType(SocketException.class)
                .isThrownBy(() -> socket.getOutputStream().write(1));
    }
}
