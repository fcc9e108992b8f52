package dev.cleave.agent.mutation;

import dev.cleave.Remote;
import dev.cleave.agent.conformance.Compiler;
import dev.cleave.agent.fuzz.FuzzBatch;
import dev.cleave.agent.fuzz.FuzzResult;
import dev.cleave.agent.fuzz.IsolatedLoader;
import dev.cleave.agent.transform.ClassRewriter;
import dev.cleave.testing.FakeBroker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The agent, what rewritten code calls, and the tests, defined once more so that they can be each of the mutants in turn.
 * What one of them leaves behind in static fields the next one meets. Confined to one thread at a time.
 */
final class Schema {

    private final ClassLoader loader = new IsolatedLoader(
            Schema::change, List.of(Compiler.class), Schema.class, Remote.class, ClassRewriter.class, FakeBroker.class);
    private final Function<List<String>, String> tests;
    private final BiFunction<Long, Integer, FuzzResult> programs;

    @SuppressWarnings("unchecked") // what they implement
    Schema() {
        try {
            tests = (Function<List<String>, String>) make(NamedTests.class);
            programs = (BiFunction<Long, Integer, FuzzResult>) make(FuzzBatch.class);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private Object make(Class<?> type) throws ReflectiveOperationException {
        return loader.loadClass(type.getName()).getDeclaredConstructor().newInstance();
    }

    /** A class that can be each of the mutants. */
    private static byte[] change(String className, byte[] classFile) {
        byte[] changed = classFile;
        Map<String, Integer> removing = new HashMap<>();
        for (Mutant mutant : Mutant.all()) {
            changed = mutant.apply(className, changed);
            if (mutant.removesRefusals()) {
                removing.put(mutant.rule(), mutant.number());
            }
        }
        return Refusals.remove(removing, className, changed);
    }

    /** From now on it is this mutant. */
    void become(Mutant mutant) {
        try {
            loader.loadClass(ActiveMutant.class.getName())
                    .getMethod("set", int.class)
                    .invoke(null, mutant.number());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first of some tests that fails, with its reason; empty if none does. */
    String failing(List<String> names) {
        return tests.apply(names);
    }

    /** The first of some random programs that differs; empty if none does. */
    String differing(int count) {
        FuzzResult result = programs.apply(1L, count);
        return result.divergences().isEmpty()
                ? ""
                : "fuzz, seed " + result.divergences().get(0).seed();
    }
}
