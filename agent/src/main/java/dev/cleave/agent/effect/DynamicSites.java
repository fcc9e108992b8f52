package dev.cleave.agent.effect;

import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;

/** The effects of {@code invokedynamic}, for the bootstraps that compilers use. */
final class DynamicSites {

    private DynamicSites() {}

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
