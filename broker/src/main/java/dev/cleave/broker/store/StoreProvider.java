package dev.cleave.broker.store;

import java.util.ServiceLoader;

/** Opens stores of one kind; found on the class path by {@link ServiceLoader}. */
public interface StoreProvider {

    /** The scheme of the addresses that it understands. */
    String scheme();

    /**
     * Opens a session with a store. A store that does not answer yet is {@link ClusterStore.Health#SUSPENDED}.
     *
     * @param address such as {@code zk://host:port,host:port/path}
     * @throws IllegalArgumentException if the address cannot be understood
     */
    ClusterStore open(String address);

    /**
     * Opens a session with the store at an address.
     *
     * @throws IllegalArgumentException if no provider of its scheme is on the class path, or it cannot be understood
     */
    static ClusterStore openAny(String address) {
        String scheme = address.replaceFirst(":.*", "");
        return ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.scheme().equals(scheme))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("cluster: " + address
                        + " (expected: zk://host:port,host:port/path, and cleave-cluster on the class path)"))
                .open(address);
    }
}
