package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.cleave.testing.Seed;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.wire.Cancel;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Lane;
import dev.cleave.wire.Lease;
import dev.cleave.wire.ListServices;
import dev.cleave.wire.Load;
import dev.cleave.wire.Lookup;
import dev.cleave.wire.Methods;
import dev.cleave.wire.PeerGone;
import dev.cleave.wire.PendingArgument;
import dev.cleave.wire.Pong;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.Registered;
import dev.cleave.wire.Reply;
import dev.cleave.wire.RequestHead;
import dev.cleave.wire.RequestOptions;
import dev.cleave.wire.Types;
import dev.cleave.wire.Unregister;
import dev.cleave.wire.Watch;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("one-jdk")
class BrokerBadInputTest {

    @ParameterizedTest
    @EnumSource
    void toleratesMethodsOfServicesThatDoNotExist(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            test.echo("harvey");
            TestNode client = test.node("client").announce("nothing");
            client.send(new Methods(0, List.of(new Methods.Method(1, "echo", TestNode.KEY))));

            client.call(1, 0, 0, "x");
            client.call(2, 1, 0, "x");

            assertThat(client.outcome(1)).isEqualTo("NO_REPLICA NOT");
            assertThat(client.outcome(2)).isEqualTo("x");
        }
    }

    @ParameterizedTest
    @EnumSource
    void sendsAwayWhoBreaksTheProtocol(Way way) {
        assertSentAway(
                way,
                new RequestHead(0, 1, 7, 0),
                ErrorCode.PROTOCOL,
                "method number: 7 (expected: one of the 0 announced before)");
        assertSentAway(
                way,
                new Methods(0, List.of(new Methods.Method(3, "s", "m()V"))),
                ErrorCode.PROTOCOL,
                "method number: 3 (expected: 0)");
        assertSentAway(way, new Types(0, 3, List.of("a.B")), ErrorCode.PROTOCOL, "type number: 3 (expected: 0)");
        assertSentAway(way, new Reply(0, 1), ErrorCode.PROTOCOL, "REPLY without peer (expected: 1..65535)");
        assertSentAway(
                way, Hello.of("again", 1), ErrorCode.PROTOCOL, "HELLO sent to a broker (expected: a kind it takes)");
        assertSentAway(
                way,
                new Registered(1, 1),
                ErrorCode.PROTOCOL,
                "REGISTERED sent to a broker (expected: a kind it takes)");
        assertSentAway(
                way, new PeerGone(1), ErrorCode.PROTOCOL, "PEER_GONE sent to a broker (expected: a kind it takes)");
    }

    @ParameterizedTest
    @EnumSource
    void dropsARequestThatComesTwiceWhileItRunsAndAfterwards(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            TestNode server = test.echo("harvey");
            TestNode client = test.node("client").announce("echo");
            client.call(5, 0, 0, "x");
            client.call(5, 0, 0, "x");
            assertThat(client.outcome(5)).isEqualTo("x");
            client.call(5, 0, 0, "x");
            client.call(4, 0, 0, "y");

            assertThat(client.outcome(4)).as("written later than a higher one").isEqualTo("y");
            assertThat(client.of(FrameKind.REPLY)).hasSize(2);
            assertThat(server.of(FrameKind.REQUEST)).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesAWrongHeadOfARequestItselfSoThatNoServerLeavesForIt(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            TestNode server = test.echo("harvey");
            TestNode hostile = test.node("hostile").announce("echo");
            RequestOptions wrong = RequestOptions.NONE.lacking(List.of(new PendingArgument(0, 0, 0)));
            hostile.send(new RequestHead(0, 1, 0, 1_000_000, wrong));
            hostile.awaitClosed();

            TestNode client = test.node("client").announce("echo");
            assertThat(client.outcome(client.call("x"))).isEqualTo("x");
            assertThat(server.of(FrameKind.REQUEST)).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void takesOffARequestWhatOnlyABrokerNeeds(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            TestNode server = test.echo("harvey");
            TestNode client = test.node("client").announce("echo");
            RequestOptions options = RequestOptions.of(RequestOptions.AWAITED)
                    .in(new Lane(9, Lane.Kind.THREAD, false))
                    .keyed(-2);
            ByteBuf frame = new RequestHead(0, 1, 0, 5_000_000, options)
                    .begin(client.connection().allocator(), 1)
                    .writeByte('x');
            Header.finish(frame);
            client.connection().write(frame);
            client.connection().flush();

            assertThat(client.outcome(1)).isEqualTo("x");
            RequestHead come = RequestHead.read(server.of(FrameKind.REQUEST).get(0));
            assertThat(come.options()).isEqualTo(options.forServer()).isNotEqualTo(options);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ignoresAnswersThatNobodyWaitsFor(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            TestNode server = test.echo("harvey");
            TestNode client = test.node("client").announce("echo");
            client.outcome(client.call("x"));

            server.send(new Reply(1, 999));
            server.send(new Reply(500, 1));
            server.send(new Types(500, 0, List.of("a.B")));

            assertThat(client.outcome(client.call("y"))).isEqualTo("y");
            assertThat(client.of(FrameKind.REPLY)).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void closesOnUnknownKindsAndWrongLengths(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            for (int kind : new int[] {0, 98, 99, 255}) {
                assertClosedBy(test, frame -> frame.setByte(4, kind));
            }
            for (int length : new int[] {0, 15, Integer.MAX_VALUE, -1}) {
                assertClosedBy(test, frame -> frame.setInt(0, length));
            }
            assertServes(test);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "TCP")
    void closesOnGarbageInsteadOfAGreeting(Way way) throws IOException {
        long seed = Seed.of(BrokerBadInputTest.class);
        Random random = new Random(seed);
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            for (int i = 0; i < 50; i++) {
                byte[] garbage = new byte[5 + random.nextInt(5_000)];
                random.nextBytes(garbage);
                assertThatCode(() -> awaitEndAfter(test.broker.endpoint(), garbage))
                        .as("seed %d round %d", seed, i)
                        .doesNotThrowAnyException();
            }
            awaitEndAfter(test.broker.endpoint(), "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes());
            assertServes(test);
        }
    }

    @ParameterizedTest
    @EnumSource
    void acceptsNothingBeforeTheGreeting(Way way) throws InterruptedException {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            CountDownLatch closed = new CountDownLatch(1);
            Connection connection = test.transport().connect(test.broker.endpoint(), new FrameHandler() {
                @Override
                public void onOpen(Connection opened) {}

                @Override
                public void onFrame(Connection from, ByteBuf frame) {}

                @Override
                public void onClose(Connection gone, Throwable cause) {
                    closed.countDown();
                }
            });
            connection.write(new Lookup(1, "echo").write(connection.allocator()));
            connection.flush();

            assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
            assertServes(test);
        }
    }

    @ParameterizedTest
    @EnumSource
    void survivesRandomChangesToFrames(Way way) {
        long seed = Seed.of(BrokerBadInputTest.class);
        Random random = new Random(seed);
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            test.echo("harvey");
            List<Frame> frames = List.of(
                    new Methods(0, List.of(new Methods.Method(0, "echo", TestNode.KEY))),
                    new Types(0, 0, List.of("a.A", "a.B")),
                    new RequestHead(0, 1, 0, 1_000_000),
                    new RequestHead(
                            0, 2, 0, 1_000_000, RequestOptions.NONE.keyed(3).elsewhereThan(1)),
                    new Cancel(0, 1),
                    new RegisterReplica(2, "echo", "r", 1, List.of(), "a.Echo", List.of(TestNode.KEY), 99),
                    new Watch(3, "echo"),
                    new Lease(4, 1_000),
                    new Unregister(5, "echo", "r"),
                    new ListServices(6),
                    new Pong(7, Load.NONE));
            for (int round = 0; round < 100; round++) {
                TestNode node = test.node("node");
                for (Frame frame : frames) {
                    ByteBuf bytes = frame.write(node.connection().allocator());
                    if (random.nextInt(4) == 0) {
                        int at = 5 + random.nextInt(bytes.readableBytes() - 5);
                        bytes.setByte(at, random.nextInt(256));
                    }
                    node.connection().write(bytes);
                }
                node.connection().flush();
                node.close();
            }
            TestNode client = test.node("client").announce("echo");
            assertThat(client.outcome(client.call("still here")))
                    .as("seed %d", seed)
                    .isEqualTo("still here");
        }
    }

    /** Sends a LOOKUP with some bytes changed, and waits until the broker closes the connection. */
    private static void assertClosedBy(BrokerUnderTest test, Consumer<ByteBuf> change) {
        TestNode node = test.node("node");
        ByteBuf frame = new Lookup(1, "s").write(node.connection().allocator());
        change.accept(frame);
        node.connection().write(frame);
        node.connection().flush();
        node.awaitClosed();
    }

    private static void assertServes(BrokerUnderTest test) {
        test.echo("last");
        TestNode client = test.node("client").announce("echo");
        assertThat(client.outcome(client.call("hello"))).isEqualTo("hello");
    }

    private static void assertSentAway(Way way, Frame frame, ErrorCode code, String text) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            TestNode node = test.node("node");
            node.send(frame);
            node.awaitClosed();
            assertThat(GoAway.read(node.of(FrameKind.GOAWAY).get(0))).isEqualTo(new GoAway(code, text));
        }
    }

    /** Sends bytes, and reads until the other side closes; a {@link java.net.SocketTimeoutException} if it does not. */
    private static void awaitEndAfter(Endpoint endpoint, byte[] bytes) throws IOException {
        try (Socket socket = new Socket(endpoint.host(), endpoint.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        } catch (SocketException e) {
            // reset: closed with bytes of ours unread
        }
    }
}
