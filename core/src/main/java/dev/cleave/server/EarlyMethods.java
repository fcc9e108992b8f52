package dev.cleave.server;

import dev.cleave.call.ParameterPlan;
import dev.cleave.call.ParameterPlan.Travel;
import dev.cleave.call.Ratings;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.later.TakesLater;
import dev.cleave.serial.ValueReader;
import dev.cleave.stream.StreamedInput;
import dev.cleave.stream.StreamedValue;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * The methods of a served object that begin before their streamed arguments have arrived: those whose types say so, and
 * those whose code takes {@link dev.cleave.later.LaterArguments}. All other methods find their arguments whole,
 * whatever the caller streams. Immutable.
 */
final class EarlyMethods {

    private final boolean[] early; // by the index of the method
    private final @Nullable String[]
            takers; // by the index of the method: name and descriptor of the code that takes them

    private EarlyMethods(int methods) {
        early = new boolean[methods];
        takers = new @Nullable String[methods];
    }

    /**
     * Looks at a served object.
     *
     * @param ratings methods whose calls have a priority, which is computed from all arguments, wait for them
     */
    static EarlyMethods of(RemoteInterface contract, Class<?> type, Ratings ratings) {
        EarlyMethods methods = new EarlyMethods(contract.methods().size());
        for (RemoteMethod method : contract.methods()) {
            int index = method.index();
            methods.takers[index] = ratings.rates(method) ? null : taker(type, method.method());
            methods.early[index] =
                    methods.takers[index] != null || method.plan().beginsWithParts();
        }
        return methods;
    }

    /** Whether a method begins early: it finds its arguments through {@link Invocation#ready}. */
    boolean has(RemoteMethod method) {
        return early[method.index()];
    }

    /**
     * Reads the arguments of a call.
     *
     * @return what is handed over to the method beside them; null if it takes no argument that is still arriving
     */
    @Nullable
    StreamedArguments read(RemoteMethod method, ValueReader in, @Nullable Object[] arguments) {
        String taker = takers[method.index()];
        StreamedArguments arriving = null;
        for (ParameterPlan parameter : method.plan().written()) {
            int place = parameter.place();
            Travel travel = parameter.travel();
            Object read = travel == Travel.LATER ? in.takeLater(parameter.kind()) : in.takeStreamed(parameter.kind());
            arguments[place] = travel == Travel.INPUT ? input(read) : read;
            if (read instanceof StreamedValue value) {
                value.isParameter(place);
                if (travel != Travel.LATER && travel != Travel.INPUT) {
                    arriving = arriving != null ? arriving : new StreamedArguments(taker, method.plan());
                    arriving.put(place, value);
                }
            }
        }
        return arriving != null && arriving.settle(arguments) ? arriving : null;
    }

    private static @Nullable InputStream input(@Nullable Object read) {
        return read == null
                ? null
                : read instanceof StreamedValue value
                        ? new StreamedInput(value)
                        : new ByteArrayInputStream((byte[]) read);
    }

    /**
     * Name and descriptor of the code that a call runs, if it takes streamed arguments; null of a bridge, which may
     * lead to other code.
     */
    private static @Nullable String taker(Class<?> type, Method method) {
        try {
            Method run = type.getMethod(method.getName(), method.getParameterTypes());
            boolean takes = !run.isBridge() && run.isAnnotationPresent(TakesLater.class);
            return takes
                    ? run.getName()
                            + MethodType.methodType(run.getReturnType(), run.getParameterTypes())
                                    .descriptorString()
                    : null;
        } catch (NoSuchMethodException e) {
            return null;
        }
    }
}
