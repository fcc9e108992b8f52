package dev.cleave.agent.ir;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Builds stack code in the shortest encoding. */
final class Instructions {

    private final Map<LabelOp, LabelNode> labels;
    private final InsnList list = new InsnList();

    /**
     * An empty list.
     *
     * @param labels the label nodes of the whole method
     */
    Instructions(Map<LabelOp, LabelNode> labels) {
        this.labels = labels;
    }

    InsnList list() {
        return list;
    }

    LabelNode label(LabelOp label) {
        return labels.computeIfAbsent(label, l -> new LabelNode());
    }

    void add(AbstractInsnNode insn) {
        list.add(insn);
    }

    void add(int opcode) {
        list.add(new InsnNode(opcode));
    }

    /** Adds a copy of an instruction, without its type annotations. */
    void addCopy(AbstractInsnNode insn) {
        AbstractInsnNode copy = insn.clone(Map.of());
        copy.visibleTypeAnnotations = null;
        copy.invisibleTypeAnnotations = null;
        list.add(copy);
    }

    void load(RegisterKind kind, int slot) {
        list.add(new VarInsnNode(kind.loadOpcode(), slot));
    }

    void store(RegisterKind kind, int slot) {
        list.add(new VarInsnNode(kind.storeOpcode(), slot));
    }

    void increment(int slot, int by) {
        list.add(new IincInsnNode(slot, by));
    }

    void dup(RegisterKind kind) {
        add(kind.size() == 2 ? Opcodes.DUP2 : Opcodes.DUP);
    }

    void pop(RegisterKind kind) {
        add(kind.size() == 2 ? Opcodes.POP2 : Opcodes.POP);
    }

    void push(@Nullable Object value) {
        if (value == null) {
            add(Opcodes.ACONST_NULL);
        } else if (value instanceof Integer number) {
            push(number.intValue());
        } else if (value.equals(0L) || value.equals(1L)) {
            add(Opcodes.LCONST_0 + ((Long) value).intValue());
        } else if (value.equals(0f) || value.equals(1f) || value.equals(2f)) {
            add(Opcodes.FCONST_0 + ((Float) value).intValue());
        } else if (value.equals(0d) || value.equals(1d)) {
            add(Opcodes.DCONST_0 + ((Double) value).intValue());
        } else {
            list.add(new LdcInsnNode(value));
        }
    }

    private void push(int number) {
        if (number >= -1 && number <= 5) {
            add(Opcodes.ICONST_0 + number);
        } else if (number >= Byte.MIN_VALUE && number <= Byte.MAX_VALUE) {
            list.add(new IntInsnNode(Opcodes.BIPUSH, number));
        } else if (number >= Short.MIN_VALUE && number <= Short.MAX_VALUE) {
            list.add(new IntInsnNode(Opcodes.SIPUSH, number));
        } else {
            list.add(new LdcInsnNode(number));
        }
    }
}
