package dev.cleave.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Figures of a module's classes as ratchets: each is compared with the number that a test holds today. A test fails when
 * the figure is worse, with the classes that make it up, and when the figure is better, so that the number is lowered.
 *
 * <p>The goals, for each module: fewer than 15 % of the top-level classes in a class cycle, no knot (classes that all
 * reach each other) of more than 12, and half of the files of fewer than 40 lines with one user that there were in
 * November 2026.
 */
public final class ClassStructure {

    private static final int SMALL = 40;
    private static final int SHOWN = 3;

    private final ClassGraph graph;
    private final Path sources;

    private ClassStructure(ClassGraph graph, Path sources) {
        this.graph = graph;
        this.sources = sources;
    }

    /** Reads {@code target/classes} and {@code src/main/java} of the module whose folder is {@code module}. */
    public static ClassStructure of(Path module) throws IOException {
        return new ClassStructure(ClassGraph.read(module.resolve("target/classes")), module.resolve("src/main/java"));
    }

    /** Fails unless so many percent of the classes, rounded up, are in a class cycle. */
    public void percentInCyclesIs(int today) {
        compare("percent of the classes are in a class cycle", today, graph.percentInCycles(), largest());
    }

    /** Fails unless the largest knot has so many classes. */
    public void largestKnotIs(int today) {
        compare("classes are in the largest knot", today, graph.largestKnot(), largest());
    }

    /** Fails unless so many files of fewer than 40 lines have exactly one user. */
    public void smallFilesWithOneUserAre(int today) throws IOException {
        List<String> small = graph.smallWithOneUser(sources, SMALL);
        compare("files of fewer than 40 lines have one user", today, small.size(), String.join("\n", small));
    }

    /** Fails if {@code now} is not {@code today}, with what to do about it. */
    static void compare(String figure, int today, int now, String members) {
        if (now > today) {
            throw new AssertionError(now + " " + figure + ", at most " + today + " may:\n" + members);
        }
        if (now < today) {
            throw new AssertionError(
                    "Only " + now + " " + figure + ": lower the number in this test from " + today + " to " + now);
        }
    }

    private String largest() {
        return graph.knots().stream().limit(SHOWN).map(this::described).collect(Collectors.joining("\n"));
    }

    private String described(Set<String> knot) {
        return knot.size() + " classes:\n"
                + knot.stream()
                        .map(name -> "  " + name + " -> "
                                + graph.uses(name).stream()
                                        .filter(knot::contains)
                                        .collect(Collectors.joining(", ")))
                        .collect(Collectors.joining("\n"));
    }
}
