package dev.cleave.agent.junit;

import java.util.ArrayList;
import java.util.List;

/** The evidence of one way of a test. A parameter of {@link BothWays} methods. Safe for use by any thread. */
public final class Evidence {

    private final CallLog calls = new CallLog();
    private final List<String> values = new ArrayList<>(); // guarded by itself

    Evidence() {}

    /**
     * Adds the present state of a value: numbers, texts, enums, arrays, collections, and the fields of other objects.
     *
     * @param what its name in the message if the ways differ
     */
    public void add(String what, Object value) {
        String text = what + " = " + Rendering.of(value);
        synchronized (values) {
            values.add(text);
        }
    }

    /**
     * Wraps an implementation in an object that records each call with its arguments as it begins. Bind it in place of
     * the implementation; annotations on the class of the implementation have no effect.
     */
    public <T> T watched(Class<T> remoteInterface, T implementation) {
        return calls.watched(remoteInterface, implementation);
    }

    List<String> values() {
        synchronized (values) {
            return List.copyOf(values);
        }
    }

    CallLog calls() {
        return calls;
    }
}
