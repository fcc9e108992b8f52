package dev.cleave.agent.effect;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** What {@code invokedynamic} does, for the bootstraps that compilers use. */
public final class DynamicSites {

    private static final Map<Integer, Integer> OPCODES = Map.of(
            Opcodes.H_INVOKEINTERFACE, Opcodes.INVOKEINTERFACE,
            Opcodes.H_INVOKESPECIAL, Opcodes.INVOKESPECIAL,
            Opcodes.H_INVOKESTATIC, Opcodes.INVOKESTATIC,
            Opcodes.H_INVOKEVIRTUAL, Opcodes.INVOKEVIRTUAL,
            Opcodes.H_NEWINVOKESPECIAL, Opcodes.INVOKESPECIAL);

    private DynamicSites() {}

    /** The method that a function calls, null if the site does not make a function as compilers write them. */
    public static @Nullable MethodInsnNode targetOf(InvokeDynamicInsnNode site) {
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
        return opcode == null
                ? null
                : new MethodInsnNode(
                        opcode, handle.getOwner(), handle.getName(), handle.getDesc(), handle.isInterface());
    }

    static Effect effectOf(InvokeDynamicInsnNode site) {
        return switch (site.bsm.getOwner()) {
            case "java/lang/invoke/LambdaMetafactory" -> Effect.NONE;
            case "java/lang/invoke/StringConcatFactory" -> concatenation(site);
            default -> Effect.barrier(Barrier.Kind.UNKNOWN_CALL, site.bsm.getOwner() + "." + site.name);
        };
    }

    private static Effect concatenation(InvokeDynamicInsnNode site) {
        for (Type type : Type.getArgumentTypes(site.desc)) {
            if (!ValueTypes.isValue(type)) {
                return Effect.barrier(Barrier.Kind.UNKNOWN_CALL, type.getClassName() + ".toString");
            }
        }
        return Effect.NONE;
    }
}
