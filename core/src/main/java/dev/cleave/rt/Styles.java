package dev.cleave.rt;

import dev.cleave.config.Bindings;
import dev.cleave.config.CallBinding;
import dev.cleave.config.Trust;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Reads call styles from an application file for the agent, which knows this class by name only. */
public final class Styles {

    private Styles() {}

    /**
     * Reads an application file.
     *
     * @return gives for the binary name of an interface and the name of a method {@code "STYLE WINDOW READS AGE
     *     SPECULATIVE GROUP"}: style {@code SYNC}, {@code ASYNC}, {@code CHAINED} or {@code ONE_WAY}, window a number,
     *     reads {@code PURE}, {@code READ_ONLY} or {@code NONE}, age a number of nanoseconds, speculative {@code true}
     *     or {@code false}, group a name; {@code -} for any of them says nothing
     * @throws dev.cleave.config.ConfigException if the file cannot be read or understood
     */
    public static BiFunction<String, String, String> read(String file) {
        Bindings bindings = Bindings.load(Path.of(file));
        return (interfaceName, method) -> text(bindings.call(interfaceName, method));
    }

    /**
     * Reads the code of the program for which an application file vouches.
     *
     * @return a line for each name: {@code "BENIGN name"} or {@code "PURE name"}, the name that of a package, class or
     *     method
     * @throws dev.cleave.config.ConfigException if the file cannot be read or understood
     */
    public static List<String> trusted(String file) {
        Trust trust = Bindings.load(Path.of(file)).trust();
        List<String> lines = new ArrayList<>();
        trust.benign().forEach(name -> lines.add("BENIGN " + name));
        trust.pure().forEach(name -> lines.add("PURE " + name));
        return lines;
    }

    private static String text(CallBinding call) {
        Duration maxAge = call.reads().maxAge();
        return word(call.style() == null ? null : call.style().name())
                + ' '
                + word(call.window())
                + ' '
                + call.reads().word()
                + ' '
                + word(maxAge == null ? null : maxAge.toNanos())
                + ' '
                + word(call.speculative())
                + ' '
                + word(call.group());
    }

    private static String word(@Nullable Object value) {
        return value == null ? "-" : value.toString();
    }
}
