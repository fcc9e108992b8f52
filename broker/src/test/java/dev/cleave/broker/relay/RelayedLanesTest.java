package dev.cleave.broker.relay;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.call.ConnectionMemory;
import dev.cleave.call.LinkCore;
import dev.cleave.call.Memories;
import dev.cleave.testing.FakeConnection;
import dev.cleave.testing.FakeTimer;
import dev.cleave.wire.Lane;
import dev.cleave.wire.LaneEnd;
import dev.cleave.wire.LaneShare;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class RelayedLanesTest {

    private static final Lane FIRST = new Lane(4, Lane.Kind.CHAIN, true);
    private static final Lane NEXT = new Lane(4, Lane.Kind.CHAIN, false);
    private static final Lane FREE = new Lane(4, Lane.Kind.THREAD, true);

    private final FakeConnection connection = new FakeConnection("client");
    private final LinkCore<?> core = connection.core(RelaySession.FRAMES, 0);
    private final BackPressure pressure = new BackPressure(connection);
    private final PeerNumbers numbers = new PeerNumbers();
    private final ClientSide client = new ClientSide(
            core,
            pressure,
            numbers,
            new ServerSide(core, pressure, numbers, 1),
            new ConnectionMemory(new Memories(new FakeTimer()), core.peer(), connection));
    private final FakeConnection to = new FakeConnection("server");
    private final ServerSide server =
            new ServerSide(to.core(RelaySession.FRAMES, 0), new BackPressure(to), new PeerNumbers(), 1);
    private final SharedLanes shared = new SharedLanes();
    private final RelayedLanes lanes = new RelayedLanes(client, shared);

    @Test
    void laterCallsOfAChainGoWhereTheFirstHasGone() {
        assertThat(lanes.server(FIRST)).isNull();
        assertThat(lanes.isBroken(FIRST, null)).isFalse();

        lanes.opened(FIRST, server);

        assertThat(lanes.server(NEXT)).isSameAs(server);
        assertThat(lanes.isBroken(NEXT, server)).isFalse();
        assertThat(lanes.isBroken(FIRST, null)).as("opened twice").isTrue();
    }

    @Test
    void aChainThatIsNotKnownIsBroken() {
        assertThat(lanes.isBroken(NEXT, null)).isTrue();
    }

    @Test
    void callsThatAreOnlyInOrderGoAnywhere() {
        lanes.opened(FREE, server);

        assertThat(lanes.server(new Lane(4, Lane.Kind.THREAD, false))).isNull();
        assertThat(lanes.isBroken(new Lane(4, Lane.Kind.THREAD, false), null)).isFalse();
        assertThat(lanes.isBroken(null, null)).isFalse();
        assertThat(lanes.isEmpty()).isTrue();
    }

    @Test
    void theServerIsToldOfTheEndOfAChain() {
        Pair pair = requireNonNull(client.pair(server));
        lanes.opened(FIRST, server);

        assertThat(lanes.end(4)).isSameAs(to);

        assertThat(to.take(LaneEnd::read)).isEqualTo(new LaneEnd(pair.clientNumber(), 4));
        assertThat(lanes.end(4)).isNull();
        assertThat(lanes.isBroken(NEXT, null)).isTrue();
    }

    @Test
    void aSharedLaneIsFoundByItsKeyUntilItEnds() {
        Pair pair = requireNonNull(client.pair(server));
        lanes.opened(FIRST, server);

        assertThat(lanes.share(new LaneShare(0, 4, 7, 8))).isSameAs(to);

        assertThat(to.take(LaneShare::read)).isEqualTo(new LaneShare(pair.clientNumber(), 4, 7, 8));
        assertThat(shared.server(7, 8)).isSameAs(server);
        assertThat(shared.server(7, 9)).isNull();
        assertThat(lanes.share(new LaneShare(0, 4, 7, 8))).as("the same key").isNull();
        assertThat(lanes.share(new LaneShare(0, 4, 9, 9))).as("a second key").isSameAs(to);
        assertThat(shared.server(9, 9)).isSameAs(server);

        lanes.end(4);
        assertThat(shared.isEmpty()).isTrue();
    }

    @Test
    void aLaneHasNoMoreKeysThanTheLimit() {
        client.pair(server);
        lanes.opened(FIRST, server);

        for (int key = 0; key < LaneShare.MOST; key++) {
            assertThat(lanes.share(new LaneShare(0, 4, 7, key))).isSameAs(to);
        }

        assertThat(lanes.share(new LaneShare(0, 4, 7, LaneShare.MOST))).isNull();
        lanes.end(4);
        assertThat(shared.isEmpty()).isTrue();
    }

    @Test
    void aLaneThatIsNotKnownIsNotShared() {
        client.pair(server);

        assertThat(lanes.share(new LaneShare(0, 4, 7, 8))).isNull();

        assertThat(to.kinds()).isEmpty();
        assertThat(shared.isEmpty()).isTrue();
    }

    @Test
    void aKeyThatIsTakenStaysWithItsServer() {
        ServerSide other = new ServerSide(to.core(RelaySession.FRAMES, 0), new BackPressure(to), new PeerNumbers(), 1);
        LaneShare key = new LaneShare(0, 4, 7, 8);
        shared.add(key, other);
        client.pair(server);
        lanes.opened(FIRST, server);

        lanes.share(key);
        assertThat(shared.server(7, 8)).isSameAs(other);

        lanes.end(4);
        assertThat(shared.server(7, 8)).isSameAs(other);
    }

    @Test
    void theKeysOfAClientThatIsGoneAreForgotten() {
        client.pair(server);
        lanes.opened(FIRST, server);
        lanes.share(new LaneShare(0, 4, 7, 8));

        lanes.close();

        assertThat(shared.isEmpty()).isTrue();
    }

    @Test
    void aServerThatIsGoneIsNotTold() {
        lanes.opened(FIRST, server);

        assertThat(lanes.end(4)).isNull();
        assertThat(to.kinds()).isEmpty();
    }

    @Test
    void aRefusedCallEndsItsChainButNotItsThread() {
        client.pair(server);
        lanes.opened(FIRST, server);

        lanes.breakOff(FREE);
        lanes.breakOff(null);
        assertThat(lanes.server(NEXT)).isSameAs(server);

        lanes.breakOff(NEXT);
        assertThat(lanes.server(NEXT)).isNull();
        assertThat(to.take(LaneEnd::read).id()).isEqualTo(4);
    }

    @Test
    void noMoreChainsAreKeptThanTheLimit() {
        for (int i = 0; i < RelayedLanes.MOST; i++) {
            lanes.opened(new Lane(100 + i, Lane.Kind.GROUP, true), server);
        }

        assertThat(lanes.isBroken(FIRST, null)).isTrue();

        lanes.close();
        assertThat(lanes.isEmpty()).isTrue();
        assertThat(lanes.isBroken(FIRST, null)).isFalse();
    }
}
