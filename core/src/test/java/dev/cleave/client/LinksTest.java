package dev.cleave.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.call.Link;
import dev.cleave.call.LinkContext;
import dev.cleave.call.LinkOwner;
import dev.cleave.serial.Passing;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.testing.FakeTimer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.TransportException;
import dev.cleave.transport.local.LocalTransport;
import dev.cleave.wire.Hello;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class LinksTest {

    private final LocalTransport transport = LocalTransport.create();
    private final FakeTimer timer = new FakeTimer();
    private final LinkOwner owner = new LinkOwner() {};
    private final Links links = new Links(
            transport, LinkContext.of(Hello.of("here", 1), Passing.NONE, timer, new ReceiveBudget(1 << 20)), owner);

    private static final class Silent implements FrameHandler {

        @Override
        public void onOpen(Connection here) {}

        @Override
        public void onFrame(Connection from, ByteBuf frame) {}

        @Override
        public void onClose(Connection closed, @Nullable Throwable cause) {}
    }

    @AfterEach
    void close() {
        links.close();
        transport.close();
    }

    private String replica() {
        Endpoint door = Endpoint.local("replica-" + UUID.randomUUID());
        new Handshake(Hello.of("there", 2), timer).listen(transport, door, (connection, who) -> new Silent());
        return door.toString();
    }

    @Test
    void replicasThatHaveGoneAreForgottenWhenOthersAreDialled() {
        String stays = replica();
        Link kept = links.to(stays);
        timer.advance(Duration.ofSeconds(1));
        for (int i = 0; i < 20; i++) {
            Link link = links.to(replica());
            link.close();
            await().until(link::isClosed);
        }

        assertThat(links.peers()).isLessThanOrEqualTo(3);
        assertThat(links.to(stays)).isSameAs(kept);
    }

    @Test
    void aLinkIsOpenWhenItWasDialledAndNotClosed() {
        String there = replica();
        assertThat(links.open(there)).isNull();
        Link dialled = links.to(there);
        assertThat(links.open(there)).isSameAs(dialled);

        dialled.close();

        await().until(() -> links.open(there) == null);
        assertThat(links.peers()).isEqualTo(1); // nothing was dialled
    }

    @Test
    void whoCouldNotBeReachedIsRememberedForAMoment() {
        String nobody = Endpoint.local("nobody-" + UUID.randomUUID()).toString();
        assertThatThrownBy(() -> links.to(nobody)).isInstanceOf(TransportException.class);

        links.to(replica());
        assertThat(links.peers()).isEqualTo(2);
        timer.advance(Duration.ofSeconds(1));
        links.to(replica());

        assertThat(links.peers()).isEqualTo(2);
    }
}
