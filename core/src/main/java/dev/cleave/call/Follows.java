package dev.cleave.call;

import dev.cleave.Later;
import dev.cleave.serial.TypePolicy;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What of the values of a method follows its messages.
 *
 * @param parameters those that follow the request, in this order, counted from 0
 * @param withinArguments whether arguments are of types that have later values within them
 * @param result whether the result follows the reply
 * @param withinResult whether the result is of a type that has later values within it
 */
public record Follows(List<Integer> parameters, boolean withinArguments, boolean result, boolean withinResult) {

    /** Nothing. */
    public static final Follows NOTHING = new Follows(List.of(), false, false, false);

    /** Copies the list. */
    public Follows {
        parameters = List.copyOf(parameters);
    }

    /**
     * By what is said of a method.
     *
     * @param label names it in messages
     * @param file parameters by names or numbers from 1 on; null if the annotations hold
     * @throws IllegalArgumentException if that is impossible
     */
    static Follows of(Method method, String label, @Nullable List<String> file) {
        Class<?> returned = method.getReturnType();
        boolean marked = method.isAnnotationPresent(Later.class);
        if (marked && returned.isPrimitive()) {
            throw new IllegalArgumentException(label + ": the result is " + returned.getName()
                    + " and cannot come later (expected: an array or object)");
        }
        boolean within = Arrays.stream(method.getGenericParameterTypes())
                .map(Declarations::value)
                .anyMatch(TypePolicy::hasLaterValues);
        return new Follows(
                LaterChoice.of(method, label, file),
                within,
                marked || returned == Later.Value.class,
                TypePolicy.hasLaterValues(Declarations.value(method.getGenericReturnType())));
    }
}
