package dev.cleave.agent.transform;

import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
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
            new Analyzer<>(new BasicVerifier()).analyzeAndComputeMaxs(owner, method);
        } catch (AnalyzerException e) {
            throw new IllegalStateException(method.name + " would not verify: " + e.getMessage(), e);
        }
    }
}
