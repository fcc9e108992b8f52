package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.config.Pings;
import dev.cleave.serial.Passing;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.testing.FakeTimer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.local.LocalTransport;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Load;
import dev.cleave.wire.Pong;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a peer is pinged, interval by interval. */
class HeartbeatTest {

    private static final Pings PINGS = new Pings(Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(6));

    private final LocalTransport transport = LocalTransport.create();
    private final Endpoint door = Endpoint.local("heartbeat-" + UUID.randomUUID());
    private final FakeTimer timer = new FakeTimer();
    private final AtomicReference<Link> opened = new AtomicReference<>();
    private final Peer peer = new Peer();
    private Link link;

    /** Hears pings, and says something when it is told to. */
    private static final class Peer implements FrameHandler {

        private final AtomicInteger pings = new AtomicInteger();
        private volatile Connection connection;

        @Override
        public void onOpen(Connection here) {
            connection = here;
        }

        @Override
        public void onFrame(Connection from, ByteBuf frame) {
            if (Header.kind(frame) == FrameKind.PING) {
                pings.incrementAndGet();
            }
        }

        @Override
        public void onClose(Connection closed, @Nullable Throwable cause) {}
    }

    @BeforeEach
    void connect() {
        LinkOwner owner = new LinkOwner() {
            @Override
            public void onOpened(Link link) {
                opened.set(link);
            }
        };
        LinkContext context = LinkContext.of(Hello.of("here", 1), Passing.NONE, timer, new ReceiveBudget(1 << 20));
        Link.listen(transport, door, context, owner);
        new Handshake(Hello.of("there", 2), timer).connect(transport, door, (connection, who) -> peer);
        await().until(() -> opened.get() != null);
        link = opened.get();
        speak();
    }

    @AfterEach
    void close() {
        transport.close();
    }

    private void speak() {
        AtomicReference<Load> heard = new AtomicReference<>();
        peer.connection.write(new Pong(0, Load.NONE).write(peer.connection.allocator()));
        peer.connection.flush();
        await().until(() -> {
            heard.set(link.takeLoad());
            return heard.get() != null;
        });
    }

    /** Lets intervals pass; returns how many pings have been sent by then. */
    private int intervals(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            link.beat(PINGS);
            CountDownLatch counted = new CountDownLatch(1);
            link.connection().execute(counted::countDown);
            counted.await();
        }
        CountDownLatch arrived = new CountDownLatch(1);
        peer.connection.execute(arrived::countDown);
        arrived.await();
        return peer.pings.get();
    }

    @Test
    void onePeerOfManyIsLeftInPeaceUntilItHasBeenSilentForLong() throws Exception {
        assertThat(intervals(PINGS.suspectAfter())).isZero(); // in the first it was heard
        assertThat(intervals(1)).isEqualTo(1);

        speak();
        assertThat(intervals(PINGS.suspectAfter())).isEqualTo(1);
        assertThat(intervals(1)).isEqualTo(2);
        assertThat(link.isSuspect()).isFalse();
    }

    @Test
    void itIsSuspectAndGivenUpAfterAsManyPingsAsAnyOther() throws Exception {
        intervals(PINGS.suspectAfter() + 1);

        assertThat(intervals(PINGS.suspectAfter() - 1)).isEqualTo(PINGS.suspectAfter());
        assertThat(link.isSuspect()).isFalse();
        intervals(1);
        assertThat(link.isSuspect()).isTrue();
        intervals(PINGS.downAfter() - PINGS.suspectAfter() - 1);
        assertThat(link.isClosed()).isFalse();
        intervals(1);
        assertThat(link.isClosed()).isTrue();
    }

    @Test
    void onceSuspectAndHeardAgainItIsTrustedAgain() throws Exception {
        intervals(2 * PINGS.suspectAfter() + 1);
        assertThat(link.isSuspect()).isTrue();

        speak();
        intervals(1);

        assertThat(link.isSuspect()).isFalse();
    }
}
