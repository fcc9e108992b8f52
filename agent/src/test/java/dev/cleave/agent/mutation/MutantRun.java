package dev.cleave.agent.mutation;

import dev.cleave.agent.conformance.RulesTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Runs tests against mutants, one after the other, each until a test notices it. A test that fails must hold without the
 * mutant too: else an earlier one has left something behind, and the classes are defined anew. Confined to one thread.
 */
final class MutantRun {

    private static final int SECONDS = 120;
    private static final int PROGRAMS = 300;
    private static final String ENDLESS = "tests that do not end";

    /** Test classes whose programs are run for every mutant that the rule's own tests do not notice. */
    private static final List<String> CLASSES = List.of(
            "StraightLineTest",
            "AwaitTest",
            "BarrierTest",
            "SpeculationTest",
            "LoopTest",
            "LoopRuleTest",
            "LoopStageTest",
            "LoopTrapTest",
            "OrdinaryShapesTest",
            "SpeculativeLoopTest",
            "NestTest",
            "ChainTest",
            "PromiseTest",
            "PrefetchTest",
            "PrefetchHelperTest",
            "StretchTest",
            "HelperTest",
            "StreamTest",
            "StreamStageTest",
            "StreamPrefetchTest",
            "CallbackTest",
            "ConstructorTest",
            "AdversaryTest");

    private Schema schema = new Schema();

    /**
     * What notices a mutant among the tests that {@code docs/rules.md} names for its rule, its witness first, or, if it
     * breaks none, among all; empty if nothing does.
     */
    String byOwnTests(Mutant mutant) {
        return byTests(mutant, own(mutant));
    }

    /** What notices it among all programs; empty if nothing does. */
    String byOthers(Mutant mutant) {
        return byTests(
                mutant,
                CLASSES.stream().map(name -> name + "/" + NamedTests.ALL).toList());
    }

    /** The first of some tests that notices it, with its reason; empty if none does. */
    String byTests(Mutant mutant, List<String> names) {
        return noticed(mutant, all -> all.failing(names), (all, found) -> all.failing(List.of(nameOf(found))));
    }

    /** What notices it among random programs; empty if nothing does. */
    String byFuzz(Mutant mutant) {
        return noticed(mutant, all -> all.differing(PROGRAMS), (all, found) -> all.differing(PROGRAMS));
    }

    /** The test that a finding names. */
    static String nameOf(String finding) {
        return finding.split(": ", 2)[0];
    }

    private static List<String> own(Mutant mutant) {
        List<String> names = new ArrayList<>();
        if (!mutant.witness().isEmpty()) {
            names.add(mutant.witness());
        }
        try {
            for (RulesTable.Row row : RulesTable.rows()) {
                if (mutant == Mutant.NONE || mutant.rule().equals("R" + row.rule())) {
                    names.addAll(row.refusing());
                    names.addAll(row.allowing());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return names;
    }

    /** Runs again, without the mutant, what has noticed it. */
    private interface Check {
        String again(Schema schema, String finding);
    }

    private String noticed(Mutant mutant, Function<Schema, String> tests, Check check) {
        String found = within(mutant, tests);
        if (found.isEmpty() || mutant == Mutant.NONE) {
            return found;
        }
        boolean isOver = found.equals(ENDLESS);
        if (isOver || !within(Mutant.NONE, all -> check.again(all, found)).isEmpty()) {
            schema = new Schema();
            return isOver ? found : within(mutant, tests);
        }
        return found;
    }

    /** Runs it in a thread of its own, and gives it up if it takes too long: a mutant may well not end. */
    private String within(Mutant mutant, Function<Schema, String> tests) {
        Schema current = schema;
        current.become(mutant);
        FutureTask<String> task = new FutureTask<>(() -> tests.apply(current));
        Thread thread = new Thread(task, "mutant");
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return ENDLESS;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException(e));
        }
    }
}
