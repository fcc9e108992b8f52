package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.metrics.Refusals;
import dev.cleave.serial.SerialException;
import dev.cleave.testing.FakeConnection;
import dev.cleave.transport.Peer;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Pull;
import dev.cleave.wire.RequestHead;
import dev.cleave.wire.Types;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The guards that hold for every kind of frame, at nodes and brokers alike. */
class LinkCoreTest {

    private static final FrameTable<List<Long>> TABLE = FrameTable.<List<Long>>of("a test")
            .on(FrameKind.REQUEST, (session, frame) -> session.add(Header.id(frame)))
            .on(FrameKind.PING, Ping::read, (session, said) -> session.add(said.id()))
            .on(FrameKind.PULL, Pull::read, (session, said) -> {
                throw new SerialException(SerialException.Reason.MALFORMED, "bad service", null);
            })
            .build();

    private final FakeConnection connection = new FakeConnection("peer");
    private final List<Long> session = new ArrayList<>();

    private LinkCore<List<Long>> direct() {
        return new LinkCore<>(connection, new Peer("peer", 1, 2, Hello.KEYS), TABLE, false);
    }

    private void handle(LinkCore<List<Long>> core, Frame said) {
        ByteBuf frame = said.write(connection.allocator());
        core.handle(session, frame);
        frame.release();
    }

    @Test
    void aRequestThatComesTwiceIsHandledOnce() {
        LinkCore<List<Long>> core = direct();

        handle(core, new RequestHead(0, 2, 0, 0));
        handle(core, new RequestHead(0, 1, 0, 0));
        handle(core, new RequestHead(0, 2, 0, 0));
        handle(core, new Ping(2));
        handle(core, new Ping(2));

        assertThat(session).containsExactly(2L, 1L, 2L, 2L);
        assertThat(core.why()).isNull();
    }

    @Test
    void aPeerBehindADirectConnectionEndsIt() {
        LinkCore<List<Long>> core = direct();
        long refused = Refusals.of("closed.PROTOCOL");

        handle(core, new RequestHead(7, 1, 0, 0));

        assertThat(session).isEmpty();
        assertThat(core.why()).isEqualTo("REQUEST of peer 7 (expected: 0 on a direct connection)");
        assertThat(connection.isClosed).isTrue();
        assertThat(Refusals.of("closed.PROTOCOL")).isGreaterThan(refused);
    }

    @Test
    void aConnectionThatLeadsToOthersHasPeersBehindIt() {
        LinkCore<List<Long>> core = connection.core(TABLE, 0);

        handle(core, new RequestHead(7, 1, 0, 0));

        assertThat(session).containsExactly(1L);
    }

    @Test
    void thePeerIsToldWhyBeforeTheEnd() {
        handle(direct(), new GoAway(ErrorCode.OVERLOAD, "leave"));

        GoAway said = connection.take(GoAway::read);
        assertThat(said.code()).isEqualTo(ErrorCode.PROTOCOL);
        assertThat(said.text()).isEqualTo("GOAWAY sent to a test (expected: a kind it takes)");
        assertThat(connection.flushes).isEqualTo(1);
    }

    @Test
    void aValueThatCannotBeReadEndsTheConnection() {
        LinkCore<List<Long>> core = direct();

        handle(core, new Pull("service"));

        assertThat(core.why()).isEqualTo("bad service");
        assertThat(connection.isClosed).isTrue();
    }

    @Test
    void aPeerBehindTheOtherEndMayBeExiledInstead() {
        LinkCore<List<Long>> core = connection.core(TABLE, 0);
        List<String> exiled = new ArrayList<>();
        core.exiles((of, frame, code, because) -> exiled.add(Header.peer(frame) + ": " + because));

        handle(core, new Types(7, 0, List.of()));

        assertThat(exiled).containsExactly("7: TYPES sent to a test (expected: a kind it takes)");
        assertThat(core.why()).isNull();
        handle(core, new Pull("service"));
        assertThat(core.why()).as("of the other end itself").isEqualTo("bad service");
    }

    @Test
    void aNumberThatIsNoKindEndsTheConnection() {
        LinkCore<List<Long>> core = direct();
        ByteBuf frame = new Ping(1).write(connection.allocator());
        frame.setByte(frame.readerIndex() + Integer.BYTES, 255);

        core.handle(session, frame);

        assertThat(core.why()).contains("frame kind: 255");
        frame.release();
    }

    @Test
    void aPeerThatIsGivenUpIsToldNothing() {
        LinkCore<List<Long>> core = direct();

        core.giveUp("silent");

        assertThat(core.why()).isEqualTo("silent");
        assertThat(connection.kinds()).isEmpty();
        assertThat(connection.isClosed).isTrue();
    }

    @Test
    void whatThePeerSaysAtItsEndIsKept() {
        LinkCore<List<Long>> core = direct();

        core.closedByPeer(new GoAway(ErrorCode.OVERLOAD, "too many"));

        assertThat(core.why()).isEqualTo("too many");
        assertThat(connection.isClosed).isTrue();
    }

    @Test
    void featuresAreThoseOfThePeer() {
        assertThat(direct().has(Hello.KEYS)).isTrue();
        assertThat(direct().has(Hello.HEDGES)).isFalse();
    }
}
