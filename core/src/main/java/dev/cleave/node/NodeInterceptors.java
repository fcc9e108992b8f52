package dev.cleave.node;

import dev.cleave.config.ServiceBinding;
import dev.cleave.intercept.Interceptors;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds what stands around the calls of each service of a node: what its options name, then what the application file names
 * for the service. Of each class of the file there is one object in the node. Thread-safe.
 */
final class NodeInterceptors {

    /** The system property that names keys of the logging context which travel, separated by commas. */
    static final String MDC_PROPERTY = "cleave.mdc";

    private final NodeOptions options;
    private final Interceptors everywhere;
    private final Map<String, Object> made = new ConcurrentHashMap<>(); // by class name

    NodeInterceptors(NodeOptions options) {
        this.options = options;
        List<String> keys = new ArrayList<>(options.bindings().operation().mdc());
        for (String key : System.getProperty(MDC_PROPERTY, "").split(",")) {
            if (!key.isBlank() && !keys.contains(key.strip())) {
                keys.add(key.strip());
            }
        }
        MdcCarrier mdc = keys.isEmpty() ? null : MdcCarrier.of(keys);
        everywhere = mdc == null ? options.interceptors() : options.interceptors().and(mdc);
    }

    /**
     * Returns what stands around the calls of a service.
     *
     * @throws IllegalArgumentException if a class of the file cannot be used
     */
    Interceptors of(String service) {
        Interceptors all = everywhere;
        List<String> named = options.bindings()
                .service(service)
                .map(ServiceBinding::interceptors)
                .orElse(List.of());
        for (String name : named) {
            all = all.and(made.computeIfAbsent(name, n -> make(service, n)));
        }
        return all;
    }

    private static Object make(String service, String name) {
        ClassLoader here = Thread.currentThread().getContextClassLoader();
        try {
            Class<?> type = Class.forName(name, true, here != null ? here : NodeInterceptors.class.getClassLoader());
            return type.getConstructor().newInstance();
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    "services." + service + ".interceptors: " + name + " is not on the class path", e);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    "services." + service + ".interceptors: the constructor of " + name + " threw " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    "services." + service + ".interceptors: " + name
                            + " (expected: a public class with a public constructor without parameters)",
                    e);
        }
    }
}
