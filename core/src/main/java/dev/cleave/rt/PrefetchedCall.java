package dev.cleave.rt;

import dev.cleave.call.Encoded;
import dev.cleave.call.Handle;

/**
 * A call that was sent on a guess.
 *
 * @param position which call of the queue's code it is for
 * @param iteration the pass that it was sent for
 * @param number counts the calls that its queue has sent
 * @param epoch when it was sent, as {@link dev.cleave.call.Epoch} counts
 * @param sentAt when the pass ahead began that sent it, as {@link System#nanoTime}
 * @param sent exactly what was sent
 */
record PrefetchedCall(
        int position, long iteration, long number, long epoch, long sentAt, Encoded sent, Handle handle) {}
