package dev.cleave.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cleave.concurrent.VirtualThreads;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.WaitCondition;
import dev.cleave.wire.Ping;
import io.netty.buffer.ByteBuf;
import io.netty.channel.epoll.Epoll;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("one-jdk")
@Timeout(120)
class WheelTest {

    private static final long LONG = TimeUnit.SECONDS.toNanos(30);

    private final Asker asker = new Asker();
    private final AtomicBoolean answers = new AtomicBoolean(true);
    private NettyTransport transport;
    private Connection connection;
    private volatile Connection accepted;

    /** Knows the one question that is open, and who delivered its answer. */
    private static final class Asker implements FrameHandler {

        private volatile @Nullable Question open;
        private volatile boolean mayRunProgram;
        private final AtomicReference<Throwable> problem = new AtomicReference<>();

        @Override
        public void onOpen(Connection opened) {}

        @Override
        public void onFrame(Connection from, ByteBuf frame) {
            mayRunProgram = from.mayRunProgram();
            Question asked = open;
            if (asked != null) {
                asked.answer(Thread.currentThread());
            }
        }

        @Override
        public void onClose(Connection closed, @Nullable Throwable cause) {}
    }

    private static final class Question implements WaitCondition {

        private final Thread waits = Thread.currentThread();
        private volatile @Nullable Thread answeredBy;

        @Override
        public boolean isDone() {
            return answeredBy != null;
        }

        private void answer(Thread by) {
            answeredBy = by;
            LockSupport.unpark(waits);
        }
    }

    @BeforeEach
    void connect() {
        assumeTrue(Epoll.isAvailable() && NettyVersion.TAKES_OUR_LOOPS);
        transport = NettyTransport.create();
        var listener = transport.listen(Endpoint.tcp("localhost", 0), opened -> new FrameHandler() {
            @Override
            public void onOpen(Connection now) {
                accepted = now;
            }

            @Override
            public void onFrame(Connection from, ByteBuf frame) {
                if (answers.get()) {
                    from.write(frame.retain());
                }
            }

            @Override
            public void onReadComplete(Connection from) {
                from.flush();
            }

            @Override
            public void onClose(Connection closed, @Nullable Throwable cause) {}
        });
        connection = transport.connect(listener.endpoint(), asker);
        await().until(() -> accepted != null);
    }

    @AfterEach
    void close() {
        if (transport != null) {
            transport.close();
        }
        assertThat(asker.problem).hasValue(null);
    }

    private Question send() {
        Question asked = new Question();
        asker.open = asked;
        connection.write(new Ping(1).write(connection.allocator()));
        connection.flush();
        return asked;
    }

    private Thread ask() {
        Question asked = send();
        waitFor(asked, System.nanoTime() + LONG);
        return asked.answeredBy;
    }

    private void waitFor(Question asked, long at) {
        while (!asked.isDone() && at - System.nanoTime() > 0) {
            connection.await(asked, at);
        }
    }

    /**
     * Asks until this thread reads its answers itself. It asks without a pause: in a pause the own thread takes the
     * wheel again, and on a busy machine reads the next answer before it has handed over.
     */
    private void becomeDriver() {
        while (ask() != Thread.currentThread()) {
            assertThat(asker.problem).hasValue(null);
        }
    }

    private void driving(Runnable whileDriven) {
        answers.set(false);
        CountDownLatch waits = new CountDownLatch(1);
        AtomicReference<Question> open = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            answers.set(true);
            becomeDriver();
            answers.set(false);
            Question asked = send();
            open.set(asked);
            waits.countDown();
            waitFor(asked, System.nanoTime() + LONG);
        });
        caller.start();
        try {
            waits.await();
            await().pollDelay(0, TimeUnit.MILLISECONDS).until(() -> inLoop(caller));
            whileDriven.run();
            open.get().answer(Thread.currentThread());
            connection.wakeWaiting();
            caller.join();
            answers.set(true);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean inLoop(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getMethodName().equals("round")) {
                return true;
            }
        }
        return false;
    }

    @Test
    void loneCallerReadsItsAnswersItselfAfterAWhile() {
        assertThat(ask()).isNotSameAs(Thread.currentThread());

        becomeDriver();

        assertThat(asker.mayRunProgram).isFalse();
    }

    @Test
    void ownThreadReadsWhatComesUnaskedWhenNobodyDrives() {
        becomeDriver();
        Question unasked = new Question();
        asker.open = unasked;

        accepted.write(new Ping(2).write(accepted.allocator()));
        accepted.flush();

        await().until(unasked::isDone);
        assertThat(unasked.answeredBy).isNotSameAs(Thread.currentThread());
        assertThat(asker.mayRunProgram).isTrue();
        becomeDriver();
    }

    @Test
    void tasksOfOthersRunWhileACallerDrivesAndWhileNobodyDoes() {
        driving(() -> runOnLoop(1_000));
        becomeDriver();
        runOnLoop(1_000);
    }

    private void runOnLoop(int times) {
        for (int i = 0; i < times; i++) {
            CountDownLatch ran = new CountDownLatch(1);
            connection.execute(ran::countDown);
            try {
                assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void tasksThatWriteRunHereWhileNoThreadDrives() {
        await().pollDelay(0, TimeUnit.MILLISECONDS).until(() -> {
            becomeDriver();
            return runsHere(() -> {}); // not if the own thread has taken the wheel meanwhile
        });
    }

    private boolean runsHere(Runnable task) {
        AtomicReference<Thread> by = new AtomicReference<>();
        CountDownLatch ran = new CountDownLatch(1);
        connection.executeHere(() -> {
            task.run();
            by.set(Thread.currentThread());
            ran.countDown();
        });
        try {
            assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return by.get() == Thread.currentThread();
    }

    @Test
    void tasksOfSeveralThreadsNeverRunTogether() throws InterruptedException {
        int threads = 4;
        int times = 5_000;
        int[] count = {0}; // without any synchronization of its own
        CountDownLatch ran = new CountDownLatch(2 * threads * times);
        Runnable task = () -> {
            count[0]++;
            ran.countDown();
        };
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread one = new Thread(() -> {
                for (int k = 0; k < times; k++) {
                    connection.executeHere(task);
                    connection.execute(task);
                }
            });
            all.add(one);
            one.start();
        }

        assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();

        assertThat(count[0]).isEqualTo(2 * threads * times);
        for (Thread each : all) {
            each.join();
        }
    }

    @Test
    void secondCallerSendsTheFirstAwayFromTheWheel() {
        driving(() -> {
            Question second = new Question();
            asker.open = second;
            Thread answering = new Thread(() -> await().until(() -> {
                if (!second.isDone()) {
                    accepted.write(new Ping(3).write(accepted.allocator()));
                    accepted.flush();
                }
                return second.isDone();
            }));
            answering.start();

            waitFor(second, System.nanoTime() + LONG);

            assertThat(second.isDone()).isTrue();
            assertThat(second.answeredBy).isNotSameAs(Thread.currentThread());
        });
    }

    @Test
    void deadlineEndsAWaitThatDrives() {
        becomeDriver();
        answers.set(false);
        Question never = send();

        long begin = System.nanoTime();
        waitFor(never, begin + TimeUnit.MILLISECONDS.toNanos(50));

        assertThat(never.isDone()).isFalse();
        assertThat(System.nanoTime() - begin)
                .isBetween(TimeUnit.MILLISECONDS.toNanos(50), TimeUnit.SECONDS.toNanos(10));
        answers.set(true);
        becomeDriver();
    }

    @Test
    void interruptSurvives() {
        becomeDriver();

        Thread.currentThread().interrupt();
        Question asked = send();
        connection.await(asked, System.nanoTime() + LONG);

        assertThat(Thread.interrupted()).isTrue();
        waitFor(asked, System.nanoTime() + LONG);
        assertThat(asked.isDone()).isTrue();
    }

    @Test
    void eventThreadMayNotWaitForItself() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        connection.execute(() -> {
            try {
                assertThatThrownBy(() -> connection.await(() -> false, System.nanoTime() + LONG))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("event thread");
            } catch (AssertionError e) {
                asker.problem.set(e);
            }
            done.countDown();
        });
        done.await();
    }

    @Test
    void virtualThreadsNeverDrive() throws Exception {
        Thread caller = virtual(() -> {
            for (int i = 0; i < 100; i++) {
                if (ask() == Thread.currentThread()) {
                    asker.problem.set(new AssertionError("a virtual thread drove"));
                }
            }
        });
        assumeTrue(caller != null);
        caller.join();
    }

    private static @Nullable Thread virtual(Runnable task) throws ReflectiveOperationException {
        try {
            Thread started = (Thread)
                    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
            assertThat(VirtualThreads.isVirtual(started)).isTrue();
            return started;
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    @Test
    void closingTheTransportEndsAWaitThatDrives() {
        driving(() -> transport.close());
    }

    @Test
    void endOfTheConnectionIsSeenByAWaitThatDrives() {
        driving(() -> {
            accepted.close();
            await().until(() -> connection.isClosed());
        });
    }
}
