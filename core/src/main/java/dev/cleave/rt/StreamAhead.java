package dev.cleave.rt;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs ahead of a sequential stream whose functions call (R64, R69).
 *
 * <p>The stream stays as it is, apart from hooks, each a {@code peek}. When an element reaches the first hook, this
 * class walks a second iterator over the stream's source, some elements further, through the earlier functions, and
 * asks the functions that call to send. Another hook in front of such a function hands over the call that was sent for
 * the current element, which the stream gives to the function next. Nothing happens before the stream is run. Confined
 * to the thread that runs it.
 *
 * <p>All methods accept null for the run-ahead; none throws.
 */
@SuppressWarnings("overloads") // rewritten code names the descriptor
public final class StreamAhead {

    /** The hook that runs some elements ahead. */
    public static final int STEP = -1;

    /** The hook in front of unknown code. */
    public static final int STALE = -2;

    private static final MethodHandle NEW;

    static {
        try {
            NEW = MethodHandles.lookup()
                    .findConstructor(
                            StreamAhead.class,
                            MethodType.methodType(void.class, StreamOpener.class, int.class, StreamSource.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final StreamOpener opener;
    private final StreamSource source;
    private final Object[] functions;
    private final Doors doors = new Doors();
    private @Nullable StreamRun run;
    private boolean idle;
    private long passed;
    private boolean held;

    /**
     * Prepares a run.
     *
     * @param stages the number of stages up to the last function that calls
     */
    StreamAhead(StreamOpener opener, int stages, StreamSource source) {
        this.opener = opener;
        this.source = source;
        this.functions = new Object[stages];
    }

    /** Links the preparation of runs: {@code (StreamSource) -> StreamAhead}. */
    static CallSite link(MethodType type, StreamOpener opener, int stages) {
        return new ConstantCallSite(
                MethodHandles.insertArguments(NEW, 0, opener, stages).asType(type));
    }

    /** Begins its run. */
    StreamOpener opener() {
        return opener;
    }

    /** Sets the function of a stage. */
    public static void bind(@Nullable StreamAhead ahead, int stage, @Nullable Object function) {
        if (ahead != null) {
            ahead.functions[stage] = function;
        }
    }

    /**
     * Puts a hook in front of the next stage; parallel streams stay as they are.
     *
     * @param hook the number of the function that calls, if the next stage is it; else {@link #STEP} or {@link #STALE}
     */
    public static Stream<?> attach(Stream<?> stream, @Nullable StreamAhead ahead, int hook) {
        return ahead == null || stream.isParallel() ? stream : stream.peek(new StreamHook(ahead, hook));
    }

    /** Puts a hook in front of the next stage of an int stream. */
    public static IntStream attach(IntStream stream, @Nullable StreamAhead ahead, int hook) {
        return ahead == null || stream.isParallel() ? stream : stream.peek(new StreamHook(ahead, hook));
    }

    /** Puts a hook in front of the next stage of a long stream. */
    public static LongStream attach(LongStream stream, @Nullable StreamAhead ahead, int hook) {
        return ahead == null || stream.isParallel() ? stream : stream.peek(new StreamHook(ahead, hook));
    }

    /** Puts a hook in front of the next stage of a double stream. */
    public static DoubleStream attach(DoubleStream stream, @Nullable StreamAhead ahead, int hook) {
        return ahead == null || stream.isParallel() ? stream : stream.peek(new StreamHook(ahead, hook));
    }

    /** Puts hooks in front of the function of a collection's {@code forEach}. */
    public static @Nullable Consumer<?> attach(@Nullable Consumer<?> function, @Nullable StreamAhead ahead) {
        if (function == null || ahead == null || !ahead.source.isKnown()) {
            return function;
        }
        @SuppressWarnings("unchecked")
        Consumer<Object> consumer = (Consumer<Object>) function;
        return element -> {
            ahead.passes();
            consumer.accept(element);
        };
    }

    /** Puts hooks in front of the function of a map's {@code forEach}. */
    public static @Nullable BiConsumer<?, ?> attach(@Nullable BiConsumer<?, ?> function, @Nullable StreamAhead ahead) {
        if (function == null || ahead == null || !ahead.source.isKnown()) {
            return function;
        }
        @SuppressWarnings("unchecked")
        BiConsumer<Object, Object> consumer = (BiConsumer<Object, Object>) function;
        return (key, value) -> {
            ahead.passes();
            consumer.accept(key, value);
        };
    }

    /** Puts hooks in front of the function of {@code List.replaceAll}. */
    public static @Nullable UnaryOperator<?> attach(@Nullable UnaryOperator<?> function, @Nullable StreamAhead ahead) {
        if (function == null || ahead == null || !ahead.source.isKnown()) {
            return function;
        }
        @SuppressWarnings("unchecked")
        UnaryOperator<Object> operator = (UnaryOperator<Object>) function;
        return element -> {
            ahead.passes();
            return operator.apply(element);
        };
    }

    /** Puts hooks in front of the function of {@code Map.replaceAll}. */
    public static @Nullable BiFunction<?, ?, ?> attach(
            @Nullable BiFunction<?, ?, ?> function, @Nullable StreamAhead ahead) {
        if (function == null || ahead == null || !ahead.source.isKnown()) {
            return function;
        }
        @SuppressWarnings("unchecked")
        BiFunction<Object, Object, Object> operator = (BiFunction<Object, Object, Object>) function;
        return (key, value) -> {
            ahead.passes();
            return operator.apply(key, value);
        };
    }

    /** Puts hooks in front of the function of {@code Collection.removeIf}. */
    public static @Nullable Predicate<?> attach(@Nullable Predicate<?> function, @Nullable StreamAhead ahead) {
        if (function == null || ahead == null || !ahead.source.isKnown()) {
            return function;
        }
        @SuppressWarnings("unchecked")
        Predicate<Object> predicate = (Predicate<Object>) function;
        return element -> {
            ahead.passes();
            return predicate.test(element);
        };
    }

    /** Puts hooks in front of the function of {@code Arrays.setAll} for an array of ints. */
    public static @Nullable IntUnaryOperator attach(@Nullable IntUnaryOperator function, @Nullable StreamAhead ahead) {
        if (function == null || ahead == null || !ahead.source.isKnown()) {
            return function;
        }
        return index -> {
            ahead.passes();
            return function.applyAsInt(index);
        };
    }

    /** Puts hooks in front of the function of {@code Arrays.setAll} for an array of longs. */
    public static @Nullable IntToLongFunction attach(
            @Nullable IntToLongFunction function, @Nullable StreamAhead ahead) {
        if (function == null || ahead == null || !ahead.source.isKnown()) {
            return function;
        }
        return index -> {
            ahead.passes();
            return function.applyAsLong(index);
        };
    }

    /** Puts hooks in front of the function of {@code Arrays.setAll} for an array of doubles. */
    public static @Nullable IntToDoubleFunction attach(
            @Nullable IntToDoubleFunction function, @Nullable StreamAhead ahead) {
        if (function == null || ahead == null || !ahead.source.isKnown()) {
            return function;
        }
        return index -> {
            ahead.passes();
            return function.applyAsDouble(index);
        };
    }

    /** Puts hooks in front of the function of {@code Arrays.setAll} for an array of objects. */
    public static @Nullable IntFunction<?> attach(@Nullable IntFunction<?> function, @Nullable StreamAhead ahead) {
        if (function == null || ahead == null || !ahead.source.isKnown()) {
            return function;
        }
        return index -> {
            ahead.passes();
            return function.apply(index);
        };
    }

    /** Called when an element reaches the only function. */
    private void passes() {
        passes(STEP);
        passes(0);
    }

    /** Does not run ahead before a helper of another class may be asked. */
    public static void waitFor(@Nullable StreamAhead ahead, HelperDoor door) {
        if (ahead != null) {
            ahead.doors.add(door);
        }
    }

    /** Notes that a later stage writes to an object: does not run ahead if the source may show that write. */
    public static void fills(@Nullable StreamAhead ahead, @Nullable Object object) {
        if (ahead != null && object != null) {
            ahead.idle |= !Rt.isContained(object) || !ahead.source.isApartFrom(object);
        }
    }

    /** Notes that a function reads an array: does not run ahead if it is the one that the program fills. */
    public static void apart(@Nullable StreamAhead ahead, @Nullable Object array) {
        if (ahead != null && array != null) {
            ahead.idle |= ahead.source.isFilled(array);
        }
    }

    /** Notes that later calls go to an object: does not run ahead if it is not a stub, as it may do anything (R3). */
    public static void serves(@Nullable StreamAhead ahead, @Nullable Object receiver) {
        if (ahead != null) {
            ahead.idle |= !Rt.isStub(receiver);
        }
    }

    /** Called when the stream has ended, also by an exception: discards the calls that were sent and not taken. */
    public static void close(@Nullable StreamAhead ahead) {
        if (ahead != null && ahead.run != null) {
            ahead.run.close();
        }
    }

    /** Called when an element reaches a hook. */
    void passes(int hook) {
        StreamRun open = run;
        if (open == null) {
            if (isHeld(hook)) {
                return;
            }
            open = opener.open(functions, idle || doors.isTooLong() ? null : source.iterator());
            open.passOver(passed);
            run = open;
        }
        if (hook >= 0) {
            open.hand(hook);
        } else if (hook == STEP) {
            open.step();
        } else {
            open.stale();
        }
    }

    /** Whether elements pass as written, because a helper may not be asked yet; decided once for each element. */
    private boolean isHeld(int hook) {
        if (hook == STEP) {
            held = doors.areShut();
            passed += held ? 1 : 0;
        }
        return held;
    }
}
