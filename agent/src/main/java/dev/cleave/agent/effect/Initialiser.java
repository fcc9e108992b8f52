package dev.cleave.agent.effect;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Decides whether a class may be initialised at any time (R14): its initialiser cannot fail, and reads and writes
 * nothing that may change except static fields of the class itself.
 */
final class Initialiser {

    private final ClassNode node;
    private final Fields fields;
    private final Calls calls;
    private final int depth;
    private final Set<MethodNode> seen = new HashSet<>();

    Initialiser(ClassNode node, Fields fields, Calls calls, int depth) {
        this.node = node;
        this.fields = fields;
        this.calls = calls;
        this.depth = depth;
    }

    /** Decides that for an initialiser with its effect. */
    boolean isHarmless(MethodNode initialiser, Effect effect) {
        if (effect.barrier() != null || effect.output()) {
            return false;
        }
        return isSwitchMap()
                || !effect.mayThrow()
                        && onlyOwn(effect.reads())
                        && onlyOwn(effect.writes())
                        && staysInside(initialiser);
    }

    /** Whether compilers make the class for a {@code switch} over an enum: its initialiser fills new arrays. */
    private boolean isSwitchMap() {
        return (node.access & Opcodes.ACC_SYNTHETIC) != 0
                && node.fields.stream().allMatch(field -> field.name.startsWith("$SwitchMap$"));
    }

    /** Whether all accesses have the names of static fields of the class. */
    private boolean onlyOwn(List<Access> accesses) {
        for (Access access : accesses) {
            boolean isOwn = access.place() instanceof HeapRegion.Field touched
                    && node.fields.stream()
                            .anyMatch(field -> (field.access & Opcodes.ACC_STATIC) != 0
                                    && field.name.equals(touched.name())
                                    && field.desc.equals(touched.descriptor()));
            if (!isOwn) {
                return false;
            }
        }
        return true;
    }

    /** Whether the fields really are those of the class, in the code of the class that the initialiser runs. */
    private boolean staysInside(MethodNode method) {
        if (!seen.add(method)) {
            return true;
        }
        for (AbstractInsnNode insn : method.instructions) {
            boolean isInside = true;
            if (insn instanceof FieldInsnNode field) {
                isInside = field.owner.equals(node.name) || isConstant(field);
            } else if (insn instanceof MethodInsnNode call && !call.owner.startsWith("java/")) {
                MethodNode own = call.owner.equals(node.name) ? find(call) : null;
                isInside = own == null ? touchesNothing(call) : staysInside(own);
            }
            if (!isInside) {
                return false;
            }
        }
        return true;
    }

    private boolean touchesNothing(MethodInsnNode call) {
        Effect effect = calls.nested(call, node.name, depth + 1);
        return effect.isPure() && effect.reads().isEmpty();
    }

    private boolean isConstant(FieldInsnNode access) {
        ClassNode owner = fields.classOf(access.owner);
        boolean reads = access.getOpcode() == Opcodes.GETSTATIC || access.getOpcode() == Opcodes.GETFIELD;
        if (owner == null || !reads) {
            return false;
        }
        for (FieldNode field : owner.fields) {
            if (field.name.equals(access.name) && field.desc.equals(access.desc)) {
                return (field.access & Opcodes.ACC_FINAL) != 0;
            }
        }
        return false;
    }

    private @Nullable MethodNode find(MethodInsnNode call) {
        for (MethodNode method : node.methods) {
            if (method.name.equals(call.name) && method.desc.equals(call.desc)) {
                return method;
            }
        }
        return null;
    }
}
