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

    private static String named(Collection<String> classes) {
        String first = String.join(", ", classes.stream().sorted().limit(NAMED).toList());
        return classes.size() <= NAMED ? first : first + " and " + (classes.size() - NAMED) + " more";
    }

    /** A class could not be read or rewritten. */
    public static String failed(String place, Throwable why) {
        return place + " is left as it is: " + why;
    }
}
