package dev.cleave.client;

import dev.cleave.call.RemoteMethod;
import org.jspecify.annotations.Nullable;

/** A call as a later one sees it that may not overtake it. */
interface Ordered {

    /** Returns the remote method. */
    RemoteMethod method();

    /** Whether it has ended. */
    boolean isDone();

    /** Runs a task when it has ended, or at once. Runs on the thread that ends it: the task may not block. */
    void onEnd(Runnable task);

    /** Whether it has ended, or is on the way of the calls that its thread has sent before it. */
    boolean isInPlace();

    /** Waits for its end; returns whether its method has answered. */
    boolean hasAnswer();

    /** Records that the call is sent behind another one, which it may not overtake. */
    void follows(@Nullable Ordered earlier);

    /** Returns the call that it may not overtake; null if there is none, or it has ended. */
    @Nullable
    Ordered before();
}
