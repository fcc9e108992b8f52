package dev.cleave.client;

import dev.cleave.call.RemoteInterface;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.UnaryOperator;

/** The stubs of services that the program holds, to change how they call; each is forgotten with its last reference. Thread-safe. */
final class LiveStubs {

    /** A stub whose interface can change. Safe for use by any thread. */
    interface Stub {

        /** Makes the calls that begin from now on as the interface that a function returns says. */
        void change(UnaryOperator<RemoteInterface> changed);
    }

    private final Set<Stub> all = Collections.newSetFromMap(new WeakHashMap<>());

    synchronized void add(Stub stub) {
        all.add(stub);
    }

    /** Lets the calls that begin from now on be as the interfaces that a function returns say. */
    void change(UnaryOperator<RemoteInterface> changed) {
        List<Stub> known;
        synchronized (this) {
            known = List.copyOf(all);
        }
        known.forEach(stub -> stub.change(changed));
    }
}
