package dev.cleave.agent.transform;

import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import java.util.List;

/** Calls of a helper that its caller may have sent: each takes what was handed over before it does anything else (R63, R68, R71). */
interface HandedCalls {

    /** Whether a call is one of them. */
    boolean claims(int index);

    /** Holds what this activation was handed, or null. */
    Register handed();

    /**
     * Writes what stands where a call is made: it takes what was handed over first.
     *
     * @param written the call itself, which is among {@code otherwise}
     * @param otherwise what makes the call if nothing was handed over
     */
    List<Op> takeFirst(int index, Op written, List<Op> otherwise);
}
