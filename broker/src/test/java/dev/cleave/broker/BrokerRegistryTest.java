package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.broker.BrokerOptions.Exposure;
import dev.cleave.testing.FakeTimer;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Lease;
import dev.cleave.wire.ListServices;
import dev.cleave.wire.Load;
import dev.cleave.wire.Lookup;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.Registered;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Route;
import dev.cleave.wire.Services;
import dev.cleave.wire.Unregister;
import dev.cleave.wire.Watch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("one-jdk")
class BrokerRegistryTest {

    private static final int MANY = 40;
    private static final List<String> DOOR = List.of("tcp://h:1");

    @ParameterizedTest
    @EnumSource
    void whatIsRegisteredIsFoundUntilItIsUnregistered(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            TestNode server = test.node("server").register("echo", "harvey", 7, DOOR);
            TestNode client = test.node("client");

            client.send(new Lookup(1, "echo"));
            Replicas found = client.answer(1, FrameKind.REPLICAS, Replicas::read);
            assertThat(found.route()).isEqualTo(Route.DIRECT);
            assertThat(found.replicas()).extracting(Replicas.Replica::name).containsExactly("harvey");
            assertThat(found.replicas().get(0).endpoints()).isEqualTo(DOOR);

            server.send(new Unregister(50, "echo", "harvey"));
            assertThat(server.answer(50, FrameKind.REGISTERED, Registered::read))
                    .isEqualTo(new Registered(50, 0));
            client.send(new Lookup(2, "echo"));
            assertThat(client.answer(2, FrameKind.REPLICAS, Replicas::read))
                    .isEqualTo(new Replicas(2, "echo", 0, Route.DIRECT, List.of()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWatchTellsOfEveryChange(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            TestNode client = test.node("client");
            client.send(new Watch(1, "echo"));
            assertThat(client.answer(1, FrameKind.REPLICAS, Replicas::read).version())
                    .isZero();

            TestNode server = test.node("server").register("echo", "harvey", 7, DOOR);
            awaitStates(client, ReplicaState.UP);
            server.close();

            awaitStates(client);
            assertThat(client.of(FrameKind.REPLICAS))
                    .extracting(f -> Replicas.read(f).version())
                    .isSorted()
                    .doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whenTheBrokerClosesNobodyIsToldThatTheOthersAreGone(Way way) {
        List<TestNode> clients = new ArrayList<>();
        try (Transport transport = way.open(PooledByteBufAllocator.DEFAULT)) {
            Broker broker = Broker.start(BrokerOptions.at(way.endpoint()).with(transport));
            for (int i = 0; i < MANY; i++) {
                TestNode.connect(transport, broker.endpoint(), "server" + i).register("echo", "replica" + i, 7, DOOR);
                TestNode client = TestNode.connect(transport, broker.endpoint(), "client" + i);
                client.send(new Watch(1, "echo"));
                clients.add(client);
            }
            for (TestNode client : clients) {
                await().atMost(TestNode.PATIENCE).until(() -> told(client) == MANY);
            }

            broker.close();

            for (TestNode node : clients) {
                await().atMost(TestNode.PATIENCE).until(() -> node.closed);
                assertThat(told(node)).isEqualTo(MANY);
            }
        }
    }

    private static int told(TestNode client) {
        List<ByteBuf> sets = client.of(FrameKind.REPLICAS);
        return Replicas.read(sets.get(sets.size() - 1).duplicate()).replicas().size();
    }

    @ParameterizedTest
    @EnumSource
    void anOlderLifeOfAReplicaIsRefused(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            TestNode server = test.node("server").register("echo", "harvey", 7, DOOR);
            TestNode zombie = test.node("zombie");

            zombie.send(new RegisterReplica(9, "echo", "harvey", 6, DOOR, "a.Echo", List.of(), 0));

            assertThat(zombie.failure(9).code()).isEqualTo(ErrorCode.ALREADY_BOUND);
            assertThat(zombie.failure(9).message())
                    .startsWith("replica harvey of echo: incarnation 6 (expected: at least 7, registered from ");
            server.send(new Lease(77, 5_000));
            assertThat(server.answer(77, FrameKind.LEASE, Lease::read)).isEqualTo(new Lease(77, 5_000));
            zombie.send(new Lease(78, 5_000));
            assertThat(zombie.failure(78).code()).isEqualTo(ErrorCode.NOT_REGISTERED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void listsServicesWithTheirLoad(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            test.node("server").register("echo", "harvey", 7, DOOR);
            TestNode client = test.node("client");
            client.send(new Watch(1, "echo"));
            awaitStates(client, ReplicaState.UP);

            client.send(new ListServices(2));

            Services.Service echo = client.answer(2, FrameKind.SERVICES, Services::read)
                    .services()
                    .get(0);
            assertThat(echo.name()).isEqualTo("echo");
            assertThat(echo.interfaceName()).isEqualTo("a.Echo");
            Services.Replica harvey = echo.replicas().get(0);
            assertThat(harvey.load()).isEqualTo(new Load(1, 2, 3, 4));
            assertThat(harvey.state()).isEqualTo(ReplicaState.UP);
            assertThat(harvey.endpoint()).isEqualTo("tcp://h:1");
            assertThat(harvey.leaseMillis()).isBetween(1, 30_000);
            assertThat(harvey.address()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSilentServerIsSuspectAfterThreeSecondsAndGoneAfterSix(Way way) {
        FakeTimer timer = new FakeTimer();
        try (BrokerUnderTest test = BrokerUnderTest.start(way, timer, "")) {
            TestNode silent = test.node("silent").register("echo", "silent", 1, DOOR);
            TestNode sound = test.node("sound").register("echo", "sound", 1, DOOR);
            TestNode client = test.node("client");
            client.send(new Watch(1, "echo"));
            awaitStates(client, ReplicaState.UP, ReplicaState.UP);

            silent.answersPings = false;
            second(timer, sound);
            second(timer, sound);
            assertThat(states(client)).containsExactly(ReplicaState.UP, ReplicaState.UP);
            second(timer, sound);
            awaitStates(client, ReplicaState.SUSPECT, ReplicaState.UP);
            silent.answersPings = true;
            second(timer, sound);
            awaitStates(client, ReplicaState.UP, ReplicaState.UP);

            silent.answersPings = false;
            for (int i = 0; i < 6; i++) {
                second(timer, sound);
            }

            awaitStates(client, ReplicaState.UP);
            silent.awaitClosed();
            assertThat(silent.of(FrameKind.GOAWAY)).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLeaseThatIsNotRenewedEnds(Way way) {
        FakeTimer timer = new FakeTimer();
        try (BrokerUnderTest test = BrokerUnderTest.start(way, timer, "")) {
            TestNode server = test.node("server").register("echo", "harvey", 1, DOOR);
            TestNode client = test.node("client");
            client.send(new Watch(1, "echo"));
            for (int i = 0; i < 29; i++) {
                second(timer, server);
            }
            awaitStates(client, ReplicaState.UP);

            timer.advance(Duration.ofSeconds(2));

            awaitStates(client);
            assertThat(server.closed).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void manyQuestionsAreAllAnswered(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            TestNode client = test.node("client");
            for (int i = 1; i <= 3_000; i++) {
                client.connection()
                        .write(new Lookup(i, "echo").write(client.connection().allocator()));
            }
            client.connection().flush();

            await().atMost(TestNode.PATIENCE)
                    .until(() -> client.of(FrameKind.REPLICAS).size() == 3_000);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theAddressCanBeUsedOnce(Way way) {
        try (BrokerUnderTest test = BrokerUnderTest.start(way)) {
            BrokerOptions again = BrokerOptions.at(test.broker.endpoint()).with(test.transport());

            assertThatThrownBy(() -> Broker.start(again).close())
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(test.broker.endpoint().toString());
        }
    }

    @ParameterizedTest
    @EnumSource(names = "TCP")
    void otherMachinesReachItOnlyIfToldSo(Way way) {
        BrokerOptions everywhere = BrokerOptions.at(Endpoint.tcp("0.0.0.0", 0));

        assertThatThrownBy(() -> Broker.start(everywhere).close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "endpoint: tcp://0.0.0.0:0 (expected: localhost, or keys (-Dcleave.keys=DIR, see cleave keys),"
                                + " or permission for peers without encryption and identity: --insecure)");
        try (Broker broker = Broker.start(everywhere.with(Exposure.INSECURE))) {
            assertThat(broker.endpoint().port()).isPositive();
        }
    }

    /** Lets a second pass, and waits until a server that answers pings has been heard in it. */
    private static void second(FakeTimer timer, TestNode sound) {
        int before = sound.of(FrameKind.PING).size();
        timer.advance(Duration.ofSeconds(1));
        await().atMost(TestNode.PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> sound.of(FrameKind.PING).size() > before);
    }

    private static void awaitStates(TestNode client, ReplicaState... states) {
        await().atMost(TestNode.PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .untilAsserted(() -> assertThat(states(client)).containsExactly(states));
    }

    private static List<ReplicaState> states(TestNode client) {
        List<ByteBuf> told = client.of(FrameKind.REPLICAS);
        assertThat(told).isNotEmpty();
        return Replicas.read(told.get(told.size() - 1)).replicas().stream()
                .map(Replicas.Replica::state)
                .toList();
    }
}
