package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException.CallSite;
import dev.cleave.config.CallBinding;
import dev.cleave.config.HedgeAfter;
import dev.cleave.config.Style;
import dev.cleave.config.Traffic;
import dev.cleave.serial.ValueKind;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One method of a remote interface, and how it is called.
 *
 * @param index its place in the interface
 * @param method the method itself
 * @param label {@code Interface.method}, for messages
 * @param key its name and descriptor: the name that both sides use for it
 * @param conduct how it is called
 * @param rule how its waiting calls are ordered; null if neither the interface nor the file says it
 * @param plan how its values travel
 */
public record RemoteMethod(
        int index,
        Method method,
        String label,
        String key,
        Conduct conduct,
        @Nullable PriorityRule rule,
        CallPlan plan) {

    /** A method whose calls have no priority, and whose values travel as its annotations say. */
    public RemoteMethod(int index, Method method, String label, String key, Conduct conduct) {
        this(
                index,
                method,
                label,
                key,
                conduct,
                null,
                new CallPlan(method.getDeclaringClass(), method, label, null, false));
    }

    /**
     * How a method is called.
     *
     * @param style the call style
     * @param window the most calls that a loop keeps in flight, or {@link #AUTOMATIC_WINDOW}
     * @param idempotent whether it may be executed again
     * @param deadline how long a call may take
     * @param changesNothing whether it is known to leave the state of the server as it was
     * @param group calls of one group keep their order; empty for none
     * @param traffic how its calls travel
     * @param hedge when a call that may be executed again is sent to one more replica; null for never
     */
    public record Conduct(
            Style style,
            int window,
            boolean idempotent,
            Duration deadline,
            boolean changesNothing,
            String group,
            Traffic traffic,
            @Nullable HedgeAfter hedge) {

        /** The deadline of calls for which none is set. */
        public static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(30);

        /** The window that grows by itself: no bound is set. */
        public static final int AUTOMATIC_WINDOW = CallBinding.AUTOMATIC_WINDOW;

        /** The conduct of a method that may change something. */
        public Conduct(Style style, int window, boolean idempotent, Duration deadline) {
            this(style, window, idempotent, deadline, false, "", Traffic.NONE, null);
        }

        /**
         * Returns the conduct of a method that restores arguments: whatever its style, it runs where it is written.
         *
         * @throws IllegalArgumentException if it is one-way
         */
        Conduct restoring(String label) {
            if (style == Style.ONE_WAY) {
                throw new IllegalArgumentException(
                        label + ": @Out and @InOut cannot be used with @OneWay (expected: a call that waits)");
            }
            return new Conduct(Style.SYNC, window, idempotent, deadline, changesNothing, "", traffic, hedge);
        }

        /** Checks its components. */
        public Conduct {
            requireNonNull(style, "style");
            requireNonNull(group, "group");
            requireNonNull(traffic, "traffic");
            if (window < 1 || window > 1 << 16 && window != AUTOMATIC_WINDOW) {
                throw new IllegalArgumentException("window: " + window + " (expected: 1..65536, or 0 for automatic)");
            }
            if (deadline.isNegative() || deadline.isZero()) {
                throw new IllegalArgumentException("deadline: " + deadline + " (expected: positive)");
            }
        }
    }

    /**
     * Returns this method, called as another application file says from now on. What may change, and the order of its
     * calls, stay as they were: code may have been arranged by them.
     */
    public RemoteMethod called(Conduct other) {
        Conduct next = new Conduct(
                other.style(),
                other.window(),
                other.idempotent(),
                other.deadline(),
                conduct.changesNothing(),
                conduct.group(),
                other.traffic(),
                other.hedge());
        return new RemoteMethod(index, method, label, key, next, rule, plan);
    }

    /** Returns the expression over the arguments that orders waiting calls; null if they run in the order in which they came. */
    public @Nullable String priority() {
        return rule == null ? null : rule.expression();
    }

    /** Says whether the method returns a future: it is sent, and its result awaited through the future. */
    public boolean isFuture() {
        return plan.isFuture();
    }

    /** Says whether this is a suspend method of Kotlin: its last parameter takes the result. */
    public boolean isSuspending() {
        return Suspensions.isSuspending(method);
    }

    /** Says whether there is no result, or it is of a primitive type. */
    public boolean hasPrimitiveResult() {
        return method.getReturnType().isPrimitive();
    }

    /** How the serializer writes the result; null if there is none. */
    public @Nullable ValueKind result() {
        ParameterPlan result = plan.result();
        return result == null ? null : result.kind();
    }

    /** Says whether all parameters are of primitive types, and at most {@value CallPlan#FEW}. */
    public boolean hasPrimitivesOnly() {
        return plan.hasFewPrimitivesOnly();
    }

    /**
     * Says whether callers expect failures as {@code java.rmi.RemoteException}: the method declares it, or, in a {@code
     * java.rmi.Remote} interface, something above it.
     */
    public boolean declaresRemoteException() {
        boolean rmi = java.rmi.Remote.class.isAssignableFrom(method.getDeclaringClass());
        return Arrays.stream(method.getExceptionTypes())
                .anyMatch(e -> e == java.rmi.RemoteException.class
                        || rmi && e.isAssignableFrom(java.rmi.RemoteException.class));
    }

    /** Says whether an interrupt of a thread that waits does not end a call, as with {@code java.rmi}. */
    public boolean ignoresInterrupts() {
        return java.rmi.Remote.class.isAssignableFrom(method.getDeclaringClass());
    }

    /** Describes a call of this method. */
    public CallSite site(String service, @Nullable String replica) {
        return new CallSite(service, label, replica, conduct.idempotent());
    }
}
