package dev.cleave.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.Serial;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The gates of the serial objects of one node: one for each object, whatever names it is served under. Thread-safe. */
final class SerialGates {

    @GuardedBy("this")
    private final Map<Identity, SerialGate> gates = new HashMap<>();

    @GuardedBy("this")
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

    /** An object, compared by identity and not kept alive. */
    private static final class Identity extends WeakReference<Object> {

        private final int hash;

        Identity(Object object, @Nullable ReferenceQueue<Object> queue) {
            super(object, queue);
            hash = System.identityHashCode(object);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return this == other || other instanceof Identity same && get() != null && get() == same.get();
        }
    }

    /** The gate of an object; null if it may serve several requests at a time. */
    @Nullable
    SerialGate of(Object object) {
        if (!object.getClass().isAnnotationPresent(Serial.class)) {
            return null;
        }
        synchronized (this) {
            for (Object gone = collected.poll(); gone != null; gone = collected.poll()) {
                gates.remove(gone);
            }
            return gates.computeIfAbsent(new Identity(object, collected), o -> new SerialGate());
        }
    }
}
