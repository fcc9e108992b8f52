package dev.cleave.cluster.zookeeper;

import dev.cleave.broker.store.ClusterStore;
import dev.cleave.broker.store.StoreProvider;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Opens stores of {@code zk://host:port,host:port/path}; without a port 2181, without a path {@code /cleave}. */
public final class ZooKeeperStores implements StoreProvider {

    private static final Pattern ADDRESS =
            Pattern.compile("zk://([A-Za-z0-9._\\[\\]:-]+(?:,[A-Za-z0-9._\\[\\]:-]+)*)(/[A-Za-z0-9._/-]*[A-Za-z0-9_-])?/?");

    /** For the service loader. */
    public ZooKeeperStores() {}

    @Override
    public String scheme() {
        return "zk";
    }

    @Override
    public ClusterStore open(String address) {
        Matcher parts = ADDRESS.matcher(address);
        if (!parts.matches()) {
            throw new IllegalArgumentException("cluster: " + address + " (expected: zk://host:port,host:port/path)");
        }
        String path = parts.group(2) == null ? "/cleave" : parts.group(2);
        return ZooKeeperStore.open(parts.group(1), path);
    }
}
