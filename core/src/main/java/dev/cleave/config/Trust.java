package dev.cleave.config;

import java.util.List;

/**
 * Code of the application for which it vouches because the agent cannot read it: names of packages, classes or methods.
 *
 * @param benign code that changes nothing from which arguments of remote calls are computed, and waits for no other
 * thread
 * @param pure code that changes nothing at all, and depends on its arguments alone
 */
public record Trust(List<String> benign, List<String> pure) {

    /** Vouches for no code. */
    public static final Trust NONE = new Trust(List.of(), List.of());

    /** Copies its components. */
    public Trust {
        benign = List.copyOf(benign);
        pure = List.copyOf(pure);
    }
}
