package dev.cleave.config;

import static java.util.Objects.requireNonNull;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a file for one service.
 *
 * @param name the name it is bound and looked up by
 * @param contract its interface and implementation
 * @param replicas its replicas, in the order of the file; may be empty
 * @param dispatch how calls reach it
 * @param calls the settings for calls of all its methods
 * @param methods the settings for single methods
 * @param interceptors binary names of classes that stand around its calls, outermost first
 */
public record ServiceBinding(
        String name,
        Contract contract,
        List<ReplicaBinding> replicas,
        Dispatch dispatch,
        CallBinding calls,
        Map<String, MethodBinding> methods,
        List<String> interceptors) {

    /**
     * The interface and implementation of a service; null if the file does not name them.
     *
     * @param interfaceName binary name of the remote interface
     * @param implementation binary name of the class that implements it
     */
    public record Contract(
            @Nullable String interfaceName, @Nullable String implementation) {}

    /** Checks and copies its components. */
    public ServiceBinding {
        requireNonNull(name, "name");
        requireNonNull(contract, "contract");
        replicas = List.copyOf(replicas);
        requireNonNull(dispatch, "dispatch");
        requireNonNull(calls, "calls");
        methods = Copies.inOrder(methods);
        interceptors = List.copyOf(interceptors);
    }

    /** Returns the settings of a service that the file does not mention. */
    public static ServiceBinding none(String name) {
        return new ServiceBinding(
                name, new Contract(null, null), List.of(), Dispatch.DEFAULT, CallBinding.NONE, Map.of(), List.of());
    }

    /** Returns the settings for calls of a method: its own, and those of the service where it has none. */
    public CallBinding call(String method) {
        MethodBinding own = methods.get(method);
        return own == null ? calls : own.call().over(calls);
    }

    /** The replica of a name. */
    public Optional<ReplicaBinding> replica(String replica) {
        return replicas.stream().filter(r -> r.name().equals(replica)).findFirst();
    }

    /** The emulated link to a replica: its own, else the service's, else none. */
    public Optional<EmulatedLink> link(String replica) {
        return Optional.ofNullable(replica(replica).map(ReplicaBinding::link).orElse(dispatch.link()));
    }

    /**
     * Checks the file against the interface, once that is known.
     *
     * @param known the names of the interface's methods
     * @throws ConfigException if the file names a method that is not among them
     */
    public void checkMethods(Collection<String> known) {
        methods.forEach((method, binding) -> {
            if (!known.contains(method)) {
                throw binding.place().mistake("unknown method " + Nearest.hint(method, known));
            }
        });
    }
}
