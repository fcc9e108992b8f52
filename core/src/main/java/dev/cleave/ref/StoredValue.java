package dev.cleave.ref;

import dev.cleave.CallException;
import dev.cleave.CallException.CallSite;
import dev.cleave.NoSuchReferenceException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A value that was put, in its own node. */
final class StoredValue implements Slot {

    private final Consumer<StoredValue> whenFreed;
    private @Nullable Object value; // guarded by this
    private boolean freed; // guarded by this

    StoredValue(@Nullable Object value, Consumer<StoredValue> whenFreed) {
        this.value = value;
        this.whenFreed = whenFreed;
    }

    @Override
    public synchronized @Nullable Object get() {
        if (freed) {
            throw new NoSuchReferenceException(
                    "Ref.get: the value has been freed",
                    CallException.Execution.NOT_EXECUTED,
                    new CallSite("~ref", "Ref.get", null, true),
                    null);
        }
        return value;
    }

    @Override
    public void free() {
        synchronized (this) {
            freed = true;
            value = null;
        }
        whenFreed.accept(this);
    }
}
