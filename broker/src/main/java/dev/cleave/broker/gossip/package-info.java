/** Loads of replicas between the brokers of a cluster: brokers ask for those of a service, and are told of changes. */
@NullMarked
package dev.cleave.broker.gossip;

import org.jspecify.annotations.NullMarked;
