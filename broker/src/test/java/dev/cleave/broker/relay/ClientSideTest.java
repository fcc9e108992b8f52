package dev.cleave.broker.relay;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.call.ConnectionMemory;
import dev.cleave.call.LinkCore;
import dev.cleave.call.Memories;
import dev.cleave.testing.FakeConnection;
import dev.cleave.testing.FakeTimer;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Peer;
import dev.cleave.wire.Awaited;
import dev.cleave.wire.Cancel;
import dev.cleave.wire.ConnectionName;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.PeerGone;
import dev.cleave.wire.Recall;
import dev.cleave.wire.Reply;
import dev.cleave.wire.Settled;
import dev.cleave.wire.Suspected;
import dev.cleave.wire.Types;
import io.netty.buffer.ByteBuf;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The way from a client, with servers over connections that take what a test lets them take. */
@Tag("one-jdk")
class ClientSideTest {

    private static final ConnectionName NAME = ConnectionName.random();

    private final FakeTimer timer = new FakeTimer();
    private final Memories memories = new Memories(timer);
    private final FakeConnection connection = new FakeConnection("client");
    private final BackPressure pressure = new BackPressure(connection);
    private final PeerNumbers numbers = new PeerNumbers();
    private final LinkCore<?> core = connection.core(RelaySession.FRAMES, ~0L);
    private final ConnectionMemory memory = new ConnectionMemory(memories, core.peer(), connection);
    private final ServerSide same = new ServerSide(core, pressure, numbers, Relay.MAX_PENDING);
    private final ClientSide client = new ClientSide(core, pressure, numbers, same, memory);
    private final List<String> moved = new ArrayList<>();

    /** A server and its connection. */
    private static final class Server {

        final FakeConnection connection;
        final ServerSide side;

        Server(String name) {
            connection = new FakeConnection(name);
            side = new ServerSide(
                    connection.core(RelaySession.FRAMES, 0),
                    new BackPressure(connection),
                    new PeerNumbers(),
                    Relay.MAX_PENDING);
        }
    }

    private Pair.Call call(Server server, long id) {
        Pair pair = requireNonNull(client.pair(server.side));
        return requireNonNull(server.side.begin(pair, id, null, null));
    }

    private ByteBuf frameOf(int length) {
        return connection.allocator().buffer(length).writeZero(length);
    }

    @Test
    void aServerIsMetOnce() {
        Server server = new Server("server");

        Pair pair = client.pair(server.side);

        assertThat(client.pair(server.side)).isSameAs(pair);
        assertThat(client.known(server.side)).isSameAs(pair);
        assertThat(client.named(pair.serverNumber())).isSameAs(pair);
        assertThat(client.named(pair.serverNumber() + 1)).isNull();
    }

    @Test
    void aServerThatBreaksWhileItIsMetIsForgotten() {
        Server server = new Server("server");
        Pair.Server breaking = (Pair.Server) Proxy.newProxyInstance(
                Pair.Server.class.getClassLoader(), new Class<?>[] {Pair.Server.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("meet")) {
                        Pair pair = requireNonNull(server.side.meet((Pair.Client) arguments[0]));
                        server.side.close(); // on its own event thread, as soon as the pair is made
                        return pair;
                    }
                    return method.invoke(server.side, arguments);
                });

        client.pair(breaking);

        assertThat(client.known(breaking)).isNull();
        assertThat(client.isEmpty()).isTrue();
    }

    @Test
    void aCancelGoesToTheServerOfTheCallAndNowhereWhenTheCallIsOver() {
        Server server = new Server("server");
        Pair.Call call = call(server, 5);

        assertThat(client.onCancel(5)).isSameAs(server.connection);
        assertThat(server.connection.take(Cancel::read))
                .isEqualTo(new Cancel(call.pair().clientNumber(), call.serverId()));

        call.ended();
        assertThat(client.onCancel(5)).isNull();
        assertThat(client.isEmpty()).isFalse(); // the two still know each other
    }

    @Test
    void eachServerHearsWhichOfItsCallsAreAwaited() {
        Server one = new Server("one");
        Server two = new Server("two");
        Pair.Call first = call(one, 1);
        Pair.Call second = call(two, 2);
        Pair.Call third = call(one, 3);

        assertThat(client.onAwaited(new Awaited(0, List.of(1L, 2L, 3L, 99L))))
                .containsExactly(one.connection, two.connection);

        assertThat(one.connection.take(Awaited::read))
                .isEqualTo(new Awaited(first.pair().clientNumber(), List.of(first.serverId(), third.serverId())));
        assertThat(two.connection.take(Awaited::read))
                .isEqualTo(new Awaited(second.pair().clientNumber(), List.of(second.serverId())));
    }

    @Test
    void serversWaitForAClientThatLetsAnswersPileUp() {
        Server server = new Server("server");
        connection.isWritable = false;
        int length = 1 << 20;
        for (long sent = 0; sent <= Pair.MAX_BACKLOG; sent += length) {
            assertThat(client.stall()).isEqualTo(-1);
            client.deliver(frameOf(length), server.side);
        }

        assertThat(server.connection.isReading).isFalse();
        long stall = client.stall();
        assertThat(stall).isNotNegative();

        connection.isWritable = true;
        client.onWritable();
        assertThat(server.connection.isReading).isTrue();
        assertThat(client.stall()).isEqualTo(-1);
    }

    /** Servers go on one after the other; meanwhile answers of the last one pile up again. */
    @Test
    void aServerThatIsBeingReleasedIsHeldByItsNextAnswer() {
        Server first = new Server("first");
        Server last = new Server("last");
        connection.isWritable = false;
        client.deliver(frameOf((int) Pair.MAX_BACKLOG + 1), first.side);
        client.deliver(frameOf(1), last.side);
        first.connection.whenReading = enabled -> {
            client.deliver(frameOf((int) Pair.MAX_BACKLOG + 1), last.side);
        };

        client.onWritable();
        client.deliver(frameOf(1), last.side);

        assertThat(last.connection.isReading).isFalse();
        client.onWritable();
        assertThat(last.connection.isReading).isTrue();
    }

    @Test
    void aLaterStallHasAnotherName() {
        Server server = new Server("server");
        connection.isWritable = false;
        client.deliver(frameOf((int) Pair.MAX_BACKLOG + 1), server.side);
        long first = client.stall();
        client.onWritable();

        client.deliver(frameOf((int) Pair.MAX_BACKLOG + 1), server.side);

        assertThat(client.stall()).isGreaterThan(first);
    }

    @Test
    void theEndOfTheClientCancelsItsCallsTheLastFirst() {
        Server server = new Server("server");
        Pair.Call first = call(server, 1);
        Pair.Call second = call(server, 2);
        connection.isWritable = false;
        client.deliver(frameOf((int) Pair.MAX_BACKLOG + 1), server.side);

        client.close();

        assertThat(server.connection.take(Cancel::read).id()).isEqualTo(second.serverId());
        assertThat(server.connection.take(Cancel::read).id()).isEqualTo(first.serverId());
        assertThat(server.connection.isReading).isTrue();
        assertThat(client.isClosed()).isTrue();
    }

    @Test
    void aServerThatHasGoneIsForgottenAndItsNumberIsFree() {
        Server server = new Server("server");
        Pair pair = requireNonNull(client.pair(server.side));

        server.side.close();

        assertThat(connection.take(PeerGone::read)).isEqualTo(new PeerGone(pair.serverNumber()));
        assertThat(client.known(server.side)).isNull();
        assertThat(numbers.isEmpty()).isTrue();
    }

    @Test
    void callsOfAServerThatHasGoneAreInDoubt() {
        Server server = new Server("server");
        call(server, 5);

        server.side.close();

        Failure failure = connection.take(Failure::read);
        assertThat(failure.id()).isEqualTo(5);
        assertThat(failure.code()).isEqualTo(ErrorCode.CONNECTION_LOST);
        assertThat(failure.execution()).isEqualTo(Execution.MAYBE);
        assertThat(client.isEmpty()).isTrue();
    }

    @Test
    void aCallThatMovesIsSentOnByTheEventThread() {
        client.onMoved((call, replica) -> moved.add(call.clientId() + " to " + replica));
        Pair.Call call = call(new Server("server"), 5);

        client.moved(call, "harvey");
        assertThat(moved).isEmpty();

        connection.runTasks();
        assertThat(moved).containsExactly("5 to harvey");
    }

    @Test
    void aCallThatMovesWhileTheBrokerClosesHasEnded() {
        Pair.Call call = call(new Server("server"), 5);
        connection.isStopped = true;

        client.moved(call, "harvey");

        assertThat(client.pending()).isZero();
    }

    @Test
    void suspicionComesInFramesOfBoundedLength() {
        List<Long> calls =
                LongStream.rangeClosed(1, Suspected.MOST + 1L).boxed().toList();

        client.suspected(calls);

        assertThat(connection.take(Suspected::read).calls()).hasSize(Suspected.MOST);
        assertThat(connection.take(Suspected::read).calls()).containsExactly(Suspected.MOST + 1L);
        assertThat(connection.flushes).isEqualTo(1);
    }

    @Test
    void aClientThatKnowsNoSuspicionIsToldNothing() {
        FakeConnection old = new FakeConnection("old");
        LinkCore<?> plain = old.core(RelaySession.FRAMES, 0);
        BackPressure gate = new BackPressure(old);

        new ClientSide(plain, gate, numbers, same, new ConnectionMemory(memories, plain.peer(), old))
                .suspected(List.of(1L));

        assertThat(old.kinds()).isEmpty();
    }

    @Test
    void serversAreOrderedByWhenTheyLastTookACall() {
        Server one = new Server("one");
        Server two = new Server("two");
        client.pair(one.side);
        client.pair(two.side);
        assertThat(client.lastTook(one.side)).isZero();

        client.took(two.side);
        client.took(one.side);

        assertThat(client.lastTook(one.side)).isGreaterThan(client.lastTook(two.side));
    }

    /** Asks over another connection for a call of the first, which it breaks. */
    private FakeConnection recall(long call) {
        return recall(core.peer(), NAME, call);
    }

    private FakeConnection recall(Peer asker, ConnectionName name, long call) {
        FakeConnection next = new FakeConnection(asker.node());
        ConnectionMemory later = new ConnectionMemory(memories, asker, next);
        later.recall(new Recall(77, name, call), new RecalledCall(next, new PeerNumbers(), 77));
        return next;
    }

    @Test
    void whoDoesNotOwnACallLearnsNothingOfItAndCutsNothing() {
        memory.settled(new Settled(1, NAME));
        Pair.Call call = call(new Server("server"), 5);
        memory.begins(5);
        client.remember(call, new Reply(1, 5).write(connection.allocator()));
        Peer owner = core.peer();
        Peer other = new Peer("other", owner.incarnation(), 1, owner.features());
        ConnectionName guessed = new ConnectionName(NAME.high(), NAME.low() ^ 1);

        for (FakeConnection asker :
                List.of(recall(other, NAME, 5), recall(owner, guessed, 5), recall(owner, ConnectionName.NONE, 5))) {
            assertThat(asker.kinds()).containsExactly(FrameKind.FAILURE);
        }
        assertThat(connection.isClosed).isFalse();
        assertThat(recall(5).take(Reply::read)).isEqualTo(new Reply(0, 77));
    }

    @Test
    void theOutcomeOfACallIsGivenAgainOverTheNextConnection() {
        memory.settled(new Settled(1, NAME));
        Pair.Call call = call(new Server("server"), 5);
        assertThat(memory.begins(5)).isTrue();

        client.remember(call, new Reply(1, 5).write(connection.allocator()));

        assertThat(recall(5).take(Reply::read)).isEqualTo(new Reply(0, 77));
        assertThat(connection.isClosed).isTrue();
    }

    @Test
    void aReplyWithTypesIsGivenAgainBehindThem() {
        memory.settled(new Settled(1, NAME));
        Server server = new Server("server");
        Pair.Call call = call(server, 5);
        memory.begins(5);
        call.pair().announced(new Types(9, 0, List.of("a.B")).write(connection.allocator()));

        client.remember(call, new Reply(1, 5).write(connection.allocator()));

        assertThat(recall(5).kinds()).containsExactly(FrameKind.TYPES, FrameKind.REPLY, FrameKind.PEER_GONE);
    }

    @Test
    void aCallThatWasRefusedWasNotExecuted() {
        memory.settled(new Settled(1, NAME));
        memory.begins(5);

        client.refuse(5, ErrorCode.OVERLOAD, "full");

        assertThat(connection.take(Failure::read).execution()).isEqualTo(Execution.NOT);
        assertThat(recall(5).take(Failure::read).execution()).isEqualTo(Execution.NOT);
    }

    @Test
    void aCallOfALostServerIsInDoubtForItsNextConnectionToo() {
        memory.settled(new Settled(1, NAME));
        Pair.Call call = call(new Server("server"), 5);
        memory.begins(5);

        client.lost(call, Endpoint.local("server"));

        assertThat(recall(5).take(Failure::read).execution()).isEqualTo(Execution.MAYBE);
    }
}
