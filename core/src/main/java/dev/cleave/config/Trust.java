package dev.cleave.config;

import java.util.List;

/**
 * What an application says about code of its own that the agent cannot see through: names of packages, classes or methods.
 *
 * @param benign changes nothing that arguments of remote calls are computed from, and waits for nobody
 * @param pure changes nothing at all, and depends on its arguments alone
 */
public record Trust(List<String> benign, List<String> pure) {

    /** Says nothing. */
    public static final Trust NONE = new Trust(List.of(), List.of());

    /** Copies its components. */
    public Trust {
        benign = List.copyOf(benign);
        pure = List.copyOf(pure);
    }
}
