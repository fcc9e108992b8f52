package dev.cleave.jmh.bench.bare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class EchoServerTest {

    private final List<String> replies = new ArrayList<>();
    private final EchoServer server = new EchoServer(new EchoServer.Out() {
        @Override
        public void reply(int caller, int length, long value) {
            replies.add(caller + " " + length + " " + value);
        }

        @Override
        public void reply(int caller, ByteBuffer bytes) {
            replies.add(caller + " " + bytes.remaining() + " bytes, the first " + bytes.get());
        }

        @Override
        public void reply(int caller, double[] values) {
            replies.add(caller + " " + values.length + " doubles");
        }
    });

    @Test
    void bytesMayComeInPartsOfAnySize() throws IOException {
        ByteBuffer all = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
        EchoFrames.putNothing(all, 1);
        EchoFrames.putEcho(all, 2, 99);
        all.put(EchoFrames.ENDS).putInt(3).putInt(24).putDouble(1).putDouble(7).putDouble(2);
        EchoFrames.putEcho(all, 4, -1);
        EchoFrames.putBytes(all, 5, new byte[] {8, 9, 10});
        EchoFrames.putDoubles(all, 6, 3);
        all.flip();

        for (int step = 1; step <= all.limit(); step++) {
            replies.clear();
            feedInSteps(all.duplicate(), step);

            assertThat(replies)
                    .as("steps of %d bytes", step)
                    .containsExactly(
                            "1 0 0",
                            "2 8 99",
                            "3 8 " + Double.doubleToRawLongBits(3),
                            "4 8 -1",
                            "5 3 bytes, the first 8",
                            "6 3 doubles");
        }
    }

    @Test
    void manyBytesNeedNoBufferThatHoldsThem() throws IOException {
        byte[] value = new byte[BytesInFlight.LEAST];
        value[0] = 8;
        ByteBuffer all = ByteBuffer.allocate(2 * value.length).order(ByteOrder.LITTLE_ENDIAN);
        EchoFrames.putBytes(all, 5, value);
        EchoFrames.putEcho(all, 6, 99);
        all.flip();

        for (int step : new int[] {1, 7, 256}) {
            replies.clear();
            feedInSteps(all.duplicate(), step);

            assertThat(replies).as("steps of %d bytes", step).containsExactly("5 4096 bytes, the first 8", "6 8 99");
        }
    }

    private void feedInSteps(ByteBuffer all, int step) throws IOException {
        ByteBuffer in = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
        while (all.hasRemaining()) {
            int end = Math.min(all.limit(), all.position() + step);
            in.put(all.duplicate().limit(end));
            all.position(end);
            server.feed(in.flip());
            in.compact();
        }
    }
}
