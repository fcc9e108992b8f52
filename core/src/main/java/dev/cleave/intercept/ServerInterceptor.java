package dev.cleave.intercept;

/**
 * Runs around the methods of served objects, on the thread that runs them. Several interceptors stand one inside the other:
 * outermost the first one of {@code NodeOptions}, innermost the last one that the application file names for the service.
 *
 * <pre>
 *   public void intercept(IncomingCall call) throws Throwable {
 *       if (!allowed(call.context().attachments().get("tenant"))) {
 *           throw new SecurityException("unknown tenant");         // the method does not run
 *       }
 *       long begun = System.nanoTime();
 *       try {
 *           call.proceed();
 *       } finally {
 *           record(call.method(), System.nanoTime() - begun);
 *       }
 *   }
 * </pre>
 *
 * <p>The outcome of the method is that of the call: an interceptor cannot replace it, and what it throws after the method has
 * run is logged. Implementations are thread-safe.
 */
@FunctionalInterface
public interface ServerInterceptor {

    /**
     * Runs around a call.
     *
     * @throws Throwable to forbid the call before {@link IncomingCall#proceed}: its caller gets this exception
     */
    void intercept(IncomingCall call) throws Throwable;
}
