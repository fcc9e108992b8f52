package dev.cleave.intercept;

import dev.cleave.CallContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call that is about to be executed, for a {@link ServerInterceptor}. To be used while {@code intercept} runs, by its thread. */
public interface IncomingCall {

    /** The service, method, caller, deadline and attachments of the call. */
    CallContext context();

    /** The arguments, which must not be changed. The values of primitives are boxed. */
    List<@Nullable Object> arguments();

    /**
     * Runs the next interceptor, or the method if there is none; to be called once.
     *
     * @return the result, null for none; a future is returned as it is, and the call ends when it does
     * @throws Throwable what the method throws, or the veto of an inner interceptor
     */
    @Nullable Object proceed() throws Throwable;
}
