package dev.cleave.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.FakeConnection;
import dev.cleave.testing.FakeTimer;
import dev.cleave.testing.MethodChange;
import dev.cleave.testing.PlantedClasses;
import dev.cleave.wire.Header;
import dev.cleave.wire.Reply;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Whoever writes to an emulated link until it is full is told to go on, whatever other threads do meanwhile. */
@Tag("one-jdk")
class FullLinkTest {

    private static final Duration LONG = Duration.ofSeconds(10);
    private static final int FULL = 300 << 10;

    private static Runnable meanwhile = () -> {}; // what other threads do before a connection is marked as full

    private final FakeTimer timer = new FakeTimer();
    private final FakeConnection real = new FakeConnection("real");
    private final AtomicInteger told = new AtomicInteger();

    private Connection connect() {
        Transport below = new Transport() {
            @Override
            public Connection connect(Endpoint endpoint, FrameHandler handler) {
                handler.onOpen(real);
                return real;
            }

            @Override
            public Listener listen(Endpoint endpoint, Acceptor acceptor) {
                throw new AssertionError("nothing is accepted");
            }

            @Override
            public void close() {}
        };
        LinkProfile link = new LinkProfile(Duration.ofMillis(1), 1 << 30, Duration.ZERO);
        return new LinkTransport(below, link, timer).connect(Endpoint.local("real"), new FrameHandler() {
            @Override
            public void onOpen(Connection connection) {}

            @Override
            public void onFrame(Connection connection, ByteBuf frame) {}

            @Override
            public void onWritable(Connection connection) {
                told.incrementAndGet();
            }

            @Override
            public void onClose(Connection connection, @Nullable Throwable cause) {}
        });
    }

    private void fill(Connection connection) {
        ByteBuf frame = new Reply(0, 1).begin(connection.allocator(), FULL).writeZero(FULL);
        Header.finish(frame);
        connection.write(frame);
    }

    @Test
    void isToldWhenItsFramesHaveGone() {
        Connection connection = connect();

        fill(connection);
        assertThat(connection.isWritable()).isFalse();
        timer.advance(LONG);
        real.runTasks();

        assertThat(connection.isWritable()).isTrue();
        assertThat(told).hasValue(1);
    }

    /** The thread that writes is put aside when it has counted its frame and not yet marked the connection as full. */
    @Test
    void isToldAlsoIfAllHadGoneBefore() throws Exception {
        String test = FullLinkTest.class.getName() + ".goesOnThoughAllHadGoneBefore";
        MethodChange pause = MethodChange.beforeWrite("write", "full", FullLinkTest::callMeanwhile);

        assertThat(new PlantedClasses(LinkConnection.class.getName(), pause).run(test))
                .isNull();
        assertThat(new PlantedClasses(
                                LinkConnection.class.getName(), pause.and(MethodChange.omits("write", "tellIfDrained")))
                        .run(test))
                .isInstanceOf(AssertionError.class);
    }

    private static void callMeanwhile(MethodVisitor code) {
        code.visitMethodInsn(
                Opcodes.INVOKESTATIC, FullLinkTest.class.getName().replace('.', '/'), "meanwhile", "()V", false);
    }

    static void meanwhile() {
        meanwhile.run();
    }

    /** Among classes of which {@link LinkConnection} calls {@link #meanwhile}. */
    void goesOnThoughAllHadGoneBefore() {
        Connection connection = connect();
        AtomicInteger times = new AtomicInteger();
        meanwhile = () -> {
            times.incrementAndGet();
            connection.flush();
            timer.advance(LONG);
        };

        fill(connection);
        real.runTasks();

        assertThat(times).hasValue(1);
        assertThat(connection.isWritable()).isTrue();
        assertThat(told).hasValue(1);
    }
}
