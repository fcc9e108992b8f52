package dev.cleave.agent.cli;

import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.report.MethodVerdicts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The verdicts that a program once had, in a file beside its sources: one line for each call, without line numbers, so that
 * the file changes with the verdicts only.
 *
 * <pre>
 * com.acme.Report total Prices.price pipelined
 * </pre>
 */
final class Baseline {

    private static final String HEADER =
            "# The verdicts on the remote calls of this program, by class, method and remote method."
                    + " Written by cleave; a call that gets worse than here fails the build.\n";

    private final List<Call> calls;

    private Baseline(List<Call> calls) {
        this.calls = calls;
    }

    /**
     * A call and its verdict.
     *
     * @param line its line, 0 if the verdict is read from a file
     */
    private record Call(String type, String method, String call, Verdict.Outcome outcome, int line) {

        String place() {
            return type + ' ' + method + ' ' + call;
        }

        String placeInClass() {
            return type + ' ' + call;
        }

        int rank() {
            return switch (outcome) {
                case SEQUENTIAL -> 0;
                case SPLIT -> 1;
                case PIPELINED, PREFETCHED, CHAINED, PROMISED, LATER -> 2;
            };
        }

        String verdict() {
            return outcome.name().toLowerCase(Locale.ROOT);
        }
    }

    /** Makes a baseline of the verdicts on a program; calls of helpers count where the helper makes them. */
    static Baseline of(List<MethodVerdicts> methods) {
        List<Call> calls = new ArrayList<>();
        for (MethodVerdicts method : methods) {
            for (Verdict verdict : method.verdicts()) {
                if (!verdict.isHelpers() && verdict.outcome() != Verdict.Outcome.LATER) {
                    calls.add(new Call(
                            method.type(), method.method(), verdict.call(), verdict.outcome(), verdict.line()));
                }
            }
        }
        return new Baseline(calls);
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if a line is not understood; the message names file and line
     */
    static Baseline read(Path file) throws IOException {
        List<Call> calls = new ArrayList<>();
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        for (int i = 0; i < lines.size(); i++) {
            String[] words = lines.get(i).strip().split(" +");
            if (words[0].isEmpty() || words[0].startsWith("#")) {
                continue;
            }
            try {
                calls.add(new Call(
                        words[0], words[1], words[2], Verdict.Outcome.valueOf(words[3].toUpperCase(Locale.ROOT)), 0));
            } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
                throw new IllegalArgumentException(
                        file + ":" + (i + 1) + ": '" + lines.get(i)
                                + "' (expected: CLASS METHOD INTERFACE.METHOD VERDICT; write the file anew)",
                        e);
            }
        }
        return new Baseline(calls);
    }

    /** Writes the file. */
    void write(Path file) throws IOException {
        StringBuilder text = new StringBuilder(HEADER);
        calls.stream()
                .map(call -> call.place() + ' ' + call.verdict() + '\n')
                .sorted()
                .forEach(text::append);
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Files.writeString(file, text, StandardCharsets.UTF_8);
    }

    /** The number of calls. */
    int size() {
        return calls.size();
    }

    /**
     * Finds the calls whose verdicts are worse in another baseline, a sentence each. A call is recognised by class, method and
     * remote method; if it has gone from its method, by class and remote method. Calls that have gone altogether are not
     * lost, and of several calls at one place those with the best verdicts are taken for the ones that have gone.
     */
    List<String> lostIn(Baseline now) {
        List<String> lost = new ArrayList<>();
        List<Call> gone = new ArrayList<>();
        List<Call> added = new ArrayList<>(now.calls);
        byPlace(calls).forEach((place, before) -> {
            List<Call> after = now.calls.stream()
                    .filter(call -> call.place().equals(place))
                    .toList();
            if (after.isEmpty()) {
                gone.addAll(before);
            } else {
                added.removeAll(after);
                compare(before, after, lost);
            }
        });
        for (Call before : gone) {
            added.stream()
                    .filter(call -> call.placeInClass().equals(before.placeInClass()) && call.rank() < before.rank())
                    .findFirst()
                    .ifPresent(after -> {
                        added.remove(after);
                        lost.add(sentence(before, after));
                    });
        }
        return lost;
    }

    private static void compare(List<Call> before, List<Call> after, List<String> lost) {
        List<Call> old = sorted(before);
        List<Call> current = sorted(after);
        int excess = Math.max(0, old.size() - current.size());
        for (int i = 0; i < Math.min(old.size(), current.size()); i++) {
            Call was = old.get(i + excess);
            if (current.get(i).rank() < was.rank()) {
                lost.add(sentence(was, current.get(i)));
            }
        }
    }

    private static List<Call> sorted(List<Call> calls) {
        return calls.stream()
                .sorted(Comparator.comparingInt(Call::rank).reversed())
                .toList();
    }

    private static Map<String, List<Call>> byPlace(List<Call> calls) {
        Map<String, List<Call>> byPlace = new TreeMap<>();
        for (Call call : calls) {
            byPlace.computeIfAbsent(call.place(), place -> new ArrayList<>()).add(call);
        }
        return byPlace;
    }

    private static String sentence(Call before, Call after) {
        return after.call + " in " + after.type + "." + after.method + ", line " + after.line + ", was "
                + before.verdict() + " and is " + after.verdict();
    }
}
