package dev.cleave.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DenialsTest {

    private final List<String> lines = new ArrayList<>();
    private final Denials denials = new Denials(new Recording(lines));

    /** Keeps what is logged. */
    private record Recording(List<String> lines) implements System.Logger {

        @Override
        public String getName() {
            return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String text, @Nullable Throwable thrown) {
            lines.add(text);
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String format, Object... parts) {
            lines.add(MessageFormat.format(format, parts));
        }
    }

    @Test
    void theSameDenialIsLoggedOnceAndCountedEachTime() {
        long before = Refusals.of("denied.test");

        denials.denied("test", "ann", "a call");
        denials.denied("test", "ann", "a call");
        denials.denied("test", "bob", "a call");

        assertThat(lines).containsExactly("denied to ann: a call", "denied to bob: a call");
        assertThat(Refusals.of("denied.test")).isEqualTo(before + 3);
    }

    @Test
    void aPeerThatIsDeniedManyThingsFillsNoLog() {
        for (int i = 0; i < 5_000; i++) {
            denials.denied("test", "ann", "call of m" + i);
        }

        assertThat(lines)
                .hasSize(9)
                .last()
                .isEqualTo("denied to ann: more of this kind, which is only counted from now on (denied.test)");
        denials.denied("test", "bob", "a call");
        assertThat(lines).hasSize(10);
    }
}
