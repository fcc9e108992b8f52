package dev.cleave.agent.fuzz;

import dev.cleave.agent.conformance.Compiler;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes a program that differs smaller while it still differs: takes away members, statements, handlers and parts of
 * expressions, the largest first, until nothing more can go.
 */
final class Shrinker {

    private static final int MOST_ATTEMPTS = 5_000;

    /**
     * The end of it.
     *
     * @param source of the smallest program found
     * @param differences what its two forms do
     * @param linesBefore of the program as generated
     */
    record Shrunk(String source, String differences, int linesBefore) {

        int lines() {
            return (int) source.lines().count();
        }
    }

    private static final String NAME = TwoForms.PACKAGE + ".P";

    private final TwoForms.Factory factory = new TwoForms.Factory();
    private final Set<String> tried = new HashSet<>();
    private final long seed;

    Shrinker(long seed) {
        this.seed = seed;
    }

    /** Shrinks the program of the seed. */
    Shrunk shrink() {
        return shrink(ProgramGenerator.program("P", seed));
    }

    /** Shrinks a program of the class {@code P} that runs in the settings of the seed. */
    Shrunk shrink(String source) {
        String smallest = source;
        String differences = differences(source);
        if (differences.isEmpty()) {
            return new Shrunk(source, "(it does not differ when it is run alone)", lines(source));
        }
        boolean isSmaller = true;
        while (isSmaller && tried.size() < MOST_ATTEMPTS) {
            isSmaller = false;
            for (String candidate : Cuts.of(smallest)) {
                if (tried.size() >= MOST_ATTEMPTS || !tried.add(candidate)) {
                    continue;
                }
                String found = differences(candidate);
                if (!found.isEmpty()) {
                    smallest = candidate;
                    differences = found;
                    isSmaller = true;
                    break;
                }
            }
        }
        return new Shrunk(smallest, differences, lines(source));
    }

    /** What differs in the first setting in which something does; empty if nothing does, or if it is no program. */
    private String differences(String source) {
        try {
            Map<String, String> lines = Map.of(NAME, StatementLines.of(seed, source));
            TwoForms forms =
                    factory.of(NAME, factory.compile(lines, FuzzBatch.isDebug(seed)), FuzzBatch.showsNested(seed));
            if (!forms.defects().isEmpty()) {
                return String.join("\n  ", forms.defects());
            }
            for (ProgramRun.Setting setting : FuzzBatch.settings(seed)) {
                ProgramRun written = forms.written(setting);
                List<String> found = written.isEndless()
                        ? List.of()
                        : forms.rewritten(setting).differences(written);
                if (!found.isEmpty()) {
                    return setting + ":\n  " + String.join("\n  ", found);
                }
            }
            return "";
        } catch (Compiler.Failure e) {
            return "";
        }
    }

    private static int lines(String source) {
        return (int) source.lines().count();
    }
}
