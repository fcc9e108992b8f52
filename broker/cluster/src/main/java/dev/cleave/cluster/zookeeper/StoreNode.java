package dev.cleave.cluster.zookeeper;

import dev.cleave.broker.process.Leash;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** One node of ZooKeeper, which ends with the process that has started it: for trying a cluster on one machine. */
public final class StoreNode {

    private StoreNode() {}

    /** Runs until it is stopped; the argument is a configuration file of ZooKeeper. */
    public static void main(String[] args) {
        Leash.attach();
        ZooKeeperStores.quiet();
        System.out.println("store node ready");
        QuorumPeerMain.main(args);
    }
}
