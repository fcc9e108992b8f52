package dev.cleave.client;

import static java.util.Objects.requireNonNull;
import static org.objectweb.asm.Opcodes.AASTORE;
import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_SUPER;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ACONST_NULL;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ANEWARRAY;
import static org.objectweb.asm.Opcodes.ARETURN;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.CHECKCAST;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.IFEQ;
import static org.objectweb.asm.Opcodes.IFNE;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.PUTFIELD;
import static org.objectweb.asm.Opcodes.RETURN;
import static org.objectweb.asm.Opcodes.V17;

import dev.cleave.call.HiddenClasses;
import dev.cleave.call.ParameterPlan;
import dev.cleave.call.ParameterPlan.Direction;
import dev.cleave.call.ParameterPlan.Travel;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.call.Stub;
import dev.cleave.serial.ValueKind;
import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/**
 * Makes stubs: a hidden class beside the remote interface, straight-line code without reflection and without boxing.
 *
 * <pre>
 *   public int score(String query, List parts) {
 *     Outgoing call = calls.begin(3);
 *     ValueWriter values = call.values();
 *     values.at(0);                            // arrays, strings and objects may be sent later
 *     values.putString(query);                 // direct values first, then objects
 *     values.at(1);
 *     values.putObject(parts);
 *     return call.callInt();
 *   }
 *
 *   public final Handle score$send(String query, List parts) {
 *     ... the same ...
 *     return call.send();
 *   }
 *
 *   public final Encoded score$encode(String query, List parts) {      // of methods that change nothing
 *     Encoding call = calls.encode(3);
 *     ... the same ...
 *     return call.finish();
 *   }
 *
 *   public final Handle score$chain(Chain chain, String query, List parts) {
 *     Outgoing call = calls.begin(3, chain);
 *     ValueWriter values = call.values();
 *     if (!call.isPassed(0)) values.putString(query);
 *     if (!call.isPassed(1)) values.putObject(parts);
 *     return call.chain(chain);
 *   }
 * </pre>
 */
final class StubFactory {

    private static final String STUB = Type.getInternalName(Stub.class);
    private static final String CALLS = Type.getInternalName(ServiceCalls.class);
    private static final String OUTGOING = Type.getInternalName(Outgoing.class);
    private static final String WRITER = "dev/cleave/serial/ValueWriter";
    private static final String ENCODING = Type.getInternalName(Encoding.class);
    private static final String ENCODED = "Ldev/cleave/call/Encoded;";
    private static final String SUSPENSIONS = "dev/cleave/call/Suspensions";
    private static final String HANDLE = "Ldev/cleave/call/Handle;";
    private static final String LATER = "Ldev/cleave/later/LaterArguments;";
    private static final String CHAIN = "Ldev/cleave/call/Chain;";

    private static final Map<Class<?>, Reference<Constructor<?>>> MADE = new WeakHashMap<>();

    private StubFactory() {}

    /**
     * Creates a stub.
     *
     * @throws IllegalArgumentException if no class can be defined beside the interface
     */
    static Object stub(RemoteInterface contract, ServiceCalls calls) {
        return HiddenClasses.make(constructor(contract), calls);
    }

    /**
     * Returns the class of an interface, one for all stubs, so that call sites see one receiver; it goes with its last
     * stub.
     */
    private static Constructor<?> constructor(RemoteInterface contract) {
        synchronized (MADE) {
            Reference<Constructor<?>> known = MADE.get(contract.type());
            Constructor<?> constructor = known == null ? null : known.get();
            if (constructor == null) {
                constructor = HiddenClasses.define(contract.type(), bytes(contract), ServiceCalls.class);
                MADE.put(contract.type(), new SoftReference<>(constructor));
            }
            return constructor;
        }
    }

    private static byte[] bytes(RemoteInterface contract) {
        ClassWriter writer = HiddenClasses.writer();
        String name = HiddenClasses.name(contract.type(), "$CleaveStub");
        boolean isSerializable = contract.policy().format() != null;
        String[] interfaces = isSerializable
                ? new String[] {Type.getInternalName(contract.type()), "java/io/Serializable"}
                : new String[] {Type.getInternalName(contract.type())};
        writer.visit(V17, ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC, name, null, STUB, interfaces);
        writer.visitField(ACC_PRIVATE | ACC_FINAL, "calls", "L" + CALLS + ";", null, null)
                .visitEnd();
        constructor(writer, name);
        getter(writer, name, "service", "service", String.class);
        getter(writer, name, "toString", "describe", String.class);
        getter(writer, name, "target", "target", Object.class);
        if (isSerializable) {
            replacement(writer, name);
        }
        getter(writer, name, "returnsOnlyJdkCollections", "returnsOnlyJdkCollections", boolean.class);
        getter(writer, name, "throwsOnlyPlainExceptions", "throwsOnlyPlainExceptions", boolean.class);
        returnsNoSubclassOf(writer, name);
        adjusted(writer, name);
        for (RemoteMethod method : contract.methods()) {
            Class<?>[] types = method.method().getExceptionTypes();
            String[] thrown = new String[types.length];
            for (int i = 0; i < thrown.length; i++) {
                thrown[i] = Type.getInternalName(types[i]);
            }
            MethodVisitor call = writer.visitMethod(
                    ACC_PUBLIC | ACC_FINAL,
                    method.method().getName(),
                    Type.getMethodDescriptor(method.method()),
                    null,
                    thrown);
            call(call, name, method);
            if (isNarrowest(method, contract.methods())) {
                twins(writer, name, method, thrown);
            }
        }
        writer.visitEnd();
        return writer.toByteArray();
    }

    /**
     * Whether no other method has the name, the parameters and a narrower result. Methods that an interface narrows share
     * the twins, whose descriptors have no type of the result.
     */
    private static boolean isNarrowest(RemoteMethod method, List<RemoteMethod> methods) {
        Method own = method.method();
        for (RemoteMethod each : methods) {
            Method other = each.method();
            if (other.getName().equals(own.getName())
                    && Arrays.equals(other.getParameterTypes(), own.getParameterTypes())
                    && other.getReturnType() != own.getReturnType()
                    && own.getReturnType().isAssignableFrom(other.getReturnType())) {
                return false;
            }
        }
        return true;
    }

    private static void twins(ClassWriter writer, String name, RemoteMethod method, String[] thrown) {
        MethodVisitor send = writer.visitMethod(
                ACC_PUBLIC | ACC_FINAL,
                method.method().getName() + Stub.SEND_SUFFIX,
                Type.getMethodDescriptor(Type.getType(HANDLE), Type.getArgumentTypes(method.method())),
                null,
                null);
        send(send, name, method);
        if (method.conduct().changesNothing() && !method.isFuture()) {
            MethodVisitor encode = writer.visitMethod(
                    ACC_PUBLIC | ACC_FINAL,
                    method.method().getName() + Stub.ENCODE_SUFFIX,
                    Type.getMethodDescriptor(Type.getType(ENCODED), Type.getArgumentTypes(method.method())),
                    null,
                    null);
            encode(encode, name, method);
        }
        if (method.plan().resultIs(Travel.STREAMED) && !method.isFuture()) {
            MethodVisitor later = writer.visitMethod(
                    ACC_PUBLIC | ACC_FINAL,
                    method.method().getName() + Stub.LATER_SUFFIX,
                    Type.getMethodDescriptor(Type.getType(LATER), Type.getArgumentTypes(method.method())),
                    null,
                    thrown);
            later(later, name, method);
        }
        MethodVisitor chain = writer.visitMethod(
                ACC_PUBLIC | ACC_FINAL,
                method.method().getName() + Stub.CHAIN_SUFFIX,
                chainDescriptor(method),
                null,
                null);
        chain(chain, name, method);
    }

    private static void constructor(ClassWriter writer, String name) {
        MethodVisitor init = writer.visitMethod(0, "<init>", "(L" + CALLS + ";)V", null, null);
        init.visitCode();
        init.visitVarInsn(ALOAD, 0);
        init.visitMethodInsn(INVOKESPECIAL, STUB, "<init>", "()V", false);
        init.visitVarInsn(ALOAD, 0);
        init.visitVarInsn(ALOAD, 1);
        init.visitFieldInsn(PUTFIELD, name, "calls", "L" + CALLS + ";");
        init.visitInsn(RETURN);
        init.visitMaxs(0, 0);
        init.visitEnd();
    }

    /** Adds {@code writeReplace}: what stands for the stub where it is serialized. */
    private static void replacement(ClassWriter writer, String name) {
        String descriptor = "(L" + STUB + ";)Ljava/lang/Object;";
        MethodVisitor code = writer.visitMethod(ACC_PRIVATE, "writeReplace", "()Ljava/lang/Object;", null, null);
        code.visitCode();
        code.visitVarInsn(ALOAD, 0);
        code.visitFieldInsn(GETFIELD, name, "calls", "L" + CALLS + ";");
        code.visitVarInsn(ALOAD, 0);
        code.visitMethodInsn(INVOKEVIRTUAL, CALLS, "replacement", descriptor, false);
        code.visitInsn(ARETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    private static void getter(ClassWriter writer, String name, String method, String source, Class<?> type) {
        String descriptor = "()" + type.descriptorString();
        MethodVisitor code = writer.visitMethod(ACC_PUBLIC | ACC_FINAL, method, descriptor, null, null);
        code.visitCode();
        code.visitVarInsn(ALOAD, 0);
        code.visitFieldInsn(GETFIELD, name, "calls", "L" + CALLS + ";");
        code.visitMethodInsn(INVOKEVIRTUAL, CALLS, source, descriptor, false);
        code.visitInsn(Type.getType(type).getOpcode(IRETURN));
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    private static void returnsNoSubclassOf(ClassWriter writer, String name) {
        String descriptor = "(Ljava/lang/String;)Z";
        MethodVisitor code = writer.visitMethod(ACC_PUBLIC | ACC_FINAL, "returnsNoSubclassOf", descriptor, null, null);
        code.visitCode();
        code.visitVarInsn(ALOAD, 0);
        code.visitFieldInsn(GETFIELD, name, "calls", "L" + CALLS + ";");
        code.visitVarInsn(ALOAD, 1);
        code.visitMethodInsn(INVOKEVIRTUAL, CALLS, "returnsNoSubclassOf", descriptor, false);
        code.visitInsn(IRETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    private static void adjusted(ClassWriter writer, String name) {
        String descriptor = "(Ljava/time/Duration;Ljava/util/Map;)Ljava/lang/Object;";
        MethodVisitor code = writer.visitMethod(ACC_PUBLIC | ACC_FINAL, "adjusted", descriptor, null, null);
        code.visitCode();
        code.visitVarInsn(ALOAD, 0);
        code.visitFieldInsn(GETFIELD, name, "calls", "L" + CALLS + ";");
        code.visitVarInsn(ALOAD, 1);
        code.visitVarInsn(ALOAD, 2);
        code.visitMethodInsn(INVOKEVIRTUAL, CALLS, "adjusted", descriptor, false);
        code.visitInsn(ARETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    private static void call(MethodVisitor code, String name, RemoteMethod method) {
        code.visitCode();
        arguments(code, name, method);
        // stack: the outgoing call
        Type result = Type.getReturnType(method.method());
        if (method.isFuture()) {
            code.visitMethodInsn(
                    INVOKEVIRTUAL, OUTGOING, "callFuture", "()Ljava/util/concurrent/CompletableFuture;", false);
            if (method.isSuspending()) {
                suspend(code, method);
            }
            code.visitInsn(ARETURN);
        } else {
            String kind = callKind(result);
            String descriptor =
                    switch (kind) {
                        case "Void" -> "()V";
                        case "Int" -> "()I";
                        case "Long" -> "()J";
                        case "Float" -> "()F";
                        case "Double" -> "()D";
                        default -> "()Ljava/lang/Object;";
                    };
            code.visitMethodInsn(INVOKEVIRTUAL, OUTGOING, "call" + kind, descriptor, false);
            if (kind.equals("Object")) {
                code.visitTypeInsn(CHECKCAST, result.getInternalName());
            }
            code.visitInsn(result.getOpcode(IRETURN));
        }
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    /** Leaves the result of a suspend method on the stack in place of its future. */
    private static void suspend(MethodVisitor code, RemoteMethod method) {
        Type[] types = Type.getArgumentTypes(method.method());
        int continuation = 1;
        for (int i = 0; i < types.length - 1; i++) {
            continuation += types[i].getSize();
        }
        code.visitVarInsn(ALOAD, continuation);
        code.visitLdcInsn(requireNonNull(method.plan().result()).sent() == Void.class ? 1 : 0);
        String descriptor = "(Ljava/util/concurrent/CompletableFuture;Ljava/lang/Object;Z)Ljava/lang/Object;";
        code.visitMethodInsn(INVOKESTATIC, SUSPENSIONS, "await", descriptor, false);
    }

    private static void later(MethodVisitor code, String name, RemoteMethod method) {
        code.visitCode();
        arguments(code, name, method);
        // stack: the outgoing call
        code.visitMethodInsn(INVOKEVIRTUAL, OUTGOING, "callLater", "()" + LATER, false);
        code.visitInsn(ARETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    private static void send(MethodVisitor code, String name, RemoteMethod method) {
        code.visitCode();
        if (method.isFuture() || method.plan().hasStreamedTypes()) {
            // A method that returns a future does not wait: there is nothing to split. Writing a stream reads it.
            code.visitInsn(ACONST_NULL);
        } else {
            boolean isAhead =
                    method.plan().isFormatted() || !method.plan().restored().isEmpty();
            arguments(code, name, method, 1, isAhead ? "beginAhead" : "begin");
            code.visitMethodInsn(INVOKEVIRTUAL, OUTGOING, "send", "()" + HANDLE, false);
        }
        code.visitInsn(ARETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    private static void encode(MethodVisitor code, String name, RemoteMethod method) {
        code.visitCode();
        if (method.plan().hasStreamedTypes() || !method.plan().restored().isEmpty()) {
            code.visitInsn(ACONST_NULL);
        } else {
            arguments(code, name, method, 1, "encode");
            code.visitMethodInsn(INVOKEVIRTUAL, ENCODING, "finish", "()" + ENCODED, false);
        }
        code.visitInsn(ARETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    private static String chainDescriptor(RemoteMethod method) {
        List<Type> types = new ArrayList<>(List.of(Type.getType(CHAIN)));
        types.addAll(List.of(Type.getArgumentTypes(method.method())));
        return Type.getMethodDescriptor(Type.getType(HANDLE), types.toArray(new Type[0]));
    }

    private static void chain(MethodVisitor code, String name, RemoteMethod method) {
        code.visitCode();
        if (!method.plan().canBeChained()) {
            code.visitInsn(ACONST_NULL);
        } else {
            arguments(code, name, method, 2, "begin");
            // stack: the outgoing call
            code.visitVarInsn(ALOAD, 1);
            code.visitMethodInsn(INVOKEVIRTUAL, OUTGOING, "chain", "(" + CHAIN + ")" + HANDLE, false);
        }
        code.visitInsn(ARETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    private static void arguments(MethodVisitor code, String name, RemoteMethod method) {
        arguments(code, name, method, 1, "begin");
    }

    /** Begins a call or an encoding, writes the arguments, and leaves it on the stack; a chain stands before them. */
    private static void arguments(MethodVisitor code, String name, RemoteMethod method, int firstSlot, String begin) {
        boolean isChained = firstSlot > 1;
        String outgoing = begin.equals("encode") ? ENCODING : OUTGOING;
        Type[] types = Type.getArgumentTypes(method.method());
        int[] slots = new int[types.length];
        int next = firstSlot;
        for (int i = 0; i < types.length; i++) {
            slots[i] = next;
            next += types[i].getSize();
        }
        int values = next;
        code.visitVarInsn(ALOAD, 0);
        code.visitFieldInsn(GETFIELD, name, "calls", "L" + CALLS + ";");
        code.visitLdcInsn(method.index());
        if (isChained) {
            code.visitVarInsn(ALOAD, 1);
        }
        String descriptor = "(I" + (isChained ? CHAIN : "") + ")L" + outgoing + ";";
        code.visitMethodInsn(INVOKEVIRTUAL, CALLS, begin, descriptor, false);
        code.visitVarInsn(ASTORE, values + 1);
        if (!begin.equals("encode") && types.length > 0) {
            boxed(code, types, slots, values + 1);
            if (!method.plan().restored().isEmpty()) {
                restored(code, method, slots, values + 1, begin.equals("beginAhead") ? "restoresAhead" : "restores");
            }
        }
        code.visitVarInsn(ALOAD, values + 1);
        code.visitMethodInsn(INVOKEVIRTUAL, outgoing, "values", "()L" + WRITER + ";", false);
        code.visitVarInsn(ASTORE, values);
        for (ParameterPlan parameter : method.plan().written()) {
            int i = parameter.place();
            ValueKind kind = parameter.kind();
            Label behind = new Label();
            if (isChained) {
                code.visitVarInsn(ALOAD, values + 1);
                code.visitLdcInsn(i);
                code.visitMethodInsn(INVOKEVIRTUAL, OUTGOING, "isPassed", "(I)Z", false);
                code.visitJumpInsn(IFNE, behind);
            }
            if (isChained && parameter.travel() == Travel.LATER) {
                code.visitVarInsn(ALOAD, values + 1);
                code.visitMethodInsn(INVOKEVIRTUAL, OUTGOING, "declines", "()V", false);
                code.visitLabel(behind);
                continue;
            }
            if (!kind.isPrimitive()) {
                code.visitVarInsn(ALOAD, values);
                code.visitLdcInsn(i);
                code.visitMethodInsn(INVOKEVIRTUAL, WRITER, "at", "(I)V", false);
            }
            code.visitVarInsn(ALOAD, values);
            if (parameter.direction() == Direction.OUT) {
                code.visitVarInsn(ALOAD, slots[i]);
                code.visitLdcInsn(types[i]);
                code.visitMethodInsn(
                        INVOKESTATIC,
                        "dev/cleave/serial/ArrayShape",
                        "of",
                        "(Ljava/lang/Object;Ljava/lang/Class;)[I",
                        false);
            } else {
                code.visitVarInsn(types[i].getOpcode(ILOAD), slots[i]);
            }
            code.visitMethodInsn(INVOKEVIRTUAL, WRITER, kind.writer(), "(" + kind.descriptor() + ")V", false);
            code.visitLabel(behind);
        }
        code.visitVarInsn(ALOAD, values + 1);
    }

    /** Hands over the arguments as objects, if they are asked for. */
    private static void boxed(MethodVisitor code, Type[] types, int[] slots, int outgoing) {
        Label behind = new Label();
        code.visitVarInsn(ALOAD, outgoing);
        code.visitMethodInsn(INVOKEVIRTUAL, OUTGOING, "hasKey", "()Z", false);
        code.visitJumpInsn(IFEQ, behind);
        code.visitVarInsn(ALOAD, outgoing);
        code.visitLdcInsn(types.length);
        code.visitTypeInsn(ANEWARRAY, "java/lang/Object");
        for (int i = 0; i < types.length; i++) {
            // stack: the outgoing call, the array
            code.visitInsn(DUP);
            code.visitLdcInsn(i);
            code.visitVarInsn(types[i].getOpcode(ILOAD), slots[i]);
            if (types[i].getSort() < Type.ARRAY) {
                String wrapper = boxOf(types[i]);
                String descriptor = "(" + types[i].getDescriptor() + ")L" + wrapper + ";";
                code.visitMethodInsn(INVOKESTATIC, wrapper, "valueOf", descriptor, false);
            }
            code.visitInsn(AASTORE);
        }
        code.visitMethodInsn(INVOKEVIRTUAL, OUTGOING, "arguments", "([Ljava/lang/Object;)V", false);
        code.visitLabel(behind);
    }

    /** Hands over the arguments that the answer of the call changes. */
    private static void restored(MethodVisitor code, RemoteMethod method, int[] slots, int outgoing, String tell) {
        List<ParameterPlan> restored = method.plan().restored();
        code.visitVarInsn(ALOAD, outgoing);
        code.visitLdcInsn(restored.size());
        code.visitTypeInsn(ANEWARRAY, "java/lang/Object");
        for (int i = 0; i < restored.size(); i++) {
            // stack: the outgoing call, the array
            code.visitInsn(DUP);
            code.visitLdcInsn(i);
            code.visitVarInsn(ALOAD, slots[restored.get(i).place()]);
            code.visitInsn(AASTORE);
        }
        code.visitMethodInsn(INVOKEVIRTUAL, OUTGOING, tell, "([Ljava/lang/Object;)V", false);
    }

    private static String boxOf(Type primitive) {
        return switch (primitive.getSort()) {
            case Type.BOOLEAN -> "java/lang/Boolean";
            case Type.BYTE -> "java/lang/Byte";
            case Type.CHAR -> "java/lang/Character";
            case Type.SHORT -> "java/lang/Short";
            case Type.INT -> "java/lang/Integer";
            case Type.LONG -> "java/lang/Long";
            case Type.FLOAT -> "java/lang/Float";
            default -> "java/lang/Double";
        };
    }

    private static String callKind(Type result) {
        return switch (result.getSort()) {
            case Type.VOID -> "Void";
            case Type.BOOLEAN, Type.BYTE, Type.CHAR, Type.SHORT, Type.INT -> "Int";
            case Type.LONG -> "Long";
            case Type.FLOAT -> "Float";
            case Type.DOUBLE -> "Double";
            default -> "Object";
        };
    }
}
