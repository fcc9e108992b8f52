package dev.cleave.testing;

import java.util.Random;

/**
 * Gives a random test its seed. A build uses the same seed for a test class every time, so that a red build is the fault of
 * a change; {@code -Dcleave.seed=random}, which {@code -Pfull} sets, gives new ones, and {@code -Dcleave.seed=N} repeats one.
 * A test names its seed in the message of each assertion.
 */
public final class Seed {

    private static final String PROPERTY = "cleave.seed";

    private Seed() {}

    /** The seed of the random tests of a class. */
    public static long of(Class<?> test) {
        return or(test.getName().hashCode());
    }

    /** The seed of a test whose usual one is given. */
    public static long or(long usual) {
        String asked = System.getProperty(PROPERTY, "");
        if (asked.isEmpty()) {
            return usual;
        }
        return asked.equals("random") ? new Random().nextLong() : Long.parseLong(asked);
    }
}
