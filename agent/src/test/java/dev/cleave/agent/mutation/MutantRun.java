package dev.cleave.agent.mutation;

import dev.cleave.Remote;
import dev.cleave.agent.conformance.Compiler;
import dev.cleave.agent.conformance.RulesTable;
import dev.cleave.agent.fuzz.FuzzBatch;
import dev.cleave.agent.fuzz.FuzzResult;
import dev.cleave.agent.fuzz.IsolatedLoader;
import dev.cleave.agent.transform.ClassRewriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Runs tests against one mutant until one of them notices it. */
final class MutantRun {

    private static final int SECONDS = 240;
    private static final int PROGRAMS = 300;

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
            "SpeculativeLoopTest",
            "NestTest",
            "ChainTest",
            "PrefetchTest",
            "HelperTest",
            "StreamTest",
            "CallbackTest",
            "ConstructorTest",
            "AdversaryTest");

    private final Mutant mutant;

    MutantRun(Mutant mutant) {
        this.mutant = mutant;
    }

    /**
     * What noticed the mutant among the tests that {@code docs/rules.md} names for its rule, or, if it breaks none, for all;
     * empty if nothing did.
     */
    String byOwnTests() {
        return within("own tests", () -> tests(own()));
    }

    /** What noticed the mutant among all programs; empty if nothing did. */
    String byOthers() {
        return within(
                "programs",
                () -> tests(CLASSES.stream()
                        .map(name -> name + "/" + NamedTests.ALL)
                        .toList()));
    }

    /** What noticed the mutant among random programs; empty if nothing did. */
    String byFuzz() {
        return within("random programs", this::fuzz);
    }

    private List<String> own() throws IOException {
        List<String> names = new ArrayList<>();
        for (RulesTable.Row row : RulesTable.rows()) {
            if (mutant == Mutant.NONE || mutant.rule().equals("R" + row.rule())) {
                names.addAll(row.refusing());
                names.addAll(row.allowing());
            }
        }
        return names;
    }

    @SuppressWarnings("unchecked") // what NamedTests implements
    private String tests(List<String> names) throws ReflectiveOperationException {
        return ((Function<List<String>, String>) make(NamedTests.class)).apply(names);
    }

    @SuppressWarnings("unchecked") // what FuzzBatch implements
    private String fuzz() throws ReflectiveOperationException {
        FuzzResult result = ((BiFunction<Long, Integer, FuzzResult>) make(FuzzBatch.class)).apply(1L, PROGRAMS);
        return result.divergences().isEmpty()
                ? ""
                : "fuzz, seed " + result.divergences().get(0).seed();
    }

    private Object make(Class<?> type) throws ReflectiveOperationException {
        ClassLoader loader = new IsolatedLoader(
                mutant::apply, List.of(Compiler.class), MutantRun.class, Remote.class, ClassRewriter.class);
        return loader.loadClass(type.getName()).getDeclaredConstructor().newInstance();
    }

    private interface Run {
        String run() throws ReflectiveOperationException, IOException;
    }

    /** Runs it in a thread of its own, and gives it up if it takes too long: a mutant may well not end. */
    private static String within(String what, Run run) {
        FutureTask<String> task = new FutureTask<>(run::run);
        Thread thread = new Thread(task, "mutant");
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return what + " that do not end";
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException(e));
        }
    }
}
