package dev.cleave.agent.plan.strand;

import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * Tells whether a method only reads the list that a call returns. A list that does not change throws where a method of it would change
 * it, and a copy of the method that has another list would go on.
 */
final class ReadOnlyUse extends SourceInterpreter {

    private static final Set<String> READING =
            Set.of("size", "isEmpty", "get", "iterator", "contains", "indexOf", "stream", "forEach", "containsAll");

    private final MethodInsnNode call;
    private boolean isOtherwiseUsed;

    private ReadOnlyUse(MethodInsnNode call) {
        super(Opcodes.ASM9);
        this.call = call;
    }

    /** Whether a method does nothing with the result of a call but to ask it for what it holds. */
    static boolean of(MethodInsnNode call, MethodNode method) {
        ReadOnlyUse use = new ReadOnlyUse(call);
        try {
            new Analyzer<>(use).analyze("java/lang/Object", method);
            return !use.isOtherwiseUsed;
        } catch (AnalyzerException e) {
            return false;
        }
    }

    private void see(SourceValue value) {
        isOtherwiseUsed |= value.insns.contains(call);
    }

    @Override
    public SourceValue copyOperation(AbstractInsnNode insn, SourceValue value) {
        return value; // it is the same object
    }

    @Override
    public SourceValue unaryOperation(AbstractInsnNode insn, SourceValue value) {
        if (!(insn instanceof JumpInsnNode)) {
            see(value);
        }
        return super.unaryOperation(insn, value);
    }

    @Override
    public SourceValue binaryOperation(AbstractInsnNode insn, SourceValue one, SourceValue other) {
        see(one);
        see(other);
        return super.binaryOperation(insn, one, other);
    }

    @Override
    public SourceValue ternaryOperation(AbstractInsnNode insn, SourceValue one, SourceValue two, SourceValue three) {
        see(three);
        return super.ternaryOperation(insn, one, two, three);
    }

    @Override
    public SourceValue naryOperation(AbstractInsnNode insn, List<? extends SourceValue> values) {
        boolean isReading = insn instanceof MethodInsnNode asks
                && asks.getOpcode() != Opcodes.INVOKESTATIC
                && READING.contains(asks.name);
        values.subList(isReading ? 1 : 0, values.size()).forEach(this::see);
        return super.naryOperation(insn, values);
    }

    @Override
    public void returnOperation(AbstractInsnNode insn, SourceValue value, SourceValue expected) {
        see(value);
    }
}
