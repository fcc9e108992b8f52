package dev.cleave.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a file for the operation of each node.
 *
 * @param admin the port at which a node answers questions about its state; null for none
 * @param mdc the keys of the logging context that travel with calls
 */
public record Operation(@Nullable Integer admin, List<String> mdc) {

    /** The settings without a file. */
    public static final Operation NONE = new Operation(null, List.of());

    /** Copies its components. */
    public Operation {
        mdc = List.copyOf(mdc);
    }
}
