package dev.cleave.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class SafeLogTest {

    private static final String NAME = SafeLogTest.class.getName();

    /** Throws, as a formatter without file descriptors does. */
    private static <T> T broken() {
        throw new NoClassDefFoundError("sun/util/calendar/ZoneInfoFile");
    }

    private static void logInAllWays(System.Logger log) {
        IllegalStateException thrown = new IllegalStateException("thrown");
        log.log(System.Logger.Level.ERROR, "lost");
        log.log(System.Logger.Level.ERROR, "lost", thrown);
        log.log(System.Logger.Level.ERROR, "lost {0}", new Mute());
        log.log(System.Logger.Level.ERROR, new Mute());
        log.log(System.Logger.Level.ERROR, (Supplier<String>) SafeLogTest::broken);
        log.log(System.Logger.Level.ERROR, SafeLogTest::broken, thrown);
        log.log(System.Logger.Level.ERROR, (ResourceBundle) null, "lost", thrown);
        log.log(System.Logger.Level.ERROR, (ResourceBundle) null, "lost {0}", 1);
    }

    @Test
    void forgetsWhatTheLoggerThrows() {
        long before = SafeLog.lost();

        assertThatCode(() -> logInAllWays(SafeLog.around("throwing", Throwing::new)))
                .doesNotThrowAnyException();
        assertThat(SafeLog.lost() - before).isEqualTo(8);
    }

    @Test
    void aLoggerThatCannotBeMadeIsAskedForAgain() {
        List<String> made = new ArrayList<>();
        System.Logger log = SafeLog.around(NAME, () -> {
            made.add("once");
            return made.size() > 8 ? System.getLogger(NAME) : broken();
        });

        assertThatCode(() -> logInAllWays(log)).doesNotThrowAnyException();
        assertThat(log.isLoggable(System.Logger.Level.ERROR)).isTrue();
        assertThat(log.isLoggable(System.Logger.Level.ERROR)).isTrue();
        assertThat(made).hasSize(9);
    }

    @Test
    void aLevelIsNotLoggableOfALoggerThatThrows() {
        assertThat(SafeLog.around("throwing", Throwing::new).isLoggable(System.Logger.Level.ERROR))
                .isFalse();
    }

    @Test
    void theLogNamesTheClassThatLogs() {
        List<LogRecord> records = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord logged) {
                String unused = logged.getSourceClassName(); // found when it is first asked for
                records.add(logged);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(NAME);
        logger.setUseParentHandlers(false);
        logger.addHandler(handler);
        try {
            SafeLog.of(SafeLogTest.class).log(System.Logger.Level.WARNING, "told {0}", 1);
        } finally {
            logger.removeHandler(handler);
            logger.setUseParentHandlers(true);
        }

        assertThat(records).singleElement().satisfies(one -> {
            assertThat(one.getLoggerName()).isEqualTo(NAME);
            assertThat(one.getSourceClassName()).isEqualTo(NAME);
            assertThat(one.getMessage()).isEqualTo("told {0}");
            assertThat(one.getParameters()).containsExactly(1);
        });
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
            return broken();
        }
    }

    private static final class Throwing implements System.Logger {

        @Override
        public String getName() {
            return "throwing";
        }

        @Override
        public boolean isLoggable(Level level) {
            return broken();
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
            broken();
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            broken();
        }
    }
}
