package dev.cleave.agent.conformance;

import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/** How the scripted service behaves in one run. */
record Schedule(long seed, Predicate<String> fails) {

    static Schedule ok(long seed) {
        return new Schedule(seed, call -> false);
    }

    static Schedule failing(long seed, String... calls) {
        return new Schedule(seed, Set.of(calls)::contains);
    }

    Random random() {
        return new Random(seed);
    }
}
