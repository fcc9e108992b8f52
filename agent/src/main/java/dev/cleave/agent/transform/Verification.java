package dev.cleave.agent.transform;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.BasicVerifier;

/**
 * A last look at a rewritten method before it is handed over (R52): kinds of values, depth of the stack and the flow of
 * control, without loading or reading a class. What does not pass stays as it was.
 */
final class Verification {

    private Verification() {}

    /**
     * Checks a method.
     *
     * @throws IllegalStateException if the JVM would refuse it
     */
    static void check(String owner, MethodNode method) {
        try {
            new EdgesThatMatter(method).analyzeAndComputeMaxs(owner, method);
        } catch (AnalyzerException e) {
            throw new IllegalStateException(method.name + " would not verify: " + e.getMessage(), e);
        }
    }

    /**
     * Goes to a handler only from where the locals may be others than right before: from labels, with which ranges
     * begin and to which jumps go, and from behind stores. From everywhere, which rewritten methods with their long
     * ranges make slow, the handler would see nothing else.
     */
    private static final class EdgesThatMatter extends Analyzer<BasicValue> {

        private final InsnList instructions;

        EdgesThatMatter(MethodNode method) {
            super(new BasicVerifier());
            this.instructions = method.instructions;
        }

        @Override
        protected boolean newControlFlowExceptionEdge(int at, TryCatchBlockNode range) {
            AbstractInsnNode before = instructions.get(Math.max(0, at - 1));
            boolean isBehindStore = before.getOpcode() >= Opcodes.ISTORE && before.getOpcode() <= Opcodes.ASTORE;
            return isBehindStore || instructions.get(at) instanceof LabelNode;
        }
    }
}
