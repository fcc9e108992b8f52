package dev.cleave.rt;

import dev.cleave.config.Bindings;
import dev.cleave.config.CallBinding;
import dev.cleave.config.Trust;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** What an application file says about call styles, for the agent, which knows this class by name only. */
public final class Styles {

    private Styles() {}

    /**
     * Reads an application file.
     *
     * @return gives for the binary name of an interface and the name of a method {@code "STYLE WINDOW READS AGE"}, style being
     *     {@code SYNC}, {@code ASYNC} or {@code -}, window a number or {@code -}, reads {@code PURE}, {@code READ_ONLY},
     *     {@code NONE} or {@code -}, age a number of nanoseconds or {@code -}; a dash says nothing
     * @throws dev.cleave.config.ConfigException if the file cannot be read or understood
     */
    public static BiFunction<String, String, String> read(String file) {
        Bindings bindings = Bindings.load(Path.of(file));
        return (interfaceName, method) -> text(bindings.call(interfaceName, method));
    }

    /**
     * Reads what an application file says about code of the program.
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
        return (call.style() == null ? "-" : call.style().name())
                + ' '
                + (call.window() == null ? "-" : call.window().toString())
                + ' '
                + call.reads().word()
                + ' '
                + (maxAge == null ? "-" : Long.toString(maxAge.toNanos()));
    }
}
