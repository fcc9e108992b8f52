package dev.cleave.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.cleave.testing.FakeTimer;
import dev.cleave.testing.LeakCheckingAllocator;
import dev.cleave.transport.netty.NettyOptions;
import dev.cleave.transport.netty.NettyTransport;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Ping;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("one-jdk")
@Timeout(120)
class HandshakeTest {

    private static final Endpoint FREE = Endpoint.tcp("localhost", 0);

    private final LeakCheckingAllocator buffers = new LeakCheckingAllocator();
    private final Transport transport = NettyTransport.create(
            new NettyOptions(NettyOptions.Poller.BEST, 1, Duration.ofSeconds(3), buffers.allocator()));
    private final FakeTimer timer = new FakeTimer();
    private final RecordingHandler client = new RecordingHandler();
    private final RecordingHandler server = new RecordingHandler();
    private final Queue<Peer> met = new ConcurrentLinkedQueue<>();

    private final Handshake serverSide = new Handshake(Hello.of("harvey", 7), timer);

    @AfterEach
    void closeAndCheck() {
        transport.close();
        assertThat(serverSide.strangers()).isZero();
        assertThat(timer.pending()).as("time-outs left").isZero();
        buffers.assertNoLeaks();
        assertThat(client.violations).isEmpty();
        assertThat(server.violations).isEmpty();
    }

    @Test
    void introducesTheSidesAndHandsOn() {
        Endpoint door = listen();

        Connection connection = new Handshake(Hello.of("elmer", 8), timer).connect(transport, door, this::clientMet);
        connection.write(new Ping(5).write(connection.allocator()));
        connection.flush();

        await().until(() -> server.ids.contains(5L));
        assertThat(client.opens).hasValue(1);
        long features = Hello.of("elmer", 8).features();
        assertThat(met)
                .containsExactlyInAnyOrder(new Peer("harvey", 7, 2, features), new Peer("elmer", 8, 2, features));
    }

    @Test
    void agreesOnTheNewestVersionAndTheFeaturesOfBoth() {
        Endpoint door = new Handshake(new Hello(1, 4, 0b0110, "new", 1), timer)
                .listen(transport, FREE, this::serverMet)
                .endpoint();

        new Handshake(new Hello(2, 3, 0b0011, "old", 2), timer).connect(transport, door, this::clientMet);

        await().until(() -> met.size() == 2);
        assertThat(met).allMatch(peer -> peer.version() == 3 && peer.features() == 0b0010);
    }

    @Test
    void refusesPeerWithoutCommonVersionNamingBothRanges() {
        Endpoint door = listen();
        Handshake tooNew = new Handshake(new Hello(3, 4, 0, "elmer", 8), timer);

        assertThatThrownBy(() -> tooNew.connect(transport, door, this::clientMet))
                .hasMessage(door + ": no common protocol version: this side speaks 3..4, harvey speaks 2..2"
                        + " (update the older of the two)")
                .isInstanceOfSatisfying(HandshakeException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.VERSION);
                    assertThat(e.ownVersions()).isEqualTo("3..4");
                    assertThat(e.peerVersions()).isEqualTo("2..2");
                });
        assertThat(met).isEmpty();
    }

    /** Version 1 had the options of a REQUEST behind its arguments. */
    @Test
    void refusesAPeerOfTheVersionBefore() {
        Endpoint door = listen();
        Handshake old = new Handshake(new Hello(1, 1, 0, "elmer", 8), timer);

        assertThatThrownBy(() -> old.connect(transport, door, this::clientMet))
                .hasMessage(door + ": no common protocol version: this side speaks 1..1, harvey speaks 2..2"
                        + " (update the older of the two)");
        assertThat(met).isEmpty();
    }

    @Test
    void tellsAnIncompatiblePeerBothRangesByGoAway() {
        Speaker speaker = new Speaker(new Hello(5, 6, 0, "elmer", 8).write(buffers.allocator()));

        transport.connect(listen(), speaker);

        await().until(() -> speaker.closes.get() == 1);
        assertThat(speaker.kinds).containsExactly(FrameKind.HELLO, FrameKind.GOAWAY);
        assertThat(speaker.goAways.peek().code()).isEqualTo(ErrorCode.VERSION);
        assertThat(speaker.goAways.peek().text()).contains("this side speaks 2..2, elmer speaks 5..6");
    }

    @Test
    void closesAClientThatSaysNothingForFiveSeconds() {
        Speaker silent = new Speaker();
        transport.connect(listen(), silent);
        await().until(() -> timer.pending() == 1);

        timer.advance(Handshake.TIME_LIMIT.minusNanos(1));
        assertThat(serverSide.strangers()).isEqualTo(1);
        timer.advance(Duration.ofNanos(1));

        await().until(() -> silent.closes.get() == 1);
        assertThat(silent.goAways.peek().code()).isEqualTo(ErrorCode.DEADLINE);
    }

    @Test
    void closesAClientThatDripsItsHello() throws IOException {
        try (Socket dripping = socket(listen())) {
            dripping.getOutputStream().write(0);
            await().until(() -> timer.pending() == 1);

            timer.advance(Handshake.TIME_LIMIT);

            assertThat(dripping.getInputStream().readAllBytes()).contains(FrameKind.GOAWAY.number());
        }
    }

    @Test
    void givesUpOnAServerThatSaysNothing() {
        Endpoint silent = transport.listen(FREE, connection -> new Speaker()).endpoint();
        CompletableFuture<Throwable> thrown = CompletableFuture.supplyAsync(() -> catchThrowable(
                () -> new Handshake(Hello.of("elmer", 8), timer).connect(transport, silent, this::clientMet)));
        await().until(() -> timer.pending() == 1);

        timer.advance(Handshake.TIME_LIMIT);

        assertThat(thrown.join())
                .hasMessage(silent + ": no HELLO within 5 s (expected: a Cleave node)")
                .isInstanceOfSatisfying(HandshakeException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE);
                    assertThat(e.peerVersions()).isEqualTo("unknown");
                });
    }

    @Test
    void saysThatTheServerClosedBeforeItsHello() {
        Endpoint closing = transport
                .listen(FREE, connection -> {
                    connection.close();
                    return new RecordingHandler();
                })
                .endpoint();

        assertThatThrownBy(
                        () -> new Handshake(Hello.of("elmer", 8), timer).connect(transport, closing, this::clientMet))
                .isInstanceOfSatisfying(
                        HandshakeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONNECTION_LOST));
    }

    @Test
    void refusesAnyOtherFirstFrame() {
        Speaker rude = new Speaker(new Ping(1).write(buffers.allocator()));

        transport.connect(listen(), rude);

        await().until(() -> rude.closes.get() == 1);
        assertThat(rude.goAways.peek().code()).isEqualTo(ErrorCode.PROTOCOL);
        assertThat(rude.goAways.peek().text()).endsWith("no HELLO: frame kind: PING (expected: HELLO)");
    }

    @Test
    void closesWhoeverSpeaksAnotherProtocol() throws IOException {
        try (Socket browser = socket(listen())) {
            browser.getOutputStream().write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes("US-ASCII"));

            assertThat(catchThrowable(() -> browser.getInputStream().readAllBytes()))
                    .satisfiesAnyOf(thrown -> assertThat(thrown).isNull(), thrown -> assertThat(thrown)
                            .isInstanceOf(IOException.class));
        }
        await().until(() -> serverSide.strangers() == 0 && timer.pending() == 0);
        assertThat(met).isEmpty();
    }

    @Test
    void letsPeersInThroughACrowdOfSilentOnes() throws IOException {
        Endpoint door = listen();
        List<Socket> crowd = new ArrayList<>();
        for (int i = 0; i < Handshake.MAX_STRANGERS + 50; i++) {
            crowd.add(socket(door));
        }
        await().until(() -> serverSide.strangers() == Handshake.MAX_STRANGERS);

        Connection connection = new Handshake(Hello.of("elmer", 8), timer).connect(transport, door, this::clientMet);

        assertThat(connection.isClosed()).isFalse();
        assertThat(serverSide.strangers()).isLessThanOrEqualTo(Handshake.MAX_STRANGERS);
        assertThat(crowd.get(0).getInputStream().readAllBytes()).contains(FrameKind.GOAWAY.number());
        for (Socket socket : crowd) {
            socket.close();
        }
        await().until(() -> serverSide.strangers() == 0);
    }

    @Test
    void freesTheCallerWhenTheHandlerThrows() {
        Endpoint door = listen();

        assertThatThrownBy(() -> new Handshake(Hello.of("elmer", 8), timer)
                        .connect(transport, door, (connection, peer) -> {
                            throw new IllegalStateException("expected by the test");
                        }))
                .isInstanceOf(HandshakeException.class)
                .hasMessageContaining("expected by the test");
    }

    private Endpoint listen() {
        return serverSide.listen(transport, FREE, this::serverMet).endpoint();
    }

    private FrameHandler serverMet(Connection connection, Peer peer) {
        met.add(peer);
        return server;
    }

    private FrameHandler clientMet(Connection connection, Peer peer) {
        met.add(peer);
        return client;
    }

    private static Socket socket(Endpoint door) throws IOException {
        Socket socket = new Socket(door.host(), door.port());
        socket.setSoTimeout(10_000);
        return socket;
    }

    /** Says what it is told to say, and reads what it is answered. */
    private static final class Speaker extends RecordingHandler {

        private final Queue<FrameKind> kinds = new ConcurrentLinkedQueue<>();
        private final Queue<GoAway> goAways = new ConcurrentLinkedQueue<>();
        private final ByteBuf[] lines;

        private Speaker(ByteBuf... lines) {
            this.lines = lines;
        }

        @Override
        public void onOpen(Connection opened) {
            super.onOpen(opened);
            for (ByteBuf line : lines) {
                opened.write(line);
            }
            opened.flush();
        }

        @Override
        public void onFrame(Connection from, ByteBuf frame) {
            super.onFrame(from, frame);
            kinds.add(Header.kind(frame));
            if (Header.kind(frame) == FrameKind.GOAWAY) {
                goAways.add(GoAway.read(frame));
            }
        }
    }
}
