package dev.cleave.rt;

import dev.cleave.config.Bindings;
import dev.cleave.config.CallBinding;
import java.nio.file.Path;
import java.util.function.BiFunction;

/** What an application file says about call styles, for the agent, which knows this class by name only. */
public final class Styles {

    private Styles() {}

    /**
     * Reads an application file.
     *
     * @return gives for the binary name of an interface and the name of a method {@code "STYLE WINDOW"}, style being
     *     {@code SYNC}, {@code ASYNC} or {@code -}, window a number or {@code -}; a dash says nothing
     * @throws dev.cleave.config.ConfigException if the file cannot be read or understood
     */
    public static BiFunction<String, String, String> read(String file) {
        Bindings bindings = Bindings.load(Path.of(file));
        return (interfaceName, method) -> text(bindings.call(interfaceName, method));
    }

    private static String text(CallBinding call) {
        return (call.style() == null ? "-" : call.style().name())
                + ' '
                + (call.window() == null ? "-" : call.window().toString());
    }
}
