package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.config.MemoryBounds;
import dev.cleave.config.Pings;
import dev.cleave.metrics.Refusals;
import dev.cleave.serial.Passing;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.testing.FakeTimer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import dev.cleave.transport.netty.NettyTransport;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Ping;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A peer that asks and does not read the answers. */
@Tag("one-jdk")
class UnreadPeerTest {

    private static final Pings PINGS = new Pings(Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(6));
    private static final int MANY = 100_000;
    private static final long SLACK = 1L << 20; // what was read before reading stopped
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final FakeTimer timer = new FakeTimer();
    private final AtomicReference<Link> opened = new AtomicReference<>();
    private @Nullable Transport transport;

    private static final class Asker implements FrameHandler {

        private final AtomicLong pongs = new AtomicLong();
        private volatile Connection connection;

        @Override
        public void onOpen(Connection here) {
            connection = here;
        }

        @Override
        public void onFrame(Connection from, ByteBuf frame) {
            if (Header.kind(frame) == FrameKind.PONG) {
                pongs.incrementAndGet();
            }
        }

        @Override
        public void onClose(Connection closed, @Nullable Throwable cause) {}

        /** Asks, unless the connection is full. */
        int ask(int many) {
            int asked = 0;
            while (asked < many && connection.isWritable()) {
                connection.write(new Ping(asked).write(connection.allocator()));
                asked++;
            }
            connection.flush();
            return asked;
        }
    }

    @AfterEach
    void close() {
        if (transport != null) {
            transport.close();
        }
    }

    private Endpoint listen(String kind) {
        boolean local = kind.equals("local");
        transport = local ? LocalTransport.create() : NettyTransport.create();
        LinkOwner owner = new LinkOwner() {
            @Override
            public void onOpened(Link link) {
                opened.set(link);
            }
        };
        Listener listener = Link.listen(
                transport,
                local ? Endpoint.local("unread-" + UUID.randomUUID()) : Endpoint.tcp("localhost", 0),
                LinkContext.of(Hello.of("here", 1), Passing.NONE, timer, new ReceiveBudget(1 << 20)),
                owner);
        return listener.endpoint();
    }

    private Asker dial(Endpoint door) {
        opened.set(null);
        Asker asker = new Asker();
        new Handshake(Hello.of("there", 2), timer).connect(transport, door, (connection, who) -> asker);
        await().until(() -> opened.get() != null && asker.connection != null);
        return asker;
    }

    /** Asks without reading until the node does not read either; returns how many questions there were. */
    private static long askUntilHeld(Asker asker, Link link) {
        AtomicLong asked = new AtomicLong();
        asker.connection.reading(false);
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(() -> {
            asked.addAndGet(asker.ask(MANY));
            return link.isHeld();
        });
        return asked.get();
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "netty"})
    void isNotReadFromUntilItReads(String kind) {
        Endpoint door = listen(kind);
        Asker asker = dial(door);
        Link link = opened.get();

        long before = MemoryBounds.UNREAD.used();
        long heldBefore = Refusals.of("unread.bytes");
        long asked = askUntilHeld(asker, link);
        assertThat(link.connection().unsent())
                .isBetween(MemoryBounds.UNREAD_PER_PEER, MemoryBounds.UNREAD_PER_PEER + SLACK);
        assertThat(MemoryBounds.UNREAD.used() - before).isGreaterThan(MemoryBounds.UNREAD_PER_PEER);
        assertThat(Refusals.of("unread.bytes")).isGreaterThan(heldBefore);
        Asker other = dial(door);
        other.ask(1);
        await().untilAsserted(() -> assertThat(other.pongs).hasValue(1));

        asker.connection.reading(true);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(asker.pongs).hasValue(asked));
        assertThat(link.isHeld()).isFalse();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(MemoryBounds.UNREAD.used()).isEqualTo(before));
    }

    @Test
    void aBrokerThatAsksWithoutReadingTheAnswersIsGivenUp() {
        transport = LocalTransport.create();
        Endpoint door = Endpoint.local("broker-" + UUID.randomUUID());
        Asker broker = new Asker();
        new Handshake(Hello.ofRelay("broker", 2), timer).listen(transport, door, (connection, who) -> broker);
        Link link = Link.dial(
                transport,
                door,
                LinkContext.of(Hello.of("here", 1), Passing.NONE, timer, new ReceiveBudget(1 << 20)),
                new LinkOwner() {});
        await().until(() -> broker.connection != null);
        broker.connection.reading(false);

        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(() -> {
            broker.ask(1_000);
            assertThat(link.connection().unsent())
                    .as("answers that it does not read")
                    .isLessThan((256 << 10) + MemoryBounds.UNREAD_ANSWERS + 1_000L);
            return link.isClosed();
        });
    }

    @Test
    void manyTogetherMayLeaveLessUnreadEach() {
        long bound = MemoryBounds.UNREAD.limit();

        assertThat(MemoryBounds.unreadOf(MemoryBounds.UNREAD_PER_PEER, 0)).isEqualTo(MemoryBounds.UNREAD_PER_PEER);
        assertThat(MemoryBounds.unreadOf(MemoryBounds.UNREAD_PER_PEER, bound - 1000))
                .isEqualTo(500);
        assertThat(MemoryBounds.unreadOf(MemoryBounds.UNREAD_PER_PEER, 2 * bound))
                .isZero();
    }

    @Test
    void isGivenUpWhenItHasReadNothingForAsLongAsASilentOne() throws Exception {
        Asker asker = dial(listen("local")); // beneath, each transport holds what is unread
        Link link = opened.get();
        long before = MemoryBounds.UNREAD.used();
        askUntilHeld(asker, link);

        for (int i = 0; i < PINGS.downAfter() + 2 && !link.isClosed(); i++) {
            link.beat(PINGS);
            CountDownLatch counted = new CountDownLatch(1);
            link.connection().execute(counted::countDown);
            counted.await();
        }

        assertThat(link.isClosed()).isTrue();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(MemoryBounds.UNREAD.used()).isEqualTo(before));
    }
}
