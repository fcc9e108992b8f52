package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.config.MemoryBounds;
import dev.cleave.metrics.Refusals;
import dev.cleave.serial.Passing;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.testing.FakeTimer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.local.LocalTransport;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Lane;
import dev.cleave.wire.Methods;
import dev.cleave.wire.SharedLane;
import dev.cleave.wire.Types;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What peers do to a link that no node does. */
@Tag("one-jdk")
class HostilePeerTest {

    private final LocalTransport transport = LocalTransport.create();
    private final Endpoint door = Endpoint.local("hostile-" + UUID.randomUUID());
    private final FakeTimer timer = new FakeTimer();
    private final AtomicReference<Link> opened = new AtomicReference<>();
    private final Peer peer = new Peer();

    /** Hears why it is sent away. */
    private static final class Peer implements FrameHandler {

        private volatile Connection connection;
        private volatile String why = "";

        @Override
        public void onOpen(Connection here) {
            connection = here;
        }

        @Override
        public void onFrame(Connection from, ByteBuf frame) {
            if (Header.kind(frame) == FrameKind.GOAWAY) {
                why = GoAway.read(frame).text();
            }
        }

        @Override
        public void onClose(Connection closed, @Nullable Throwable cause) {}

        void say(Frame frame) {
            await().until(() -> connection != null);
            connection.write(frame.write(connection.allocator()));
            connection.flush();
        }
    }

    @AfterEach
    void close() {
        transport.close();
    }

    private LinkOwner owner() {
        return new LinkOwner() {
            @Override
            public void onOpened(Link link) {
                opened.set(link);
            }
        };
    }

    private LinkContext context() {
        return LinkContext.of(Hello.of("here", 1), Passing.NONE, timer, new ReceiveBudget(1 << 20));
    }

    /** A link that the peer has dialled. */
    private Link accepted(Hello said) {
        Link.listen(transport, door, context(), owner());
        new Handshake(said, timer).connect(transport, door, (connection, who) -> peer);
        await().until(() -> opened.get() != null);
        return opened.get();
    }

    /** A link that this node has dialled. */
    private Link dialled(Hello said) {
        new Handshake(said, timer).listen(transport, door, (connection, who) -> peer);
        return Link.dial(transport, door, context(), owner());
    }

    @Test
    void typesOfAnInventedPeerEndADirectConnection() {
        Link link = accepted(Hello.of("there", 2));
        long refused = Refusals.of("closed.PROTOCOL");

        peer.say(new Types(7, 0, List.of("a.B")));

        await().until(link::isClosed);
        await().untilAsserted(() -> assertThat(peer.why).contains("TYPES of peer 7"));
        assertThat(Refusals.of("closed.PROTOCOL")).isGreaterThan(refused);
    }

    @Test
    void whoDialsIsNoBrokerWhateverItSays() {
        Link link = accepted(Hello.ofRelay("there", 2));

        peer.say(new Methods(7, List.of(new Methods.Method(0, "s", "m()"))));

        await().until(link::isClosed);
        await().untilAsserted(() -> assertThat(peer.why).contains("METHODS of peer 7"));
    }

    @Test
    void aServerThatIsDialledHasNoPeersEither() {
        Link link = dialled(Hello.of("there", 2));

        peer.say(new Types(65_535, 0, List.of("a.B")));

        await().until(link::isClosed);
    }

    @Test
    void aServerIsNoBrokerWhateverItSays() {
        new Handshake(Hello.ofRelay("there", 2), timer).listen(transport, door, (connection, who) -> peer);
        Link link = Link.dialNode(transport, door, context(), owner());

        peer.say(new Methods(7, List.of(new Methods.Method(0, "s", "m()"))));

        await().until(link::isClosed);
        await().untilAsserted(() -> assertThat(peer.why).contains("METHODS of peer 7"));
    }

    @Test
    void eachServerThatFetchesResultsOfALaneHasAKeyOfItsOwn() {
        Link link = dialled(Hello.of("there", 2));
        ChainLane lane = new ChainLane(Lane.Kind.DEPENDENT, this, link, "one", 1);
        ChainLane first = new ChainLane(Lane.Kind.DEPENDENT, this, link, "two", 2);
        ChainLane second = new ChainLane(Lane.Kind.DEPENDENT, this, link, "three", 3);

        SharedLane shown = lane.shared("tcp://one:1", first);

        assertThat(lane.shared("tcp://one:1", first)).isEqualTo(shown);
        assertThat(lane.canBeSharedWith(second)).isTrue();
        assertThat(lane.shared("tcp://one:1", second).high()).isNotEqualTo(shown.high());
    }

    @Test
    void aLaneOfAServerThatKnowsOneKeyOfALaneIsSharedWithOneServer() {
        Hello all = Hello.of("there", 2);
        Link link =
                dialled(new Hello(all.minVersion(), all.maxVersion(), all.features() & ~Hello.LANE_KEYS, "there", 2));
        ChainLane lane = new ChainLane(Lane.Kind.DEPENDENT, this, link, "one", 1);
        ChainLane first = new ChainLane(Lane.Kind.DEPENDENT, this, link, "two", 2);
        ChainLane second = new ChainLane(Lane.Kind.DEPENDENT, this, link, "three", 3);

        assertThat(lane.canBeSharedWith(first)).isTrue();
        lane.shared("tcp://one:1", first);

        assertThat(lane.canBeSharedWith(first)).isTrue();
        assertThat(lane.canBeSharedWith(second)).isFalse();
    }

    @Test
    void aServerThatKnowsGuardsIsGivenThem() {
        assertThat(ChainLane.canGuard(dialled(Hello.of("there", 2)))).isTrue();
    }

    @Test
    void aServerOfAnOlderVersionIsGivenNoGuards() {
        Hello all = Hello.of("there", 2);
        long older = all.features() & ~Hello.LANE_GUARDS;

        assertThat(ChainLane.canGuard(dialled(new Hello(all.minVersion(), all.maxVersion(), older, "there", 2))))
                .isFalse();
    }

    @Test
    void namesOfPeersBehindABrokerAreCountedUntilThePeersAreGone() {
        Link link = dialled(Hello.ofRelay("there", 2));

        peer.say(new Types(7, 0, List.of("a.B")));
        peer.say(new Types(8, 0, List.of("a.B", "a.C")));

        int one = NameBudget.PER_NAME + 2 * "a.B".length();
        await().until(() -> link.relayedNames().taken() == 3L * one);
        link.peerGone(8);
        assertThat(link.relayedNames().taken()).isEqualTo(one);
        assertThat(link.isClosed()).isFalse();
    }

    @Test
    void namesBehindABrokerAreBoundedTogether() {
        NameBudget budget = new NameBudget("peers", 1_000);
        budget.take(600);

        assertThatThrownBy(() -> budget.take(600)).isInstanceOf(WireException.class);
        assertThat(budget.taken()).isEqualTo(600);
        budget.giveBack(600);
        budget.take(1_000);
    }

    @Test
    void namesOfDirectPeersAreBoundedInTheProcess() {
        Link link = accepted(Hello.of("there", 2));
        long before = NameBudget.direct().taken();
        long shown = MemoryBounds.NAMES.used();
        String name = "a".repeat(1_000);
        int one = NameBudget.PER_NAME + 2 * name.length();

        int few = (int) (MemoryBounds.FREE_NAMES / one);
        for (int i = 0; i < few + 10; i++) {
            peer.say(new Types(0, i, List.of(name)));
        }

        long counted = (few + 10L) * one - MemoryBounds.FREE_NAMES;
        await().untilAsserted(
                        () -> assertThat(NameBudget.direct().taken() - before).isEqualTo(counted));
        assertThat(MemoryBounds.NAMES.used() - shown).isEqualTo(counted);
        link.close();
        await().untilAsserted(() -> assertThat(NameBudget.direct().taken()).isEqualTo(before));
        assertThat(MemoryBounds.NAMES.used()).isEqualTo(shown);
    }

    @Test
    void oneDirectPeerLeavesNamesToOthers() {
        NameBudget budget = new NameBudget("peers", 1_000);
        long refused = Refusals.of("names.bytes");
        budget.take(0, 300);
        budget.take(300, 200);

        assertThatThrownBy(() -> budget.take(500, 1)).isInstanceOf(WireException.class);
        assertThat(Refusals.of("names.bytes")).isEqualTo(refused + 1);
        budget.take(0, 500);
        assertThat(budget.taken()).isEqualTo(1_000);
        budget.giveBack(1_000);
    }
}
