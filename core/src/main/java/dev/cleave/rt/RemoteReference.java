package dev.cleave.rt;

import dev.cleave.call.Encoded;
import dev.cleave.call.Stub;
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.LambdaConversionException;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The target of a method reference {@code service::method} to a remote method whose calls a stream sends ahead, or of one whose
 * calls strands have sent: {@code this::helper} as well.
 */
public final class RemoteReference {

    private static final MethodType ON_OBJECTS = MethodType.methodType(Object.class, Object.class, Object.class);
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final MethodType SENDS = ON_OBJECTS;
    private static final MethodType ENCODES = ON_OBJECTS.changeReturnType(Encoded.class);

    private final Linked linked;
    private final @Nullable Object receiver; // what the function was made with

    /** How the method is called and sent. */
    record Linked(Sending sending, MethodHandle call, Class<?> result, boolean takesNumber) {

        RemoteReference of(@Nullable Object receiver) {
            return new RemoteReference(this, receiver);
        }
    }

    /**
     * How it is sent.
     *
     * @param key the name under which the stream asks for the call
     * @param send sends a call that is split, null if it is not
     * @param encode encodes a call that is prefetched, null if it is not
     * @param strands the name under which a nest of strands is given to the function
     * @param helper the helper that the method is, which takes from the nest; empty for a remote method
     */
    record Sending(
            String key,
            @Nullable MethodHandle send,
            @Nullable MethodHandle encode,
            String strands,
            String helper) {

        Sending {
            send = send == null ? null : send.asType(SENDS);
            encode = encode == null ? null : encode.asType(ENCODES);
        }
    }

    private RemoteReference(Linked linked, @Nullable Object receiver) {
        this.linked = linked;
        this.receiver = receiver;
    }

    /**
     * Links a reference: {@code (Interface) -> functional interface}, or {@code () -> functional interface}.
     *
     * @param function name and type of the method of the functional interface
     * @param method the method, with one argument besides what the function is made with
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
        boolean isMadeOfNothing = type.parameterCount() == 0;
        MethodHandle call = isMadeOfNothing ? MethodHandles.dropArguments(method, 0, Object.class) : method;
        Linked linked = new Linked(
                sending,
                call.asType(ON_OBJECTS),
                method.type().returnType(),
                method.type().lastParameterType().isPrimitive());
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
                .bindTo(linked);
        MethodHandle reference = isMadeOfNothing
                ? MethodHandles.insertArguments(of, 0, (Object) null)
                : of.asType(MethodType.methodType(RemoteReference.class, type.parameterType(0)));
        return new ConstantCallSite(MethodHandles.collectArguments(make, 0, reference));
    }

    /** Sends the call, takes the sent call, or makes the call. */
    @Nullable
    Object call(@Nullable Object argument) throws Throwable {
        Passage passage = Passage.current();
        Object mine = passage.enter(linked.sending().key());
        Object given = mine == null ? passage.enter(linked.sending().strands()) : mine;
        if (given instanceof Strands nest) {
            return taken(nest, passage, argument);
        }
        MethodHandle send = linked.sending().send();
        if (Passage.isAsked(mine) && send != null) {
            passage.answer((Object) send.invokeExact(receiver, argument));
            return zero();
        }
        MethodHandle encode = linked.sending().encode();
        PrefetchQueue queue = Passage.queueOf(mine);
        if (queue != null && encode != null) {
            int position = passage.base();
            if (passage.isAskedAhead(mine)) {
                queue.send(position, (Encoded) encode.invokeExact(receiver, argument));
                return zero();
            }
            mine = queue.mayClaim(position)
                    ? queue.claim(position, (Encoded) encode.invokeExact(receiver, argument))
                    : null;
            if (!(receiver instanceof Stub)) { // it may be unknown code
                queue.stale();
            }
        }
        return mine instanceof SentCall sent ? await(sent) : make(argument);
    }

    /** Makes the call. */
    private @Nullable Object make(@Nullable Object argument) throws Throwable {
        if (argument == null && linked.takesNumber()) {
            throw new NullPointerException(); // as a function that unboxes its argument does
        }
        return (Object) linked.call().invokeExact(receiver, argument);
    }

    /** Takes the call from the nest, or lets the helper do so. */
    private @Nullable Object taken(Strands nest, Passage passage, @Nullable Object argument) throws Throwable {
        int row = passage.base();
        if (linked.sending().helper().isEmpty()) {
            return Strands.take(nest, row) instanceof SentCall sent ? await(sent) : make(argument);
        }
        passage.handNest(linked.sending().helper(), nest, row);
        try {
            return make(argument);
        } finally {
            passage.handed();
        }
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

    /** The result of a primitive function that was only asked to send. */
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
