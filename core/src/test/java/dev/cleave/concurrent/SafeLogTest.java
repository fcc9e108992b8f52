package dev.cleave.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;

class SafeLogTest {

    @Test
    void forgetsWhatTheLoggerThrows() {
        assertThatCode(() -> SafeLog.log(new Throwing(), System.Logger.Level.ERROR, "lost", null))
                .doesNotThrowAnyException();
    }

    @Test
    void aThrowableThatThrowsWhenAskedIsKnownByItsClass() {
        assertThat(SafeLog.text(new Mute())).isEqualTo(Mute.class.getName());
        assertThat(SafeLog.text(new IllegalStateException("full"))).isEqualTo("full");
    }

    private static final class Mute extends RuntimeException {

        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new NoClassDefFoundError("sun/util/calendar/ZoneInfoFile");
        }
    }

    private static final class Throwing implements System.Logger {

        @Override
        public String getName() {
            return "throwing";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
            throw new NoClassDefFoundError("sun/util/calendar/ZoneInfoFile");
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            throw new NoClassDefFoundError("sun/util/calendar/ZoneInfoFile");
        }
    }
}
