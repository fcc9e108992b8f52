package dev.cleave.agent.conformance;

import dev.cleave.agent.plan.verdict.Refusal;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodNode;

/** Whether each refusal names its rule, the line that stood in the way, the reason, and the change that frees the call. */
final class Completeness {

    private Completeness() {}

    static List<String> problems(byte[] classFile, Map<String, List<Verdict>> verdicts) {
        ClassNode node = new ClassNode();
        new ClassReader(classFile).accept(node, ClassReader.SKIP_FRAMES);
        List<String> problems = new ArrayList<>();
        IntSummaryStatistics ofClass = new IntSummaryStatistics(); // a helper may stand in the way
        for (MethodNode method : node.methods) {
            ofClass.combine(linesOf(method));
        }
        for (MethodNode method : node.methods) {
            IntSummaryStatistics lines = linesOf(method);
            for (Verdict verdict : verdicts.getOrDefault(method.name + method.desc, List.of())) {
                if (verdict.outcome() == Verdict.Outcome.SEQUENTIAL && !isComplete(verdict, lines, ofClass)) {
                    problems.add(method.name + " " + lines.getMin() + ".." + lines.getMax() + ": " + verdict);
                }
            }
        }
        return problems;
    }

    private static IntSummaryStatistics linesOf(MethodNode method) {
        IntSummaryStatistics lines = new IntSummaryStatistics();
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof LineNumberNode number) {
                lines.accept(number.line);
            }
        }
        return lines;
    }

    private static boolean isComplete(Verdict verdict, IntSummaryStatistics lines, IntSummaryStatistics ofClass) {
        Refusal refusal = verdict.refusal();
        return refusal != null
                && refusal.rule().name().startsWith("R")
                && !refusal.reason().isBlank()
                && !refusal.advice().isBlank()
                && isWithin(verdict.line(), lines)
                && isWithin(refusal.line(), ofClass);
    }

    private static boolean isWithin(int line, IntSummaryStatistics lines) {
        return lines.getMin() <= line && line <= lines.getMax();
    }
}
