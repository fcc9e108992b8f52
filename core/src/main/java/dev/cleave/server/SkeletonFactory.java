package dev.cleave.server;

import static org.objectweb.asm.Opcodes.AALOAD;
import static org.objectweb.asm.Opcodes.AASTORE;
import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PROTECTED;
import static org.objectweb.asm.Opcodes.ACC_SUPER;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ACONST_NULL;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ANEWARRAY;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.CHECKCAST;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INVOKEINTERFACE;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.ISTORE;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.RETURN;
import static org.objectweb.asm.Opcodes.SWAP;
import static org.objectweb.asm.Opcodes.V17;

import dev.cleave.call.HiddenClasses;
import dev.cleave.call.ParameterPlan;
import dev.cleave.call.ParameterPlan.Direction;
import dev.cleave.call.Ratings;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.serial.ValueKind;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.List;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/**
 * Makes skeletons: a hidden class beside each remote interface, whose one method switches over the index and then
 * reads, calls and writes without reflection and without boxing.
 *
 * <pre>
 *   protected void invoke(int index, Object target, Invocation invocation) {
 *     switch (index) {
 *       case 0:
 *         ValueReader in = invocation.arguments();
 *         String query = in.takeString();                    // direct values first, then objects
 *         List parts = (List) in.takeObject();
 *         invocation.begin();
 *         int result = ((Compare) target).score(query, parts);
 *         invocation.result().putInt(result);
 *         return;
 * </pre>
 */
final class SkeletonFactory {

    private static final String SKELETON = Type.getInternalName(Skeleton.class);
    private static final String INVOCATION = Type.getInternalName(Invocation.class);
    private static final String READER = "dev/cleave/serial/ValueReader";
    private static final String WRITER = "dev/cleave/serial/ValueWriter";
    private static final String SUSPENSIONS = "dev/cleave/call/Suspensions";
    private static final String RETURNED =
            "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/util/concurrent/CompletionStage;";
    private static final int TARGET = 2;
    private static final int CALL = 3;
    private static final int IN = 4;
    private static final int FIRST_LOCAL = 5;

    private SkeletonFactory() {}

    /**
     * The skeleton of an interface.
     *
     * @param ratings which methods find their arguments read already
     * @param early which find them so, complete or not
     * @throws IllegalArgumentException if no class can be defined beside it
     */
    static Skeleton skeleton(RemoteInterface contract, Ratings ratings, EarlyMethods early) {
        return (Skeleton) HiddenClasses.make(HiddenClasses.define(contract.type(), bytes(contract, ratings, early)));
    }

    private static byte[] bytes(RemoteInterface contract, Ratings ratings, EarlyMethods early) {
        ClassWriter writer = HiddenClasses.writer();
        String name = HiddenClasses.name(contract.type(), "$CleaveSkeleton");
        writer.visit(V17, ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC, name, null, SKELETON, null);
        MethodVisitor init = writer.visitMethod(0, "<init>", "()V", null, null);
        init.visitCode();
        init.visitVarInsn(ALOAD, 0);
        init.visitMethodInsn(INVOKESPECIAL, SKELETON, "<init>", "()V", false);
        init.visitInsn(RETURN);
        init.visitMaxs(0, 0);
        init.visitEnd();
        MethodVisitor code =
                writer.visitMethod(ACC_PROTECTED, "invoke", "(ILjava/lang/Object;L" + INVOCATION + ";)V", null, null);
        code.visitCode();
        Label[] cases = new Label[contract.methods().size()];
        for (int i = 0; i < cases.length; i++) {
            cases[i] = new Label();
        }
        Label end = new Label();
        code.visitVarInsn(ILOAD, 1);
        code.visitTableSwitchInsn(0, cases.length - 1, end, cases);
        for (RemoteMethod method : contract.methods()) {
            code.visitLabel(cases[method.index()]);
            branch(code, contract.type(), method, ratings.rates(method) || early.has(method));
            code.visitInsn(RETURN);
        }
        code.visitLabel(end);
        code.visitInsn(RETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }

    private static void branch(MethodVisitor code, Class<?> contract, RemoteMethod method, boolean ready) {
        // An interface that was made for several others is not one that the target implements.
        Class<?> owner = contract.isSynthetic() ? method.method().getDeclaringClass() : contract;
        Class<?>[] types = method.method().getParameterTypes();
        int[] locals = new int[types.length];
        int next = FIRST_LOCAL;
        for (int i = 0; i < types.length; i++) {
            locals[i] = next;
            next += Type.getType(types[i]).getSize();
        }
        if (ready) {
            unpack(code, method.isSuspending() ? Arrays.copyOf(types, types.length - 1) : types, locals);
        } else {
            read(code, method, locals);
        }
        if (method.isSuspending()) {
            code.visitMethodInsn(INVOKESTATIC, SUSPENSIONS, "continuation", "()Ljava/lang/Object;", false);
            code.visitTypeInsn(CHECKCAST, Type.getInternalName(types[types.length - 1]));
            code.visitVarInsn(ASTORE, locals[types.length - 1]);
        }
        // stack: empty
        if (!method.plan().restored().isEmpty()) {
            remember(code, method, locals);
        }
        code.visitVarInsn(ALOAD, TARGET);
        code.visitTypeInsn(CHECKCAST, Type.getInternalName(owner));
        for (int i = 0; i < types.length; i++) {
            code.visitVarInsn(Type.getType(types[i]).getOpcode(ILOAD), locals[i]);
        }
        code.visitMethodInsn(
                INVOKEINTERFACE,
                Type.getInternalName(owner),
                method.method().getName(),
                Type.getMethodDescriptor(method.method()),
                true);
        // stack: the result, or empty
        if (method.isSuspending()) {
            code.visitVarInsn(ALOAD, locals[types.length - 1]);
            code.visitMethodInsn(INVOKESTATIC, SUSPENSIONS, "returned", RETURNED, false);
        }
        if (method.plan().restored().isEmpty()) {
            result(code, method, next);
        } else {
            answer(code, Type.getReturnType(method.method()));
        }
    }

    /** Hands over the arguments that the answer restores. */
    private static void remember(MethodVisitor code, RemoteMethod method, int[] locals) {
        List<ParameterPlan> restored = method.plan().restored();
        code.visitVarInsn(ALOAD, CALL);
        code.visitLdcInsn(restored.size());
        code.visitTypeInsn(ANEWARRAY, "java/lang/Object");
        for (int i = 0; i < restored.size(); i++) {
            // stack: the invocation, the array
            code.visitInsn(DUP);
            code.visitLdcInsn(i);
            code.visitVarInsn(ALOAD, locals[restored.get(i).place()]);
            code.visitInsn(AASTORE);
        }
        code.visitMethodInsn(INVOKEVIRTUAL, INVOCATION, "remember", "([Ljava/lang/Object;)V", false);
    }

    /** Answers with the result on the stack, and with what the method has changed. */
    private static void answer(MethodVisitor code, Type result) {
        if (result == Type.VOID_TYPE) {
            code.visitInsn(ACONST_NULL);
        } else if (result.getSort() < Type.ARRAY) {
            Type boxed =
                    Type.getType(MethodType.methodType(primitive(result)).wrap().returnType());
            code.visitMethodInsn(
                    INVOKESTATIC, boxed.getInternalName(), "valueOf", Type.getMethodDescriptor(boxed, result), false);
        }
        // stack: the result as an object
        code.visitVarInsn(ALOAD, CALL);
        code.visitInsn(SWAP);
        code.visitMethodInsn(INVOKEVIRTUAL, INVOCATION, "answerRestoring", "(Ljava/lang/Object;)V", false);
    }

    private static Class<?> primitive(Type type) {
        return MethodType.fromMethodDescriptorString("()" + type.getDescriptor(), null)
                .returnType();
    }

    /** Reads the arguments from the request. */
    private static void read(MethodVisitor code, RemoteMethod method, int[] locals) {
        code.visitVarInsn(ALOAD, CALL);
        code.visitMethodInsn(INVOKEVIRTUAL, INVOCATION, "arguments", "()L" + READER + ";", false);
        code.visitVarInsn(ASTORE, IN);
        for (ParameterPlan parameter : method.plan().written()) {
            take(code, parameter, locals[parameter.place()]);
        }
        code.visitVarInsn(ALOAD, CALL);
        code.visitMethodInsn(INVOKEVIRTUAL, INVOCATION, "begin", "()V", false);
    }

    /** Takes the arguments that have been read. */
    private static void unpack(MethodVisitor code, Class<?>[] types, int[] locals) {
        code.visitVarInsn(ALOAD, CALL);
        code.visitMethodInsn(INVOKEVIRTUAL, INVOCATION, "ready", "()[Ljava/lang/Object;", false);
        code.visitVarInsn(ASTORE, IN);
        for (int i = 0; i < types.length; i++) {
            code.visitVarInsn(ALOAD, IN);
            code.visitLdcInsn(i);
            code.visitInsn(AALOAD);
            Class<?> boxed = MethodType.methodType(types[i]).wrap().returnType();
            code.visitTypeInsn(CHECKCAST, Type.getInternalName(boxed));
            if (types[i].isPrimitive()) {
                String unboxing = types[i].getName() + "Value";
                code.visitMethodInsn(
                        INVOKEVIRTUAL,
                        Type.getInternalName(boxed),
                        unboxing,
                        "()" + types[i].descriptorString(),
                        false);
            }
            code.visitVarInsn(Type.getType(types[i]).getOpcode(ISTORE), locals[i]);
        }
    }

    private static void take(MethodVisitor code, ParameterPlan parameter, int local) {
        Class<?> type = parameter.type();
        ValueKind kind = parameter.kind();
        code.visitVarInsn(ALOAD, IN);
        code.visitMethodInsn(INVOKEVIRTUAL, READER, kind.reader(), "()" + kind.descriptor(), false);
        if (parameter.direction() == Direction.OUT) {
            // stack: the shape
            code.visitVarInsn(ALOAD, CALL);
            code.visitInsn(SWAP);
            code.visitLdcInsn(Type.getType(type));
            code.visitMethodInsn(INVOKEVIRTUAL, INVOCATION, "shaped", "([ILjava/lang/Class;)Ljava/lang/Object;", false);
        }
        if ((kind == ValueKind.OBJECT || parameter.direction() == Direction.OUT) && type != Object.class) {
            code.visitTypeInsn(CHECKCAST, Type.getInternalName(type));
        }
        code.visitVarInsn(Type.getType(type).getOpcode(ISTORE), local);
    }

    private static void result(MethodVisitor code, RemoteMethod method, int local) {
        Type type = Type.getReturnType(method.method());
        if (method.isFuture()) {
            code.visitVarInsn(ASTORE, local);
            code.visitVarInsn(ALOAD, CALL);
            code.visitVarInsn(ALOAD, local);
            code.visitMethodInsn(
                    INVOKEVIRTUAL, INVOCATION, "future", "(Ljava/util/concurrent/CompletionStage;)V", false);
            return;
        }
        ValueKind kind = method.result();
        if (kind != null) {
            code.visitVarInsn(type.getOpcode(ISTORE), local);
        }
        code.visitVarInsn(ALOAD, CALL);
        code.visitMethodInsn(INVOKEVIRTUAL, INVOCATION, "result", "()L" + WRITER + ";", false);
        if (kind == null) {
            code.visitInsn(POP);
            return;
        }
        code.visitVarInsn(type.getOpcode(ILOAD), local);
        code.visitMethodInsn(INVOKEVIRTUAL, WRITER, kind.writer(), "(" + kind.descriptor() + ")V", false);
    }
}
