package dev.cleave.agent.plan.strand;

import dev.cleave.agent.plan.method.Function;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * A call, in a loop that stands in the place of a stream, of a function that makes a stream of each element (R69). The function
 * has to return the stream of a collection as it is; in the place of the call its code gives the collection.
 */
public final class FlattenedCall extends MethodInsnNode {

    /** Types of collections whose streams give their elements in order. */
    static final Set<String> COLLECTIONS =
            Set.of("java/util/Collection", "java/util/List", "java/util/Set", "java/util/ArrayList");

    /** Calls what a function calls. */
    public FlattenedCall(MethodInsnNode target) {
        super(target.getOpcode(), target.owner, target.name, target.desc, target.itf);
    }

    /** Whether a function calls {@code stream()} of the element itself. */
    public static boolean isOfElement(Function function) {
        return function.captured() == 0 && isStream(function.target());
    }

    /** The calls of {@code stream()} whose results a function returns as they are; null if it returns anything else. */
    public static @Nullable Set<AbstractInsnNode> streams(MethodNode function) {
        Set<AbstractInsnNode> found = Collections.newSetFromMap(new IdentityHashMap<>());
        AbstractInsnNode before = null;
        for (AbstractInsnNode insn : function.instructions) {
            if (insn.getOpcode() == Opcodes.ARETURN) {
                if (!(before instanceof MethodInsnNode call) || !isStream(call)) {
                    return null;
                }
                found.add(before);
            }
            before = insn.getOpcode() < 0 && insn.getType() != AbstractInsnNode.LABEL ? before : insn;
        }
        return found.isEmpty() ? null : found;
    }

    private static boolean isStream(MethodInsnNode call) {
        return call.name.equals("stream")
                && call.desc.equals("()Ljava/util/stream/Stream;")
                && COLLECTIONS.contains(call.owner);
    }
}
