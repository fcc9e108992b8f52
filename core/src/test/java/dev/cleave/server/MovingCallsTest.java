package dev.cleave.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.call.Link;
import dev.cleave.call.LinkContext;
import dev.cleave.call.LinkOwner;
import dev.cleave.config.MemoryBounds;
import dev.cleave.serial.Passing;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.testing.FakeTimer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.local.LocalTransport;
import dev.cleave.wire.CallClaim;
import dev.cleave.wire.CallGrant;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.LoadWatch;
import dev.cleave.wire.Ping;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server whose broker moves calls, and a broker that does not read. */
@Tag("one-jdk")
class MovingCallsTest {

    private static final LoadWatch WATCH = new LoadWatch("compare", List.of(1));

    private final FakeTimer timer = new FakeTimer();
    private final LocalTransport transport = LocalTransport.create();
    private final Dispatcher dispatcher = Dispatcher.start("moving", 1, 10, timer);
    private final MovingCalls moving = new MovingCalls(timer);
    private final Broker broker = new Broker();
    private Link link;

    /** Notes the kinds of what it reads. */
    private static final class Broker implements FrameHandler {

        final Queue<FrameKind> read = new ConcurrentLinkedQueue<>();
        volatile Connection connection;

        @Override
        public void onOpen(Connection here) {
            connection = here;
        }

        @Override
        public void onFrame(Connection from, ByteBuf frame) {
            read.add(Header.kind(frame));
        }

        @Override
        public void onClose(Connection closed, @Nullable Throwable cause) {}

        long count(FrameKind kind) {
            return read.stream().filter(kind::equals).count();
        }
    }

    @BeforeEach
    void dial() {
        Endpoint door = Endpoint.local("broker-" + UUID.randomUUID());
        new Handshake(Hello.ofRelay("broker", 2), timer).listen(transport, door, (connection, who) -> broker);
        link = Link.dial(
                transport,
                door,
                LinkContext.of(Hello.of("server", 1), Passing.NONE, timer, new ReceiveBudget(1 << 20)),
                new LinkOwner() {});
        await().until(() -> broker.connection != null);
    }

    @AfterEach
    void close() {
        moving.closed(link);
        dispatcher.close();
        transport.close();
    }

    /** Lets the broker read nothing, until the connection is full. */
    private void fill() {
        broker.connection.reading(false);
        while (link.isWritable()) {
            link.write(new Ping(0).write(link.connection().allocator()));
        }
        link.flush();
        await().until(() -> link.connection().unsent() > 0);
    }

    @Test
    void aBrokerThatDoesNotReadIsToldTheLoadOnceWhenItReads() {
        fill();
        long unsent = link.connection().unsent();

        for (int i = 0; i < 1_000; i++) {
            moving.watched(link, WATCH, dispatcher);
            timer.advance(Duration.ofMillis(1));
        }
        assertThat(link.connection().unsent()).isEqualTo(unsent);

        broker.connection.reading(true);
        await().until(link::isWritable);
        timer.advance(Duration.ofSeconds(1));
        await().until(() -> broker.count(FrameKind.LOADED) > 0);
        moving.claimed(link, new CallClaim(1, "other", "harvey", 0, 1, 2)); // answered behind it
        await().until(() -> broker.count(FrameKind.CALL_GRANT) == 1);
        assertThat(broker.count(FrameKind.LOADED)).isEqualTo(1);
    }

    @Test
    void claimsOfABrokerThatDoesNotReadTheGrantsEndTheConnection() {
        moving.watched(link, WATCH, dispatcher);
        fill();
        long unsent = link.connection().unsent();
        int grant = bytes(new CallGrant(1, "compare", "harvey", 0, 0, 0));

        for (int i = 0; i < MemoryBounds.UNREAD_ANSWERS / grant; i++) {
            moving.claimed(link, claim(i));
        }

        assertThatThrownBy(() -> moving.claimed(link, claim(1 << 20)))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("answers that the broker does not read");
        assertThat(link.connection().unsent() - unsent).isLessThanOrEqualTo(MemoryBounds.UNREAD_ANSWERS);
    }

    @Test
    void aBrokerThatReadsNowAndThenIsNotGivenUp() {
        fill();
        int half = MemoryBounds.UNREAD_ANSWERS / 2 / bytes(new CallGrant(1, "compare", "harvey", 0, 0, 0));
        for (int round = 1; round <= 4; round++) {
            for (int i = 0; i < half; i++) {
                moving.claimed(link, claim(i));
            }
            broker.connection.reading(true);
            int read = round * half;
            await().pollInterval(Duration.ofMillis(5))
                    .until(() -> broker.count(FrameKind.CALL_GRANT) == read && link.isWritable());
            fill(); // no answer finds it writable
        }
        assertThat(link.isClosed()).isFalse();
    }

    private static CallClaim claim(int epoch) {
        return new CallClaim(epoch, epoch % 2 == 0 ? "compare" : "another", "harvey", 0, 1, 2);
    }

    private int bytes(CallGrant grant) {
        ByteBuf frame = grant.write(link.connection().allocator());
        try {
            return frame.readableBytes();
        } finally {
            frame.release();
        }
    }
}
