package dev.cleave.rt;

import dev.cleave.call.Encoded;
import dev.cleave.call.Stub;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Finds the encoding twin of one remote method by the class of the receiver: {@code (Interface, arguments...) ->
 * Encoded}, null for receivers that are no stubs and for methods that may change something.
 */
final class EncodeSite {

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final MethodHandle TARGET;

    private final String name;
    private final MethodType type;
    private final MethodHandle none;
    private final ClassValue<MethodHandle> targets = new ClassValue<>() {
        @Override
        protected MethodHandle computeValue(Class<?> receiver) {
            return find(receiver);
        }
    };

    static {
        try {
            TARGET = LOOKUP.findVirtual(
                    EncodeSite.class, "target", MethodType.methodType(MethodHandle.class, Object.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private EncodeSite(String name, MethodType type) {
        this.name = name;
        this.type = type;
        this.none = MethodHandles.dropArguments(MethodHandles.constant(Encoded.class, null), 0, type.parameterList());
    }

    /** Returns the handle for a method, given the interface and its parameters. */
    static MethodHandle handle(String name, MethodType parameters) {
        MethodType type = parameters.changeReturnType(Encoded.class);
        MethodHandle target = TARGET.bindTo(new EncodeSite(name, type))
                .asType(MethodType.methodType(MethodHandle.class, type.parameterType(0)));
        return MethodHandles.foldArguments(MethodHandles.exactInvoker(type), target);
    }

    MethodHandle target(@Nullable Object receiver) {
        return receiver == null ? none : targets.get(receiver.getClass());
    }

    private MethodHandle find(Class<?> receiver) {
        if (!Stub.class.isAssignableFrom(receiver)) {
            return none;
        }
        try {
            return MethodHandles.privateLookupIn(receiver, LOOKUP)
                    .findVirtual(receiver, name + Stub.ENCODE_SUFFIX, type.dropParameterTypes(0, 1))
                    .asType(type);
        } catch (ReflectiveOperationException e) {
            return none;
        }
    }
}
