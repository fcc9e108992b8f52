package dev.cleave.server;

import dev.cleave.Inline;
import dev.cleave.Serial;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import java.lang.reflect.Method;
import java.util.BitSet;

/** The methods of a class that run on the event thread: those that it marks with {@link Inline}. */
final class InlineMethods {

    private final BitSet indexes = new BitSet(); // not changed once made

    private InlineMethods() {}

    /** Looks at the methods of a class. */
    static InlineMethods of(RemoteInterface contract, Class<?> implementation) {
        InlineMethods found = new InlineMethods();
        for (RemoteMethod method : contract.methods()) {
            if (isMarked(implementation, method.method())) {
                found.indexes.set(method.index());
            }
        }
        return found;
    }

    /**
     * Looks at the methods of a class that is to be served under a name.
     *
     * @throws IllegalArgumentException if one of them cannot run there; the message says which and why
     */
    static InlineMethods checked(RemoteInterface contract, Class<?> implementation) {
        InlineMethods found = of(contract, implementation);
        for (RemoteMethod method : contract.methods()) {
            if (found.has(method)) {
                check(implementation, method);
            }
        }
        return found;
    }

    boolean has(RemoteMethod method) {
        return indexes.get(method.index());
    }

    private static void check(Class<?> implementation, RemoteMethod method) {
        if (implementation.isAnnotationPresent(Serial.class)) {
            throw new IllegalArgumentException(method.label() + ": @Inline in " + implementation.getName()
                    + ", which is @Serial (expected: one of the two, since inline calls do not wait for their turn)");
        }
        if (method.priority() != null) {
            throw new IllegalArgumentException(method.label() + ": @Inline in " + implementation.getName()
                    + ", and priority \"" + method.priority()
                    + "\" (expected: one of the two, since inline calls are in no queue)");
        }
    }

    private static boolean isMarked(Class<?> implementation, Method called) {
        try {
            return implementation
                    .getMethod(called.getName(), called.getParameterTypes())
                    .isAnnotationPresent(Inline.class);
        } catch (NoSuchMethodException e) {
            return false; // it does not implement the interface; the code that serves it reports that
        }
    }
}
