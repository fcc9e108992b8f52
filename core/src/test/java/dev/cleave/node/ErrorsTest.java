package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.CallException;
import dev.cleave.Remote;
import dev.cleave.RemoteFailureException;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Threads of a node survive any {@link Error}, and whoever waits for them is answered. */
@Tag("one-jdk")
class ErrorsTest extends NodesUnderTest {

    private static final int WORKERS = 2;

    @Remote
    interface Trouble {
        void mute();

        void outOfMemory();

        void assertion() throws OwnError;

        int next();
    }

    /** An Error that a remote method declares. */
    static final class OwnError extends Error {

        private static final long serialVersionUID = 1;

        OwnError(String message) {
            super(message);
        }
    }

    private static final class Mute extends RuntimeException {

        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new NoClassDefFoundError("a formatter's class");
        }
    }

    private static final class Served implements Trouble {

        private int calls;

        @Override
        public void mute() {
            throw new Mute();
        }

        @Override
        public void outOfMemory() {
            throw new OutOfMemoryError("at the server");
        }

        @Override
        public void assertion() {
            throw new OwnError("declared");
        }

        @Override
        public synchronized int next() {
            return ++calls;
        }
    }

    @Override
    Transport transport() {
        return NettyTransport.create();
    }

    @Override
    Endpoint door() {
        return Endpoint.tcp("localhost", 0);
    }

    private Trouble trouble() {
        node(NodeOptions.DEFAULT.withName("one").withCapacity(WORKERS, 8)).bind("trouble", new Served());
        client = node(NodeOptions.DEFAULT.withName("client"));
        return client.lookup("trouble", Trouble.class);
    }

    @Test
    void workersOutliveExceptionsThatThrowWhenAsked() {
        Trouble trouble = trouble();
        for (int i = 0; i < 4 * WORKERS; i++) {
            assertThatThrownBy(trouble::mute).isInstanceOf(CallException.class);
        }

        assertThat(trouble.next()).isEqualTo(1);
    }

    @Test
    void errorsOfTheOtherSideArriveWrapped() {
        Trouble trouble = trouble();

        assertThatThrownBy(trouble::outOfMemory)
                .isInstanceOfSatisfying(RemoteFailureException.class, e -> assertThat(e.remoteClass())
                        .isEqualTo(OutOfMemoryError.class.getName()))
                .hasMessageContaining("at the server");
        assertThat(trouble.next()).isEqualTo(1);
    }

    @Test
    void errorsThatAMethodDeclaresArriveAsThemselves() {
        assertThatThrownBy(trouble()::assertion).isInstanceOf(OwnError.class).hasMessage("declared");
    }

    @Test
    void eventThreadsOutliveALogThatThrows() throws IOException {
        Trouble trouble = trouble();
        Handler broken = new Handler() {
            @Override
            public void publish(LogRecord logged) {
                throw new NoClassDefFoundError("a formatter's class");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.cleave");
        logger.addHandler(broken);
        try {
            for (int i = 0; i < 4; i++) {
                try (Socket garbage = new Socket("localhost", broker.endpoint().port());
                        OutputStream out = garbage.getOutputStream()) {
                    out.write("GET / HTTP/1.1\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                    out.flush();
                    int unused = garbage.getInputStream().read();
                } catch (java.net.SocketException e) {
                    assertThat(e).hasMessageContaining("reset");
                }
            }
        } finally {
            logger.removeHandler(broken);
        }

        Trouble late = node(NodeOptions.DEFAULT.withName("late")).lookup("trouble", Trouble.class);
        assertThat(late.next() + trouble.next()).isEqualTo(3);
    }
}
