package dev.cleave.test;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Stands before the implementations of services: applies rules, and records calls. Safe for use by any thread. */
final class Observation {

    private final List<Call> calls = new ArrayList<>(); // guarded by this, as are all fields
    private final Map<String, Rule> rules = new HashMap<>();
    private CountDownLatch ended = new CountDownLatch(1);
    private @Nullable TestClock clock;

    /** Takes times from a clock from now on. */
    synchronized void begin(TestClock with) {
        clock = with;
    }

    private synchronized TestClock clock() {
        return Objects.requireNonNull(clock, "not started");
    }

    /** Wraps an implementation. */
    <T> T observed(Class<T> type, T implementation) {
        if (!type.isInterface()) {
            throw new IllegalArgumentException(type.getName() + " is no interface (expected: the remote interface)");
        }
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> method.getDeclaringClass() == Object.class
                        ? invoke(implementation, method, arguments)
                        : call(type, implementation, method, arguments)));
    }

    private @Nullable Object call(Class<?> type, Object implementation, Method method, Object @Nullable [] arguments)
            throws Throwable {
        List<@Nullable Object> given = arguments == null ? List.of() : Arrays.asList(arguments);
        Call begun = new Call(type, method.getName(), given, clock().nanos(), Long.MAX_VALUE, null);
        int index = add(begun);
        Throwable failure = null;
        try {
            Rule rule = find(method);
            if (rule != null) {
                rule.apply(begun);
            }
            return invoke(implementation, method, arguments);
        } catch (Throwable e) {
            failure = e;
            throw e;
        } finally {
            end(index, begun, failure);
        }
    }

    private static @Nullable Object invoke(Object implementation, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            method.setAccessible(true);
            return method.invoke(implementation, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private synchronized int add(Call call) {
        calls.add(call);
        return calls.size() - 1;
    }

    private synchronized void end(int index, Call begun, @Nullable Throwable failure) {
        if (index < calls.size() && calls.get(index) == begun) { // else the test is over
            calls.set(
                    index,
                    new Call(begun.type(), begun.method(), begun.arguments(), begun.began(), clock().nanos(), failure));
        }
    }

    private synchronized @Nullable Rule find(Method method) {
        return rules.get(key(method.getDeclaringClass(), method.getName()));
    }

    /** Makes the rule for a method, in place of an earlier one. */
    synchronized Rule rule(Class<?> type, String method) {
        Method found = Arrays.stream(type.getMethods())
                .filter(each -> each.getName().equals(method))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(type.getName() + " has no method " + method));
        Rule rule = new Rule(ended, (since, time) -> clock().pause(since, time));
        rules.put(key(found.getDeclaringClass(), method), rule);
        return rule;
    }

    private static String key(Class<?> type, String method) {
        return type.getName() + '.' + method;
    }

    synchronized Calls calls() {
        return new Calls(calls);
    }

    /** Ends calls that a rule holds, and forgets rules and calls. */
    synchronized void end() {
        ended.countDown();
        ended = new CountDownLatch(1);
        rules.clear();
        calls.clear();
    }
}
