/**
 * The registry of services and replicas: a state machine without connections or threads. All but {@link
 * dev.cleave.broker.registry.Registry#view} belongs to one thread.
 */
@NullMarked
package dev.cleave.broker.registry;

import org.jspecify.annotations.NullMarked;
