package dev.cleave.intercept;

import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Carries values of the calling thread to the thread that runs the method, such as keys of a logging context.
 *
 * <p>With the agent a call may be sent before the program has come to its place. It carries what the thread has when it is
 * sent: the agent sends no call ahead across code that may change thread-locals, and a prefetched call is used only
 * if at its place it would carry the same. Implementations are thread-safe, and neither block nor make calls.
 */
public interface ContextCarrier {

    /** Adds what is to travel with a call that the current thread sends: at most 8 KiB of keys and texts. */
    void capture(BiConsumer<String, String> attachments);

    /**
     * Sets on the current thread, which is about to run a method, what has travelled with its call.
     *
     * @param attachments all texts of the call, also those of others
     * @return undoes it, on the same thread, when the method has ended
     */
    Scope restore(Map<String, String> attachments);

    /** Undoes what {@link ContextCarrier#restore} has set. */
    @FunctionalInterface
    interface Scope {

        /** Nothing was set. */
        Scope NONE = () -> {};

        /** Sets what was there before. */
        void end();
    }
}
