package dev.cleave.broker.process;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The way to start a JVM.
 *
 * @param prefix a program that starts the JVM in its own way, with its arguments, such as {@code taskset -c 0}; may be empty
 * @param home the directory of the JDK
 * @param feature the feature version of the JDK, such as 17
 */
public record Launcher(List<String> prefix, Path home, int feature) {

    /** The JDK of this JVM. */
    public static final Launcher OWN = new Launcher(
            List.of(),
            Path.of(System.getProperty("java.home")),
            Runtime.version().feature());

    private static final int QUIET_UNSAFE = 24;

    /** A property of this JVM with further options of all JVMs that it starts, separated by spaces. */
    private static final String OPTIONS = "cleave.process.options";

    /** Copies its components. */
    public Launcher {
        prefix = List.copyOf(prefix);
        requireNonNull(home, "home");
        if (feature < 17) {
            throw new IllegalArgumentException("feature: " + feature + " (expected: 17 or newer)");
        }
    }

    /** Returns this launcher, started by another program. */
    public Launcher behind(List<String> program) {
        return new Launcher(program, home, feature);
    }

    List<String> line() {
        List<String> line = new ArrayList<>(prefix);
        line.add(home.resolve("bin").resolve("java").toString());
        if (feature >= QUIET_UNSAFE) {
            line.add("--enable-native-access=ALL-UNNAMED");
            line.add("--sun-misc-unsafe-memory-access=allow");
        }
        String further = System.getProperty(OPTIONS, "").strip();
        if (!further.isEmpty()) {
            line.addAll(List.of(further.split(" +")));
        }
        return line;
    }
}
