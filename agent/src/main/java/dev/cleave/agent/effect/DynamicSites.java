package dev.cleave.agent.effect;

import dev.cleave.agent.dataflow.PatternSwitch;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The effects of {@code invokedynamic}, for the bootstraps that compilers use: functions, texts, and switches on patterns
 * ({@code java.lang.runtime.SwitchBootstraps}, JDK 21).
 */
public final class DynamicSites {

    private static final Map<Integer, Integer> OPCODES = Map.of(
            Opcodes.H_INVOKEINTERFACE, Opcodes.INVOKEINTERFACE,
            Opcodes.H_INVOKESPECIAL, Opcodes.INVOKESPECIAL,
            Opcodes.H_INVOKESTATIC, Opcodes.INVOKESTATIC,
            Opcodes.H_INVOKEVIRTUAL, Opcodes.INVOKEVIRTUAL,
            Opcodes.H_NEWINVOKESPECIAL, Opcodes.INVOKESPECIAL);

    private static final Set<String> BOXES =
            Set.of("java/lang/Integer", "java/lang/Character", "java/lang/Short", "java/lang/Byte");

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
            case PatternSwitch.BOOTSTRAPS -> comparesLabels(site) ? Effect.NONE : unknown(site);
            default -> unknown(site);
        };
    }

    private static Effect unknown(InvokeDynamicInsnNode site) {
        return Effect.barrier(Barrier.Kind.UNKNOWN_CALL, site.bsm.getOwner() + "." + site.name);
    }

    /** Whether a switch runs no code to compare an object with its labels: these are classes, texts, and numbers for boxes of the JDK. */
    private static boolean comparesLabels(InvokeDynamicInsnNode site) {
        if (!PatternSwitch.isSite(site)) {
            return false;
        }
        boolean isBox = BOXES.contains(Type.getArgumentTypes(site.desc)[0].getInternalName());
        for (Object label : site.bsmArgs) {
            boolean isClass = label instanceof Type type && type.getSort() != Type.METHOD;
            if (!isClass && !(label instanceof String) && !(label instanceof Integer && isBox)) {
                return false;
            }
        }
        return true;
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
