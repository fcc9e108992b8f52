/**
 * The broker: keeps the registry, watches the servers, relays calls. {@link dev.cleave.broker.Broker} is its facade.
 */
@NullMarked
package dev.cleave.broker;

import org.jspecify.annotations.NullMarked;
