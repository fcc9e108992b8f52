package dev.cleave.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.concurrent.SystemTimer;
import dev.cleave.config.MemoryBounds;
import dev.cleave.testing.LeakCheckingAllocator;
import dev.cleave.testing.Seed;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.RecordingHandler;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyOptions.Poller;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Ping;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("one-jdk")
@Timeout(120)
class HostileBytesTest {

    private static final int ATTACKS = 500;
    private static final long BEGINNING = 1 << 20;
    private static final UnpooledByteBufAllocator ALLOCATOR = new UnpooledByteBufAllocator(false);

    private final LeakCheckingAllocator buffers = new LeakCheckingAllocator();

    /** Random bytes, and good greetings with random bytes behind them, harm nobody else. */
    @Test
    void surviveAtTheListenerWithoutLeakOrLargeAllocation() throws IOException {
        long seed = Seed.of(HostileBytesTest.class);
        System.out.println("HostileBytesTest seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        AtomicInteger met = new AtomicInteger();
        AtomicInteger closed = new AtomicInteger();
        try (SystemTimer timer = SystemTimer.create("handshakes");
                Transport transport = NettyTransport.create(
                        new NettyOptions(Poller.BEST, 1, Duration.ofSeconds(3), buffers.allocator()))) {
            Handshake handshake = new Handshake(Hello.of("harvey", 1), timer);
            Endpoint door = handshake
                    .listen(transport, Endpoint.tcp("localhost", 0), (connection, peer) -> {
                        met.incrementAndGet();
                        return new RecordingHandler() {
                            @Override
                            public void onClose(Connection from, Throwable why) {
                                closed.incrementAndGet();
                            }
                        };
                    })
                    .endpoint();

            for (int i = 0; i < ATTACKS; i++) {
                attack(door, random);
            }

            await().atMost(Duration.ofSeconds(30)).until(() -> handshake.strangers() == 0 && closed.get() == met.get());
            RecordingHandler honest = new RecordingHandler();
            Connection connection = handshake.connect(transport, door, (peerConnection, peer) -> honest);
            connection.write(new Ping(1).write(connection.allocator()));
            connection.flush();
            assertThat(connection.isClosed()).isFalse();
        }
        assertThat(met.get()).isBetween(1, ATTACKS);
        assertThat(buffers.largest()).isLessThanOrEqualTo(128 << 10);
        buffers.assertNoLeaks();
    }

    @Test
    void beginningsOfLongFramesCountTogetherWhateverTransportsTheyComeTo() throws IOException {
        long before = MemoryBounds.UNFINISHED.used();
        List<Socket> sockets = new ArrayList<>();
        List<Transport> transports = List.of(NettyTransport.create(), NettyTransport.create());
        try (SystemTimer timer = SystemTimer.create("handshakes")) {
            for (Transport transport : transports) {
                Endpoint door = new Handshake(Hello.of("harvey", 1), timer)
                        .listen(transport, Endpoint.tcp("localhost", 0), (connection, peer) -> new RecordingHandler())
                        .endpoint();
                for (int i = 0; i < 3; i++) {
                    Socket socket = new Socket(door.host(), door.port());
                    sockets.add(socket);
                    begin(socket);
                }
            }

            await().atMost(Duration.ofSeconds(30))
                    .until(() -> UnfinishedFrames.ofProcess().taken() >= 6 * BEGINNING);
            assertThat(UnfinishedFrames.ofProcess().taken()).isLessThanOrEqualTo(12 * BEGINNING);
            assertThat(MemoryBounds.UNFINISHED.used() - before).isGreaterThanOrEqualTo(6 * BEGINNING);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> UnfinishedFrames.ofProcess().taken() == 0);
            transports.forEach(Transport::close);
        }
    }

    /** Greets, and sends the beginning of a frame of 64 MiB. */
    private static void begin(Socket socket) throws IOException {
        ByteBuf bytes = Hello.of("elmer", 2).write(ALLOCATOR);
        bytes.writeInt(Header.CALL_LIMIT).writeByte(FrameKind.REQUEST.number()).writeZero((int) BEGINNING);
        byte[] all = new byte[bytes.readableBytes()];
        bytes.readBytes(all);
        socket.getOutputStream().write(all);
    }

    private static void attack(Endpoint door, SplittableRandom random) throws IOException {
        try (Socket socket = new Socket(door.host(), door.port())) {
            ByteBuf bytes = random.nextBoolean() ? Hello.of("elmer", 2).write(ALLOCATOR) : ALLOCATOR.buffer();
            byte[] noise = new byte[random.nextInt(1, 200)];
            random.nextBytes(noise);
            if (random.nextBoolean()) {
                noise[0] = 0; // a length that may be within the limits
            }
            bytes.writeBytes(noise);
            byte[] all = new byte[bytes.readableBytes()];
            bytes.readBytes(all);
            socket.getOutputStream().write(all);
        } catch (SocketException e) {
            // The listener may have hung up already, as it should.
            assertThat(e).hasMessageMatching("(?s).*(reset|pipe|closed|abort).*");
        }
    }
}
