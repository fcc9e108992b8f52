package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Pull;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Handlers of frames; the session is a list of what was done. */
class FrameTableTest {

    private static final class Session extends ArrayList<String> {
        private static final long serialVersionUID = 1;
    }

    private final Session session = new Session();

    private void handle(FrameTable<Session> table, Frame said) {
        ByteBuf frame = said.write(UnpooledByteBufAllocator.DEFAULT);
        try {
            table.handle(session, Header.kind(frame), frame);
        } finally {
            frame.release();
        }
    }

    @Test
    void eachKindHasItsHandler() {
        FrameTable<Session> table = FrameTable.<Session>of("a test")
                .on(FrameKind.PING, Ping::read, (it, said) -> it.add("ping " + said.id()))
                .on(FrameKind.PULL, (it, frame) -> it.add("pull of " + frame.readableBytes()))
                .build();

        handle(table, new Ping(7));
        handle(table, new Pull("s"));

        assertThat(session).containsExactly("ping 7", "pull of 19");
    }

    @Test
    void aKindWithoutHandlerIsRefused() {
        FrameTable<Session> table = FrameTable.<Session>of("a test").build();

        assertThatThrownBy(() -> handle(table, new Ping(7)))
                .isInstanceOfSatisfying(
                        WireException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PROTOCOL))
                .hasMessage("PING sent to a test (expected: a kind it takes)");
    }

    @Test
    void severalHandlersOfFieldsRunInTheOrderInWhichTheyWereAdded() {
        FrameTable<Session> table = FrameTable.<Session>of("a test")
                .on(FrameKind.PING, Ping::read, (it, said) -> it.add("first " + said.id()))
                .on(FrameKind.PING, Ping::read, (it, said) -> it.add("second " + said.id()))
                .build();

        handle(table, new Ping(7));

        assertThat(session).containsExactly("first 7", "second 7");
    }

    @Test
    void aHandlerOfUndecodedFramesIsTheOnlyOneOfItsKind() {
        FrameTable.Builder<Session> first =
                FrameTable.<Session>of("a test").on(FrameKind.PING, (it, frame) -> it.add("frame"));
        FrameTable.Builder<Session> second =
                FrameTable.<Session>of("a test").on(FrameKind.PING, Ping::read, (it, said) -> it.add("fields"));

        assertThatThrownBy(() -> first.on(FrameKind.PING, Ping::read, (it, said) -> it.add("fields")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> second.on(FrameKind.PING, (it, frame) -> it.add("frame")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFrameThatIsNotAsItShouldBeReachesNoHandler() {
        FrameTable<Session> table = FrameTable.<Session>of("a test")
                .on(FrameKind.PULL, Pull::read, (it, said) -> it.add("pull"))
                .build();
        ByteBuf frame = new Pull("service").write(UnpooledByteBufAllocator.DEFAULT);
        frame.writerIndex(frame.writerIndex() - 1);

        assertThatThrownBy(() -> table.handle(session, FrameKind.PULL, frame)).isInstanceOf(WireException.class);

        assertThat(session).isEmpty();
        frame.release();
    }

    @Test
    void aPartOfTheSessionHasATableOfItsOwn() {
        FrameTable<List<String>> part = FrameTable.<List<String>>of("a part")
                .on(FrameKind.PING, Ping::read, (it, said) -> it.add("part " + said.id()))
                .build();
        List<String> partOfSession = new ArrayList<>();
        FrameTable<Session> table = FrameTable.<Session>of("a test")
                .with(it -> partOfSession, part)
                .build();

        handle(table, new Ping(7));

        assertThat(partOfSession).containsExactly("part 7");
        assertThat(session).isEmpty();
    }
}
