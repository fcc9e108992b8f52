package dev.cleave.agent.plan.method;

import dev.cleave.agent.ir.InsnOp;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * A lambda expression or method reference.
 *
 * @param site what makes it
 * @param target what it calls
 * @param type its parameters and result where it is used
 */
public record Function(InvokeDynamicInsnNode site, MethodInsnNode target, Type type) {

    private static final Map<Integer, Integer> OPCODES = Map.of(
            Opcodes.H_INVOKEINTERFACE, Opcodes.INVOKEINTERFACE,
            Opcodes.H_INVOKESPECIAL, Opcodes.INVOKESPECIAL,
            Opcodes.H_INVOKESTATIC, Opcodes.INVOKESTATIC,
            Opcodes.H_INVOKEVIRTUAL, Opcodes.INVOKEVIRTUAL,
            Opcodes.H_NEWINVOKESPECIAL, Opcodes.INVOKESPECIAL);

    /** The function that an op makes, null if it makes none that is known. */
    public static @Nullable Function of(InsnOp op) {
        return op.dynamic() == null ? null : of(op.dynamic());
    }

    /** Returns the function that a site makes, null if it makes none. */
    public static @Nullable Function of(InvokeDynamicInsnNode site) {
        boolean isLambda = site.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory")
                && site.bsm.getName().equals("metafactory")
                && site.bsmArgs.length == 3
                && site.bsmArgs[1] instanceof Handle
                && site.bsmArgs[2] instanceof Type;
        if (!isLambda) {
            return null;
        }
        Handle handle = (Handle) site.bsmArgs[1];
        Integer opcode = OPCODES.get(handle.getTag());
        if (opcode == null) {
            return null;
        }
        MethodInsnNode target =
                new MethodInsnNode(opcode, handle.getOwner(), handle.getName(), handle.getDesc(), handle.isInterface());
        return new Function(site, target, (Type) site.bsmArgs[2]);
    }

    /** The number of values that it was given when it was made. */
    public int captured() {
        return Type.getArgumentTypes(site.desc).length;
    }

    /** Whether it is a reference {@code service::method} to a method with one parameter. */
    public boolean isBoundToService() {
        return captured() == 1
                && Type.getArgumentTypes(target.desc).length == 1
                && site.desc.contains(")Ljava/util/function/");
    }

    /** Whether it is a reference to a constructor. */
    public boolean isNew() {
        return target.name.equals("<init>");
    }
}
