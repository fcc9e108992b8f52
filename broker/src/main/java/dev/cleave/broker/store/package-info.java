/**
 * The store that brokers of a cluster share: few, small, strongly consistent entries. {@link
 * dev.cleave.broker.store.ClusterStore} has one implementation here, for brokers of one process; others are found by
 * {@link dev.cleave.broker.store.StoreProvider}.
 */
@NullMarked
package dev.cleave.broker.store;

import org.jspecify.annotations.NullMarked;
