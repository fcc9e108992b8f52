package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.RemoteInterface;
import dev.cleave.serial.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** An object of this node that others may call. Weak unless somebody holds it or it is pinned. */
final class Export extends WeakReference<Object> {

    private final Reference.Number number;
    private final int hash;
    private final Map<String, RemoteInterface> contracts = new ConcurrentHashMap<>();
    private @Nullable Object kept; // guarded by the table
    private int held; // guarded by the table
    private volatile @Nullable Class<?> pinned; // written under the table's lock

    Export(Object object, Reference.Number number, ReferenceQueue<Object> collected) {
        super(object, collected);
        this.number = requireNonNull(number, "number");
        hash = System.identityHashCode(object);
    }

    Reference.Number number() {
        return number;
    }

    int hash() {
        return hash;
    }

    /** The interface that it was exported through by hand, or null. */
    @Nullable
    Class<?> pinned() {
        return pinned;
    }

    /** Lets it be called through an interface. */
    void open(RemoteInterface contract) {
        contracts.putIfAbsent(contract.service(), contract);
    }

    /** The interface with a name, or null if it was never given out through it. */
    @Nullable
    RemoteInterface contract(String service) {
        return contracts.get(service);
    }

    void pin(Class<?> type, Object object) {
        pinned = type;
        keep(object);
    }

    /** Nobody holds it any more. */
    void drop() {
        pinned = null;
        held = 0;
        kept = null;
    }

    /** It is held so many times more, or fewer. */
    void held(int change, @Nullable Object object) {
        held += change;
        keep(object);
    }

    private void keep(@Nullable Object object) {
        if (held == 0 && pinned == null) {
            kept = null;
        } else if (kept == null) {
            kept = object;
        }
    }
}
