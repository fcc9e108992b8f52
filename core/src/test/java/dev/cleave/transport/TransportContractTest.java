package dev.cleave.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.testing.LeakCheckingAllocator;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Header;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Reply;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every transport promises. */
@Timeout(120)
public abstract class TransportContractTest {

    private static final int WRITERS = 8;
    private static final int FRAMES_EACH = 2_000;
    private static final int BIG = 8 << 20;

    protected final LeakCheckingAllocator buffers = new LeakCheckingAllocator();
    private final RecordingHandler client = new RecordingHandler();
    private final RecordingHandler server = new RecordingHandler();
    private final Queue<RecordingHandler> watched = new ConcurrentLinkedQueue<>(List.of(client, server));
    private Transport transport;

    /** A transport that takes its buffers from the allocator. */
    protected abstract Transport create(ByteBufAllocator allocator);

    /** Where a test may listen. */
    protected abstract Endpoint free();

    /** An endpoint without a listener. */
    protected abstract Endpoint deserted();

    @BeforeEach
    void open() {
        transport = create(buffers.allocator());
    }

    @AfterEach
    void closeAndCheck() {
        transport.close();
        await().until(() -> watched.stream().allMatch(h -> h.closes.get() == h.opens.get()));
        buffers.assertNoLeaks();
        watched.forEach(handler -> assertThat(handler.violations).isEmpty());
    }

    @Test
    void opensBothSidesOnce() {
        Connection connection = connect();

        assertThat(client.opens).hasValue(1);
        assertThat(client.connection).isSameAs(connection);
        await().until(() -> server.opens.get() == 1);
        assertThat(connection.isClosed()).isFalse();
    }

    @Test
    void deliversFramesUnchangedAndInOrderBothWays() {
        Connection connection = connect();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            ByteBuf frame = frame(connection, i, 8);
            expected.add(ByteBufUtil.hexDump(frame));
            connection.write(frame);
        }
        connection.flush();
        await().until(() -> server.frames.size() == 1_000);
        assertThat(server.frames).containsExactlyElementsOf(expected);

        for (int i = 0; i < 1_000; i++) {
            server.connection.write(frame(server.connection, i, 8));
        }
        server.connection.flush();

        await().until(() -> client.frames.size() == 1_000);
        assertThat(client.frames).containsExactlyElementsOf(expected);
    }

    @Test
    void tellsWhenAReadIsComplete() {
        Connection connection = connect();

        send(connection, 1);

        await().until(() -> server.readCompletes.get() > 0);
        assertThat(server.frames).hasSize(1);
    }

    @Test
    void keepsTheOrderOfEachOfManyWriters() throws InterruptedException {
        Connection connection = connect();
        CountDownLatch start = new CountDownLatch(1);
        for (int w = 0; w < WRITERS; w++) {
            long writer = w;
            thread(() -> {
                start.await();
                for (int i = 0; i < FRAMES_EACH; i++) {
                    connection.write(new Ping(writer << 32 | i).write(connection.allocator()));
                    if (i % 7 == 0) {
                        connection.flush();
                    }
                }
                connection.flush();
            });
        }
        start.countDown();

        await().atMost(Duration.ofSeconds(30)).until(() -> server.ids.size() == WRITERS * FRAMES_EACH);
        for (int w = 0; w < WRITERS; w++) {
            long writer = w;
            assertThat(server.ids.stream().filter(id -> id >>> 32 == writer).mapToLong(id -> id & 0xffff_ffffL))
                    .containsExactlyElementsOf(
                            LongStream.range(0, FRAMES_EACH).boxed().toList());
        }
    }

    @Test
    void carriesBigFramesAmongSmallOnes() {
        Connection connection = connect();

        connection.write(frame(connection, 0, 8));
        connection.write(frame(connection, 1, BIG));
        connection.write(frame(connection, 2, 8));
        connection.flush();

        await().atMost(Duration.ofSeconds(30)).until(() -> server.ids.size() == 3);
        assertThat(server.ids).containsExactly(0L, 1L, 2L);
        assertThat(server.bytes).hasValue(BIG + 16 + 3L * Header.LENGTH);
    }

    @Test
    void closesBothSidesExactlyOnceWithoutCause() {
        Connection connection = connect();
        send(connection, 1);
        await().until(() -> server.ids.size() == 1);

        connection.close();
        connection.close();

        await().until(() -> client.closes.get() == 1 && server.closes.get() == 1);
        assertThat(client.cause).isEmpty();
        assertThat(server.cause).isEmpty();
        assertThat(connection.isClosed()).isTrue();
        assertThat(server.connection.isClosed()).isTrue();
    }

    @Test
    void sendsWhatWasWrittenBeforeItCloses() {
        Connection connection = connect();
        for (int i = 0; i < 100; i++) {
            connection.write(frame(connection, i, 1_000));
        }

        connection.close();

        await().until(() -> server.closes.get() == 1);
        assertThat(server.ids).as("closed by %s", server.cause).hasSize(100);
    }

    @Test
    void releasesFramesWrittenAfterTheClose() {
        Connection connection = connect();
        connection.close();
        ByteBuf frame = frame(connection, 1, 8);

        connection.write(frame);
        connection.flush();

        assertThat(frame.refCnt()).isZero();
    }

    @Test
    void losesNoBufferWhenClosedWhileManyWrite() throws InterruptedException {
        Connection connection = connect();
        AtomicBoolean stop = new AtomicBoolean();
        List<Thread> writers = new ArrayList<>();
        for (int w = 0; w < 4; w++) {
            writers.add(thread(() -> {
                for (int i = 0; !stop.get() && !connection.isClosed(); i++) {
                    if (connection.isWritable()) {
                        connection.write(frame(connection, i, 1_000));
                        connection.flush();
                    } else {
                        Thread.yield();
                    }
                }
            }));
        }
        await().until(() -> server.ids.size() > 20);

        server.connection.close();

        await().until(() -> client.closes.get() == 1 && server.closes.get() == 1);
        stop.set(true);
        for (Thread writer : writers) {
            writer.join();
        }
    }

    @Test
    void closesWhoeverThrowsWithWhatItThrew() {
        IllegalStateException thrown = new IllegalStateException("expected by the test");
        RecordingHandler throwing = new RecordingHandler() {
            @Override
            public void onFrame(Connection from, ByteBuf frame) {
                throw thrown;
            }
        };
        watched.add(throwing);
        Listener listener = transport.listen(free(), connection -> throwing);
        Connection connection = transport.connect(listener.endpoint(), client);

        send(connection, 1);

        await().until(() -> throwing.closes.get() == 1 && client.closes.get() == 1);
        assertThat(throwing.cause).containsSame(thrown);
    }

    @Test
    void refusesFirstFrameLongerThanAHello() {
        Connection connection = connect();

        connection.write(frame(connection, 1, Header.HELLO_LIMIT));
        connection.flush();

        await().until(() -> server.closes.get() == 1 && client.closes.get() == 1);
        assertThat(server.frames).isEmpty();
        assertThat(server.cause).containsInstanceOf(WireException.class);
        assertThat(server.cause.orElseThrow())
                .hasMessage("frame length: " + (Header.HELLO_LIMIT + Header.LENGTH) + " (expected: 16..4096)");
    }

    @Test
    void refusesFrameLongerThanItsKindMayBe() {
        Connection connection = connect();
        send(connection, 1);
        ByteBuf tooLong = new Ping(2).write(connection.allocator());
        tooLong.writeZero(Header.CONTROL_LIMIT);
        tooLong.setInt(0, tooLong.readableBytes());

        connection.write(tooLong);
        connection.flush();

        await().until(() -> server.closes.get() == 1);
        assertThat(server.ids).containsExactly(1L);
        assertThat(server.cause.orElseThrow()).isInstanceOfSatisfying(WireException.class, e -> assertThat(e.code())
                .isEqualTo(ErrorCode.TOO_LARGE));
    }

    @Test
    void pushesBackOnAWriterWhoseReaderHasStopped() {
        Connection connection = connect();
        send(connection, 0);
        await().until(() -> server.ids.size() == 1);
        server.connection.reading(false);

        int written = 0;
        while (connection.isWritable() && written < 5_000) {
            connection.write(frame(connection, ++written, 32 << 10));
            connection.flush();
        }
        assertThat(written).as("frames written before isWritable() was false").isLessThan(5_000);
        int total = written + 1;
        assertThat(server.ids.size()).isLessThan(total);
        server.connection.reading(true);

        await().atMost(Duration.ofSeconds(30)).until(() -> server.ids.size() == total && client.writables.get() > 0);
        assertThat(connection.isWritable()).isTrue();
    }

    @Test
    void tellsAWriterThatForgotToFlushWhenToGoOn() {
        Connection connection = connect();
        send(connection, 0);
        int written = 0;
        while (connection.isWritable() && written < 5_000) {
            connection.write(frame(connection, ++written, 32 << 10));
        }

        await().until(() -> connection.isWritable() && client.writables.get() > 0);
    }

    @Test
    void tellsAWriterToGoOnWhoeverFlushesMeanwhile() throws InterruptedException {
        Connection connection = connect();
        send(connection, 0);
        AtomicBoolean stop = new AtomicBoolean();
        List<Thread> flushing = new ArrayList<>();
        for (int f = 0; f < 3; f++) { // more than there are processors: some are put aside in the middle of a flush
            flushing.add(thread(() -> {
                while (!stop.get()) {
                    connection.flush();
                }
            }));
        }
        long until = System.nanoTime() + Duration.ofMillis(200).toNanos();
        for (int i = 1; System.nanoTime() < until; i++) {
            connection.write(frame(connection, i, 7_000));
            if (!connection.isWritable()) {
                await().until(connection::isWritable);
            }
        }
        stop.set(true);
        for (Thread each : flushing) {
            each.join();
        }
    }

    @Test
    void runsTasksOnTheEventThread() throws InterruptedException {
        Connection connection = connect();
        CountDownLatch ran = new CountDownLatch(1);

        connection.execute(ran::countDown);

        assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void connectionsOutliveTheirListener() {
        Listener listener = transport.listen(free(), connection -> server);
        Connection connection = transport.connect(listener.endpoint(), client);
        send(connection, 1);
        await().until(() -> server.ids.size() == 1);

        listener.close();
        send(connection, 2);

        await().until(() -> server.ids.size() == 2);
        assertThatThrownBy(() -> transport.connect(listener.endpoint(), new RecordingHandler()))
                .isInstanceOf(TransportException.class);
    }

    @Test
    void closingTheTransportClosesItsConnections() {
        Connection connection = connect();
        await().until(() -> server.opens.get() == 1);

        transport.close();

        await().until(() -> client.closes.get() == 1 && server.closes.get() == 1);
        assertThat(connection.isClosed()).isTrue();
        assertThatThrownBy(() -> transport.connect(deserted(), client))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("this transport has been closed");
    }

    @Test
    void saysThatNobodyListensInOneLine() {
        Endpoint deserted = deserted();

        assertThatThrownBy(() -> transport.connect(deserted, client))
                .isInstanceOf(TransportException.class)
                .hasMessageStartingWith(deserted + ": connection refused, no listener there (")
                .hasMessageNotContaining("\n");
        assertThat(client.opens).hasValue(0);
        assertThat(client.closes).hasValue(0);
    }

    @Test
    void saysThatTheDoorIsTakenInOneLine() {
        Endpoint taken = transport.listen(free(), connection -> server).endpoint();

        assertThatThrownBy(() -> transport.listen(taken, connection -> server))
                .isInstanceOf(TransportException.class)
                .hasMessageStartingWith(taken + ": the ")
                .hasMessageContaining(" is in use")
                .hasMessageNotContaining("\n");
    }

    @Test
    void refusesToConnectOnAnEventThread() throws InterruptedException {
        Connection connection = connect();
        Endpoint anywhere = deserted();
        Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
        CountDownLatch ran = new CountDownLatch(1);

        connection.execute(() -> {
            try {
                transport.connect(anywhere, new RecordingHandler());
            } catch (RuntimeException e) {
                thrown.add(e);
            }
            ran.countDown();
        });

        assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(thrown).hasSize(1).allMatch(IllegalStateException.class::isInstance);
    }

    private static ConditionFactory await() {
        return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
    }

    private Connection connect() {
        Listener listener = transport.listen(free(), connection -> server);
        Connection connection = transport.connect(listener.endpoint(), client);
        await().until(() -> server.opens.get() == 1);
        return connection;
    }

    private static void send(Connection connection, long id) {
        connection.write(new Ping(id).write(connection.allocator()));
        connection.flush();
    }

    private static ByteBuf frame(Connection connection, long id, int bytes) {
        ByteBuf frame = new Reply(0, id).begin(connection.allocator(), bytes);
        frame.writeZero(bytes);
        Header.finish(frame);
        return frame;
    }

    private static Thread thread(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        return thread;
    }

    private interface Work {
        void run() throws InterruptedException;
    }
}
