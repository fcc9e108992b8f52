package dev.cleave.client;

import dev.cleave.call.RemoteMethod;
import org.jspecify.annotations.Nullable;

/** A call as one sees it that may not overtake it. */
interface Ordered {

    /** What is called. */
    RemoteMethod method();

    /** Whether it has ended. */
    boolean isDone();

    /** Runs a task when it has ended, or at once. On the thread that ends it: the task may not block. */
    void onEnd(Runnable task);

    /** Whether it has ended, or is on its way with those that were sent before it. */
    boolean isInPlace();

    /** Waits for its end; says whether its method has answered. */
    boolean hasAnswer();

    /** It is sent behind another one, which it may not overtake. */
    void follows(@Nullable Ordered earlier);

    /** The call that it may not overtake; null if there is none, or it has ended. */
    @Nullable
    Ordered before();
}
