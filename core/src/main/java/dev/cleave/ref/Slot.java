package dev.cleave.ref;

import dev.cleave.Idempotent;
import dev.cleave.ReadOnly;
import dev.cleave.Remote;
import org.jspecify.annotations.Nullable;

/** The interface through which the holders of a {@link dev.cleave.Ref} fetch and free its value. */
@Remote
interface Slot {

    /** The value. */
    @ReadOnly
    @Nullable
    Object get();

    /** Frees the value. */
    @Idempotent
    void free();
}
