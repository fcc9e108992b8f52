/**
 * A cluster in one thread under a clock of its own: the decisions of production (registry, health, pulses, placing, attempts, retry
 * budget) behind a simulated network, processes and calls. A seed says everything that happens.
 */
@NullMarked
package dev.cleave.lab.simulation;

import org.jspecify.annotations.NullMarked;
