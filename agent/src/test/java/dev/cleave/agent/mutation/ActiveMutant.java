package dev.cleave.agent.mutation;

/**
 * The switch of all mutants. The agent's classes are changed once so that each of them can be any mutant, and ask here which
 * one they are to be: "Mutation analysis using mutant schemata", Untch, Offutt and Harrold 1993. Each class loader that
 * defines this class anew has a switch of its own.
 */
public final class ActiveMutant {

    private static volatile int number;

    private ActiveMutant() {}

    /** From now on the classes are this mutant; 0 for none. */
    public static void set(int mutant) {
        number = mutant;
    }

    /** Whether the classes are this mutant. */
    public static boolean is(int mutant) {
        return number == mutant;
    }

    /** Throws what the code was about to throw, unless the classes are this mutant. */
    public static void raise(Throwable thrown, int mutant) throws Throwable {
        if (!is(mutant)) {
            throw thrown;
        }
    }

    /** What the code was about to return, null if the classes are this mutant. */
    public static Object unless(Object returned, int mutant) {
        return is(mutant) ? null : returned;
    }
}
