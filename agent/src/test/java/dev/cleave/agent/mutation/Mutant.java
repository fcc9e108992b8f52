package dev.cleave.agent.mutation;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A version of the agent, or of what rewritten code calls, in which one rule does not hold.
 *
 * @param rule that is broken, {@code R19}
 * @param changes how, each an operator and its operands
 */
record Mutant(String rule, List<List<String>> changes) {

    /** Breaks nothing: what fails with it does not notice a mutant. */
    static final Mutant NONE = new Mutant("", List.of());

    private static final String TABLE = "mutants.txt";

    /** All that the table names. */
    static List<Mutant> all() {
        try (InputStream in = Objects.requireNonNull(Mutant.class.getResourceAsStream(TABLE), TABLE);
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return lines.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Mutant::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Mutant parse(String line) {
        String[] parts = line.strip().split(" +", 2);
        return new Mutant(
                parts[0],
                Arrays.stream(parts[1].split(" & "))
                        .map(change -> List.of(change.strip().split(" +")))
                        .toList());
    }

    /** What a class file becomes; the same if the mutant does not touch it. */
    byte[] apply(String className, byte[] classFile) {
        byte[] changed = classFile;
        for (List<String> change : changes) {
            changed = apply(change.get(0), change.subList(1, change.size()), className, changed);
        }
        return changed;
    }

    private byte[] apply(String operator, List<String> operands, String className, byte[] classFile) {
        return switch (operator) {
            case "refusals" -> Refusals.remove(rule, className, classFile);
            case "barrier" ->
                className.equals("dev.cleave.agent.effect.Effect")
                        ? Bodies.openBarrier(operands.get(0), classFile)
                        : classFile;
            case "returns" ->
                className.equals(classOf(operands.get(0)))
                        ? Bodies.returning(methodOf(operands.get(0)), operands.get(1), classFile)
                        : classFile;
            case "answers", "ignores" ->
                className.equals(classOf(operands.get(0)))
                        ? Bodies.answering(
                                classOf(operands.get(1)),
                                methodOf(operands.get(1)),
                                operator.equals("ignores"),
                                operands.get(2),
                                classFile)
                        : classFile;
            default -> throw new IllegalArgumentException("operator: " + operator);
        };
    }

    private static String classOf(String place) {
        String name = place.split("#")[0];
        return name.startsWith("core:") ? "dev.cleave." + name.substring("core:".length()) : "dev.cleave.agent." + name;
    }

    private static String methodOf(String place) {
        return place.split("#")[1];
    }

    @Override
    public String toString() {
        return rule + " "
                + changes.stream().map(words -> String.join(" ", words)).collect(Collectors.joining(" & "));
    }
}
