/**
 * Where values come from and how long they are wanted: liveness, reaching definitions. Nothing here changes a body; every
 * analysis holds for the body as it was when it was made. Confined to one thread.
 */
@NullMarked
package dev.cleave.agent.dataflow;

import org.jspecify.annotations.NullMarked;
