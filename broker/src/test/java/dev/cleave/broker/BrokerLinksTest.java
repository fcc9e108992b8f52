package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.broker.cluster.BrokerMember;
import dev.cleave.broker.cluster.Cluster;
import dev.cleave.broker.cluster.ClusterThreads;
import dev.cleave.broker.gossip.FarLoads;
import dev.cleave.broker.gossip.LoadGossip;
import dev.cleave.broker.migration.Migrations;
import dev.cleave.broker.registry.Registry;
import dev.cleave.broker.store.InMemoryStore;
import dev.cleave.config.Bindings;
import dev.cleave.config.MemoryBounds;
import dev.cleave.metrics.Refusals;
import dev.cleave.testing.FakeTimer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import dev.cleave.wire.Forward;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Load;
import dev.cleave.wire.LoadAsk;
import dev.cleave.wire.Loaded;
import dev.cleave.wire.Loads;
import dev.cleave.wire.Ping;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A broker that was dialled, and then sends without end or does not read; the registry's thread runs when a test says so. */
@Tag("one-jdk")
class BrokerLinksTest {

    private static final String LONG = "x".repeat(1_000);
    private static final long SLACK = 256L << 10; // the transport's own, which it had read already
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final long before = MemoryBounds.BROKER_LINKS.used();
    private final long ofProcess = MemoryBounds.PROCESS.used();
    private final FakeTimer timer = new FakeTimer();
    private final Queue<Runnable> registryThread = new ConcurrentLinkedQueue<>();
    private final Registry registry = new Registry(Bindings.NONE, Duration.ofSeconds(60), timer::nanos);
    private final FarLoads farLoads = new FarLoads(timer::nanos);
    private final Transport transport = LocalTransport.create();
    private final Endpoint home = Endpoint.local("other-" + UUID.randomUUID());
    private final Other other = new Other();
    private final BrokerLinks links = new BrokerLinks(
            new Cluster(
                    new BrokerMember("b-1", "tcp://b-1:7420", 0, 0),
                    new InMemoryStore.Ensemble().open(Runnable::run),
                    registry,
                    new ClusterThreads(registryThread::add, registryThread::add),
                    timer::nanos),
            new Migrations(Bindings.NONE, registry::view, timer, registryThread::add),
            new LoadGossip(registry::view, farLoads, timer, registryThread::add),
            farLoads,
            new Handshake(Hello.ofBroker("b-1", 1), timer),
            transport,
            timer,
            registryThread::add);

    /** The other broker. */
    private static final class Other implements FrameHandler {

        private final AtomicLong pongs = new AtomicLong();
        private volatile Connection connection;
        private volatile boolean isClosed;

        @Override
        public void onOpen(Connection opened) {
            connection = opened;
        }

        @Override
        public void onFrame(Connection from, ByteBuf frame) {
            if (Header.kind(frame) == FrameKind.PONG) {
                pongs.incrementAndGet();
            }
        }

        @Override
        public void onClose(Connection gone, @Nullable Throwable cause) {
            isClosed = true;
        }

        /** Sends until the connection is full; returns the number of frames. */
        private int flood(Supplier<Frame> frames, int most) {
            int sent = 0;
            while (sent < most && connection.isWritable()) {
                connection.write(frames.get().write(connection.allocator()));
                connection.flush();
                sent++;
            }
            return sent;
        }
    }

    /** What the other broker may send without end. */
    enum News {
        FORWARD(() -> new Forward(LONG, 1, new Loaded("s", 1, 1, 1))),
        LOADS(() -> new Loads(LONG, 1, List.of(new Loads.Replica("r", Load.NONE, 1)))),
        GOAWAY(() -> GoAway.leaving(LONG));

        private final Supplier<Frame> frame;

        News(Supplier<Frame> frame) {
            this.frame = frame;
        }
    }

    @AfterEach
    void close() {
        links.close();
        transport.close();
        runRegistry();
    }

    private static ConditionFactory soon() {
        return await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2));
    }

    private void runRegistry() {
        for (Runnable task = registryThread.poll(); task != null; task = registryThread.poll()) {
            task.run();
        }
    }

    private void dial() {
        new Handshake(Hello.ofRelay("other", 2), timer).listen(transport, home, (connection, who) -> other);
        links.ask(home.toString(), new LoadAsk("s", true));
        soon().until(() -> !registryThread.isEmpty() && other.connection != null);
        runRegistry();
    }

    private long used() {
        return MemoryBounds.BROKER_LINKS.used() - before;
    }

    @ParameterizedTest
    @EnumSource
    void newsWaitForTheRegistryWithinABoundAndAreNotReadBeyondIt(News news) {
        dial();
        long refused = Refusals.of("broker.links.bytes");

        AtomicLong sent = new AtomicLong();
        soon().until(() -> {
            sent.addAndGet(other.flood(news.frame, 10_000));
            return !other.connection.isWritable() && Refusals.of("broker.links.bytes") > refused || sent.get() > 5_000;
        });

        assertThat(sent.get())
                .as("frames of 1 KB that were read or are under way")
                .isLessThan((MemoryBounds.FROM_BROKER + SLACK + SLACK) / 1_000);
        assertThat(registryThread.size() * 1_000L).isLessThan(MemoryBounds.FROM_BROKER + SLACK);
        long counted = used();
        assertThat(counted).isBetween(1L, MemoryBounds.FROM_BROKER + SLACK);
        assertThat(MemoryBounds.PROCESS.used() - ofProcess).isGreaterThanOrEqualTo(counted);

        soon().until(() -> {
            runRegistry();
            return other.isClosed || other.connection.isWritable() && used() == 0;
        });
        soon().until(() -> {
            runRegistry();
            return used() == 0;
        });
        assertThat(other.isClosed).isEqualTo(news == News.GOAWAY);
    }

    @Test
    void aBrokerThatDoesNotReadTheAnswersToItsPingsIsNotReadFromUntilItDoes() {
        dial();
        other.connection.reading(false);

        AtomicLong sent = new AtomicLong();
        soon().until(() -> {
            sent.addAndGet(other.flood(() -> new Ping(1), 1_000));
            assertThat(sent.get()).as("pings that were read or are under way").isLessThan(100_000);
            return !other.connection.isWritable() && used() >= SLACK;
        });
        assertThat(used()).as("bytes that it has not read").isLessThan(SLACK + SLACK);
        assertThat(registryThread).isEmpty();

        other.connection.reading(true);
        soon().until(() -> other.pongs.get() == sent.get() && used() == 0);
        assertThat(other.isClosed).isFalse();
    }

    @Test
    void theBytesOfALinkThatEndsAreGivenBack() {
        dial();
        other.flood(News.FORWARD.frame, 100);
        soon().until(() -> used() > 0);

        other.connection.close();
        soon().until(() -> {
            runRegistry();
            return links.size() == 0;
        });

        assertThat(used()).isZero();
    }
}
