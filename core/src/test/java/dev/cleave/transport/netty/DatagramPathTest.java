package dev.cleave.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Listener;
import dev.cleave.transport.RecordingHandler;
import dev.cleave.transport.netty.NettyOptions.Poller;
import dev.cleave.wire.Header;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Reply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which frames go by datagrams, and how many that takes. */
@Tag("one-jdk")
@Timeout(120)
class DatagramPathTest {

    private final RecordingHandler client = new RecordingHandler();
    private final RecordingHandler server = new RecordingHandler();
    private final AtomicInteger sent = new AtomicInteger(); // datagrams with frames
    private final AtomicBoolean deaf = new AtomicBoolean();
    private final AtomicBoolean flips = new AtomicBoolean();
    private final AtomicInteger flipped = new AtomicInteger();
    private final Random random = new Random(22_004); // event loops only
    private NettyTransport transport;
    private NettyConnection near;
    private NettyConnection far;

    @BeforeEach
    void connect() {
        transport = NettyTransport.create(
                new NettyOptions(Poller.BEST, 2, Duration.ofSeconds(3), PooledByteBufAllocator.DEFAULT),
                (datagram, wire) -> {
                    if (datagram.getLong(Long.BYTES) > 0) {
                        sent.incrementAndGet();
                    }
                    if (flips.get() && random.nextInt(3) == 0) {
                        int bit = random.nextInt(datagram.readableBytes() * Byte.SIZE);
                        int at = datagram.readerIndex() + bit / Byte.SIZE;
                        datagram.setByte(at, datagram.getByte(at) ^ 1 << bit % Byte.SIZE);
                        flipped.incrementAndGet();
                    }
                    if (deaf.get()) {
                        datagram.release();
                    } else {
                        wire.accept(datagram);
                    }
                });
        Listener listener = transport.listen(Endpoint.tcp("127.0.0.1", 0), connection -> server);
        near = (NettyConnection) transport.connect(listener.endpoint().by("udp"), client);
        soon(() -> server.opens.get() == 1);
        far = (NettyConnection) server.connection;
        send(near, 0);
        soon(() -> server.ids.size() == 1);
        send(far, 0);
        soon(() -> client.ids.size() == 1);
    }

    @AfterEach
    void close() {
        transport.close();
        assertThat(client.violations).isEmpty();
        assertThat(server.violations).isEmpty();
    }

    private static void soon(BooleanSupplier condition) {
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2)).until(condition::getAsBoolean);
    }

    private void awaitOpen() {
        soon(() -> near.datagrams() != null
                && near.datagrams().isOpen()
                && far.datagrams() != null
                && far.datagrams().isOpen());
        // Only what is written behind a frame of the stream takes a datagram.
        near.write(big(near, 1));
        near.flush();
        far.write(big(far, 1));
        far.flush();
        soon(() -> server.ids.size() == 2 && client.ids.size() == 2);
        sent.set(0);
    }

    private static void send(NettyConnection connection, long id) {
        connection.write(new Ping(id).write(connection.allocator()));
        connection.flush();
    }

    private static ByteBuf big(NettyConnection connection, long id) {
        ByteBuf frame = new Reply(0, id).begin(connection.allocator(), 2_000);
        frame.writeZero(2_000);
        Header.finish(frame);
        return frame;
    }

    @Test
    void smallFramesTakeADatagramEachWay() {
        awaitOpen();

        for (int i = 2; i < 102; i++) {
            int count = i;
            send(near, i);
            soon(() -> server.ids.size() == count + 1);
            send(far, i);
            soon(() -> client.ids.size() == count + 1);
        }

        assertThat(server.ids)
                .containsExactlyElementsOf(LongStream.range(0, 102).boxed().toList());
        assertThat(client.ids)
                .containsExactlyElementsOf(LongStream.range(0, 102).boxed().toList());
        assertThat(sent.get()).isBetween(200, 220); // a busy machine may send some again
    }

    @Test
    void smallFramesThatAreSentTogetherShareADatagram() {
        awaitOpen();

        for (int i = 2; i < 52; i++) {
            near.write(new Ping(i).write(near.allocator()));
        }
        near.flush();

        soon(() -> server.ids.size() == 52);
        assertThat(sent.get()).isLessThan(10);
    }

    /** Two thousand frames, of which a third meets a bit that changes on its way; each arrives as it was sent. */
    @Test
    void datagramsWithWrongBitsCountAsLost() {
        awaitOpen();
        flips.set(true);

        for (int i = 2; i < 2_002; i++) {
            send(near, i);
        }

        soon(() -> server.ids.size() == 2_002);
        flips.set(false);
        assertThat(server.ids)
                .containsExactlyElementsOf(LongStream.range(0, 2_002).boxed().toList());
        assertThat(flipped.get()).isPositive();
    }

    @Test
    void whatIsTooLargeTakesTheStreamAndKeepsItsPlace() {
        awaitOpen();

        for (int i = 2; i < 302; i++) {
            near.write(i % 3 == 0 ? big(near, i) : new Ping(i).write(near.allocator()));
            if (i % 5 == 0) {
                near.flush();
            }
        }
        near.flush();

        soon(() -> server.ids.size() == 302);
        assertThat(server.ids)
                .containsExactlyElementsOf(LongStream.range(0, 302).boxed().toList());
    }

    @Test
    void allTakesTheStreamWhenDatagramsComeThroughNoMore() {
        awaitOpen();
        deaf.set(true);

        for (int i = 2; i < 12; i++) {
            send(near, i);
        }

        soon(() -> server.ids.size() == 12);
        assertThat(server.ids)
                .containsExactlyElementsOf(LongStream.range(0, 12).boxed().toList());
        assertThat(near.datagrams().isOpen()).isFalse();
        int before = sent.get();
        send(near, 12);
        soon(() -> server.ids.size() == 13);
        assertThat(sent.get()).isEqualTo(before);
    }

    @Test
    void whatIsUnderWayIsSentBeforeTheClose() {
        awaitOpen();
        deaf.set(true);

        for (int i = 2; i < 12; i++) {
            send(near, i);
        }
        near.close();

        soon(() -> server.closes.get() == 1);
        assertThat(server.ids)
                .containsExactlyElementsOf(LongStream.range(0, 12).boxed().toList());
    }
}
