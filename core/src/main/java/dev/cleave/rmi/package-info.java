/**
 * Programs written against {@code java.rmi}: what rewritten classes call in the place of exports and look-ups, and how
 * the values of their calls travel. RMI itself exports the objects, serves the registry and keeps the leases; calls
 * between two processes with the agent go over Cleave, on the same ports.
 */
@NullMarked
package dev.cleave.rmi;

import org.jspecify.annotations.NullMarked;
