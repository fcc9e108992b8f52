package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.rule.Rule;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.transform.ClassRewriter;
import dev.cleave.agent.transform.Rewritten;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Programs on both sides of the line of rules of loops that {@link LoopTest} does not hold. */
@Tag("one-jdk")
class LoopRuleTest extends ProgramTests {

    @TestFactory
    Stream<DynamicTest> programs() {
        bodies();
        conditions();
        activations();
        return tests();
    }

    private void bodies() {
        sequential(
                "monitor-around-call-in-body",
                "Object m = new Object(); int t = 0; for (int i = 0; i < n; i++) { int v; synchronized (m) { v = s.f(i); } t = t * 3 + v; } return t;");
        sequential(
                "producer-writes-array",
                "int[] k = new int[n + 1]; int t = 0; for (int i = 0; i < n; i++) { k[i + 1] = k[i] + 1; t = t * 3 + s.f(k[i + 1]); } return t;");
        overlaps(
                "finally-that-only-consumes",
                "StringBuilder l = new StringBuilder(); try { for (int i = 0; i < n; i++) try { l.append(s.f(i)); } finally { l.append('f'); } } catch (RuntimeException e) { return \"caught\" + l; } return l.toString();");
        overlaps(
                "finally-and-catch-in-body",
                "StringBuilder l = new StringBuilder(); for (int i = 0; i < n; i++) try { l.append(s.f(i)); } catch (RuntimeException e) { l.append('!'); } finally { l.append('f'); } return \"caught\" + l;");
        same(
                "finally-that-moves-the-counter",
                "StringBuilder l = new StringBuilder(); for (int i = 0; i < n; ) try { l.append(s.f(i)); } catch (RuntimeException e) { l.append('!'); } finally { i++; } return \"caught\" + l;");
        same( // strands have handlers in their copy; a queue would leave calls in flight when its handler leaves the
                // loop
                "handler-that-leaves-behind-the-counter",
                "int[] b = {1, 0, 2, 0, 4, 5}; long t = 0; int i = 0; int bad = 0; while (i < n) { int q = i++; t = t * 3 + s.f(q); try { t += 7 / b[q % 6]; } catch (ArithmeticException e) { if (++bad > 1) return \"caught\" + t + bad; t++; } } return \"caught\" + t;");
        same(
                "finally-that-continues",
                "StringBuilder l = new StringBuilder(); for (int i = 0; i < n; i++) try { l.append(s.f(i)); } finally { l.append('f'); continue; } return \"caught\" + l;");
        sequential(
                "resource-in-body",
                "StringBuilder l = new StringBuilder(); for (int i = 0; i < n; i++) try (AutoCloseable c = () -> l.append(']')) { l.append(s.f(i)); } return \"caught\" + l;");
        same(
                "list-as-argument-and-target",
                "List<Object> r = new ArrayList<>(); for (int i = 0; i < n; i++) r.add(s.f(r.size())); return r;");
        same(
                "array-made-per-pass",
                "int t = 0; for (int i = 0; i < n; i++) { int[] k = {i, i + 1}; int v = s.f(k[1]); k[0] = v; t = t * 3 + k[0]; } return t;");
    }

    private void conditions() {
        sequential(
                "poll-until-empty",
                "int t = 0; int i = 0; int m; while ((m = s.f(i)) < 3 * n) { t += m; i++; } return t;");
        sequential(
                "inner-loop-may-not-end",
                Rule.R11,
                "int t = 0; for (int i = 0; i < n; i++) { int k = i + 1; while (k > 1) k = k % 2 == 0 ? k / 2 : k - 1; t = t * 3 + s.f(i); } return t;");
        same("condition-of-two-calls", "int i = 0; while (i < n && s.ok(i * 3) && s.f(i) < 100) i++; return i;");
        same("do-while-of-result", "int i = 0; int v; do { v = s.f(i++); } while (v % 7 != 3 && i < n); return i + v;");
        overlaps(
                "exit-by-exception-of-body",
                "int[] k = {1, 2, 0, 4, 5, 6, 7, 8}; int t = 0; int i = 0; try { for (;;) { t = t * 3 + s.f(i); t += 10 / k[i]; i++; } } catch (ArithmeticException | ArrayIndexOutOfBoundsException e) { return \"caught\" + t + i; }");
    }

    private void activations() {
        same(
                "recursive-loop",
                "return go(s, n > 6 ? 6 : n); }\n"
                        + "private static int go(Svc s, int n) { int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.f(i); if (i == 2) t += go(s, n - 2); } return t;");
        same(
                "call-back-into-loop",
                "Svc x = new Back(s); int t = 0; for (int i = 0; i < n && i < 5; i++) t = t * 3 + x.f(i); return t; }\n"
                        + "static class Back extends LocalSvc { Svc s; Back(Svc s) { this.s = s; } public int f(int x) { int t = 0; for (int i = 0; i < x; i++) t += s.g(i); return t; }");
        same(
                "loop-left-and-entered-again",
                "int t = 0; for (int k = 0; k < 3; k++) { for (int i = 0; i < n; i++) { if (i == k + 2) break; t = t * 3 + s.f(i); } t = t * 5 + k; } return t;");
    }

    /** Two entries into one cycle: no compiler of Java makes this. */
    @Test
    void leavesIrreducibleFlowAlone() {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(Opcodes.V1_6, Opcodes.ACC_PUBLIC, "p/Twisted", null, "java/lang/Object", null);
        MethodVisitor method = writer.visitMethod(
                Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC, "run", "(Ldev/cleave/agent/conformance/Svc;I)V", null, null);
        method.visitCode();
        Label first = new Label();
        Label second = new Label();
        Label end = new Label();
        method.visitVarInsn(Opcodes.ILOAD, 1);
        method.visitJumpInsn(Opcodes.IFEQ, second);
        method.visitLabel(first);
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitVarInsn(Opcodes.ILOAD, 1);
        method.visitMethodInsn(Opcodes.INVOKEINTERFACE, "dev/cleave/agent/conformance/Svc", "put", "(I)V", true);
        method.visitLabel(second);
        method.visitIincInsn(1, -1);
        method.visitVarInsn(Opcodes.ILOAD, 1);
        method.visitJumpInsn(Opcodes.IFGT, first);
        method.visitJumpInsn(Opcodes.GOTO, end);
        method.visitLabel(end);
        method.visitInsn(Opcodes.RETURN);
        method.visitMaxs(0, 0);
        method.visitEnd();
        writer.visitEnd();
        byte[] bytes = writer.toByteArray();
        bytes[7] = Opcodes.V17;

        Rewritten rewritten = new ClassRewriter(name -> null, (owner, name, descriptor) -> CallSetting.async(8))
                .rewrite(withFrames(bytes));

        assertThat(rewritten.changed()).isFalse();
        assertThat(rewritten.verdicts().values().stream().flatMap(List::stream))
                .allSatisfy(verdict -> {
                    assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.SEQUENTIAL);
                    assertThat(verdict.refusal()).isNotNull();
                    assertThat(verdict.refusal().rule()).isEqualTo(Rule.R47);
                })
                .isNotEmpty();
    }

    /** A handler around the loop stands before one in it, which no compiler of Java makes: between them nothing can be discarded. */
    @Test
    void leavesInterleavedHandlersAlone() {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(Opcodes.V1_6, Opcodes.ACC_PUBLIC, "p/Interleaved", null, "java/lang/Object", null);
        MethodVisitor method = writer.visitMethod(
                Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "run", "(Ldev/cleave/agent/conformance/Svc;I)V", null, null);
        method.visitCode();
        Label loop = new Label();
        Label called = new Label();
        Label next = new Label();
        Label inside = new Label();
        Label outside = new Label();
        method.visitTryCatchBlock(loop, called, outside, "java/lang/IllegalStateException");
        method.visitTryCatchBlock(loop, called, inside, "java/lang/RuntimeException");
        method.visitLabel(loop);
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitVarInsn(Opcodes.ILOAD, 1);
        method.visitMethodInsn(Opcodes.INVOKEINTERFACE, "dev/cleave/agent/conformance/Svc", "put", "(I)V", true);
        method.visitLabel(called);
        method.visitJumpInsn(Opcodes.GOTO, next);
        method.visitLabel(inside);
        method.visitInsn(Opcodes.POP);
        method.visitLabel(next);
        method.visitIincInsn(1, -1);
        method.visitVarInsn(Opcodes.ILOAD, 1);
        method.visitJumpInsn(Opcodes.IFGT, loop);
        method.visitInsn(Opcodes.RETURN);
        method.visitLabel(outside);
        method.visitInsn(Opcodes.POP);
        method.visitInsn(Opcodes.RETURN);
        method.visitMaxs(0, 0);
        method.visitEnd();
        writer.visitEnd();
        byte[] bytes = writer.toByteArray();
        bytes[7] = Opcodes.V17;

        Rewritten rewritten = new ClassRewriter(name -> null, (owner, name, descriptor) -> CallSetting.async(8))
                .rewrite(withFrames(bytes));

        assertThat(rewritten.verdicts().values().stream().flatMap(List::stream))
                .allSatisfy(verdict -> {
                    assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.SEQUENTIAL);
                    assertThat(verdict.refusal()).isNotNull();
                    assertThat(verdict.refusal().rule()).isEqualTo(Rule.R41);
                })
                .isNotEmpty();
    }

    private static byte[] withFrames(byte[] bytes) {
        ClassWriter frames = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
        new ClassReader(bytes).accept(frames, ClassReader.SKIP_FRAMES);
        return frames.toByteArray();
    }
}
