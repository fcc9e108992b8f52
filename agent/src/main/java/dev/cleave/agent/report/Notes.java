package dev.cleave.agent.report;

import java.util.Collection;

/** Sentences that the report may contain in addition to verdicts. */
public final class Notes {

    private static final int NAMED = 3;

    private Notes() {}

    /** Says that classes were woven before, and are left unchanged. */
    public static String woven(Collection<String> classes) {
        return "already woven, left as " + (classes.size() == 1 ? "it is: " : "they are: ") + named(classes);
    }

    /** Says that interfaces of the program's calls are not found, so that it is not known whether they are remote. */
    public static String missing(Collection<String> interfaces) {
        boolean isOne = interfaces.size() == 1;
        return (isOne ? "1 interface is" : interfaces.size() + " interfaces are") + " not on the path: "
                + named(interfaces)
                + "; if " + (isOne ? "it is" : "they are") + " remote, calls of " + (isOne ? "it" : "them")
                + " are not seen (expected: the jar as a further path, or in CLEAVE_CLASSPATH)";
    }

    /** Says that at exit there was no time to search annotations that would free the calls of some classes. */
    public static String withoutWords(int classes) {
        return "words that would free sequential calls were not looked for in "
                + (classes == 1 ? "1 class" : classes + " classes")
                + ": exit waits 1 s for that (explain tells them all)";
    }

    private static String named(Collection<String> classes) {
        String first = String.join(", ", classes.stream().sorted().limit(NAMED).toList());
        return classes.size() <= NAMED ? first : first + " and " + (classes.size() - NAMED) + " more";
    }

    /** Says that a class could not be read or rewritten. */
    public static String failed(String place, Throwable why) {
        return place + " is left as it is: " + why;
    }
}
