package dev.cleave.server;

import dev.cleave.Later;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.later.TakesLater;
import dev.cleave.serial.ValueKind;
import dev.cleave.serial.ValueReader;
import dev.cleave.stream.StreamedInput;
import dev.cleave.stream.StreamedValue;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which methods of a served object begin before all of their arguments have arrived: those with a parameter of type {@link
 * Later.Value} or {@link InputStream}, and those whose code takes {@link dev.cleave.later.LaterArguments}. All others find them
 * complete, whatever the caller sends later.
 */
final class LaterMethods {

    private final boolean[] early; // by the index of the method
    private final @Nullable String[] takes; // by the index of the method: what takes them, name and descriptor

    private LaterMethods(int methods) {
        early = new boolean[methods];
        takes = new @Nullable String[methods];
    }

    /**
     * Looks at a served object.
     *
     * @param ratings methods whose calls have a priority, which is computed from all arguments, wait for them
     */
    static LaterMethods of(RemoteInterface contract, Class<?> type, Ratings ratings) {
        LaterMethods methods = new LaterMethods(contract.methods().size());
        for (RemoteMethod method : contract.methods()) {
            int index = method.index();
            methods.takes[index] = ratings.rates(method) ? null : takesLater(type, method.method());
            methods.early[index] = methods.takes[index] != null || method.takesParts();
        }
        return methods;
    }

    /** Whether a method finds its arguments through {@link Invocation#ready}, complete or not. */
    boolean takesReady(RemoteMethod method) {
        return early[method.index()];
    }

    /**
     * Reads the arguments of a call.
     *
     * @return what is handed over beside them, null if all that is wanted in whole has arrived
     */
    @Nullable
    StreamedArguments read(RemoteMethod method, ValueReader in, @Nullable Object[] arguments) {
        List<ValueKind> kinds = method.parameters();
        Class<?>[] types = method.method().getParameterTypes();
        List<Integer> order = new ArrayList<>();
        for (boolean objects : new boolean[] {false, true}) {
            for (int i = 0; i < types.length; i++) {
                if ((kinds.get(i) == ValueKind.OBJECT) == objects) {
                    order.add(i);
                }
            }
        }
        @Nullable StreamedValue[] streamed = new @Nullable StreamedValue[types.length];
        for (int i : order) {
            if (types[i] == Later.Value.class) {
                Later.Value<?> value = in.takeLater();
                if (value instanceof StreamedValue arriving) {
                    arriving.isParameter(i);
                }
                arguments[i] = value;
                continue;
            }
            Object read = types[i].isPrimitive()
                    ? in.take(kinds.get(i))
                    : kinds.get(i) == ValueKind.OBJECT ? in.takeStreamed() : in.takeStreamed(kinds.get(i));
            if (read instanceof StreamedValue value) {
                value.isParameter(i);
            }
            if (types[i] == InputStream.class) {
                arguments[i] = stream(read);
            } else if (read instanceof StreamedValue value) {
                streamed[i] = value;
            } else {
                arguments[i] = read;
            }
        }
        return settled(method, streamed, arguments);
    }

    /** What has arrived, or is to be waited for here, is given as it is. */
    private @Nullable StreamedArguments settled(
            RemoteMethod method, @Nullable StreamedValue[] streamed, @Nullable Object[] arguments) {
        String taker = takes[method.index()];
        boolean any = false;
        for (int i = 0; i < streamed.length; i++) {
            StreamedValue value = streamed[i];
            if (value != null && (value.isHere() || taker == null)) {
                arguments[i] = value.get();
                streamed[i] = null;
            }
            any |= streamed[i] != null;
        }
        return any && taker != null
                ? new StreamedArguments(taker, streamed, method.method().getParameterTypes())
                : null;
    }

    private static @Nullable InputStream stream(@Nullable Object read) {
        return read == null
                ? null
                : read instanceof StreamedValue value ? new StreamedInput(value) : new ByteArrayInputStream((byte[]) read);
    }

    /** The code that a call runs, if it takes them: not if that is a bridge, behind which other code may stand. */
    private static @Nullable String takesLater(Class<?> type, Method method) {
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
