/** Loads of replicas between the brokers of a cluster: who asks whom for which service, and what is told. */
@NullMarked
package dev.cleave.broker.gossip;

import org.jspecify.annotations.NullMarked;
