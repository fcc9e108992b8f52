package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import dev.cleave.Ref;
import dev.cleave.call.InterfaceReader;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.config.Bindings;
import dev.cleave.serial.SerialException;
import dev.cleave.serial.TypePolicy;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The interfaces through which objects are called, each read once. Thread-safe. */
final class Contracts {

    private final InterfaceReader interfaces;
    /** The prefix of service names that stand for objects. */
    static final String MARK = "~";

    /** Begins the names of stores; the name of the service or object near which they put values follows. */
    static final String STORE = MARK + "store#";

    private static final String EACH = MARK + "each#";

    private final Map<Class<?>, RemoteInterface> known = new ConcurrentHashMap<>();
    private final Map<String, RemoteInterface> slots = new ConcurrentHashMap<>(); // by the types that they allow

    private final Map<String, RemoteInterface> stores = new ConcurrentHashMap<>(); // by their own names

    /** The methods of values that are fetched, the same for all nodes; read when the first one is. */
    private static final class Own {

        // Types that the application allows need not be visible to our loader.
        static final List<RemoteMethod> SLOT = new InterfaceReader(Bindings.NONE)
                .read(MARK + "ref", Slot.class)
                .methods();
        static final List<RemoteMethod> ELEMENTS = new InterfaceReader(Bindings.NONE)
                .read(EACH, ElementSource.class)
                .methods();

        private Own() {}
    }

    Contracts(InterfaceReader interfaces) {
        this.interfaces = requireNonNull(interfaces, "interfaces");
    }

    /** Returns the description of an interface through which objects are called.
     *
     * @throws IllegalArgumentException if it has a mistake
     */
    RemoteInterface of(Class<?> type) {
        RemoteInterface read = known.get(type);
        return read != null ? read : known.computeIfAbsent(type, t -> interfaces.read(MARK + interfaces.name(t), t));
    }

    /** The interface for fetching values whose references were written with a policy. */
    RemoteInterface slot(TypePolicy policy) {
        return slots.computeIfAbsent(policy.signature(), s -> slot(policy, MARK + "ref#" + s));
    }

    /** The interface for fetching values that are read with the policy with which their reference arrived. */
    RemoteInterface slot(TypePolicy policy, String service) {
        return new RemoteInterface(service, Slot.class, Own.SLOT, policy);
    }

    /** The interface for putting values near a service or object that is called through an interface. */
    RemoteInterface store(RemoteInterface near) {
        return slot(near.policy(), STORE + near.service());
    }

    /** The interface of a name, for putting values near a service or object; null if that names no references. */
    @Nullable
    RemoteInterface store(String service) {
        return stores.get(service);
    }

    private void open(RemoteInterface near) {
        if (near.policy().remote().containsKey(Ref.class.getName())) {
            RemoteInterface store = store(near);
            stores.put(store.service(), store);
        }
    }

    /** The interface for fetching elements whose source was written with a policy. */
    RemoteInterface elements(TypePolicy policy) {
        return slots.computeIfAbsent("each " + policy.signature(), s -> elements(policy, EACH + policy.signature()));
    }

    /** The interface for fetching elements that are read with the policy with which their source arrived. */
    RemoteInterface elements(TypePolicy policy, String service) {
        return new RemoteInterface(service, ElementSource.class, Own.ELEMENTS, policy);
    }

    /** Reads all remote interfaces that an interface names, directly or through others. */
    void check(RemoteInterface contract) {
        check(contract, new HashSet<>());
    }

    private void check(RemoteInterface contract, Set<Class<?>> seen) {
        open(contract);
        for (Class<?> type : contract.policy().remote().values()) {
            if (type != Ref.class && !TypePolicy.ELEMENTS.contains(type) && seen.add(type)) {
                check(of(type), seen);
            }
        }
    }

    /**
     * Returns the one interface named by a policy that an object implements, or null if it implements none.
     *
     * @throws SerialException if it implements several
     */
    static @Nullable Class<?> only(Object object, TypePolicy policy) {
        Class<?> found = null;
        for (Class<?> type : policy.remote().values()) {
            if (type.isInstance(object) && type != Ref.class && !TypePolicy.ELEMENTS.contains(type)) {
                if (found == null || found.isAssignableFrom(type)) {
                    found = type;
                } else if (!type.isAssignableFrom(found)) {
                    throw SerialException.refused(
                            object.getClass().getName() + " implements several remote interfaces: "
                                    + policy.remote().values().stream()
                                            .filter(t -> t.isInstance(object))
                                            .map(Class::getName)
                                            .sorted()
                                            .collect(Collectors.joining(", "))
                                    + " (export it through one of them)");
                }
            }
        }
        return found;
    }
}
