package dev.cleave.spring;

import dev.cleave.node.Node;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the stubs of an application, one for each service and interface. It is a bean: code that learns the name of a
 * service at run time has it injected. Thread-safe.
 */
public final class CleaveStubs {

    private final Node node;
    private final Map<Key, Object> made = new ConcurrentHashMap<>();

    private record Key(String service, Class<?> type) {}

    CleaveStubs(Node node) {
        this.node = node;
    }

    /**
     * Returns a stub of a service. The service need not be bound yet: a call that is made before waits for it, at most the
     * call's deadline.
     *
     * @throws IllegalArgumentException if the type is no remote interface, or has a mistake; the message says which
     */
    public <T> T get(String service, Class<T> type) {
        return type.cast(made.computeIfAbsent(new Key(service, type), key -> node.expect(key.service(), key.type())));
    }
}
