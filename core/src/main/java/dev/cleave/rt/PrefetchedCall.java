package dev.cleave.rt;

import dev.cleave.call.Encoded;
import dev.cleave.call.Handle;

/**
 * A call that was sent on a guess.
 *
 * @param position the call of the queue's code for which it was sent
 * @param iteration the pass for which it was sent
 * @param number counts the calls that its queue has sent
 * @param epoch the {@link dev.cleave.call.Epoch} in which it was sent
 * @param sentAt when the pass ahead that sent it began, as {@link System#nanoTime}
 * @param sent the bytes of its request
 */
record PrefetchedCall(
        int position, long iteration, long number, long epoch, long sentAt, Encoded sent, Handle handle) {}
