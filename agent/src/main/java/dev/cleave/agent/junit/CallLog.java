package dev.cleave.agent.junit;

import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls that reached watched services, in the order in which they began. Safe for use by any thread. */
final class CallLog {

    private final List<Call> calls = new ArrayList<>(); // guarded by itself

    /**
     * One call.
     *
     * @param owner the interface, as an internal name
     * @param text the method and its arguments
     */
    record Call(String owner, String method, String descriptor, String text) {}

    <T> T watched(Class<T> remoteInterface, T implementation) {
        if (!remoteInterface.isInterface()) {
            throw new IllegalArgumentException(
                    remoteInterface.getName() + " is no interface; name the remote interface to watch");
        }
        Object proxy = Proxy.newProxyInstance(
                remoteInterface.getClassLoader(),
                new Class<?>[] {remoteInterface},
                (self, method, arguments) -> call(implementation, method, arguments));
        return remoteInterface.cast(proxy);
    }

    private @Nullable Object call(Object implementation, Method method, Object @Nullable [] arguments)
            throws Throwable {
        if (method.getDeclaringClass() != Object.class) {
            Object[] given = arguments == null ? new Object[0] : arguments;
            String list = Rendering.of(given);
            add(new Call(
                    method.getDeclaringClass().getName().replace('.', '/'),
                    method.getName(),
                    MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                            .toMethodDescriptorString(),
                    method.getName() + "(" + list.substring(1, list.length() - 1) + ")"));
        }
        try {
            method.setAccessible(true);
            return method.invoke(implementation, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private void add(Call call) {
        synchronized (calls) {
            calls.add(call);
        }
    }

    List<Call> calls() {
        synchronized (calls) {
            return List.copyOf(calls);
        }
    }
}
