package dev.cleave.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.call.FrameTable;
import dev.cleave.call.Link;
import dev.cleave.call.LinkContext;
import dev.cleave.call.LinkOwner;
import dev.cleave.serial.Passing;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.testing.FakeBroker;
import dev.cleave.testing.FakeTimer;
import dev.cleave.testing.WrappedTransport;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.HandshakeException;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportException;
import dev.cleave.transport.local.LocalTransport;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Hello;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.Registered;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class BrokerSessionTest {

    private static final Hello OWN = new Hello(1, 1, 0, "node", 1);

    private static final Duration PATIENT = Duration.ofSeconds(30);

    private final AtomicInteger dials = new AtomicInteger();

    @Test
    void aBrokerThatAcceptsButIsMuteIsDialledAgain() {
        assertThatThrownBy(() -> first(failing(ErrorCode.DEADLINE)).dial(Duration.ZERO))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("no HELLO");
        assertThat(dials).hasValue(FirstLink.MUTE_DIALS);
    }

    @Test
    void aBrokerThatRefusesIsDialledOnce() {
        assertThatThrownBy(() -> first(failing(ErrorCode.VERSION)).dial(PATIENT))
                .isInstanceOf(TransportException.class);
        assertThat(dials).hasValue(1);
    }

    private static final class Silent implements FrameHandler {

        @Override
        public void onOpen(Connection here) {}

        @Override
        public void onFrame(Connection from, ByteBuf frame) {}

        @Override
        public void onClose(Connection closed, @Nullable Throwable cause) {}
    }

    /** Who waited for it asks again later, and does not take the broker for gone. */
    @Test
    void aLinkThatBreaksAsSoonAsItIsFoundWasThere() {
        AtomicInteger looks = new AtomicInteger(Integer.MAX_VALUE); // until it is seen that it has broken
        FakeTimer timer = new FakeTimer();
        LocalTransport local = LocalTransport.create();
        Endpoint door = Endpoint.local("broker-" + UUID.randomUUID());
        new Handshake(Hello.of("broker", 2), timer).listen(local, door, (connection, peer) -> new Silent());
        LinkContext context = LinkContext.of(Hello.of("here", 1), Passing.NONE, timer, new ReceiveBudget(1 << 20));
        Transport breaking = new WrappedTransport(local) {
            @Override
            protected Half half() {
                return new Half() {
                    @Override
                    public boolean isClosed() {
                        return looks.getAndDecrement() <= 0 || super.isClosed();
                    }
                };
            }
        };
        LinkOwner owner = new LinkOwner() {};

        try (Transport closed = breaking;
                BrokerSession session = BrokerSession.connect(
                        () -> Link.dial(closed, door, context, owner), Duration.ZERO, context, new Random(1))) {
            looks.set(1);
            assertThat(session.awaitLink(1)).isPresent();
            assertThat(session.link()).isEmpty();
        }
    }

    /** As a broker that has been started again, or at which the lease of the node has ended. */
    @Test
    void aBrokerThatKnowsNothingOfANodeIsToldItsRegistrationsAgain() {
        LinkContext context =
                LinkContext.of(Hello.of("here", 1), Passing.NONE, new FakeTimer(), new ReceiveBudget(1 << 20));
        AtomicReference<BrokerSession> known = new AtomicReference<>();
        FrameTable<Link> frames = Link.frames()
                .on(FrameKind.REGISTERED, Registered::read, (link, said) -> known.get()
                        .onAnswer(said.id(), said))
                .build();
        LinkOwner owner = new LinkOwner() {
            @Override
            public FrameTable<Link> frames() {
                return frames;
            }
        };
        Endpoint firstDoor = Endpoint.local("broker-" + UUID.randomUUID());
        Endpoint secondDoor = Endpoint.local("broker-" + UUID.randomUUID());
        try (LocalTransport transport = LocalTransport.create();
                FakeBroker first = FakeBroker.start(transport, firstDoor);
                FakeBroker second = FakeBroker.start(transport, secondDoor);
                BrokerSession session = BrokerSession.connect(
                        () -> Link.dial(transport, firstDoor, context, owner), PATIENT, context, new Random(1))) {
            known.set(session);
            for (String replica : List.of("one", "two")) {
                session.register(id -> new RegisterReplica(
                        id, "desk", replica, 1, List.of("local:here"), "Desk", List.of("rest()V"), 60_000));
            }
            assertThat(first.replicas("desk")).isEqualTo(2);

            session.move(Link.dial(transport, secondDoor, context, owner));

            assertThat(second.replicas("desk")).isEqualTo(2);
        }
    }

    @Test
    void aBrokerThatCannotBeReachedIsDialledAgainWhileThereIsPatience() {
        FakeTimer timer = new FakeTimer();
        Supplier<Link> nobody = () -> {
            timer.advance(PATIENT.dividedBy(4));
            dials.incrementAndGet();
            throw new TransportException("connection refused", null);
        };

        assertThatThrownBy(() -> new FirstLink(nobody, timer, new Random(1)).dial(PATIENT))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("connection refused");

        assertThat(dials).hasValue(4);
    }

    private static FirstLink first(Supplier<Link> dialler) {
        return new FirstLink(dialler, new FakeTimer(), new Random(1));
    }

    private Supplier<Link> failing(ErrorCode code) {
        return () -> {
            dials.incrementAndGet();
            throw new TransportException("no HELLO", new HandshakeException(code, "no HELLO", OWN, null));
        };
    }
}
