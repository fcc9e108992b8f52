package dev.cleave.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.CallException;
import dev.cleave.call.Failures;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.metrics.MetricValue;
import dev.cleave.metrics.Samples;
import dev.cleave.testing.LogLines;
import dev.cleave.wire.ErrorCode;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Names of peers and files wherever core prints them: in log lines, in messages of exceptions, in metrics. */
@Tag("one-jdk")
class PrintedNamesTest {

    /** Clears the terminal, forges a line, and turns the direction. */
    private static final String HOSTILE = "a\u001b[2J\nINFO: all is well\u202e\u009b31m";

    /** The messages of these are words of the program, or are never those of a peer. */
    private static final Set<String> OF_THE_PROGRAM =
            Set.of("dev.cleave.RemoteFailureException", "dev.cleave.serial.Mismatch");

    private static final Path CLASSES = Path.of("target/classes");

    @Test
    void aLogLineShowsThemAsText() {
        System.Logger log = SafeLog.of(PrintedNamesTest.class);
        try (LogLines lines = LogLines.of(PrintedNamesTest.class.getName())) {
            log.log(System.Logger.Level.WARNING, HOSTILE);
            log.log(
                    System.Logger.Level.WARNING,
                    "lost {0} at {1}: {2}",
                    HOSTILE,
                    1,
                    new IllegalStateException(HOSTILE));
            log.log(System.Logger.Level.WARNING, new StringBuilder(HOSTILE));
            log.log(System.Logger.Level.WARNING, () -> HOSTILE);
            log.log(System.Logger.Level.WARNING, () -> HOSTILE, new IllegalStateException());
            log.log(System.Logger.Level.WARNING, HOSTILE, new IllegalStateException());

            assertThat(lines.lines())
                    .hasSize(6)
                    .allMatch(Printable::isLine)
                    .allMatch(line -> line.contains("\\u001b[2J"));
        }
    }

    /** An exception of a call quotes names that its server has chosen. */
    @Test
    void theExceptionOfACallShowsThemAsText() {
        CallException.CallSite site = new CallException.CallSite(HOSTILE, HOSTILE, HOSTILE, true);
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(Failures.exception(code, CallException.Execution.NOT_EXECUTED, HOSTILE, site, null))
                    .message()
                    .matches(Printable::isLine);
        }
    }

    @Test
    void aStackInTheMessageOfACallStaysReadable() {
        assertThat(Printable.trace("it waits\n\tat a.B.c(B.java:7)\nINFO: forged\r\n"))
                .isEqualTo("it waits\n\tat a.B.c(B.java:7)\\u000aINFO: forged\\u000d\\u000a");
    }

    @Test
    void metricsShowThemAsText() {
        String text =
                Samples.prometheus(List.of(MetricValue.gauge("m", "help", 1).with("service", HOSTILE)));

        assertThat(text.lines()).allMatch(Printable::isLine);
        assertThat(text.lines()).hasSize(3);
    }

    @Test
    void messagesOfAllExceptionsShowThemAsText() throws Exception {
        List<String> seen = new ArrayList<>();
        for (Class<?> type : exceptions()) {
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                if (OF_THE_PROGRAM.contains(type.getName()) || CallException.class.isAssignableFrom(type)) {
                    continue; // those of calls: see above
                }
                String message = message(constructor);
                if (message != null) {
                    assertThat(message).as(constructor.toString()).matches(Printable::isLine);
                    seen.add(type.getSimpleName());
                }
            }
        }

        assertThat(seen)
                .contains(
                        "WireException",
                        "SerialException",
                        "TransportException",
                        "HandshakeException",
                        "ConfigException");
    }

    /** Returns the message of an exception made of hostile texts; null if it takes none, or refuses the other arguments. */
    private static @Nullable String message(Constructor<?> constructor) throws ReflectiveOperationException {
        Class<?>[] types = constructor.getParameterTypes();
        Object[] arguments = new Object[types.length];
        boolean isTold = false;
        for (int i = 0; i < types.length; i++) {
            if (types[i] == String.class) {
                arguments[i] = HOSTILE;
                isTold = true;
            } else if (types[i].isEnum()) {
                arguments[i] = types[i].getEnumConstants()[0];
            } else if (types[i].isPrimitive()) {
                arguments[i] = types[i] == boolean.class ? (Object) false : types[i] == long.class ? (Object) 1L : 1;
            }
        }
        if (!isTold || constructor.isSynthetic()) {
            return null;
        }
        constructor.setAccessible(true);
        try {
            return ((Throwable) constructor.newInstance(arguments)).getMessage();
        } catch (InvocationTargetException e) {
            return null;
        }
    }

    private static List<Class<?>> exceptions() throws IOException {
        try (Stream<Path> files = Files.walk(CLASSES)) {
            return files.map(file -> CLASSES.relativize(file).toString())
                    .filter(file -> file.endsWith("Exception.class"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .map(PrintedNamesTest::load)
                    .filter(Objects::nonNull)
                    .filter(type -> Throwable.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers()))
                    .<Class<?>>map(type -> type)
                    .toList();
        }
    }

    private static @Nullable Class<?> load(String name) {
        try {
            return Class.forName(name, false, PrintedNamesTest.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }
}
