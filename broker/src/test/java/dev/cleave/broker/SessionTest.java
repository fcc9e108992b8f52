package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.gossip.FarLoads;
import dev.cleave.broker.gossip.LoadGossip;
import dev.cleave.broker.health.Health;
import dev.cleave.broker.migration.Migrations;
import dev.cleave.broker.registry.Registry;
import dev.cleave.broker.relay.Relay;
import dev.cleave.call.RightsGuard;
import dev.cleave.config.Bindings;
import dev.cleave.config.Rights;
import dev.cleave.testing.FakeConnection;
import dev.cleave.testing.FakeTimer;
import dev.cleave.transport.Peer;
import dev.cleave.wire.CallClaim;
import dev.cleave.wire.CallGrant;
import dev.cleave.wire.Drain;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Forward;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Load;
import dev.cleave.wire.LoadAsk;
import dev.cleave.wire.LoadWatch;
import dev.cleave.wire.Loaded;
import dev.cleave.wire.Lookup;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Pong;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.Registered;
import dev.cleave.wire.Reloaded;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Unwatch;
import dev.cleave.wire.Watch;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sessions and the desk over connections without sockets; the registry's thread runs when a test says so. */
@Tag("one-jdk")
class SessionTest {

    private final FakeTimer timer = new FakeTimer();
    private final Queue<Runnable> registryThread = new ArrayDeque<>();
    private final Registry registry = new Registry(Bindings.NONE, Duration.ofSeconds(60), timer::nanos);
    private final Health health = new Health(registry, Bindings.NONE.pings(), timer::nanos, alarm -> {});
    private final FarLoads farLoads = new FarLoads(timer::nanos);
    private final Relay relay = new Relay(registry::view, timer, 10, new RightsGuard(Rights.ALL));
    private final List<Session> gone = new ArrayList<>();
    private final Desk desk = new Desk(
            registry,
            health,
            new Desk.Moves(
                    new Migrations(Bindings.NONE, registry::view, timer, registryThread::add),
                    new LoadGossip(registry::view, farLoads, timer, registryThread::add),
                    farLoads),
            new RightsGuard(Rights.ALL),
            new Reloading(Bindings.NONE, bindings -> {}, Set.of(), timer, registryThread::add),
            registryThread::add,
            gone::add);
    private final Node node = new Node("node");

    /** A node that is connected to the broker. */
    private final class Node {

        final FakeConnection connection;
        final Session session;

        Node(String name) {
            this(name, ~0L);
        }

        Node(String name, long features) {
            connection = new FakeConnection(name);
            session = new Session(connection, new Peer(name, 1, 2, features), desk.frames(), relay, desk);
            session.onOpen(connection);
            runRegistry();
        }

        void sends(Frame frame) {
            ByteBuf bytes = frame.write(connection.allocator());
            session.onFrame(connection, bytes);
            session.onReadComplete(connection);
            bytes.release();
        }

        /** Offers a replica of a service, named like the service. */
        void offers(String service) {
            sends(new RegisterReplica(
                    1, service, service, 1, List.of("tcp://localhost:1"), "a.B", List.of("m()V"), 60_000));
            runRegistry();
            assertThat(connection.take(Ping::read).id()).isPositive();
            connection.take(Registered::read);
        }

        void becomesWritable() {
            connection.isWritable = true;
            session.onWritable(connection);
        }
    }

    private void runRegistry() {
        while (!registryThread.isEmpty()) {
            registryThread.remove().run();
        }
    }

    @Test
    void aQuestionIsAnsweredOnTheRegistrysThread() {
        node.sends(new Lookup(7, "compare"));
        assertThat(node.connection.kinds()).isEmpty();

        runRegistry();

        assertThat(node.connection.take(Replicas::read).id()).isEqualTo(7);
        assertThat(node.connection.flushes).isEqualTo(1);
    }

    @Test
    void ordersToServersAreNotTakenFromPeersThatAreNoBrokersOfTheCluster() {
        Node stranger = new Node("stranger", FrameKind.FORWARD.feature());
        for (Node each : List.of(node, stranger)) {
            each.sends(new Forward("compare", Long.MAX_VALUE, new LoadWatch("compare", List.of(1))));

            assertThat(registryThread).isEmpty();
        }
    }

    @Test
    void loadsAreNotToldToPeersThatAreNoBrokersOfTheCluster() {
        Node stranger = new Node("stranger", FrameKind.FORWARD.feature() | FrameKind.LOAD_ASK.feature());
        for (Node each : List.of(node, stranger)) {
            each.sends(new LoadAsk("compare", true));

            assertThat(registryThread).isEmpty();
        }
    }

    @Test
    void aServerThatKnowsNoTokensGetsClaimsWithoutThem() {
        CallClaim claim = new CallClaim(1, "compare", "fast", 0, 1, 2, 77);
        Node older = new Node("older", ~Hello.FENCES);

        node.session.tell(claim);
        older.session.tell(claim);

        assertThat(node.connection.take(CallClaim::read)).isEqualTo(claim);
        assertThat(older.connection.take(CallClaim::read)).isEqualTo(claim.fencedBy(0));
    }

    @Test
    void aRefusalNamesItsQuestion() {
        node.sends(new Drain(7, "harvey"));
        runRegistry();

        Failure failure = node.connection.take(Failure::read);
        assertThat(failure.id()).isEqualTo(7);
        assertThat(failure.code()).isEqualTo(ErrorCode.NOT_REGISTERED);
    }

    @Test
    void aNodeWithManyOpenQuestionsIsNotReadFrom() {
        for (int i = 1; i < Session.MANY_QUESTIONS; i++) {
            node.sends(new Lookup(i, "compare"));
        }
        assertThat(node.connection.isReading).isTrue();

        node.sends(new Pong(0, Load.NONE)); // news count as questions do
        assertThat(node.connection.isReading).isFalse();
        assertThat(node.session.questions()).isEqualTo(Session.MANY_QUESTIONS);

        runRegistry();
        assertThat(node.connection.isReading).isTrue();
        assertThat(node.session.questions()).isZero();
    }

    /** All that waits is asked when the node reads, whatever happens to a question before. */
    @Test
    void aQuestionThatEndsInAnErrorDoesNotKeepThoseBehindIt() {
        node.connection.isWritable = false;
        List<String> asked = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            String name = "question " + i;
            boolean fails = i == 1;
            node.session.whenWritable(() -> {
                asked.add(name);
                if (fails) {
                    throw new OutOfMemoryError("expected by the test");
                }
            });
        }

        node.becomesWritable();
        for (int i = 0; i < 10 && !registryThread.isEmpty(); i++) {
            try {
                registryThread.remove().run();
            } catch (OutOfMemoryError e) {
                asked.add(e.getMessage()); // as the thread of the registry does, which goes on
            }
        }

        assertThat(asked).containsExactly("question 0", "question 1", "expected by the test", "question 2");
        assertThat(node.session.mayHaveMissed()).isFalse();
    }

    static Stream<Frame> news() {
        return Stream.of(
                new Pong(7, Load.NONE),
                new Loaded("compare", 1, 1, 1),
                new CallGrant(7, "compare", "harvey", 1, 1, 1),
                new Unwatch("compare"),
                new Reloaded(7, List.of("done")));
    }

    @ParameterizedTest
    @MethodSource("news")
    void newsThatWaitForTheRegistryAreBounded(Frame news) {
        for (int i = 0; i < 10 * Session.MANY_QUESTIONS && node.connection.isReading; i++) {
            node.sends(news);
        }

        assertThat(registryThread).hasSize(Session.MANY_QUESTIONS);
        runRegistry();
        assertThat(node.connection.isReading).isTrue();
    }

    @Test
    void aNodeThatDoesNotReadIsAskedNothingAndAnsweredWhenItReads() {
        node.connection.isWritable = false;
        node.sends(new Lookup(1, "compare"));
        node.sends(new Lookup(2, "compare"));
        runRegistry();
        assertThat(node.connection.kinds()).isEmpty();

        node.becomesWritable();
        runRegistry();

        assertThat(node.connection.take(Replicas::read).id()).isEqualTo(1);
        assertThat(node.connection.take(Replicas::read).id()).isEqualTo(2);
    }

    @Test
    void changesThatWereMissedAreToldOnceAsTheyAreNow() {
        node.sends(new Watch(1, "compare"));
        runRegistry();
        node.connection.take(Replicas::read);
        Node server = new Node("server");

        node.connection.isWritable = false;
        server.offers("compare");
        server.session.onClose(server.connection, null);
        runRegistry();
        assertThat(node.connection.kinds()).isEmpty();

        node.becomesWritable();
        runRegistry();

        Replicas told = node.connection.take(Replicas::read);
        assertThat(told.id()).isZero();
        assertThat(told.replicas()).isEmpty();
        assertThat(node.connection.kinds()).isEmpty();
        assertThat(gone).containsExactly(server.session);
    }

    @Test
    void whoWatchesNoMoreIsToldNoMore() {
        node.sends(new Watch(1, "compare"));
        node.sends(new Unwatch("compare"));
        runRegistry();
        node.connection.take(Replicas::read);

        new Node("server").offers("compare");

        assertThat(node.connection.kinds()).isEmpty();
    }

    @Test
    void aReplicaIsAskedToLeaveOnceWhileItDoesNotRead() {
        Node server = new Node("server");
        server.offers("compare");
        server.connection.isWritable = false;

        node.sends(new Drain(1, "compare"));
        node.sends(new Drain(2, "compare"));
        runRegistry();

        assertThat(server.connection.kinds()).containsExactly(FrameKind.DRAIN);
        assertThat(node.connection.take(Registered::read).id()).isEqualTo(1);
        assertThat(node.connection.take(Registered::read).id()).isEqualTo(2);
    }

    @Test
    void anyFrameIsASignOfLifeOnce() {
        node.sends(new Lookup(1, "compare"));

        assertThat(node.session.takeHeard()).isTrue();
        assertThat(node.session.takeHeard()).isFalse();
    }

    @Test
    void theSilenceOfANodeThatIsNotReadFromIsNotItsOwnForAWhile() {
        node.connection.isWritable = false;
        node.sends(new Ping(1)); // its answer is not read
        assertThat(node.connection.isReading).isFalse();
        assertThat(node.session.takeHeard()).isTrue();

        int trusted = 0;
        while (trusted < 1_000 && node.session.takeHeard()) {
            trusted++;
        }

        assertThat(trusted).isBetween(10, 30);
    }

    @Test
    void aNodeThatIsGivenUpIsToldWhy() {
        node.session.giveUp("silent");

        GoAway said = node.connection.take(GoAway::read);
        assertThat(said.code()).isEqualTo(ErrorCode.CONNECTION_LOST);
        assertThat(said.text()).isEqualTo("silent");
        assertThat(node.connection.isClosed).isTrue();
    }

    @Test
    void aKindThatBrokersSendEndsTheConnection() {
        node.sends(new Registered(1, 0));

        assertThat(node.connection.take(GoAway::read).text())
                .isEqualTo("REGISTERED sent to a broker (expected: a kind it takes)");
        assertThat(node.connection.isClosed).isTrue();
    }

    @Test
    void aNodeThatSaysItLeavesIsLetGo() {
        node.sends(GoAway.leaving("done"));

        assertThat(node.connection.isClosed).isTrue();
        assertThat(node.connection.kinds()).isEmpty();
    }

    @Test
    void nothingIsLeftOfANodeThatHasGone() {
        node.sends(new Watch(1, "compare"));
        runRegistry();
        node.connection.take(Replicas::read);

        node.session.onClose(node.connection, null);
        runRegistry();

        assertThat(registry.isEmpty()).isTrue();
        assertThat(health.isEmpty()).isTrue();
        assertThat(relay.isEmpty()).isTrue();
    }
}
