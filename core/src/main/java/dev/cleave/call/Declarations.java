package dev.cleave.call;

import dev.cleave.Later;
import dev.cleave.serial.Declared;
import dev.cleave.serial.ValueKind;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What a method declares of its values: what arrives is checked against that. Two of one method of one interface are equal.
 * Immutable.
 */
public final class Declarations {

    private final Class<?> contract;
    private final Method method;
    private final List<Declared> objects;
    private final List<Declared> result;

    /**
     * Reads a method.
     *
     * @param contract the remote interface through which it is called, which may say what its type variables are
     */
    Declarations(Class<?> contract, Method method, String label) {
        this.contract = contract;
        this.method = method;
        List<Declared> found = new ArrayList<>();
        Type[] types = method.getGenericParameterTypes();
        for (int i = 0; i < types.length; i++) {
            if (ValueKind.of(method.getParameterTypes()[i]) == ValueKind.OBJECT) {
                found.add(Declared.of(value(types[i]), contract, parameterName(method, label, i)));
            }
        }
        objects = List.copyOf(found);
        result = method.getReturnType() == void.class ? List.of() : List.of(Declared.of(result(method), contract, ""));
    }

    /** Of the parameters that travel as objects, in their order. */
    public List<Declared> objects() {
        return objects;
    }

    /** Of the result; none if the method has none. */
    public List<Declared> result() {
        return result;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Declarations that && contract == that.contract && method.equals(that.method);
    }

    @Override
    public int hashCode() {
        return method.hashCode();
    }

    /** Names a parameter for messages: {@code Compare.score: parameter 2 (genome)}. */
    static String parameterName(Method method, String label, int place) {
        Parameter parameter = method.getParameters()[place];
        return label + ": parameter " + (place + 1)
                + (parameter.isNamePresent() ? " (" + parameter.getName() + ")" : "");
    }

    /** What travels for a declared type: of a value that is used while it arrives, the value. */
    static Type value(Type declared) {
        if (declared == InputStream.class) {
            return byte[].class;
        }
        boolean isLater = declared == Later.Value.class
                || declared instanceof ParameterizedType p && p.getRawType() == Later.Value.class;
        return isLater ? valueOf(declared) : declared;
    }

    /** The first type argument. */
    static Type valueOf(Type declared) {
        return declared instanceof ParameterizedType p ? p.getActualTypeArguments()[0] : Object.class;
    }

    private static Type result(Method method) {
        Class<?> type = method.getReturnType();
        Type declared = method.getGenericReturnType();
        return type == CompletableFuture.class || type == CompletionStage.class ? valueOf(declared) : value(declared);
    }
}
