package dev.cleave.testing;

import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** A log whose handler throws, as one does whose process has run out of file descriptors, until this is closed. */
public final class BrokenLog implements AutoCloseable {

    private final AtomicLong thrown = new AtomicLong();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord logged) {
            thrown.incrementAndGet();
            throw new NoClassDefFoundError("sun/util/calendar/ZoneInfoFile");
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private final Logger logger; // held: the log manager holds it weakly
    private final Level level;

    private BrokenLog(String name) {
        logger = Logger.getLogger(name);
        level = logger.getLevel();
        logger.setLevel(Level.ALL);
        logger.addHandler(handler);
    }

    /** Breaks the log of all that is named so or below, of every level. */
    public static BrokenLog of(String name) {
        return new BrokenLog(name);
    }

    /** How many lines have been refused. */
    public long thrown() {
        return thrown.get();
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
        logger.setLevel(level);
    }
}
