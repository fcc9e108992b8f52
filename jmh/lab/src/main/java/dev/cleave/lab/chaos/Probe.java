package dev.cleave.lab.chaos;

import dev.cleave.Idempotent;
import dev.cleave.Remote;

/** The service that is called while faults are injected. Public for generated stubs alone. */
@Remote
public interface Probe {

    /** May be executed again. */
    @Idempotent
    long again(long call);

    /** Is executed at most once. */
    long once(long call);

    /** The result of both methods. */
    static long resultOf(long call) {
        long mixed = (call ^ call >>> 31) * 0x9e3779b97f4a7c15L;
        return mixed ^ mixed >>> 29;
    }
}
