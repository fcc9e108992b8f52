package dev.cleave.rt;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.LambdaConversionException;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** What stands behind a reference to a remote method, {@code service::method}, whose calls a stream sends ahead. */
public final class RemoteReference {

    private static final MethodType ON_OBJECTS = MethodType.methodType(Object.class, Object.class, Object.class);
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private final Linked linked;
    private final Object receiver;

    /** How the method is called and sent. */
    record Linked(String key, MethodHandle call, MethodHandle send, Class<?> result) {

        RemoteReference of(Object receiver) {
            return new RemoteReference(this, receiver);
        }
    }

    /**
     * How it is sent.
     *
     * @param key what the stream asks for
     */
    record Sending(String key, MethodHandle send) {}

    private RemoteReference(Linked linked, Object receiver) {
        this.linked = linked;
        this.receiver = receiver;
    }

    /**
     * Links a reference: {@code (Interface) -> functional interface}.
     *
     * @param function name and type of the method of the functional interface
     * @param method the remote method, with one argument
     * @param instantiated the type of the function where it is used
     */
    static CallSite link(
            String function,
            MethodType type,
            MethodType erased,
            MethodHandle method,
            MethodType instantiated,
            Sending sending)
            throws LambdaConversionException, ReflectiveOperationException {
        Linked linked = new Linked(
                sending.key(),
                method.asType(ON_OBJECTS),
                sending.send().asType(ON_OBJECTS),
                method.type().returnType());
        MethodHandle implementation =
                LOOKUP.findVirtual(RemoteReference.class, "call", MethodType.methodType(Object.class, Object.class));
        MethodHandle make = LambdaMetafactory.metafactory(
                        LOOKUP,
                        function,
                        MethodType.methodType(type.returnType(), RemoteReference.class),
                        erased,
                        implementation,
                        instantiated)
                .getTarget();
        MethodHandle of = LOOKUP.findVirtual(
                        Linked.class, "of", MethodType.methodType(RemoteReference.class, Object.class))
                .bindTo(linked)
                .asType(MethodType.methodType(RemoteReference.class, type.parameterType(0)));
        return new ConstantCallSite(MethodHandles.filterArguments(make, 0, of));
    }

    /** Sends, takes what was sent, or calls. */
    @Nullable
    Object call(Object argument) throws Throwable {
        Passage passage = Passage.current();
        Object mine = passage.enter(linked.key());
        if (Passage.isAsked(mine)) {
            passage.answer((Object) linked.send().invokeExact(receiver, argument));
            return zero();
        }
        if (mine == null) {
            return (Object) linked.call().invokeExact(receiver, argument);
        }
        return await((SentCall) mine);
    }

    private @Nullable Object await(SentCall sent) throws Throwable {
        Class<?> result = linked.result();
        if (result == void.class) {
            sent.awaitVoid();
            return null;
        }
        if (result == long.class) {
            return sent.awaitLong();
        }
        if (result == float.class) {
            return sent.awaitFloat();
        }
        if (result == double.class) {
            return sent.awaitDouble();
        }
        return result.isPrimitive() ? integral(sent.awaitInt()) : result.cast(sent.await());
    }

    /** What a primitive function gives when it was only asked to send. */
    private @Nullable Object zero() {
        Class<?> result = linked.result();
        if (result == long.class) {
            return 0L;
        }
        if (result == float.class) {
            return 0f;
        }
        if (result == double.class) {
            return 0d;
        }
        return result.isPrimitive() && result != void.class ? integral(0) : null;
    }

    private Object integral(int value) {
        Class<?> result = linked.result();
        if (result == boolean.class) {
            return value != 0;
        }
        if (result == char.class) {
            return (char) value;
        }
        if (result == byte.class) {
            return (byte) value;
        }
        return result == short.class ? (Object) (short) value : (Object) value;
    }
}
