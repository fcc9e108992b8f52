package dev.cleave.cluster.zookeeper;

import dev.cleave.broker.store.ClusterStore;
import dev.cleave.broker.store.StoreProvider;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Opens stores of {@code zk://host:port,host:port/path}; without a port 2181, without a path {@code /cleave}. */
public final class ZooKeeperStores implements StoreProvider {

    private static final Pattern ADDRESS = Pattern.compile(
            "zk://([A-Za-z0-9._\\[\\]:-]+(?:,[A-Za-z0-9._\\[\\]:-]+)*)(/[A-Za-z0-9._/-]*[A-Za-z0-9_-])?/?");

    /** For the service loader. */
    public ZooKeeperStores() {}

    @Override
    public String scheme() {
        return "zk";
    }

    /** Where no SLF4J provider is on the class path, ZooKeeper logs nothing, and SLF4J need not say so. */
    static void quiet() {
        String verbosity = "slf4j.internal.verbosity";
        if (System.getProperty(verbosity) == null) {
            System.setProperty(verbosity, "ERROR");
        }
    }

    @Override
    public ClusterStore open(String address) {
        Matcher parts = ADDRESS.matcher(address);
        if (!parts.matches()) {
            throw new IllegalArgumentException("cluster: " + address + " (expected: zk://host:port,host:port/path)");
        }
        quiet();
        String path = parts.group(2) == null ? "/cleave" : parts.group(2);
        return ZooKeeperStore.open(parts.group(1), path);
    }
}
