package dev.cleave.agent.mutation;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Runs all mutants, or those of some rules, and says for each what noticed it. */
public final class MutationReport {

    private final List<Mutant> mutants;
    private final int jobs;
    private final Map<Integer, List<Found>> ofRule = new TreeMap<>();
    private final Map<Thread, MutantRun> runs = new ConcurrentHashMap<>();

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

    private record Found(Mutant mutant, String by) {

        int rule() {
            return Integer.parseInt(mutant.rule().substring(1));
        }

        boolean isNoticed() {
            return !by.isEmpty();
        }
    }

    /**
     * Runs them, first all against the tests of their rules, then those that these do not notice against random
     * programs and all named ones. Ends with a table in Markdown.
     *
     * @return whether for each rule something has noticed one of its mutants
     * @throws IllegalStateException if a test fails without any mutant
     */
    public boolean run(PrintWriter out, Consumer<String> progress) {
        progress.accept("mutants: first the tests without any");
        String broken = new MutantRun().byOwnTests(Mutant.NONE);
        if (!broken.isEmpty()) {
            throw new IllegalStateException("fails without a mutant: " + broken);
        }
        ExecutorService threads = Executors.newFixedThreadPool(jobs);
        try {
            List<Mutant> left = run(threads, mutants, MutantRun::byOwnTests, out, progress);
            left = run(threads, left, MutationReport::others, out, progress);
            left.forEach(mutant -> add(new Found(mutant, "")));
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

    private void add(Found found) {
        ofRule.computeIfAbsent(found.rule(), key -> new ArrayList<>()).add(found);
    }

    /** Those that were not noticed. */
    private List<Mutant> run(
            ExecutorService threads,
            List<Mutant> some,
            BiFunction<MutantRun, Mutant, String> tests,
            PrintWriter out,
            Consumer<String> progress)
            throws ExecutionException, InterruptedException {
        CompletionService<Found> results = new ExecutorCompletionService<>(threads);
        some.forEach(mutant -> results.submit(() -> {
            MutantRun own = runs.computeIfAbsent(Thread.currentThread(), thread -> new MutantRun());
            return new Found(mutant, tests.apply(own, mutant));
        }));
        List<Mutant> left = new ArrayList<>();
        for (int i = 0; i < some.size(); i++) {
            progress.accept("mutants: " + i + " of " + some.size());
            Found found = results.take().get();
            progress.accept("");
            if (found.isNoticed()) {
                add(found);
                out.printf("%-60s noticed by %s%n", found.mutant(), found.by());
                out.flush();
            } else {
                left.add(found.mutant());
            }
        }
        return left;
    }

    private static String others(MutantRun run, Mutant mutant) {
        String by = run.byFuzz(mutant);
        if (!by.isEmpty()) {
            return by;
        }
        by = run.byOthers(mutant);
        return by.isEmpty() ? "" : "(another rule's) " + by;
    }

    private boolean summary(PrintWriter out) {
        out.println();
        out.println("| rule | mutants | noticed | by |");
        out.println("|---|---|---|---|");
        ofRule.forEach((rule, all) -> out.println("| R" + rule + " | " + all.size() + " | " + noticed(all) + " | "
                + String.join(
                        ", ",
                        all.stream()
                                .filter(Found::isNoticed)
                                .map(found -> MutantRun.nameOf(found.by()))
                                .distinct()
                                .toList())
                + " |"));
        List<String> unguarded = ofRule.entrySet().stream()
                .filter(rule -> noticed(rule.getValue()) == 0)
                .map(rule -> "R" + rule.getKey())
                .toList();
        out.println();
        out.println(ofRule.values().stream().mapToLong(MutationReport::noticed).sum() + " of " + mutants.size()
                + " mutants noticed; rules of which none was: " + (unguarded.isEmpty() ? "none" : unguarded));
        ofRule.values().stream()
                .flatMap(Collection::stream)
                .filter(found -> !found.isNoticed())
                .forEach(found -> out.println("not noticed: " + found.mutant()));
        return unguarded.isEmpty();
    }

    private static long noticed(List<Found> all) {
        return all.stream().filter(Found::isNoticed).count();
    }
}
