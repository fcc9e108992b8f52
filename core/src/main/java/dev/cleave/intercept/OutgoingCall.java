package dev.cleave.intercept;

import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call that is about to be sent, for a {@link ClientInterceptor}. To be used while {@code sends} runs, by its thread. */
public interface OutgoingCall {

    /** The name of the service; of an object without a name, that of its interface. */
    String service();

    /** The method of the remote interface. */
    Method method();

    /**
     * The arguments, which must not be changed; empty for a {@linkplain #isPrefetched prefetched} call. The values of
     * primitives are boxed.
     */
    List<@Nullable Object> arguments();

    /** Whether it is sent before the program has come to its place. */
    boolean isAhead();

    /** Whether it is sent ahead as a guess, which the program may never come to. */
    boolean isPrefetched();

    /**
     * Adds a text that travels with the call, and replaces the one with this key.
     *
     * @throws IllegalArgumentException if the key is empty, or all attachments take more than 8 KiB
     */
    void attach(String key, String text);
}
