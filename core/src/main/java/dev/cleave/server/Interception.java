package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallContext;
import dev.cleave.call.RemoteInterface;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.intercept.ContextCarrier;
import dev.cleave.intercept.IncomingCall;
import dev.cleave.intercept.Interceptors;
import dev.cleave.intercept.ServerInterceptor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs interceptors and carriers around the methods of served objects. Where there are interceptors the skeleton calls a
 * proxy in the place of the object; where there are none, the object itself.
 */
final class Interception {

    private static final System.Logger LOG = SafeLog.of(Interception.class);
    private static final @Nullable Object[] NO_ARGUMENTS = {};

    private final List<ServerInterceptor> interceptors;
    private final List<ContextCarrier> carriers;

    Interception(Interceptors all) {
        interceptors = all.servers();
        carriers = all.carriers();
    }

    /** Whether interceptors see the arguments of calls, which must be complete then. */
    boolean seesArguments() {
        return !interceptors.isEmpty();
    }

    /** Returns the object that the skeleton calls. */
    Object around(RemoteInterface contract, Object target) {
        if (interceptors.isEmpty()) {
            return target;
        }
        Class<?> type = contract.type();
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            @Nullable Object[] given = arguments == null ? NO_ARGUMENTS : arguments;
            return method.getDeclaringClass() == Object.class
                    ? method.invoke(target, given)
                    : new Chained(target, method, given).run();
        });
    }

    /** Returns what a proxy of {@link #around} meant to throw. */
    static Throwable thrown(Throwable by) {
        return by instanceof UndeclaredThrowableException wrapped && wrapped.getCause() != null ? wrapped.getCause() : by;
    }

    /** Sets what has travelled with a call on the current thread; returns what undoes it. */
    ContextCarrier.Scope restore(Map<String, String> attachments) {
        ContextCarrier.Scope all = ContextCarrier.Scope.NONE;
        if (carriers.isEmpty()) { // no iterator for each call
            return all;
        }
        for (ContextCarrier carrier : carriers) {
            ContextCarrier.Scope before = all;
            try {
                ContextCarrier.Scope own = requireNonNull(carrier.restore(attachments), "scope");
                all = () -> {
                    end(own);
                    before.end();
                };
            } catch (RuntimeException e) { // of the program: its call runs without that context
                LOG.log(System.Logger.Level.WARNING, carrier.getClass().getName() + " cannot restore its context", e);
            }
        }
        return all;
    }

    private static void end(ContextCarrier.Scope scope) {
        try {
            scope.end();
        } catch (RuntimeException e) { // of the program
            LOG.log(System.Logger.Level.WARNING, "the context of a call cannot be undone", e);
        }
    }

    /** One call on its way through the interceptors. */
    private final class Chained implements IncomingCall {

        private final Object target;
        private final Method method;
        private final @Nullable Object[] arguments;
        private final CallContext context = CallContext.current();
        private int next;
        private boolean hasRun;
        private @Nullable Object result;
        private @Nullable Throwable failure;

        Chained(Object target, Method method, @Nullable Object[] arguments) {
            this.target = target;
            this.method = method;
            this.arguments = arguments;
        }

        @Nullable Object run() throws Throwable {
            return proceed();
        }

        @Override
        public CallContext context() {
            return context;
        }

        @Override
        public List<@Nullable Object> arguments() {
            return Collections.unmodifiableList(Arrays.asList(arguments));
        }

        @Override
        public @Nullable Object proceed() throws Throwable {
            int place = next++;
            if (place > interceptors.size()) {
                throw new IllegalStateException("a second IncomingCall.proceed of one interceptor (expected: one)");
            }
            if (place == interceptors.size()) {
                invoke();
            } else {
                around(interceptors.get(place));
            }
            if (failure != null) {
                throw failure;
            }
            return result;
        }

        private void around(ServerInterceptor interceptor) throws Throwable {
            Throwable own = null;
            try {
                interceptor.intercept(this);
            } catch (Throwable e) { // user code; perhaps what the method threw, passed on
                own = e;
            }
            if (!hasRun && own != null) {
                failure = own;
                throw own;
            }
            if (!hasRun && failure == null) {
                throw new IllegalStateException(interceptor.getClass().getName()
                        + " returned without IncomingCall.proceed (expected: proceed, or an exception)");
            }
            if (own != null && own != failure) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        interceptor.getClass().getName() + " threw when the method had run; its outcome stays",
                        own);
            }
        }

        private void invoke() {
            hasRun = true;
            try {
                method.setAccessible(true);
                result = method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                failure = requireNonNull(e.getCause());
            } catch (IllegalAccessException e) {
                failure = new IllegalStateException(method + " cannot be called", e);
            }
        }
    }
}
