package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A call of an object of an RMI program while its method runs. */
public final class RunningCall {

    private static final Set<RunningCall> ALL = ConcurrentHashMap.newKeySet();
    private static final ThreadLocal<RunningCall> OF_THREAD = new ThreadLocal<>();

    private final Object target;
    private final String caller;

    private RunningCall(Object target, String caller) {
        this.target = requireNonNull(target, "target");
        this.caller = requireNonNull(caller, "caller");
    }

    /** The numeric address of the host that called the method that this thread runs; null if it runs none. */
    public static @Nullable String caller() {
        RunningCall current = OF_THREAD.get();
        return current == null ? null : current.caller;
    }

    /** Whether a method of an object runs. */
    public static boolean isOf(Object target) {
        return ALL.stream().anyMatch(call -> call.target == target);
    }

    static RunningCall begin(Object target, String caller) {
        RunningCall made = new RunningCall(target, caller);
        ALL.add(made);
        OF_THREAD.set(made);
        return made;
    }

    void end() {
        OF_THREAD.remove();
        ALL.remove(this);
    }
}
