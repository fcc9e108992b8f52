package dev.cleave.rt;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One stream in the program's text: its stages up to the last function that calls.
 *
 * <p>Each stage is a letter: {@code m} maps an element, {@code f} keeps it or not, {@code w} keeps it or ends the
 * stream, {@code L} and {@code D} make a long and a double of it. Functions that call are {@code M}, {@code F} and, if
 * their value is not used, {@code E}; {@code X} makes a stream of each element, whose elements go on; the letter is followed by the helper that the function is, or calls. A stage that
 * is only prefetched may also be {@code K}: its element goes on whatever the function returns.
 */
final class StreamSite {

    private static final Object FILTERED = new Object();
    private static final MethodType ON_OBJECTS = MethodType.methodType(Object.class, Object.class, Object.class);
    private static final MethodType ON_TWO = ON_OBJECTS.appendParameterTypes(Object.class);

    /** A stage; conversions have no function, and only functions that call have a helper. */
    private record Stage(char kind, String helper, @Nullable MethodHandle function) {}

    private final List<Stage> stages = new ArrayList<>();
    private final List<Integer> calls = new ArrayList<>();

    /**
     * Describes a stream.
     *
     * @param types the functional interfaces of the stages that have functions
     */
    StreamSite(MethodType types, List<String> texts) throws IllegalAccessException {
        int functions = 0;
        for (String text : texts) {
            char kind = text.charAt(0);
            MethodHandle function = kind == 'L' || kind == 'D' ? null : functionOf(types.parameterType(functions++));
            if ("MFEKX".indexOf(kind) >= 0) {
                calls.add(stages.size());
            }
            stages.add(new Stage(kind, text.substring(1), function));
        }
    }

    private static MethodHandle functionOf(Class<?> type) throws IllegalAccessException {
        for (Method method : type.getMethods()) {
            if (Modifier.isAbstract(method.getModifiers())) {
                MethodHandle handle = MethodHandles.publicLookup().unreflect(method);
                return handle.type().parameterCount() == ON_TWO.parameterCount()
                        ? handle.asType(ON_TWO)
                        : handle.asType(ON_OBJECTS);
            }
        }
        throw new IllegalArgumentException("type: " + type + " (expected: a functional interface)");
    }

    int stages() {
        return stages.size();
    }

    /** The number of functions that call. */
    int calls() {
        return calls.size();
    }

    /** The stage of a function that calls. */
    int stageOf(int call) {
        return calls.get(call);
    }

    String helper(int stage) {
        return stages.get(stage).helper();
    }

    /** Calls the function of a stage. */
    @Nullable
    Object apply(int stage, @Nullable Object function, @Nullable Object element) throws Throwable {
        MethodHandle handle = stages.get(stage).function();
        if (handle == null) {
            throw new IllegalStateException("stage " + stage + " (expected: one with a function)");
        }
        if (handle.type().parameterCount() == ON_TWO.parameterCount()) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) element;
            if (entry == null) {
                throw new NullPointerException("an entry");
            }
            return (Object) handle.invokeExact(function, (Object) entry.getKey(), (Object) entry.getValue());
        }
        return (Object) handle.invokeExact(function, element);
    }

    /** Whether the elements of the stream that a function gives go on, and not the stream. */
    boolean isFlat(int stage) {
        return stages.get(stage).kind() == 'X';
    }

    /** Returns the output of a stage for an element, given the result of its function; see {@link #isFiltered}. */
    @Nullable
    Object next(int stage, @Nullable Object element, @Nullable Object result) {
        return switch (stages.get(stage).kind()) {
            case 'f', 'F' -> Boolean.TRUE.equals(result) ? element : FILTERED;
            default -> result;
        };
    }

    /** Returns the output of a row of stages that do not call for an element; see {@link #isFiltered}. */
    @Nullable
    Object through(int from, int to, Object[] functions, @Nullable Object first) throws Throwable {
        Object element = first;
        for (int i = from; i < to && element != FILTERED; i++) {
            char kind = stages.get(i).kind();
            if (kind == 'L' || kind == 'D') {
                element = converted(kind, (Number) element);
            } else {
                element = next(i, element, apply(i, functions[i], element));
            }
        }
        return element;
    }

    private static Object converted(char kind, @Nullable Number number) {
        if (number == null) {
            throw new NullPointerException("an element");
        }
        return kind == 'L' ? (Object) number.longValue() : (Object) number.doubleValue();
    }

    /** Whether an element was filtered out. */
    static boolean isFiltered(@Nullable Object element) {
        return element == FILTERED;
    }
}
