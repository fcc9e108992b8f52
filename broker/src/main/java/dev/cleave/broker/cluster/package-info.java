/**
 * The brokers of a cluster: who is one, which replica is at home where, and what becomes of the replicas of a broker
 * that is gone.
 */
@NullMarked
package dev.cleave.broker.cluster;

import org.jspecify.annotations.NullMarked;
