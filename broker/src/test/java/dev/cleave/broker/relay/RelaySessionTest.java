package dev.cleave.broker.relay;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.gossip.FarLoads;
import dev.cleave.broker.gossip.LoadGossip;
import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.ServiceView;
import dev.cleave.call.LinkCore;
import dev.cleave.call.RightsGuard;
import dev.cleave.config.Rights;
import dev.cleave.replica.BalancePolicies;
import dev.cleave.replica.BalancePolicy;
import dev.cleave.replica.Balancer;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.testing.FakeConnection;
import dev.cleave.testing.FakeTimer;
import dev.cleave.wire.Awaited;
import dev.cleave.wire.Begun;
import dev.cleave.wire.Cancel;
import dev.cleave.wire.ConnectionName;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Header;
import dev.cleave.wire.Held;
import dev.cleave.wire.Lane;
import dev.cleave.wire.LaneEnd;
import dev.cleave.wire.LaneOf;
import dev.cleave.wire.Load;
import dev.cleave.wire.LoadAsk;
import dev.cleave.wire.Loads;
import dev.cleave.wire.Methods;
import dev.cleave.wire.Moved;
import dev.cleave.wire.PeerOf;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Pong;
import dev.cleave.wire.Recall;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Reply;
import dev.cleave.wire.RequestHead;
import dev.cleave.wire.RequestOptions;
import dev.cleave.wire.Route;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A relay between nodes over connections without sockets: every frame is handled on the thread of the test. */
@Tag("one-jdk")
class RelaySessionTest {

    private static final String SERVICE = "compare";
    private static final long SECOND = 1_000_000;
    private static final RequestOptions MOVABLE = RequestOptions.of(RequestOptions.MOVABLE);

    private final FakeTimer timer = new FakeTimer();
    private final Map<String, ServiceView> views = new ConcurrentHashMap<>();
    private final Queue<ServiceView> before = new ArrayDeque<>(); // what is found first
    private final FarLoads farLoads = new FarLoads(timer::nanos);
    private final Relay relay = new Relay(this::view, timer, 3, new RightsGuard(Rights.ALL));
    private final Node client = new Node("client");
    private final Node server = new Node("server");
    private final LoadGossip gossip = new LoadGossip(views::get, farLoads, timer, Runnable::run);
    private final Party elsewhere = new Party() {

        @Override
        public String address() {
            return "elsewhere";
        }

        @Override
        public String home() {
            return "tcp://far:1";
        }

        @Override
        public void changed(ReplicaSet replicas) {}
    };
    private BalancePolicy policy = BalancePolicies.roundRobin();
    private boolean migrates;

    /** A node that is connected to the relay. */
    private final class Node implements Party {

        final FakeConnection connection;
        final LinkCore<RelaySession> core;
        final BackPressure pressure;
        final RelaySession session;

        Node(String name) {
            connection = new FakeConnection(name);
            core = connection.core(RelaySession.FRAMES, ~0L);
            pressure = new BackPressure(connection);
            session = new RelaySession(relay, this, core, pressure);
        }

        /** Sends frames that the relay reads together. */
        void sends(Frame... frames) {
            for (Frame frame : frames) {
                session.onFrame();
                core.handle(session, frame.write(connection.allocator()));
            }
            session.onReadComplete();
        }

        /** Announces the only method of a service under a number. */
        void announces(int number, String service) {
            sends(new Methods(0, List.of(new Methods.Method(number, service, "m()V"))));
        }

        /** Takes the next request, behind what was announced. */
        RequestHead request() {
            while (connection.kinds().get(0) == FrameKind.METHODS) {
                connection.take();
            }
            return connection.take(RequestHead::read);
        }

        Failure failure() {
            return connection.take(Failure::read);
        }

        void becomesWritable() {
            connection.isWritable = true;
            session.onWritable();
        }

        @Override
        public String address() {
            return connection.toString();
        }

        @Override
        public void changed(ReplicaSet replicas) {}
    }

    private ServiceView view(String service) {
        ServiceView earlier = before.poll();
        return earlier != null ? earlier : views.get(service);
    }

    /** Lets nodes offer the service, each a replica named like the node. */
    private void offer(Party... nodes) {
        List<Replicas.Replica> replicas = new ArrayList<>();
        List<Replicas.Replica> here = new ArrayList<>();
        Map<String, Party> parties = new ConcurrentHashMap<>();
        for (Party node : nodes) {
            Replicas.Replica replica = new Replicas.Replica(node.address(), 1, ReplicaState.UP, List.of());
            replicas.add(replica);
            if (node.home() == null) {
                here.add(replica);
            }
            parties.put(node.address(), node);
        }
        ReplicaSet set = new ReplicaSet(SERVICE, 1, Route.RELAY, replicas);
        views.put(SERVICE, new ServiceView(set, here, parties, new Balancer(policy, timer::nanos), migrates));
    }

    private static RequestHead request(long id) {
        return request(id, RequestOptions.NONE);
    }

    private static RequestHead request(long id, RequestOptions options) {
        return new RequestHead(0, id, 0, 0, options);
    }

    private static void assertRefused(Failure failure, long id, ErrorCode code, String why) {
        assertThat(failure.id()).isEqualTo(id);
        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.execution()).isEqualTo(Execution.NOT);
        assertThat(failure.message()).contains(why);
    }

    @Test
    void aCallGoesToTheServerAndItsReplyComesBack() {
        offer(server);
        client.announces(0, SERVICE);

        client.sends(request(1));
        RequestHead there = server.request();
        assertThat(server.connection.flushes).isEqualTo(1);
        server.sends(new Reply(there.peer(), there.id()));

        assertThat(client.connection.take(Reply::read).id()).isEqualTo(1);
        assertThat(client.connection.flushes).isPositive();
    }

    @Test
    void aRequestThatComesTwiceIsSentOnce() {
        offer(server);
        client.announces(0, SERVICE);

        client.sends(request(1), request(1));

        server.request();
        assertThat(server.connection.kinds()).isEmpty();
        assertThat(client.connection.kinds()).isEmpty();
    }

    @Test
    void aServiceThatNobodyOffersRefuses() {
        client.announces(0, SERVICE);

        client.sends(request(1));

        assertRefused(client.failure(), 1, ErrorCode.NO_REPLICA, "has no replica");
    }

    @Test
    void aCallOfAServiceThatIsExpectedWaitsForItsFirstReplica() {
        relay.onJoin(() -> true, SERVICE::equals, farLoads);
        client.announces(0, SERVICE);
        client.sends(new RequestHead(0, 1, 0, 5 * SECOND));
        relay.lookAtHeld();
        client.connection.runTasks();
        assertThat(client.connection.kinds()).isEmpty();
        timer.advance(Duration.ofSeconds(2));

        offer(server);
        relay.onRoom(SERVICE);
        client.connection.runTasks();

        assertThat(server.request().deadlineMicros()).isEqualTo(3 * SECOND);
        assertThat(client.connection.kinds()).isEmpty();
    }

    @Test
    void aCallThatFindsNoReplicaInTheMomentInWhichOneComesGoesThere() {
        offer();
        before.add(views.get(SERVICE));
        offer(server);
        client.announces(0, SERVICE);

        client.sends(request(1));
        client.connection.runTasks();

        server.request();
        assertThat(client.connection.kinds()).isEmpty();
    }

    @Test
    void aCallThatWaitsForAReplicaEndsWhenNoneIsExpectedAnyMore() {
        AtomicBoolean expected = new AtomicBoolean(true);
        relay.onJoin(() -> true, service -> expected.get(), farLoads);
        client.announces(0, SERVICE);
        client.sends(request(1));

        expected.set(false);
        relay.lookAtHeld();
        client.connection.runTasks();

        assertRefused(client.failure(), 1, ErrorCode.NO_REPLICA, "has no replica");
    }

    @Test
    void aCallThatWaitsForAReplicaEndsAtItsDeadline() {
        relay.onJoin(() -> true, SERVICE::equals, farLoads);
        client.announces(0, SERVICE);
        client.sends(new RequestHead(0, 1, 0, SECOND));

        timer.advance(Duration.ofSeconds(1));
        relay.lookAtHeld();
        client.connection.runTasks();

        assertRefused(client.failure(), 1, ErrorCode.DEADLINE, "no replica has come back");
    }

    @Test
    void aCallThatWaitsForAReplicaGoesBackToItsClientWhenTheBrokerLeaves() {
        AtomicBoolean leaves = new AtomicBoolean();
        relay.onJoin(() -> !leaves.get(), service -> !leaves.get(), farLoads);
        client.announces(0, SERVICE);
        client.sends(request(1));

        leaves.set(true);
        relay.lookAtHeld();
        client.connection.runTasks();

        assertRefused(client.failure(), 1, ErrorCode.CONNECTION_LOST, "connected to this broker");
    }

    /** Lets a node offer the service here with room for one call, and another broker a second replica with some room. */
    private void offerWithRoomElsewhere(int room) {
        policy = BalancePolicies.demand(1);
        offer(server, elsewhere);
        gossip.join(
                new LoadGossip.OtherBrokers() {
                    @Override
                    public boolean reaches(String home) {
                        return true;
                    }

                    @Override
                    public void ask(String home, LoadAsk said) {
                        tellRoomElsewhere(room);
                    }

                    @Override
                    public long fence() {
                        return 1;
                    }

                    @Override
                    public Map<String, Long> fences() {
                        return Map.of("tcp://far:1", 1L);
                    }
                },
                relay::holds,
                relay::onRoom);
        relay.onJoin(() -> true, service -> false, farLoads);
    }

    private void tellRoomElsewhere(int room) {
        gossip.told(
                "tcp://far:1", new Loads(SERVICE, 1, List.of(new Loads.Replica(elsewhere.address(), Load.NONE, room))));
    }

    @Test
    void aCallWithoutRoomGoesToAReplicaAtAnotherBrokerThatHasSome() {
        offerWithRoomElsewhere(1);
        client.announces(0, SERVICE);
        client.sends(request(1, MOVABLE));
        assertThat(server.request().options().isMovable()).isFalse();

        client.sends(request(2, MOVABLE));
        assertThat(client.connection.take(Moved::read)).isEqualTo(new Moved(0, 2, elsewhere.address()));

        client.sends(request(3, MOVABLE)); // the room is used up
        client.connection.runTasks();
        assertThat(client.connection.kinds()).isEmpty();
        assertThat(client.session.isEmpty()).isFalse();
    }

    @Test
    void aCallThatWaitsGoesElsewhereWhenThereIsRoom() {
        offerWithRoomElsewhere(0);
        client.announces(0, SERVICE);
        client.sends(request(1, MOVABLE), request(2, MOVABLE));
        client.connection.runTasks();
        assertThat(client.connection.kinds()).isEmpty();

        tellRoomElsewhere(1);
        client.connection.runTasks();

        assertThat(client.connection.take(Moved::read).id()).isEqualTo(2);
        assertThat(relay.holds(SERVICE)).isFalse();
    }

    @Test
    void aCallGoesElsewhereOnceAndOnlyIfItsClientSendsItAgain() {
        offerWithRoomElsewhere(8);
        client.announces(0, SERVICE);
        client.sends(request(1, MOVABLE));
        server.request();

        client.sends(
                request(2, RequestOptions.of(RequestOptions.MOVABLE | RequestOptions.MOVED)), // has come from elsewhere
                request(3)); // its arguments are not kept
        client.connection.runTasks();
        assertThat(client.connection.kinds()).isEmpty();

        client.sends(new RequestHead(
                0, 4, 0, 0, RequestOptions.NONE.in(new Lane(4, Lane.Kind.DEPENDENT, true)))); // stays with its chain
        client.connection.runTasks();
        assertThat(client.connection.kinds()).doesNotContain(FrameKind.MOVED);
    }

    @Test
    void aCallThatHasComeFromAnotherBrokerIsNewForItsServer() {
        offer(server);
        client.announces(0, SERVICE);

        client.sends(request(1, RequestOptions.of(RequestOptions.MOVABLE | RequestOptions.MOVED)));

        assertThat(server.request().options().hasMoved()).isFalse();
    }

    @Test
    void timeSpentAtTheBrokerIsTakenOffTheDeadline() {
        offer(server);
        client.announces(0, SERVICE);
        client.session.onFrame();
        timer.advance(Duration.ofMillis(400));

        client.sends(new RequestHead(0, 1, 0, SECOND));

        assertThat(server.request().deadlineMicros()).isEqualTo(600_000);
    }

    @Test
    void aCallWhoseDeadlineHasPassedIsRefused() {
        offer(server);
        client.announces(0, SERVICE);
        client.session.onFrame();
        timer.advance(Duration.ofSeconds(1));

        client.sends(new RequestHead(0, 1, 0, SECOND));

        assertRefused(client.failure(), 1, ErrorCode.DEADLINE, "the deadline passed at the broker");
        assertThat(server.connection.kinds()).isEmpty();
    }

    @Test
    void moreCallsThanAllowedAreRefused() {
        offer(server);
        client.announces(0, SERVICE);

        client.sends(request(1), request(2), request(3), request(4));

        assertRefused(client.failure(), 4, ErrorCode.OVERLOAD, "more than 3 calls");
    }

    @Test
    void aServerThatDoesNotTakeFramesIsTheLastChoiceAndThenHoldsTheClient() {
        Node other = new Node("other");
        offer(server, other);
        client.announces(0, SERVICE);
        server.connection.isWritable = false;

        client.sends(request(1), request(2));
        assertThat(server.connection.kinds()).isEmpty();
        other.request();
        other.request();
        assertThat(client.connection.isReading).isTrue();

        other.connection.isWritable = false;
        client.sends(request(3));
        assertThat(client.connection.isReading).isFalse();

        other.becomesWritable();
        assertThat(client.connection.isReading).isTrue();
    }

    @Test
    void callsOfAChainGoToOneServerUntilItsEnd() {
        Node other = new Node("other");
        offer(server, other);
        client.announces(0, SERVICE);

        client.sends(
                request(1, RequestOptions.NONE.in(new Lane(9, Lane.Kind.CHAIN, true))),
                request(2, RequestOptions.NONE.in(new Lane(9, Lane.Kind.CHAIN, false))),
                new LaneEnd(0, 9));

        Node taker = server.connection.kinds().isEmpty() ? other : server;
        assertThat(taker.connection.kinds())
                .containsExactly(FrameKind.METHODS, FrameKind.REQUEST, FrameKind.REQUEST, FrameKind.LANE_END);
        client.sends(request(3, RequestOptions.NONE.in(new Lane(9, Lane.Kind.CHAIN, false))));
        assertRefused(client.failure(), 3, ErrorCode.CANCELLED, "its chain is not known");
    }

    @Test
    void aClientIsNotReadFromWhileItsWordsForAServerWait() {
        offer(server);
        client.announces(0, SERVICE);
        client.sends(request(1));
        server.request();
        server.connection.isWritable = false;

        Frame waits = new Awaited(0, Collections.nCopies(1_000, 1L));
        for (int i = 0; i < 10_000 && client.connection.isReading; i++) {
            client.sends(new Cancel(0, 1), waits);
        }
        assertThat(client.connection.isReading).isFalse();

        server.becomesWritable();
        assertThat(client.connection.isReading).isTrue();
    }

    @Test
    void aClientThatHoldsObjectsOfAServerThatDoesNotReadWaits() {
        offer(server);
        client.announces(0, SERVICE);
        client.sends(request(1));
        RequestHead there = server.request();
        server.sends(new Reply(there.peer(), there.id()));
        int number = Header.peer(client.connection.take());
        server.connection.isWritable = false;

        for (int i = 0; i < 1_000_000 && client.connection.isReading; i++) {
            client.sends(new Held(number, 5, 6, 1));
        }

        assertThat(client.connection.isReading).isFalse();
    }

    @Test
    void aClientThatReadsNoAnswersOfTheBrokerIsNotReadFrom() {
        client.connection.isWritable = false;
        client.sends(new PeerOf(0, 1, "nowhere", 7));
        assertThat(client.connection.isReading).isFalse();
        client.pressure.onWritable();
        assertThat(client.connection.isReading).isTrue();

        client.sends(new LaneOf(0, 2, 7, 8));
        assertThat(client.connection.isReading).isFalse();
        client.pressure.onWritable();

        client.sends(new Recall(3, ConnectionName.random(), 1));
        assertThat(client.connection.isReading).isFalse();
    }

    @Test
    void aSecondTryGoesToAnotherReplicaAndTellsServersNothingOfIt() {
        Node other = new Node("other");
        offer(server, other);
        client.announces(0, SERVICE);
        client.sends(request(1));
        boolean isAtServer = !server.connection.kinds().isEmpty();

        client.sends(request(2, RequestOptions.NONE.elsewhereThan(1)));

        assertThat((isAtServer ? server : other).request().id()).isEqualTo(1);
        assertThat((isAtServer ? other : server).request().options()).isEqualTo(RequestOptions.NONE);
    }

    @Test
    void aSecondTryWithoutAnotherReplicaIsRefused() {
        offer(server);
        client.announces(0, SERVICE);

        client.sends(request(1), request(2, RequestOptions.NONE.elsewhereThan(1)));

        assertRefused(client.failure(), 2, ErrorCode.OVERLOAD, "no other replica");
    }

    @Test
    void callsWaitForRoomAndGoWhenACallHasBegunAndEnded() {
        policy = BalancePolicies.demand(1);
        offer(server);
        views.get(SERVICE).balancer().onRoom(() -> relay.onRoom(SERVICE));
        client.announces(0, SERVICE);
        client.sends(request(1), request(2));
        RequestHead first = server.request();
        assertThat(server.connection.kinds()).isEmpty();
        client.connection.runTasks();
        assertThat(server.connection.kinds()).isEmpty();

        server.sends(new Begun(first.peer(), List.of(first.id())), new Reply(first.peer(), first.id()));
        client.connection.runTasks();

        assertThat(server.connection.kinds()).containsExactly(FrameKind.REQUEST);
        assertThat(server.connection.flushes).isGreaterThan(1);
    }

    @Test
    void aCallThatWaitsIsCancelledHere() {
        policy = BalancePolicies.demand(1);
        offer(server);
        client.announces(0, SERVICE);
        client.sends(request(1), request(2));
        server.request();

        client.sends(new Cancel(0, 2));

        assertRefused(client.failure(), 2, ErrorCode.CANCELLED, "cancelled before it was sent");
        assertThat(server.connection.kinds()).isEmpty();
        assertThat(relay.isEmpty()).isFalse();
    }

    @Test
    void aCallWhoseDeadlinePassesWhileItWaitsIsRefused() {
        policy = BalancePolicies.demand(1);
        offer(server);
        client.announces(0, SERVICE);
        client.sends(request(1), new RequestHead(0, 2, 0, SECOND));
        RequestHead first = server.request();
        timer.advance(Duration.ofSeconds(2));

        server.sends(new Reply(first.peer(), first.id()));
        relay.onRoom(SERVICE);
        client.connection.runTasks();

        assertThat(client.connection.take(Reply::read).id()).isEqualTo(1);
        assertRefused(client.failure(), 2, ErrorCode.DEADLINE, "all replicas were busy");
    }

    @Test
    void aCallThatAServerGivesAwayGoesToTheReplicaItNames() {
        Node other = new Node("other");
        migrates = true;
        offer(server, other);
        client.announces(0, SERVICE);
        client.sends(request(1, RequestOptions.of(RequestOptions.MOVABLE)));
        boolean isAtServer = !server.connection.kinds().isEmpty();
        Node from = isAtServer ? server : other;
        Node to = isAtServer ? other : server;
        RequestHead there = from.request();

        from.sends(new Moved(there.peer(), there.id(), to.address()));
        client.connection.runTasks();

        RequestHead again = to.request();
        assertThat(again.options().hasMoved()).isTrue();
        to.sends(new Reply(again.peer(), again.id()));
        assertThat(client.connection.take(Reply::read).id()).isEqualTo(1);
    }

    @Test
    void aCallThatIsCancelledBetweenTwoReplicasIsNotExecuted() {
        Node other = new Node("other");
        migrates = true;
        offer(server, other);
        client.announces(0, SERVICE);
        client.sends(request(1, RequestOptions.of(RequestOptions.MOVABLE)));
        Node from = server.connection.kinds().isEmpty() ? other : server;
        RequestHead there = from.request();

        client.sends(new Cancel(0, 1));
        from.sends(new Moved(there.peer(), there.id(), from == server ? "other" : "server"));
        client.connection.runTasks();

        assertRefused(client.failure(), 1, ErrorCode.CANCELLED, "cancelled before it began");
    }

    @Test
    void aCallThatMayNotMoveIsNotKept() {
        offer(server);
        client.announces(0, SERVICE);
        client.sends(request(1, RequestOptions.of(RequestOptions.MOVABLE)));
        RequestHead there = server.request();
        assertThat(there.options().isMovable()).isFalse();

        server.sends(new Moved(there.peer(), there.id(), "other"));
        client.connection.runTasks();

        assertRefused(client.failure(), 1, ErrorCode.PROTOCOL, "may not move");
    }

    @Test
    void aServerCallsItsClientBack() {
        offer(server);
        client.announces(0, SERVICE);
        client.sends(request(1));
        RequestHead there = server.request();
        server.announces(0, "callback");

        server.sends(new RequestHead(there.peer(), 1, 0, 0));

        RequestHead back = client.request();
        client.sends(new Reply(back.peer(), back.id()));
        assertThat(server.connection.take(Reply::read).id()).isEqualTo(1);
    }

    @Test
    void aCallBackToANodeThatIsNotKnownIsRefused() {
        server.announces(0, "callback");

        server.sends(new RequestHead(17, 1, 0, 0));

        assertRefused(server.failure(), 1, ErrorCode.CONNECTION_LOST, "the node that has the object is gone");
    }

    @Test
    void heldObjectsAreToldUnderTheNumberOfTheOtherSide() {
        offer(server);
        client.announces(0, SERVICE);
        client.sends(request(1));
        RequestHead there = server.request();
        server.sends(new Reply(there.peer(), there.id()));
        int serverNumber = Header.peer(client.connection.take());

        client.sends(new Held(serverNumber, 5, 6, 1));
        assertThat(server.connection.take(Held::read)).isEqualTo(new Held(there.peer(), 5, 6, 1));

        server.sends(new Held(there.peer(), 7, 8, -1));
        assertThat(client.connection.take(Held::read)).isEqualTo(new Held(serverNumber, 7, 8, -1));
    }

    @Test
    void aPingIsAnswered() {
        client.sends(new Ping(9));

        assertThat(client.connection.take(Pong::read)).isEqualTo(new Pong(9, Load.NONE));
    }

    @Test
    void anAnswerToNobodyEndsTheConnection() {
        server.sends(new Reply(0, 1));

        assertThat(server.connection.take(GoAway::read).text()).isEqualTo("REPLY without peer (expected: 1..65535)");
        assertThat(server.connection.isClosed).isTrue();
    }

    @Test
    void aClientThatStallsForAWholeLimitIsDisconnected() {
        offer(server);
        client.announces(0, SERVICE);
        client.sends(request(1));
        RequestHead there = server.request();
        client.connection.isWritable = false;
        Pair pair = requireNonNull(server.session.server().named(there.peer()));
        pair.client()
                .deliver(
                        client.connection.allocator().buffer().writeZero((int) Pair.MAX_BACKLOG + 1),
                        server.session.server());
        assertThat(server.session.waitsForClients()).isTrue();

        relay.onStallLimit();
        assertThat(client.connection.isClosed).isFalse();
        relay.onStallLimit();

        assertThat(client.connection.isClosed).isTrue();
    }

    @Test
    void nothingIsLeftOfNodesThatHaveGone() {
        offer(server);
        client.announces(0, SERVICE);
        client.sends(request(1), request(2, RequestOptions.NONE.in(new Lane(9, Lane.Kind.GROUP, true))));
        assertThat(relay.isIdle()).isFalse();

        client.session.onClose();
        assertThat(server.connection.kinds()).contains(FrameKind.CALLER_GONE);
        server.session.onClose();

        assertThat(relay.isIdle()).isTrue();
        assertThat(relay.isEmpty()).isTrue();
    }
}
