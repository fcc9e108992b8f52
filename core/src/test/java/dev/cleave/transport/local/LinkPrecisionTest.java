package dev.cleave.transport.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.concurrent.SystemTimer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.LinkProfile;
import dev.cleave.transport.LinkTransport;
import dev.cleave.transport.RecordingHandler;
import dev.cleave.transport.Transport;
import dev.cleave.wire.Ping;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LinkPrecisionTest {

    private static final int ROUNDS = 201;
    private static final Duration DELAY = Duration.ofMillis(1);

    @Test
    void roundTripTakesTwiceTheDelayAndLittleMore() throws InterruptedException {
        Semaphore answers = new Semaphore(0);
        Endpoint door = Endpoint.local("precision-" + UUID.randomUUID());
        long[] nanos = new long[ROUNDS];
        try (SystemTimer timer = SystemTimer.precise("link-under-test");
                Transport bare = LocalTransport.create();
                Transport link = new LinkTransport(LocalTransport.create(), profile(), timer)) {
            bare.listen(door, connection -> answering());
            Connection connection = link.connect(door, counting(answers));

            for (int i = 0; i < ROUNDS; i++) {
                long start = System.nanoTime();
                connection.write(new Ping(i).write(connection.allocator()));
                connection.flush();
                assertThat(answers.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
                nanos[i] = System.nanoTime() - start;
            }
        }
        Arrays.sort(nanos);

        assertThat(nanos[0]).isGreaterThanOrEqualTo(2 * DELAY.toNanos());
        assertThat(nanos[2]).isLessThan(2 * DELAY.toNanos() + 1_000_000); // few, since others may use the machine too
        System.out.println("LinkPrecisionTest: median " + (nanos[ROUNDS / 2] - 2 * DELAY.toNanos()) / 1_000
                + " us above " + DELAY.multipliedBy(2));
    }

    private static LinkProfile profile() {
        return new LinkProfile(DELAY, 0, Duration.ZERO);
    }

    private static FrameHandler answering() {
        return new RecordingHandler() {
            @Override
            public void onFrame(Connection from, ByteBuf frame) {
                from.write(frame.retainedDuplicate());
                from.flush();
            }
        };
    }

    private static FrameHandler counting(Semaphore answers) {
        return new RecordingHandler() {
            @Override
            public void onFrame(Connection from, ByteBuf frame) {
                answers.release();
            }
        };
    }
}
