package dev.cleave.agent.plan.strand;

import dev.cleave.agent.effect.ValueTypes;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Copies of what remote calls return, for strands of a nest that changes it: {@code ids = shop.orders(c); Arrays.sort(ids)}. Each strand changes its own
 * copy as the program changes the original (R71).
 */
final class CopiedResults {

    private static final String LIST = "java/util/ArrayList";
    private static final int OPERANDS = 2;

    private final Set<AbstractInsnNode> copied = Collections.newSetFromMap(new IdentityHashMap<>());
    private final boolean areWanted;

    /**
     * Copies nothing yet.
     *
     * @param areWanted whether it copies anything at all
     */
    CopiedResults(boolean areWanted) {
        this.areWanted = areWanted;
    }

    /** Whether it copies what a call returns. */
    boolean hold(AbstractInsnNode call) {
        return copied.contains(call);
    }

    /** Whether it copies nothing. */
    boolean areNone() {
        return copied.isEmpty();
    }

    /**
     * Writes the copying behind a remote call.
     *
     * @return how many operands more it needs on the stack
     */
    int write(MethodInsnNode call, InsnList to) {
        List<AbstractInsnNode> code = areWanted ? copying(Type.getReturnType(call.desc)) : List.of();
        if (!code.isEmpty()) {
            copied.add(call);
            code.forEach(to::add);
        }
        return code.isEmpty() ? 0 : OPERANDS;
    }

    /** Returns the code that puts a copy of an array of values, or of a list, in the place of the original on the stack; none for other types. */
    private static List<AbstractInsnNode> copying(Type type) {
        boolean isOfValues =
                type.getSort() == Type.ARRAY && type.getDimensions() == 1 && ValueTypes.isValue(type.getElementType());
        if (isOfValues) {
            return List.of(
                    new MethodInsnNode(
                            Opcodes.INVOKEVIRTUAL, type.getInternalName(), "clone", "()Ljava/lang/Object;", false),
                    new TypeInsnNode(Opcodes.CHECKCAST, type.getInternalName()));
        }
        return type.getSort() == Type.OBJECT && type.getInternalName().equals("java/util/List")
                ? List.of(
                        new TypeInsnNode(Opcodes.NEW, LIST),
                        new InsnNode(Opcodes.DUP_X1),
                        new InsnNode(Opcodes.SWAP),
                        new MethodInsnNode(Opcodes.INVOKESPECIAL, LIST, "<init>", "(Ljava/util/Collection;)V", false))
                : List.of();
    }
}
