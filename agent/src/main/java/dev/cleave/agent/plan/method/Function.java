package dev.cleave.agent.plan.method;

import dev.cleave.agent.effect.DynamicSites;
import dev.cleave.agent.ir.InsnOp;
import org.jspecify.annotations.Nullable;
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

    /** The function that an op makes, null if it makes none that is known. */
    public static @Nullable Function of(InsnOp op) {
        return op.dynamic() == null ? null : of(op.dynamic());
    }

    /** Returns the function that a site makes, null if it makes none. */
    public static @Nullable Function of(InvokeDynamicInsnNode site) {
        MethodInsnNode target = DynamicSites.targetOf(site);
        return target == null ? null : new Function(site, target, (Type) site.bsmArgs[2]);
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
