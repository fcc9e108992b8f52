package dev.cleave.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** The lines that a class, or a package, logs for users while this is open: from INFO on. Thread-safe. */
public final class LogLines implements AutoCloseable {

    private final Logger logger; // the log manager holds it weakly
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord line) {
            if (line.getLevel().intValue() >= Level.INFO.intValue()) {
                lines.add(line.getLevel() + " " + formatter.formatMessage(line));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private LogLines(String name) {
        logger = Logger.getLogger(name);
        logger.addHandler(handler);
    }

    /** Listens to a class or package, by its name. */
    public static LogLines of(String name) {
        return new LogLines(name);
    }

    /** The lines so far, each as {@code LEVEL message}. */
    public List<String> lines() {
        return lines;
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
    }
}
