package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.metrics.Meter;
import dev.cleave.metrics.Refusals;
import dev.cleave.testing.FakeTimer;
import dev.cleave.wire.CallGrant;
import dev.cleave.wire.Drain;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.ListServices;
import dev.cleave.wire.Load;
import dev.cleave.wire.Loaded;
import dev.cleave.wire.Lookup;
import dev.cleave.wire.Pong;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.Watch;
import java.time.Duration;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes that send without end, and some that do not read the answers either. */
@Tag("one-jdk")
class BrokerFloodTest {

    private static final boolean FULL = Boolean.getBoolean("cleave.full");
    private static final int MANY = 20_000;
    private static final long SLACK = 1 << 20; // the answer that passed the mark
    private static final long ONE_READ = (512 << 10) / Header.LENGTH; // the questions that one read may bring
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Looks often: there is much to be waited for. */
    private static ConditionFactory soon() {
        return await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5));
    }

    private static long used(String name) {
        return Meter.all().get(name).used();
    }

    /** Sends at most {@code many} frames, and stops when the connection is full. */
    private static void flood(TestNode node, int many, LongFunction<Frame> frames) {
        for (int i = 0; i < many && node.connection().isWritable(); i++) {
            node.connection()
                    .write(frames.apply(node.ids.getAndIncrement())
                            .write(node.connection().allocator()));
            if (i % 64 == 0) {
                node.connection().flush();
            }
        }
        node.connection().flush();
    }

    private static void floodUntilHeld(TestNode node, LongFunction<Frame> frames) {
        soon().until(() -> {
            flood(node, MANY, frames);
            return !node.connection().isWritable() && used("broker.unread.bytes") > 0;
        });
    }

    @ParameterizedTest
    @EnumSource
    void questionsWhoseAnswersNobodyReadsTakeABoundedPart(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            test.echo("harvey");
            TestNode many = test.node("many");
            for (int i = 0; i < 100; i++) { // an answer to LIST is long
                String service = "s" + i + "-" + "x".repeat(200);
                many.send(new RegisterReplica(
                        many.ids.getAndIncrement(), service, "r", 1, List.of(), "a.B", List.of(), 9_000));
            }
            soon().until(() -> many.of(FrameKind.REGISTERED).size() == 100);
            TestNode deaf = test.node("deaf");
            deaf.connection().reading(false);

            floodUntilHeld(deaf, ListServices::new);

            TestNode client = test.node("client").announce("echo");
            for (int i = 0; i < 20; i++) {
                assertThat(client.outcome(client.call("x" + i))).isEqualTo("x" + i);
            }
            assertThat(used("broker.unread.bytes")).isBetween(1L, (256L << 10) + SLACK);
            assertThat(used("broker.questions")).isLessThanOrEqualTo(Session.MANY_QUESTIONS + ONE_READ);

            int answered = deaf.of(FrameKind.SERVICES).size();
            deaf.connection().reading(true);
            soon().until(() -> deaf.of(FrameKind.SERVICES).size() > answered + 50);
        }
    }

    @ParameterizedTest
    @EnumSource
    void newsNobodyAskedForDoNotKeepOthersWaiting(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            test.echo("harvey");
            TestNode loud = test.node("loud");

            for (int round = 0; round < 10; round++) {
                flood(loud, 2_000, id -> new Pong(id, Load.NONE));
                flood(loud, 2_000, id -> new Loaded("echo", 1, 1, id));
                flood(loud, 2_000, id -> new CallGrant(id, "echo", "harvey", 1, 1, 1));
                flood(loud, 2_000, id -> new Lookup(id, "echo"));
            }

            TestNode client = test.node("client").announce("echo");
            assertThat(client.outcome(client.call("x"))).isEqualTo("x");
            assertThat(used("broker.questions")).isLessThanOrEqualTo(Session.MANY_QUESTIONS + ONE_READ);
        }
    }

    /** The ways of nodes to the broker: a short build has TCP alone. */
    static Stream<Way> ways() {
        return FULL ? Stream.of(Way.values()) : Stream.of(Way.TCP);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void registrationsWithoutEndAreRefusedAndOthersRegister(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            long refused = Refusals.of("registry." + ErrorCode.OVERLOAD);
            TestNode greedy = test.node("greedy");
            String suffix = "x".repeat(200);
            int sent = 1_500; // the bound, and half as many
            for (int i = 0; i < sent; i++) {
                long id = greedy.ids.getAndIncrement();
                greedy.send(new RegisterReplica(id, "g" + i + suffix, "r", 1, List.of(), "a.B", List.of(), 9_000));
            }
            soon().until(() -> greedy.of(FrameKind.REGISTERED).size()
                            + greedy.of(FrameKind.FAILURE).size()
                    == sent);

            assertThat(greedy.of(FrameKind.REGISTERED)).hasSizeLessThanOrEqualTo(1_000);
            assertThat(Refusals.of("registry." + ErrorCode.OVERLOAD)).isGreaterThanOrEqualTo(refused + 500);
            test.echo("harvey");
            TestNode client = test.node("client").announce("echo");
            assertThat(client.outcome(client.call("x"))).isEqualTo("x");
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoDoesNotReadIsAskedToLeaveOnceOnly(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            String name = "deaf" + "x".repeat(240);
            TestNode deaf = test.node("deaf").register("echo", name, 1);
            deaf.connection().reading(false);
            TestNode asker = test.node("asker");

            int asked = FULL ? 4_000 : 2_000;
            for (int i = 0; i < asked; i++) {
                asker.send(new Drain(asker.ids.getAndIncrement(), name));
            }
            soon().until(() -> asker.of(FrameKind.REGISTERED).size()
                            + asker.of(FrameKind.FAILURE).size()
                    == asked);

            assertThat(used("broker.unread.bytes")).isLessThan(512L << 10);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoReadsNothingForLongIsGivenUp(Way way) {
        FakeTimer timer = new FakeTimer();
        try (BrokerUnderTest test = BrokerUnderTest.start(way, options -> options.with(timer))) {
            TestNode server = test.echo("harvey");
            TestNode deaf = test.node("deaf");
            deaf.connection().reading(false);
            floodUntilHeld(deaf, id -> new Watch(id, "echo"));

            long until = System.nanoTime() + PATIENCE.toNanos();
            long unread = used("broker.unread.bytes");
            while (unread > 0 && System.nanoTime() < until) {
                int pings = server.of(FrameKind.PING).size();
                timer.advance(Duration.ofSeconds(1));
                soon().until(() -> server.of(FrameKind.PING).size() > pings);
                unread = used("broker.unread.bytes");
            }

            assertThat(unread).isZero(); // a moment later a ping to the server may be under way
            assertThat(server.closed).isFalse();
        }
    }
}
