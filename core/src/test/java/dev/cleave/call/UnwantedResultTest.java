package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.serial.Passing;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.testing.FakeTimer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.Listener;
import dev.cleave.transport.local.LocalTransport;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.Cancel;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Reply;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A large result of a call that nobody waits for any more. */
@Tag("one-jdk")
class UnwantedResultTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final long CALL = 99;

    private final FakeTimer timer = new FakeTimer();

    /** A server that has not heard that the call was given up. */
    private static final class Server implements FrameHandler {

        private final Queue<Long> cancelled = new ConcurrentLinkedQueue<>();
        private volatile @Nullable Connection connection;

        @Override
        public void onOpen(Connection opened) {
            connection = opened;
        }

        @Override
        public void onFrame(Connection from, ByteBuf frame) {
            if (Header.kind(frame) == FrameKind.CANCEL) {
                cancelled.add(Cancel.read(frame).id());
            }
        }

        @Override
        public void onClose(Connection closed, @Nullable Throwable cause) {}

        private void answer() {
            Connection to = connection;
            assertThat(to).isNotNull();
            ByteBuf frame = new Reply(0, CALL).begin(to.allocator(), 64);
            Blocks.put(List.of(new Blocks(1, 1 << 20)), frame);
            Header.finish(frame);
            to.write(frame);
            to.flush();
        }
    }

    @Test
    void itsServerIsToldOrItWouldWaitForEverForLeaveToSendIt() {
        LinkOwner owner = new LinkOwner() {};
        try (LocalTransport transport = LocalTransport.create();
                Listener listener = Link.listen(
                        transport,
                        Endpoint.local("unwanted-" + UUID.randomUUID()),
                        LinkContext.of(Hello.of("here", 1), Passing.NONE, timer, new ReceiveBudget(1 << 20)),
                        owner)) {
            Server server = new Server();
            new Handshake(Hello.of("there", 2), timer)
                    .connect(transport, listener.endpoint(), (connection, who) -> server);
            await().atMost(PATIENCE).until(() -> server.connection != null);

            server.answer();

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(server.cancelled).containsExactly(CALL));
        }
    }
}
