/**
 * The measurement of the PVM-RPC paper: long-range forces among 10,000 particles, all pairs, by calls of work servers that know
 * nothing of each other, and by a ring of processes that pass messages.
 */
@NullMarked
package dev.cleave.examples.nbody;

import org.jspecify.annotations.NullMarked;
