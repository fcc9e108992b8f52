package dev.cleave.broker.process;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A JVM to start, of the same JDK and with the same class path as this one.
 *
 * @param name what messages and files call it
 * @param options options of the JVM, such as {@code -Dkey=value}
 * @param mainClass the class whose {@code main} runs
 * @param args the arguments of {@code main}
 */
public record JvmCommand(String name, List<String> options, String mainClass, List<String> args) {

    private static final int QUIET_UNSAFE = 24;

    /** Copies its components. */
    public JvmCommand {
        requireNonNull(name, "name");
        requireNonNull(mainClass, "mainClass");
        options = List.copyOf(options);
        args = List.copyOf(args);
    }

    List<String> line() {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= QUIET_UNSAFE) {
            line.add("--enable-native-access=ALL-UNNAMED");
            line.add("--sun-misc-unsafe-memory-access=allow");
        }
        line.addAll(options);
        line.add("-cp");
        line.add(System.getProperty("java.class.path"));
        line.add(mainClass);
        line.addAll(args);
        return line;
    }
}
