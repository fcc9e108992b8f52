package dev.cleave.broker.verify;

import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Replaces the object of a service: records each call as it begins, and passes it to {@link Answers}. */
final class RecordedService implements InvocationHandler {

    private final RemoteInterface contract;
    private final Map<Method, RemoteMethod> methods = new HashMap<>();
    private volatile @Nullable Act act;

    RecordedService(RemoteInterface contract) {
        this.contract = contract;
        contract.methods().forEach(method -> methods.put(method.method(), method));
    }

    /** The calls of one run, and their answers. */
    static final class Act {

        private final Answers answers;
        private final List<Served> calls = new ArrayList<>(); // guarded by itself

        Act(Answers answers) {
            this.answers = answers;
        }

        List<Served> calls() {
            synchronized (calls) {
                return List.copyOf(calls);
            }
        }
    }

    void begin(Act next) {
        act = next;
    }

    /** The object to bind. */
    Object object() {
        Class<?> type = contract.type();
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        RemoteMethod remote = methods.get(method);
        Act now = act;
        if (remote == null || now == null) {
            return switch (method.getName()) { // methods of Object
                case "equals" -> arguments != null && proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "watched " + contract.service();
            };
        }
        Served call = new Served(contract.service(), remote, Digests.of(arguments));
        synchronized (now.calls) {
            now.calls.add(call);
        }
        return now.answers.answer(call, arguments);
    }
}
