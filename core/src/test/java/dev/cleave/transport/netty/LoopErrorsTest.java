package dev.cleave.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cleave.testing.BrokenLog;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.WaitCondition;
import io.netty.buffer.ByteBuf;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Event loops go on after an Error, and a thread that drives one for others gets none of theirs. */
@Timeout(120)
@SuppressWarnings("FutureReturnValueIgnored") // of ends that are awaited, or of no matter
class LoopErrorsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** A poller without channels, whose rounds on one thread throw. */
    private static final class Poller implements IoHandler {

        private final Thread unlucky;
        private final AtomicInteger thrown = new AtomicInteger();

        private Poller(Thread unlucky) {
            this.unlucky = unlucky;
        }

        @Override
        public int run(IoHandlerContext context) {
            if (Thread.currentThread() == unlucky) {
                thrown.incrementAndGet();
                throw new NoClassDefFoundError("of another connection");
            }
            if (context.canBlock()) {
                LockSupport.parkNanos(1_000_000);
            }
            return 0;
        }

        @Override
        public IoRegistration register(IoHandle handle) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void wakeup() {}

        @Override
        public boolean isCompatible(Class<? extends IoHandle> type) {
            return false;
        }
    }

    @Test
    void roundsThatThrowEndNeitherTheWaitOfTheCallerThatDrivesNorTheLoop() throws InterruptedException {
        Poller poller = new Poller(Thread.currentThread());
        DrivenLoop loop = new DrivenLoop(null, daemon(), executor -> poller, true);
        CompletableFuture<Boolean> ran = new CompletableFuture<>();
        WaitCondition never = () -> false;

        assertThatCode(() -> {
                    long end = System.nanoTime() + PATIENCE.toNanos();
                    while (poller.thrown.get() < 3 && end - System.nanoTime() > 0) {
                        loop.wheel().await(never, System.nanoTime() + 1_000_000);
                    }
                })
                .doesNotThrowAnyException();

        assertThat(poller.thrown.get()).isGreaterThanOrEqualTo(3);
        loop.execute(() -> ran.complete(true));
        assertThat(ran).succeedsWithin(PATIENCE);
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        assertThat(loop.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    @Test
    void aTaskThatThrowsReachesNoCallerThatRunsIt() {
        DrivenLoop loop = new DrivenLoop(null, daemon(), executor -> new Poller(new Thread()), true);

        assertThat(loop.wheel().runHere(LoopErrorsTest::fail)).isTrue();

        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void aLoopWhoseThreadCouldNotBeStartedIsStartedByTheNextTask() {
        AtomicInteger refused = new AtomicInteger();
        Executor scarce = task -> {
            if (refused.getAndIncrement() == 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            daemon().execute(task);
        };
        DrivenLoop loop = new DrivenLoop(null, scarce, executor -> new Poller(new Thread()), false);
        CompletableFuture<Boolean> ran = new CompletableFuture<>();

        try {
            loop.execute(() -> {});
        } catch (OutOfMemoryError e) {
            assertThat(e).hasMessageContaining("native thread");
        }
        loop.execute(() -> ran.complete(true));

        assertThat(ran).succeedsWithin(PATIENCE);
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void loopsOfNettyGoOnWhenTheirLogThrows() {
        IoEventLoopGroup loops =
                new SteadyLoops(1, new DefaultThreadFactory("steady", true), NioIoHandler.newFactory());
        CompletableFuture<Boolean> ran = new CompletableFuture<>();
        try (BrokenLog log = BrokenLog.of("io.netty")) {
            for (int i = 0; i < 3; i++) {
                loops.execute(LoopErrorsTest::fail);
            }
            loops.execute(() -> ran.complete(true));

            assertThat(ran).succeedsWithin(PATIENCE);
            assertThat(log.thrown()).isGreaterThanOrEqualTo(3);
        }
        loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        await().atMost(PATIENCE).until(loops::isTerminated);
    }

    @Test
    void whatCannotBeSentEndsTheConnectionAndDoesNotReachWhoFlushes() {
        assumeTrue(Epoll.isAvailable());
        try (NettyTransport transport = NettyTransport.create()) {
            AtomicReference<Throwable> cause = new AtomicReference<>();
            Connection connection = transport.connect(
                    transport
                            .listen(Endpoint.tcp("localhost", 0), opened -> new Ignoring(new AtomicReference<>()))
                            .endpoint(),
                    new Ignoring(cause));
            ByteBuf gone = connection.allocator().directBuffer(1 << 10).writeZero(1 << 10);
            connection.write(gone);
            gone.release();

            assertThatCode(connection::flush).doesNotThrowAnyException();

            await().atMost(PATIENCE).until(() -> cause.get() != null);
        }
    }

    private static void fail() {
        throw new NoClassDefFoundError("of a task");
    }

    private static Executor daemon() {
        return task -> {
            Thread thread = new Thread(task, "loop");
            thread.setDaemon(true);
            thread.start();
        };
    }

    private record Ignoring(AtomicReference<Throwable> cause) implements FrameHandler {

        @Override
        public void onOpen(Connection opened) {}

        @Override
        public void onFrame(Connection from, ByteBuf frame) {}

        @Override
        public void onClose(Connection closed, @Nullable Throwable why) {
            cause.set(why);
        }
    }
}
