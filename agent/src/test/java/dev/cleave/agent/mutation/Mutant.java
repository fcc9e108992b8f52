package dev.cleave.agent.mutation;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A version of the agent, or of what rewritten code calls, in which one rule does not hold.
 *
 * @param number its place in the table, from 1
 * @param rule that is broken, {@code R19}
 * @param changes how, each an operator and its operands
 * @param witness a test of the rule that notices it, {@code Class/program} or {@code Class#method}; empty if none is named
 */
record Mutant(int number, String rule, List<List<String>> changes, String witness) {

    /** Breaks nothing: what fails with it does not notice a mutant. */
    static final Mutant NONE = new Mutant(0, "", List.of(), "");

    private static final String TABLE = "mutants.txt";

    private static final List<Mutant> ALL = read();

    /** All that the table names. */
    static List<Mutant> all() {
        return ALL;
    }

    private static List<Mutant> read() {
        try (InputStream in = Objects.requireNonNull(Mutant.class.getResourceAsStream(TABLE), TABLE);
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            List<Mutant> mutants = new ArrayList<>();
            for (String line : lines.lines().toList()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    mutants.add(parse(mutants.size() + 1, line));
                }
            }
            return List.copyOf(mutants);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Mutant parse(int number, String line) {
        String[] parts = line.strip().split(" -> ", 2);
        String[] words = parts[0].strip().split(" +", 2);
        List<List<String>> changes = Arrays.stream(words[1].split(" & "))
                .map(change -> List.of(change.strip().split(" +")))
                .toList();
        return new Mutant(number, words[0], changes, parts.length == 1 ? "" : parts[1].strip());
    }

    /** Whether the places that refuse by the rule go on instead. */
    boolean removesRefusals() {
        return changes.stream().anyMatch(change -> change.get(0).equals("refusals"));
    }

    /** The class file with the changes, refusals apart, which hold while the mutant is active; the same if there are none. */
    byte[] apply(String className, byte[] classFile) {
        byte[] changed = classFile;
        for (List<String> change : changes) {
            changed = apply(change.get(0), change.subList(1, change.size()), className, changed);
        }
        return changed;
    }

    private byte[] apply(String operator, List<String> operands, String className, byte[] classFile) {
        return switch (operator) {
            case "refusals" -> classFile;
            case "barrier" ->
                className.equals("dev.cleave.agent.effect.Effect")
                        ? Bodies.openBarrier(number, operands.get(0), classFile)
                        : classFile;
            case "returns" ->
                className.equals(classOf(operands.get(0)))
                        ? Bodies.returning(number, methodOf(operands.get(0)), operands.get(1), classFile)
                        : classFile;
            case "answers", "ignores" ->
                className.equals(classOf(operands.get(0)))
                        ? Bodies.answering(
                                number,
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
