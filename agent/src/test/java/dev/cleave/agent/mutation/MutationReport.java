package dev.cleave.agent.mutation;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;

/** Runs all mutants, or those of some rules, and says for each what noticed it. */
public final class MutationReport {

    private final List<Mutant> mutants;
    private final int jobs;
    private final Map<Integer, List<Mutant>> unnoticed = new TreeMap<>();
    private final Set<Integer> noticed = new TreeSet<>();

    /**
     * Prepares it.
     *
     * @param rules whose mutants are run; all if it is empty
     */
    public MutationReport(List<String> rules, int jobs) {
        this.mutants = Mutant.all().stream()
                .filter(mutant -> rules.isEmpty() || rules.contains(mutant.rule()))
                .toList();
        this.jobs = jobs;
        if (mutants.isEmpty()) {
            throw new IllegalArgumentException(
                    "rules: " + String.join(",", rules) + " (expected: as in docs/rules.md, R9)");
        }
    }

    /**
     * Runs them, first all against the tests of their rules, then those that these do not notice against random
     * programs and all named ones.
     *
     * @return whether for each rule something has noticed one of its mutants
     * @throws IllegalStateException if a test fails without any mutant
     */
    public boolean run(PrintWriter out, Consumer<String> progress) {
        progress.accept("mutants: first the tests without any");
        String broken = new MutantRun(Mutant.NONE).byOwnTests();
        if (!broken.isEmpty()) {
            throw new IllegalStateException("fails without a mutant: " + broken);
        }
        ExecutorService threads = Executors.newFixedThreadPool(jobs);
        try {
            List<Found> left = run(threads, mutants, MutationReport::own, out, progress);
            left = run(threads, left.stream().map(Found::mutant).toList(), MutationReport::others, out, progress);
            left.forEach(found -> unnoticed
                    .computeIfAbsent(ruleOf(found.mutant()), key -> new ArrayList<>())
                    .add(found.mutant()));
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            threads.shutdownNow();
        }
        return summary(out);
    }

    private record Found(Mutant mutant, String by) {}

    /** Those that were not noticed. */
    private List<Found> run(
            ExecutorService threads,
            List<Mutant> some,
            Function<Mutant, String> tests,
            PrintWriter out,
            Consumer<String> progress)
            throws ExecutionException, InterruptedException {
        CompletionService<Found> results = new ExecutorCompletionService<>(threads);
        some.forEach(mutant -> results.submit(() -> new Found(mutant, tests.apply(mutant))));
        List<Found> left = new ArrayList<>();
        for (int i = 0; i < some.size(); i++) {
            progress.accept("mutants: " + i + " of " + some.size());
            Found found = results.take().get();
            progress.accept("");
            if (found.by().isEmpty()) {
                left.add(found);
            } else {
                noticed.add(ruleOf(found.mutant()));
                out.printf("%-60s noticed by %s%n", found.mutant(), found.by());
                out.flush();
            }
        }
        return left;
    }

    private static String own(Mutant mutant) {
        return new MutantRun(mutant).byOwnTests();
    }

    private static String others(Mutant mutant) {
        MutantRun run = new MutantRun(mutant);
        String by = run.byFuzz();
        if (!by.isEmpty()) {
            return by;
        }
        by = run.byOthers();
        return by.isEmpty() ? "" : "a test of another rule, " + by;
    }

    private static int ruleOf(Mutant mutant) {
        return Integer.parseInt(mutant.rule().substring(1));
    }

    private boolean summary(PrintWriter out) {
        int missed = unnoticed.values().stream().mapToInt(List::size).sum();
        List<Integer> unguarded = unnoticed.keySet().stream()
                .filter(rule -> !noticed.contains(rule))
                .toList();
        out.println();
        out.println(mutants.size() - missed + " of " + mutants.size() + " mutants noticed; rules of which none was: "
                + (unguarded.isEmpty()
                        ? "none"
                        : unguarded.stream().map(rule -> "R" + rule).toList()));
        unnoticed.values().forEach(all -> all.forEach(mutant -> out.println("not noticed: " + mutant)));
        return unguarded.isEmpty();
    }
}
