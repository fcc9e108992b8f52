package dev.cleave.agent.report;

import java.util.Collection;

/** Sentences that the report may carry beside verdicts. */
public final class Notes {

    private static final int NAMED = 3;

    private Notes() {}

    /** Classes were woven before, and are left alone. */
    public static String woven(Collection<String> classes) {
        return "already woven, left as " + (classes.size() == 1 ? "it is: " : "they are: ") + named(classes);
    }

    /** Interfaces that the program calls are nowhere, so that it is not known whether they are remote. */
    public static String missing(Collection<String> interfaces) {
        boolean isOne = interfaces.size() == 1;
        return (isOne ? "1 interface is" : interfaces.size() + " interfaces are") + " not on the path: "
                + named(interfaces)
                + "; if " + (isOne ? "it is" : "they are") + " remote, calls of " + (isOne ? "it" : "them")
                + " are not seen (expected: the jar as a further path, or in CLEAVE_CLASSPATH)";
    }

    /** At exit there was no time to look for the words that would free the calls of some classes. */
    public static String withoutWords(int classes) {
        return "words that would free sequential calls were not looked for in "
                + (classes == 1 ? "1 class" : classes + " classes")
                + ": exit waits 1 s for that (explain tells them all)";
    }

    private static String named(Collection<String> classes) {
        String first = String.join(", ", classes.stream().sorted().limit(NAMED).toList());
        return classes.size() <= NAMED ? first : first + " and " + (classes.size() - NAMED) + " more";
    }

    /** A class could not be read or rewritten. */
    public static String failed(String place, Throwable why) {
        return place + " is left as it is: " + why;
    }
}
