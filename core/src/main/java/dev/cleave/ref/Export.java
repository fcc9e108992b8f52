package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.RemoteInterface;
import dev.cleave.serial.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** An object of this node that peers may call. The reference to it is weak unless a peer holds it or it is pinned. */
final class Export extends WeakReference<Object> {

    private final Reference.Number number;
    private final int hash;
    private final Map<String, RemoteInterface> contracts = new ConcurrentHashMap<>();
    private @Nullable Object kept; // guarded by the table
    private long held; // guarded by the table
    private volatile @Nullable Class<?> pinned; // written under the table's lock
    private volatile @Nullable Offer offer;

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

    /** The interface through which the program exported it, or null. */
    @Nullable
    Class<?> pinned() {
        return pinned;
    }

    /** How the program lets it travel as long as it lives; null unless it does. */
    @Nullable
    Offer offer() {
        return offer;
    }

    void offer(@Nullable Offer by) {
        offer = by;
    }

    /** Lets it be called through an interface. */
    void open(RemoteInterface contract) {
        contracts.putIfAbsent(contract.service(), contract);
    }

    /** The interface with a name, or null if the object was never sent through it. */
    @Nullable
    RemoteInterface contract(String service) {
        return contracts.get(service);
    }

    void pin(Class<?> type, Object object) {
        pinned = type;
        keep(object);
    }

    /** Makes the reference weak, because no peer holds the object any more. */
    void drop() {
        pinned = null;
        held = 0;
        kept = null;
    }

    /** Changes the number of times that peers hold the object. */
    void held(long change, @Nullable Object object, boolean isLost) {
        boolean wasHeld = held > 0;
        Object before = get();
        held += change;
        keep(object);
        Offer by = offer;
        if (by != null && before != null && wasHeld && held == 0) {
            by.whenLeft().accept(before, isLost);
        }
        if (wasHeld && held == 0 && before instanceof StoredValue stored) {
            stored.left();
        } else if (wasHeld && held == 0 && before instanceof LocalElements elements) {
            elements.left();
        }
    }

    /** Whether a peer holds the object. */
    boolean isHeld() {
        return held > 0;
    }

    private void keep(@Nullable Object object) {
        if (held == 0 && pinned == null) {
            kept = null;
        } else if (kept == null) {
            kept = object;
        }
    }
}
