package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.serial.TypePolicy;
import java.util.List;

/**
 * A remote interface of one service, read once, when a stub or a skeleton is made.
 *
 * @param service the service's name
 * @param type the interface
 * @param methods its methods, each at the place of its index
 * @param policy the types that may travel
 */
public record RemoteInterface(String service, Class<?> type, List<RemoteMethod> methods, TypePolicy policy) {

    /** Checks and copies its components. */
    public RemoteInterface {
        requireNonNull(service, "service");
        requireNonNull(type, "type");
        requireNonNull(policy, "policy");
        methods = List.copyOf(methods);
    }

    /** Returns this interface with methods that are called otherwise. */
    public RemoteInterface with(List<RemoteMethod> others) {
        return new RemoteInterface(service, type, others, policy);
    }

    /** The keys of all methods. */
    public List<String> keys() {
        return methods.stream().map(RemoteMethod::key).toList();
    }
}
