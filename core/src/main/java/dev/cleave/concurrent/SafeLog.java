package dev.cleave.concurrent;

import static java.util.Objects.requireNonNull;

import dev.cleave.text.Printable;
import java.text.MessageFormat;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ResourceBundle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The loggers of Cleave. They never throw, whatever a handler, a formatter, a filter or the {@code toString} of an
 * argument throws, and even if the process has run out of memory, of stack or of file descriptors. All loggers of
 * Cleave come from here, because most log calls run on a thread that carries the work of others: one call that throws
 * there would end all of that work.
 *
 * <p>A line shows texts of peers and files in one line, without characters that steer a terminal ({@link Printable}): those in the
 * message and in its arguments. The message of a throwable that is logged as such, with its stack trace, is the duty of its class.
 *
 * <p>A line that cannot be logged is lost. The first, second, fourth, eighth ... lost line of the process is reported
 * on {@code System.err}, with the reason. Thread-safe.
 */
public final class SafeLog {

    private static final AtomicLong LOST = new AtomicLong();

    private static final AtomicBoolean PREPARED = new AtomicBoolean();

    private SafeLog() {}

    /** Returns the logger with the name of a class. It is created at its first use. */
    public static System.Logger of(Class<?> type) {
        String name = type.getName();
        return new Safe(name, () -> System.getLogger(name));
    }

    /**
     * Reads, once per process and in a thread of its own, the files that the JDK's formatters need for the time of a
     * line. Otherwise a process that runs out of file descriptors before its first line could never log again.
     */
    public static void prepare() {
        if (!PREPARED.compareAndSet(false, true)) {
            return;
        }
        try {
            Thread thread = new Thread(
                    () -> {
                        ZonedDateTime unused = ZonedDateTime.now(ZoneId.systemDefault());
                    },
                    "cleave-log");
            thread.setDaemon(true);
            thread.start();
        } catch (Throwable e) { // no memory for a thread: the first log line reads the files then
            PREPARED.set(false);
        }
    }

    /** Wraps a logger. */
    static System.Logger around(String name, Supplier<System.Logger> logger) {
        return new Safe(name, logger);
    }

    /** Returns the {@code toString} of a throwable, or the name of its class if that throws. */
    public static String text(Throwable thrown) {
        try {
            return String.valueOf(thrown.getMessage());
        } catch (Throwable e) { // user code: an overridden getMessage
            return thrown.getClass().getName();
        }
    }

    /** The number of lost lines of this process. */
    static long lost() {
        return LOST.get();
    }

    /** Implements {@link System.Logger}, so that the JDK's loggers look for their caller above it in the stack. */
    private static final class Safe implements System.Logger {

        private final String name;
        private final Supplier<System.Logger> source;
        private volatile System.@Nullable Logger logger; // null until the source has given one

        Safe(String name, Supplier<System.Logger> source) {
            this.name = requireNonNull(name, "name");
            this.source = requireNonNull(source, "source");
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            try {
                return logger().isLoggable(level);
            } catch (Throwable e) { // of the logger
                return false;
            }
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String message, @Nullable Throwable thrown) {
            try {
                logger().log(level, bundle, message == null ? null : Printable.line(message), thrown);
            } catch (Throwable e) { // of the logger, or of what is logged
                lose(level, message, e);
            }
        }

        @Override
        public void log(
                Level level,
                @Nullable ResourceBundle bundle,
                @Nullable String format,
                @Nullable Object @Nullable ... arguments) {
            try {
                if (logger().isLoggable(level)) {
                    logger().log(level, bundle, format == null ? null : Printable.line(format), printable(arguments));
                }
            } catch (Throwable e) { // of the logger, or of what is logged
                lose(level, format, e, arguments);
            }
        }

        @Override
        public void log(Level level, Object what) {
            try {
                if (logger().isLoggable(level)) {
                    logger().log(level, Printable.line(String.valueOf(what)));
                }
            } catch (Throwable e) { // of the logger, or of what is logged
                lose(level, what.getClass().getName(), e);
            }
        }

        @Override
        public void log(Level level, Supplier<String> message) {
            try {
                logger().log(level, () -> Printable.line(message.get()));
            } catch (Throwable e) { // of the logger, or of the supplier
                lose(level, "", e);
            }
        }

        @Override
        public void log(Level level, Supplier<String> message, Throwable thrown) {
            try {
                logger().log(level, () -> Printable.line(message.get()), thrown);
            } catch (Throwable e) { // of the logger, or of the supplier
                lose(level, "", e);
            }
        }

        /** Replaces the arguments whose texts are not printable in one line by those texts made printable. */
        private static @Nullable Object @Nullable [] printable(@Nullable Object @Nullable [] arguments) {
            if (arguments == null) {
                return null;
            }
            @Nullable Object[] printable = arguments.clone();
            for (int i = 0; i < printable.length; i++) {
                Object argument = printable[i];
                if (argument != null && !(argument instanceof Number)) {
                    String text = argument.toString();
                    printable[i] = Printable.isLine(text) ? text : Printable.line(text);
                }
            }
            return printable;
        }

        private System.Logger logger() {
            System.Logger known = logger;
            if (known == null) {
                known = requireNonNull(source.get(), "logger");
                logger = known;
            }
            return known;
        }

        @SuppressWarnings("SystemOut") // the log does not work
        private void lose(
                Level level, @Nullable String message, Throwable why, @Nullable Object @Nullable ... arguments) {
            try {
                long lost = LOST.incrementAndGet();
                if (Long.bitCount(lost) == 1) {
                    String line = message == null || arguments == null || arguments.length == 0
                            ? message
                            : MessageFormat.format(message, arguments);
                    System.err.println(Printable.line("cleave: log lines lost: " + lost + ", last " + level + " " + name
                            + ": " + line + "; " + why.getClass().getName() + ": " + text(why)));
                }
            } catch (Throwable e) { // standard error does not work either: the line is lost silently
                return;
            }
        }
    }
}
