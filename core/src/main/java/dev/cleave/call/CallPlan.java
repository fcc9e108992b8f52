package dev.cleave.call;

import dev.cleave.In;
import dev.cleave.InOut;
import dev.cleave.Later;
import dev.cleave.Out;
import dev.cleave.call.ParameterPlan.Direction;
import dev.cleave.call.ParameterPlan.Travel;
import dev.cleave.serial.CopyRestore;
import dev.cleave.serial.Declared;
import dev.cleave.serial.TypePolicy;
import dev.cleave.serial.ValueKind;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Says how each value of a remote method travels. It is made once, when the interface is read; the stub, the skeleton
 * and both ends of a connection ask it. Two plans of one method of one interface are equal if they stream the same
 * parameters. Immutable.
 */
public final class CallPlan {

    static final int FEW = 8;

    private final Class<?> contract;
    private final Method method;
    private final String label;
    private final boolean isFormatted;
    private final boolean sharesArrays; // an array may be the argument for two parameters, or part of another one
    private final List<Integer> streamed;
    private final List<ParameterPlan> parameters;
    private final List<ParameterPlan> written;
    private final List<Declared> objects;
    private final @Nullable ParameterPlan result;
    private final List<ParameterPlan> restored;
    private final boolean isFuture;
    private final boolean hasFewPrimitivesOnly;

    /**
     * Plans the calls of a method.
     *
     * @param contract the remote interface through which it is called, which may say what its type variables are
     * @param label names the method in messages
     * @param later the parameters that are streamed, by names or numbers from 1 on; null if the annotations hold
     * @param isFormatted whether objects have a format of their own, in which the parameters that are not primitive
     *     share what they refer to
     * @throws IllegalArgumentException if a value cannot be streamed as declared
     */
    CallPlan(Class<?> contract, Method method, String label, @Nullable List<String> later, boolean isFormatted) {
        this.contract = contract;
        this.isFormatted = isFormatted;
        sharesArrays = isFormatted && objects(method) > 1;
        this.method = method;
        this.label = label;
        isFuture = method.getReturnType() == CompletableFuture.class
                || method.getReturnType() == CompletionStage.class
                || Suspensions.isSuspending(method);
        hasFewPrimitivesOnly = method.getParameterCount() <= FEW && hasPrimitivesOnly(method);
        streamed = isFormatted ? List.of() : streamed(later);
        int sent = method.getParameterCount() - (Suspensions.isSuspending(method) ? 1 : 0);
        List<ParameterPlan> all = new ArrayList<>(sent);
        List<ParameterPlan> first = new ArrayList<>(sent);
        List<ParameterPlan> last = new ArrayList<>(sent);
        List<ParameterPlan> back = new ArrayList<>(0);
        List<Declared> declared = new ArrayList<>(sent);
        for (int i = 0; i < sent; i++) {
            ParameterPlan parameter = parameter(i);
            all.add(parameter);
            if (parameter.kind() == ValueKind.OBJECT) {
                last.add(parameter);
                declared.add(parameter.declared());
            } else {
                first.add(parameter);
            }
            if (parameter.isRestored()) {
                back.add(parameter);
            }
        }
        first.addAll(last);
        parameters = List.copyOf(all);
        written = List.copyOf(first);
        objects = List.copyOf(declared);
        result = method.getReturnType() == void.class ? null : resultPlan();
        restored = List.copyOf(back);
        checkRestored();
    }

    /** The number of parameters that may be shared between arguments. */
    private static int objects(Method method) {
        int count = 0;
        for (Class<?> type : method.getParameterTypes()) {
            if (!type.isPrimitive() && type != String.class) {
                count++;
            }
        }
        return count;
    }

    private static boolean hasPrimitivesOnly(Method method) {
        for (Class<?> type : method.getParameterTypes()) {
            if (!type.isPrimitive()) {
                return false;
            }
        }
        return true;
    }

    /** Whether the method returns a future, or is a suspend method of Kotlin. */
    boolean isFuture() {
        return isFuture;
    }

    /** Whether all parameters are of primitive types, and at most {@value #FEW}. */
    boolean hasFewPrimitivesOnly() {
        return hasFewPrimitivesOnly;
    }

    private Direction direction(int place) {
        Parameter parameter = method.getParameters()[place];
        boolean out = parameter.isAnnotationPresent(Out.class);
        boolean inOut = parameter.isAnnotationPresent(InOut.class);
        if ((out ? 1 : 0) + (inOut ? 1 : 0) + (parameter.isAnnotationPresent(In.class) ? 1 : 0) > 1) {
            throw new IllegalArgumentException(
                    label + ": parameter " + (place + 1) + " has several of @In, @Out and @InOut (expected: one)");
        }
        Class<?> type = parameter.getType();
        if (out && !type.isArray()) {
            throw new IllegalArgumentException(label + ": parameter " + (place + 1) + " is @Out and a "
                    + type.getSimpleName() + " (expected: an array; @InOut restores objects)");
        }
        if (inOut
                && (type.isPrimitive()
                        || type == String.class
                        || type.isEnum()
                        || Number.class.isAssignableFrom(type))) {
            throw new IllegalArgumentException(label + ": parameter " + (place + 1) + " is @InOut and a "
                    + type.getSimpleName() + ", which cannot change (expected: an array or object)");
        }
        return out ? Direction.OUT : inOut ? Direction.IN_OUT : Direction.IN;
    }

    private void checkRestored() {
        if (restored.isEmpty()) {
            return;
        }
        Class<?> type = method.getReturnType();
        String mistake = isFormatted
                ? "a java.rmi interface"
                : CompletionStage.class.isAssignableFrom(type)
                        ? "a future as its result"
                        : hasStreamedTypes() || !streamed.isEmpty() || resultIs(Travel.STREAMED)
                                ? "values that are streamed"
                                : null;
        if (mistake != null) {
            throw new IllegalArgumentException(
                    label + ": @Out and @InOut cannot be used with " + mistake + " (expected: whole values)");
        }
    }

    private ParameterPlan parameter(int place) {
        Class<?> type = method.getParameterTypes()[place];
        Type declaredType = method.getGenericParameterTypes()[place];
        Type sent = isFormatted ? declaredType : ParameterPlan.sent(declaredType);
        Direction direction = direction(place);
        ValueKind kind = direction == Direction.OUT
                ? ValueKind.INTS // its shape
                : sharesArrays && type.isArray() || direction == Direction.IN_OUT
                        ? ValueKind.OBJECT
                        : ValueKind.of(type);
        Parameter parameter = method.getParameters()[place];
        String name = label + ": parameter " + (place + 1)
                + (parameter.isNamePresent() ? " (" + parameter.getName() + ")" : "");
        Declared declared = kind == ValueKind.OBJECT ? Declared.of(sent, contract, name) : Declared.NOTHING;
        Travel travel = isFormatted
                ? Travel.WHOLE
                : type == Later.Value.class
                        ? Travel.LATER
                        : type == InputStream.class
                                ? Travel.INPUT
                                : streamed.contains(place) ? Travel.STREAMED : Travel.WHOLE;
        return new ParameterPlan(
                place, name, type, kind, travel, sent, declared, TypePolicy.hasLaterValues(sent), direction);
    }

    private ParameterPlan resultPlan() {
        Class<?> type = method.getReturnType();
        Type generic = method.getGenericReturnType();
        boolean marked = method.isAnnotationPresent(Later.class);
        if (marked && type.isPrimitive()) {
            throw new IllegalArgumentException(label + ": the result is " + type.getName()
                    + " and cannot come later (expected: an array or object)");
        }
        boolean isFuture = type == CompletableFuture.class || type == CompletionStage.class;
        Type sent = isFuture ? ParameterPlan.typeArgument(generic) : ParameterPlan.sent(generic);
        if (Suspensions.isSuspending(method)) {
            sent = Suspensions.result(method);
        }
        Travel travel = type == Later.Value.class ? Travel.LATER : marked ? Travel.STREAMED : Travel.WHOLE;
        return new ParameterPlan(
                ParameterPlan.RESULT,
                label + ": the result",
                type,
                ValueKind.of(type),
                travel,
                sent,
                Declared.of(sent, contract, ""),
                TypePolicy.hasLaterValues(isFuture ? generic : sent),
                Direction.IN);
    }

    /** Whether objects have a format of their own: the caller and the server are RMI programs. */
    public boolean isFormatted() {
        return isFormatted;
    }

    /** The parameters, by place. */
    public List<ParameterPlan> parameters() {
        return parameters;
    }

    /** The parameters in the order in which a request has them: first the direct ones, then those that are objects. */
    public List<ParameterPlan> written() {
        return written;
    }

    /** Returns the declared types of the object parameters, in the order in which a request carries them. */
    public List<Declared> objects() {
        return objects;
    }

    /** Names the {@code n}-th of the parameters that are objects, for messages. */
    public String objectName(int n) {
        return written.get(written.size() - objects.size() + n).name();
    }

    /** The result; null if the method has none. */
    public @Nullable ParameterPlan result() {
        return result;
    }

    /** The parameters whose contents come back to the caller. */
    public List<ParameterPlan> restored() {
        return restored;
    }

    /** Says in the name of the method, which both sides use for it, which contents come back; empty for none. */
    String mark() {
        String mark = "";
        for (ParameterPlan each : restored) {
            mark += " " + each.direction() + ":" + each.place();
        }
        return mark;
    }

    /** Remembers the arguments of a caller that will be restored. */
    public CopyRestore remember(@Nullable Object[] arguments) {
        return CopyRestore.ofCaller(those(Direction.OUT, arguments), those(Direction.IN_OUT, arguments));
    }

    /** Remembers the arguments of a served method that will be restored. */
    public CopyRestore rememberServed(@Nullable Object[] arguments) {
        return CopyRestore.ofServer(those(Direction.OUT, arguments), those(Direction.IN_OUT, arguments));
    }

    private List<@Nullable Object> those(Direction direction, @Nullable Object[] arguments) {
        List<@Nullable Object> those = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            if (restored.get(i).direction() == direction) {
                those.add(arguments[i]);
            }
        }
        return those;
    }

    /** The places of the parameters that are streamed, in the order in which they follow the request. */
    public List<Integer> streamed() {
        return streamed;
    }

    /**
     * Returns the places of the streamed parameters of calls for which a program or the application file names the
     * streamed ones; otherwise as {@link #streamed()}.
     *
     * @param later names, or numbers from 1 on, in the order in which they follow; null if the annotations hold
     * @throws IllegalArgumentException if there is no such parameter, or it is of a primitive type
     */
    public List<Integer> streamed(@Nullable List<String> later) {
        Parameter[] all = method.getParameters();
        List<Integer> places = new ArrayList<>();
        if (later != null) {
            later.forEach(word -> places.add(place(all, word)));
        }
        for (int i = 0; i < all.length; i++) {
            boolean marked = later == null && all[i].isAnnotationPresent(Later.class);
            if ((marked || ParameterPlan.isAlwaysStreamed(all[i].getType())) && !places.contains(i)) {
                places.add(i);
            }
        }
        for (int place : places) {
            if (all[place].getType().isPrimitive()) {
                throw new IllegalArgumentException(label + ": parameter " + (place + 1) + " is a "
                        + all[place].getType().getName() + " and cannot come later (expected: an array or object)");
            }
        }
        return List.copyOf(places);
    }

    /** Whether a method begins before its arguments are whole because their types say so. */
    public boolean beginsWithParts() {
        return parameters.stream()
                .anyMatch(each -> each.holdsStreamed() || ParameterPlan.isAlwaysStreamed(each.type()));
    }

    /**
     * Whether a caller gets the result before it is whole because its type says so; a streamed result has its parts
     * with it.
     */
    boolean endsWithParts() {
        return result != null && (result.travel() == Travel.LATER || result.holdsStreamed() && !result.isStreamed());
    }

    /** Whether the result travels in the given way. */
    public boolean resultIs(Travel travel) {
        return result != null && result.travel() == travel;
    }

    /** Whether a type of the method says that values are used in parts: writing one may wait, or read a stream. */
    public boolean hasStreamedTypes() {
        return beginsWithParts() || resultIs(Travel.LATER) || result != null && result.holdsStreamed();
    }

    /**
     * Whether calls can be sent in a chain whose results go from call to call: streamed values may only be results, and arguments that
     * servers put in, as writing one may wait.
     */
    public boolean canBeChained() {
        boolean takes = parameters.stream()
                .noneMatch(each -> each.holdsStreamed() || each.travel() == Travel.INPUT || each.isRestored());
        return takes && !isFuture && (result == null || !result.holdsStreamed());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CallPlan that
                && contract == that.contract
                && method.equals(that.method)
                && streamed.equals(that.streamed);
    }

    @Override
    public int hashCode() {
        return method.hashCode();
    }

    private int place(Parameter[] all, String word) {
        for (int i = 0; i < all.length; i++) {
            if (word.equals(String.valueOf(i + 1)) || all[i].isNamePresent() && word.equals(all[i].getName())) {
                return i;
            }
        }
        throw new IllegalArgumentException(
                label + ": later: " + word + " is no parameter (expected: " + names(all) + ")");
    }

    private static String names(Parameter[] all) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < all.length; i++) {
            names.add(all[i].isNamePresent() ? all[i].getName() : String.valueOf(i + 1));
        }
        return names.isEmpty() ? "none, it has no parameters" : String.join(", ", names) + ", or numbers from 1 on";
    }
}
