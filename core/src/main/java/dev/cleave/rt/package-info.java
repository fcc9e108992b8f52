/**
 * The few methods that rewritten bytecode calls. Their names and descriptors never change; programs do not use them.
 * {@link dev.cleave.rt.LoopQueue} and the calls that {@link dev.cleave.rt.Rt} sends are confined to the thread that
 * made them.
 */
@NullMarked
package dev.cleave.rt;

import org.jspecify.annotations.NullMarked;
