package dev.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.serial.SerialException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that steer a terminal, or forge a line of a log. */
class NamesTest {

    private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false);

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nb", "\u001b[2J", "a\u0000", "a\u009b31m", "a\u202eb", "a\u2028b", "\u200bx"})
    void areNoNamesAndAreShownAsText(String text) {
        assertThat(Names.isPlain(text)).isFalse();
        assertThat(Names.isPlain(Names.shown(text))).isTrue();
        assertThat(Names.isPlain(Names.escaped(text))).isTrue();
        assertThatThrownBy(() -> Names.check("name", text))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .matches(Names::isPlain);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nINFO: all is well", "\u001b]0;title\u0007", "a\u202eb"})
    void ofAPeerAreShownAsTextInWhatIsLogged(String text) {
        ByteBuf hello = new Hello(1, 1, 0, text, 1).write(HEAP);
        assertThatThrownBy(() -> Hello.read(hello))
                .isInstanceOf(WireException.class)
                .message()
                .matches(Names::isPlain);
        ByteBuf away = new GoAway(ErrorCode.PROTOCOL, text).write(HEAP);
        assertThat(GoAway.read(away).text()).matches(Names::isPlain);
        assertThat(new WireException(ErrorCode.PROTOCOL, "service: " + text).getMessage())
                .matches(Names::isPlain);
        assertThat(new SerialException(SerialException.Reason.MALFORMED, "type: " + text, null).getMessage())
                .matches(Names::isPlain);
    }

    @ParameterizedTest
    @ValueSource(strings = {"harvey", "a b", "Übung-7", "名前", "a.B$C"})
    void thatArePlainStayAsTheyAre(String text) {
        assertThat(Names.isPlain(text)).isTrue();
        assertThat(Names.shown(text)).isEqualTo(text);
        assertThat(Names.escaped(text)).isSameAs(text);
    }
}
