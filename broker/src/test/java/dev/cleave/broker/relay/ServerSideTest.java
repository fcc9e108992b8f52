package dev.cleave.broker.relay;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.FakeConnection;
import dev.cleave.wire.Begun;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.CallerGone;
import dev.cleave.wire.Cancel;
import dev.cleave.wire.Chunk;
import dev.cleave.wire.Credit;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Moved;
import dev.cleave.wire.PeerGone;
import dev.cleave.wire.Pull;
import dev.cleave.wire.Reply;
import dev.cleave.wire.Types;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The way to a server, with clients that keep what they are told. */
@Tag("one-jdk")
class ServerSideTest {

    private static final int MOST = 3;
    private static final long CALL = 5;

    private final FakeConnection connection = new FakeConnection("server");
    private final BackPressure pressure = new BackPressure(connection);
    private final PeerNumbers numbers = new PeerNumbers();
    private final ServerSide server =
            new ServerSide(connection.core(RelaySession.FRAMES, ~0L), pressure, numbers, MOST);
    private final FakeClient client = new FakeClient("client");
    private final Pair pair = requireNonNull(server.meet(client));

    private Pair.Call call(long id) {
        return requireNonNull(server.begin(pair, id, null, null));
    }

    private ByteBuf reply(Pair.Call call) {
        return new Reply(pair.clientNumber(), call.serverId()).write(connection.allocator());
    }

    private ByteBuf replyWithBlocks(Pair.Call call) {
        ByteBuf frame = reply(call);
        Blocks.put(List.of(new Blocks(1, 100)), frame);
        Header.finish(frame);
        return frame;
    }

    private ByteBuf chunk(Pair.Call call, boolean isLast) {
        return new Chunk(pair.clientNumber(), call.serverId(), true, isLast).write(connection.allocator());
    }

    @Test
    void aReplyGoesToTheClientUnderItsOwnNumbersAndEndsTheCall() {
        Pair.Call call = call(CALL);

        assertThat(server.onAnswer(reply(call))).isSameAs(client.connection);

        assertThat(FakeClient.address(client.connection.take())).isEqualTo(pair.serverNumber() + "/" + CALL);
        assertThat(client.remembered).containsExactly(call);
        assertThat(client.inFlight).isEmpty();
        assertThat(server.onAnswer(reply(call))).as("a second reply").isNull();
        assertThat(client.connection.kinds()).isEmpty();
    }

    @Test
    void aFailureEndsTheCallToo() {
        Pair.Call call = call(CALL);

        server.onAnswer(new Failure(pair.clientNumber(), call.serverId(), ErrorCode.OVERLOAD, Execution.NOT, "full")
                .write(connection.allocator()));

        assertThat(client.connection.kinds()).containsExactly(FrameKind.FAILURE);
        assertThat(client.inFlight).isEmpty();
    }

    @Test
    void whatNamesAnotherClientIsDropped() {
        Pair.Call call = call(CALL);
        FakeClient other = new FakeClient("other");
        Pair strange = requireNonNull(server.meet(other));
        ByteBuf frame = reply(call);
        Header.readdress(frame, strange.clientNumber(), call.serverId());

        assertThat(server.onAnswer(frame)).isNull();

        assertThat(other.connection.kinds()).isEmpty();
        assertThat(client.inFlight).containsExactly(call);
    }

    @Test
    void aReplyWithBlocksEndsTheCallWithItsLastChunk() {
        Pair.Call call = call(CALL);

        server.onAnswer(replyWithBlocks(call));
        server.onChunk(chunk(call, false), false);
        assertThat(client.inFlight).containsExactly(call);

        server.onChunk(chunk(call, true), true);
        assertThat(client.inFlight).isEmpty();
        assertThat(client.connection.kinds()).containsExactly(FrameKind.REPLY, FrameKind.CHUNK, FrameKind.CHUNK);
        assertThat(server.onChunk(chunk(call, true), true)).isNull();
    }

    @Test
    void aReplyWithBlocksOfAClientThatHasGoneIsCancelledOnceMore() {
        Pair.Call call = call(CALL);
        client.isClosed = true;

        server.onAnswer(replyWithBlocks(call));

        assertThat(connection.take(Cancel::read)).isEqualTo(new Cancel(pair.clientNumber(), call.serverId()));
        assertThat(connection.flushes).isEqualTo(1);
    }

    @Test
    void aServerIsToldThatAClientHasGone() {
        Pair.Call call = call(CALL);

        server.callerGone(call);

        assertThat(connection.take(CallerGone::read)).isEqualTo(new CallerGone(pair.clientNumber(), call.serverId()));
    }

    @Test
    void aServerThatCannotBeToldThatAClientHasGoneIsToldToCancelItsCalls() {
        ServerSide older = new ServerSide(
                connection.core(RelaySession.FRAMES, ~FrameKind.CALLER_GONE.feature()), pressure, numbers, MOST);
        Pair with = requireNonNull(older.meet(client));
        Pair.Call call = requireNonNull(older.begin(with, CALL, null, null));

        older.callerGone(call);

        assertThat(connection.take(Cancel::read)).isEqualTo(new Cancel(with.clientNumber(), call.serverId()));
    }

    @Test
    void moreCallsThanMayBeInFlightAreRefused() {
        for (int i = 0; i < MOST; i++) {
            call(i + 1);
        }

        assertThat(server.begin(pair, MOST + 1, null, null)).isNull();

        server.onAnswer(reply(client.inFlight.get(0)));
        assertThat(server.begin(pair, MOST + 1, null, null)).isNotNull();
    }

    @Test
    void creditForAnArgumentGoesToTheClientOfTheCall() {
        Pair.Call call = call(CALL);
        ByteBuf credit = new Credit(pair.clientNumber(), call.serverId(), false, 100).write(connection.allocator());

        assertThat(server.onCredit(credit)).isSameAs(client.connection);
        assertThat(FakeClient.address(client.connection.take())).isEqualTo("0/" + CALL);
    }

    @Test
    void aCallThatMovesIsNoLongerTheServers() {
        Pair.Call call = call(CALL);

        server.onMoved(new Moved(pair.clientNumber(), call.serverId(), "harvey"));
        server.onMoved(new Moved(pair.clientNumber(), call.serverId(), "bugs"));

        assertThat(client.moved).containsExactly(CALL + " to harvey");
        assertThat(server.onAnswer(reply(call))).isNull();
    }

    @Test
    void typesGoToTheClientAndAreKeptWithThePair() {
        Types types = new Types(pair.clientNumber(), 0, List.of("a.B"));

        assertThat(server.onTypes(types.write(connection.allocator()))).isSameAs(client.connection);

        assertThat(client.connection.take(Types::read)).isEqualTo(new Types(pair.serverNumber(), 0, List.of("a.B")));
        assertThat(pair.typeFrames()).isEqualTo(1);
        assertThat(server.onTypes(new Types(99, 0, List.of("a.B")).write(connection.allocator())))
                .isNull();
    }

    @Test
    void theNumberOfAClientThatLeavesIsFreeWhenItsLastCallHasEnded() {
        Pair.Call call = call(CALL);

        server.leave(pair);
        assertThat(connection.kinds()).isEmpty();
        assertThat(server.named(pair.clientNumber())).isSameAs(pair);

        server.onAnswer(reply(call));
        assertThat(connection.take(PeerGone::read)).isEqualTo(new PeerGone(pair.clientNumber()));
        assertThat(numbers.isEmpty()).isTrue();
        assertThat(server.isEmpty()).isTrue();
    }

    @Test
    void aClientWaitsUntilTheServerTakesWhatWasWritten() {
        connection.isWritable = false;
        server.hold(client);
        assertThat(client.connection.isReading).isFalse();

        connection.isWritable = true;
        server.onWritable();
        assertThat(client.connection.isReading).isTrue();
    }

    @Test
    void aClientThatWaitsForAServerThatTookAllMeanwhileGoesOn() {
        server.hold(client);

        assertThat(client.connection.isReading).isTrue();
    }

    @Test
    void aClientGoesOnIfItsServerTakesAllWhenReadingFromItEnds() {
        connection.isWritable = false;
        client.connection.whenReading = enabled -> connection.isWritable = true; // its event has come before

        server.hold(client);

        assertThat(client.connection.isReading).isTrue();
        assertThat(server.isEmpty()).isFalse(); // the two know each other
    }

    @Test
    void aClientThatWaitsForAnyOfSomeServersGoesOnWithTheFirst() {
        FakeConnection second = new FakeConnection("second");
        ServerSide other =
                new ServerSide(second.core(RelaySession.FRAMES, 0), new BackPressure(second), new PeerNumbers(), MOST);
        connection.isWritable = false;
        second.isWritable = false;

        ServerSide.holdForAny(List.of(server, other), client);
        assertThat(client.connection.isReading).isFalse();

        second.isWritable = true;
        other.onWritable();
        assertThat(client.connection.isReading).isTrue();
    }

    @Test
    void aClientThatWaitsForAnyDoesNotWaitIfOneTakesFramesByThen() {
        FakeConnection second = new FakeConnection("second");
        ServerSide other =
                new ServerSide(second.core(RelaySession.FRAMES, 0), new BackPressure(second), new PeerNumbers(), MOST);
        connection.isWritable = false;

        ServerSide.holdForAny(List.of(server, other), client);

        assertThat(client.connection.isReading).isTrue();
    }

    @Test
    void aClientIsHeldWhenItsLargeArgumentsPileUp() {
        connection.isWritable = false;
        int length = 256 << 10;
        for (long sent = 0; sent <= Pair.MAX_BACKLOG; sent += length) {
            assertThat(client.connection.isReading).isTrue();
            server.deliver(connection.allocator().buffer(length).writeZero(length), client);
        }

        assertThat(client.connection.isReading).isFalse();
        connection.isWritable = true;
        server.onWritable();
        assertThat(client.connection.isReading).isTrue();
    }

    @Test
    void aServerIsAskedOnceWhichCallsOfAServiceHaveBegun() {
        server.pull("compare");
        server.pull("compare");

        assertThat(connection.take(Pull::read)).isEqualTo(new Pull("compare"));
        assertThat(connection.kinds()).isEmpty();
    }

    @Test
    void aServerThatCannotSayIsNotAsked() {
        FakeConnection old = new FakeConnection("old");

        new ServerSide(old.core(RelaySession.FRAMES, 0), new BackPressure(old), new PeerNumbers(), MOST)
                .pull("compare");

        assertThat(old.kinds()).isEmpty();
    }

    @Test
    void begunOfCallsWithoutAnAccountIsOfNoConsequence() {
        Pair.Call call = call(CALL);

        server.onBegun(new Begun(pair.clientNumber(), List.of(call.serverId(), 99L)));

        assertThat(client.inFlight).containsExactly(call);
    }

    @Test
    void suspicionIsToldToTheClientsOfTheCalls() {
        call(CALL);
        call(CALL + 1);

        server.suspect();

        assertThat(client.suspected).containsExactlyInAnyOrder(CALL, CALL + 1);
    }

    @Test
    void theEndOfTheConnectionLeavesTheFateOfItsCallsUnknown() {
        Pair.Call call = call(CALL);
        connection.isWritable = false;
        server.hold(client);

        server.close();

        assertThat(client.met).containsExactly(pair);
        assertThat(client.lost).containsExactly(call);
        assertThat(client.gone).containsExactly(pair);
        assertThat(client.connection.isReading).isTrue();
        assertThat(server.begin(pair, CALL + 1, null, null)).isNull();
        assertThat(server.meet(client)).isNull();
        assertThat(server.isEmpty()).isTrue();
    }
}
