/**
 * Data flow of a method body: liveness, ranges of ints, the proof that a loop ends, copy propagation, which alone
 * changes a body; every analysis holds for the body as it was when it was made. Confined to one thread.
 */
@NullMarked
package dev.cleave.agent.dataflow;

import org.jspecify.annotations.NullMarked;
