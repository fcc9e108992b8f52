package dev.cleave.broker.verify;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of calls that real services have executed. The n-th call of a method with equal arguments has the n-th
 * outcome. Safe for use by any thread.
 */
final class Recording {

    private final Map<Served.Key, Deque<Outcome>> outcomes = new HashMap<>(); // guarded by itself

    private record Outcome(@Nullable Object value, @Nullable Throwable failure) {

        @Nullable
        Object get() throws Throwable {
            if (failure != null) {
                throw failure;
            }
            return value;
        }
    }

    /** Answers by real services, and records their outcomes. */
    Answers recorder(Map<String, Object> stubs) {
        return (call, arguments) -> {
            Outcome outcome = execute(call.method().method(), stubs.get(call.service()), arguments);
            synchronized (outcomes) {
                outcomes.computeIfAbsent(call.key(), key -> new ArrayDeque<>()).add(outcome);
            }
            return outcome.get();
        };
    }

    /**
     * Answers by the recorded outcomes. The real services answer unrecorded calls that change nothing; other unrecorded
     * calls fail.
     */
    Answers player(Map<String, Object> stubs) {
        return (call, arguments) -> {
            Outcome outcome;
            synchronized (outcomes) {
                Deque<Outcome> known = outcomes.get(call.key());
                outcome = known == null ? null : known.poll();
            }
            if (outcome == null && call.method().conduct().changesNothing()) {
                outcome = execute(call.method().method(), stubs.get(call.service()), arguments);
            }
            if (outcome == null) {
                throw new IllegalStateException("the program as written has not made this call: " + call.text());
            }
            return outcome.get();
        };
    }

    private static Outcome execute(Method method, @Nullable Object stub, Object @Nullable [] arguments) {
        try {
            method.setAccessible(true);
            return new Outcome(method.invoke(stub, arguments), null);
        } catch (InvocationTargetException e) {
            return new Outcome(null, e.getCause());
        } catch (ReflectiveOperationException e) {
            return new Outcome(null, e);
        }
    }
}
