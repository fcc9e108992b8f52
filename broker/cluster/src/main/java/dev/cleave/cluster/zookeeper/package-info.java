/** The store of a cluster of brokers in ZooKeeper. */
@NullMarked
package dev.cleave.cluster.zookeeper;

import org.jspecify.annotations.NullMarked;
