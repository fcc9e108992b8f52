package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.broker.BrokerOptions.Limits;
import dev.cleave.testing.FakeTimer;
import dev.cleave.wire.Cancel;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Methods;
import dev.cleave.wire.PeerGone;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Pong;
import dev.cleave.wire.Reply;
import dev.cleave.wire.RequestHead;
import dev.cleave.wire.Types;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("one-jdk")
class BrokerRelayTest {

    private static final int MANY = 40; // calls whose replies of 1 MiB are more than a broker keeps for a peer

    @ParameterizedTest
    @EnumSource
    void aCallTravelsThereAndBack(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            TestNode server = test.echo("harvey");
            TestNode client = test.node("client").announce("echo");

            assertThat(client.outcome(client.call("hello"))).isEqualTo("hello");
            assertThat(client.outcome(client.call(""))).isEmpty();

            ByteBuf request = server.of(FrameKind.REQUEST).get(0);
            assertThat(Header.peer(request)).isPositive();
            assertThat(RequestHead.read(request).deadlineMicros()).isBetween(1L, 5_000_000L);
        }
    }

    @ParameterizedTest
    @EnumSource
    void announcementsComeBeforeTheRequestThatNeedsThem(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            TestNode server = test.echo("harvey");
            TestNode client = test.node("client").announce("echo");
            client.send(new Types(0, 0, List.of("a.A", "a.B")));
            client.outcome(client.call("one"));
            client.send(new Types(0, 2, List.of("a.C")));
            client.send(new Methods(0, List.of(new Methods.Method(1, "other", TestNode.KEY))));
            client.outcome(client.call("two"));

            int peer = Header.peer(server.of(FrameKind.REQUEST).get(0));
            assertThat(server.frames.stream().filter(f -> Header.kind(f) != FrameKind.PING && Header.peer(f) == peer))
                    .extracting(Header::kind)
                    .containsExactly(
                            FrameKind.METHODS,
                            FrameKind.TYPES,
                            FrameKind.REQUEST,
                            FrameKind.TYPES,
                            FrameKind.METHODS,
                            FrameKind.REQUEST);
            assertThat(server.of(FrameKind.TYPES).stream().map(Types::read))
                    .containsExactly(new Types(peer, 0, List.of("a.A", "a.B")), new Types(peer, 2, List.of("a.C")));
        }
    }

    @ParameterizedTest
    @EnumSource
    void callsAlternateAndEachServerHasItsOwnNumberAtTheClient(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            for (String replica : List.of("bugs", "harvey")) {
                TestNode server = test.node(replica).register("echo", replica, 1);
                server.onRequest = (node, frame) -> {
                    RequestHead request = RequestHead.read(frame);
                    node.send(new Types(request.peer(), 0, List.of("a." + replica)));
                    node.send(new Reply(request.peer(), request.id()));
                };
            }
            TestNode client = test.node("client").announce("echo");

            await().until(
                            () -> { // the later one may not be known at the first call
                                client.outcome(client.call("x"));
                                Set<Integer> answered = client.of(FrameKind.REPLY).stream()
                                        .map(Header::peer)
                                        .collect(Collectors.toSet());
                                return answered.size() == 2;
                            });

            Map<Integer, String> names = client.of(FrameKind.TYPES).stream()
                    .map(Types::read)
                    .collect(
                            Collectors.toMap(Types::peer, types -> types.names().get(0), (one, other) -> {
                                assertThat(other).isEqualTo(one);
                                return one;
                            }));
            assertThat(names.values()).containsExactlyInAnyOrder("a.bugs", "a.harvey");
            assertThat(names).doesNotContainKey(0);
            assertThat(client.of(FrameKind.REPLY)).extracting(Header::peer).isSubsetOf(names.keySet());
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientsWithTheSameCallIdsGetTheirOwnAnswers(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            test.echo("harvey");
            List<TestNode> clients = new ArrayList<>();
            for (int c = 0; c < 5; c++) {
                clients.add(test.node("client" + c).announce("echo"));
            }
            for (int i = 1; i <= 100; i++) {
                for (int c = 0; c < clients.size(); c++) {
                    clients.get(c).call(i, 0, 0, c + "/" + i);
                }
            }
            for (int i = 1; i <= 100; i++) {
                for (int c = 0; c < clients.size(); c++) {
                    assertThat(clients.get(c).outcome(i)).isEqualTo(c + "/" + i);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNodeMayCallItself(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            TestNode node = test.echo("harvey").announce("echo");

            assertThat(node.outcome(node.call("hello"))).isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @EnumSource
    void callsInFlightOnABrokenConnectionMayHaveRun(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            TestNode dying = test.node("dying").register("echo", "dying", 1);
            TestNode client = test.node("client").announce("echo");
            long one = client.call("one");
            long two = client.call("two");
            await().until(() -> dying.of(FrameKind.REQUEST).size() == 2);
            int peer = 1;

            test.echo("harvey");
            dying.close();

            assertThat(client.outcome(one)).isEqualTo("CONNECTION_LOST MAYBE");
            assertThat(client.outcome(two)).isEqualTo("CONNECTION_LOST MAYBE");
            assertThat(client.outcome(client.call("three"))).isEqualTo("three");
            assertThat(client.of(FrameKind.PEER_GONE).stream().map(PeerGone::read))
                    .containsExactly(new PeerGone(peer));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCallForWhichThereIsNoReplicaIsNotExecuted(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            TestNode client = test.node("client").announce("nothing");

            Failure failure = client.failure(client.call("hello"));

            assertThat(failure.code()).isEqualTo(ErrorCode.NO_REPLICA);
            assertThat(failure.execution()).isEqualTo(Execution.NOT);
            assertThat(failure.message()).isEqualTo("service nothing has no replica");
        }
    }

    @ParameterizedTest
    @EnumSource
    void theServersFailureIsPassedOn(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            TestNode server = test.node("server").register("echo", "harvey", 1);
            server.onRequest = (node, frame) -> {
                RequestHead request = RequestHead.read(frame);
                ByteBuf failure = new Failure(request.peer(), request.id(), ErrorCode.THROWN, Execution.EXECUTED, "no")
                        .begin(node.connection().allocator(), 3)
                        .writeBytes("abc".getBytes(StandardCharsets.UTF_8));
                Header.finish(failure);
                node.connection().write(failure);
            };
            TestNode client = test.node("client").announce("echo");

            ByteBuf failure = client.answer(client.call("hello"), FrameKind.FAILURE, f -> f);

            assertThat(Failure.read(failure).message()).isEqualTo("no");
            assertThat(failure.toString(StandardCharsets.UTF_8)).isEqualTo("abc");
        }
    }

    @ParameterizedTest
    @EnumSource
    void cancelPasses(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            TestNode server = test.node("server").register("echo", "harvey", 1);
            TestNode client = test.node("client").announce("echo");
            long id = client.call("hello");
            client.send(new Cancel(0, id));
            client.send(new Cancel(0, 999));

            ByteBuf cancel = server.answer(
                    Header.id(server.awaitFrame(f -> Header.kind(f) == FrameKind.REQUEST)), FrameKind.CANCEL, f -> f);
            server.send(new Failure(
                    Header.peer(cancel), Header.id(cancel), ErrorCode.CANCELLED, Execution.NOT, "cancelled"));

            assertThat(client.outcome(id)).isEqualTo("CANCELLED NOT");
        }
    }

    @ParameterizedTest
    @EnumSource
    void pingsAreAnswered(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            TestNode client = test.node("client");
            client.send(new Ping(5));

            assertThat(client.answer(5, FrameKind.PONG, Pong::read).id()).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theNumberOfAClientIsFreeOnceItsLastCallIsAnswered(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            TestNode server = test.node("server").register("echo", "harvey", 1);
            TestNode leaving = test.node("leaving").announce("echo");
            leaving.call("never answered in time");
            ByteBuf request = server.awaitFrame(f -> Header.kind(f) == FrameKind.REQUEST);
            leaving.close();
            ByteBuf told = server.awaitFrame(f -> Header.kind(f) == FrameKind.CALLER_GONE);
            assertThat(Header.id(told)).isEqualTo(Header.id(request));

            TestNode second = test.node("second").announce("echo");
            second.call("while the number is taken");
            await().until(() -> server.of(FrameKind.REQUEST).size() == 2);
            assertThat(Header.peer(server.of(FrameKind.REQUEST).get(1))).isNotEqualTo(Header.peer(request));
            assertThat(server.of(FrameKind.PEER_GONE)).isEmpty();
            server.send(new Reply(Header.peer(request), Header.id(request)));
            ByteBuf gone = server.awaitFrame(f -> Header.kind(f) == FrameKind.PEER_GONE);
            assertThat(Header.peer(gone)).isEqualTo(Header.peer(request));

            TestNode third = test.node("third").announce("echo");
            third.call("with the number again");
            await().until(() -> server.of(FrameKind.REQUEST).size() == 3);
            assertThat(Header.peer(server.of(FrameKind.REQUEST).get(2))).isEqualTo(Header.peer(request));
            server.send(new Reply(Header.peer(request), Header.id(request)));
            assertThat(third.of(FrameKind.REPLY)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void moreCallsThanTheLimitAreRefused(Way way) {
        try (BrokerUnderTest test =
                BrokerUnderTest.start(way, options -> options.with(new Limits(Duration.ofSeconds(60), 3)))) {
            TestNode server = test.node("server").register("echo", "harvey", 1);
            TestNode client = test.node("client").announce("echo");
            TestNode other = test.node("other").announce("echo");
            for (int i = 0; i < 3; i++) {
                client.call("x");
            }
            await().until(() -> server.of(FrameKind.REQUEST).size() == 3);

            Failure own = client.failure(client.call("y"));
            Failure others = other.failure(other.call("z"));

            assertThat(own.code()).isEqualTo(ErrorCode.OVERLOAD);
            assertThat(own.execution()).isEqualTo(Execution.NOT);
            assertThat(own.message()).isEqualTo("more than 3 calls of this connection are in flight at the broker");
            assertThat(others.code()).isEqualTo(ErrorCode.OVERLOAD);
            assertThat(others.message()).isEqualTo("no replica of service echo takes more calls from the broker");
            ByteBuf first = server.of(FrameKind.REQUEST).get(0);
            server.send(new Reply(Header.peer(first), Header.id(first)));
            await().until(() -> client.of(FrameKind.REPLY).size() == 1);
            other.call("fits");
            await().until(() -> server.of(FrameKind.REQUEST).size() == 4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatDoesNotReadHoldsItsClientsBack(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            TestNode server = test.echo("harvey");
            TestNode client = test.node("client").announce("echo");
            client.outcome(client.call("warm"));
            server.connection().reading(false);

            byte[] large = new byte[256 << 10];
            int calls = 0;
            while (client.connection().isWritable() && calls < 400) {
                client.writeCall(++calls + 100, 0, 0, large);
                client.connection().flush();
                pause(() -> client.connection().isWritable());
            }
            assertThat(calls).as("100 MB got stuck on the way").isLessThan(400);

            server.connection().reading(true);
            int sent = calls;
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> client.of(FrameKind.REPLY).size() == sent + 1);
            assertThat(client.of(FrameKind.REPLY).stream().skip(1).map(Header::id))
                    .isSorted();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFrozenServerIsPassedByAndGivenUp(Way way) {
        FakeTimer timer = new FakeTimer();
        try (BrokerUnderTest test = BrokerUnderTest.start(way, timer, "")) {
            TestNode frozen = test.echo("frozen");
            TestNode sound = test.echo("sound");
            TestNode client = test.node("client").announce("echo");
            AtomicInteger before = new AtomicInteger();
            await().until(() -> {
                client.outcome(client.call("until both are up"));
                before.incrementAndGet();
                return !frozen.of(FrameKind.REQUEST).isEmpty()
                        && !sound.of(FrameKind.REQUEST).isEmpty();
            });
            frozen.connection().reading(false);
            byte[] large = new byte[256 << 10];
            for (int i = 0; i < 100; i++) {
                client.writeCall(1_000 + i, 0, 0, large);
                client.connection().flush();
            }

            // The frozen server has taken what fits on the way to it; all else is answered by the other.
            await().atMost(TestNode.PATIENCE)
                    .until(() -> client.of(FrameKind.REPLY).size() > 30);
            int answered = client.of(FrameKind.REPLY).size();
            assertThat(client.of(FrameKind.FAILURE)).isEmpty();

            await().atMost(TestNode.PATIENCE).until(() -> {
                timer.advance(Duration.ofSeconds(1));
                return client.of(FrameKind.REPLY).size()
                                + client.of(FrameKind.FAILURE).size()
                        == 100 + before.get();
            });

            assertThat(client.of(FrameKind.FAILURE)).isNotEmpty().allSatisfy(frame -> {
                Failure failure = Failure.read(frame);
                assertThat(failure.code()).isEqualTo(ErrorCode.CONNECTION_LOST);
                assertThat(failure.execution()).isEqualTo(Execution.MAYBE);
            });
            assertThat(client.of(FrameKind.REPLY)).hasSizeGreaterThanOrEqualTo(answered);
            assertThat(client.outcome(client.call("goes on"))).isEqualTo("goes on");
            frozen.connection().reading(true);
            frozen.awaitClosed();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatDoesNotReadIsDisconnectedWhenServersWaitForIt(Way way) {
        FakeTimer timer = new FakeTimer();
        try (BrokerUnderTest test = BrokerUnderTest.start(way, timer, "")) {
            AtomicInteger served = new AtomicInteger();
            TestNode server = test.node("server").register("echo", "harvey", 1);
            Queue<RequestHead> unanswered = new ArrayDeque<>(); // event thread only
            server.onRequest = (node, frame) -> {
                int count = served.incrementAndGet();
                unanswered.add(RequestHead.read(frame));
                if (count > 1
                        && count <= MANY) { // the broker reads no more requests of a client that does not read replies
                    return;
                }
                while (!unanswered.isEmpty()) {
                    RequestHead request = unanswered.remove();
                    ByteBuf reply = new Reply(request.peer(), request.id())
                            .begin(node.connection().allocator(), 1 << 20)
                            .writeZero(1 << 20);
                    Header.finish(reply);
                    node.connection().write(reply);
                }
            };
            TestNode slow = test.node("slow").announce("echo");
            TestNode quick = test.node("quick").announce("echo");
            slow.outcome(slow.call("warm"));
            slow.connection().reading(false);
            for (int i = 0; i < MANY; i++) {
                slow.call("1 MiB");
            }
            await().until(() -> served.get() == MANY + 1);

            long id = quick.call("waits");
            await().atMost(TestNode.PATIENCE).until(() -> {
                int pings = quick.of(FrameKind.PING).size();
                timer.advance(Duration.ofSeconds(1));
                await().until(() ->
                        quick.of(FrameKind.PING).size() > pings); // a broker that hears nothing of it takes it for dead
                quick.awaitHeard();
                return quick.of(FrameKind.REPLY).size() == 1;
            });

            assertThat(Header.id(quick.of(FrameKind.REPLY).get(0))).isEqualTo(id);
            slow.connection().reading(true);
            slow.awaitClosed();
            assertThat(server.closed).isFalse();
        }
    }

    /** Waits up to a tenth of a second for a condition. */
    private static void pause(java.util.function.BooleanSupplier condition) {
        long end = System.nanoTime() + 100_000_000;
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }
}
