package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.ClassFiles;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.ClassRewriter;
import dev.cleave.agent.transform.Rewritten;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.data.SessionInfoStore;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.LoggerRuntime;
import org.jacoco.core.runtime.RuntimeData;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * R55: JaCoCo's probes are no effect. It comes before us (its agent cannot retransform, ours can, so the JVM runs it first
 * wherever it is listed), or after us when a jar was woven before.
 */
@Tag("one-jdk")
class CoverageTest {

    private static final ClassLoader PARENT = CoverageTest.class.getClassLoader();
    private static final String CLASS = "p.Covered";

    private static byte[] compile(String body) {
        return Compiler.compile(Map.of(CLASS, """
                        package p;
                        import dev.cleave.agent.conformance.*;
                        import java.util.*;
                        public class Covered {
                            public static Object run(Svc s, Svc z, int n) throws Exception {
                                %s
                            }
                            static int twice(int x) { return x > 3 ? x + x : 2 * x; }
                        }
                        """.formatted(body))).get(CLASS);
    }

    private static Rewritten rewrite(byte[] bytes) {
        RemoteInterfaceIndex index = new RemoteInterfaceIndex(ClassFileSource::ofResources, CallSettings.NONE);
        ClassFiles outer = ClassFiles.of(PARENT);
        return new ClassRewriter(
                        name -> name.equals("p/Covered") ? bytes : outer.read(name),
                        (owner, name, descriptor) -> index.call(PARENT, owner, name, descriptor))
                .rewrite(bytes);
    }

    private static List<Verdict.Outcome> outcomes(Rewritten rewritten) {
        List<Verdict.Outcome> outcomes = new ArrayList<>();
        rewritten.verdicts().values().forEach(all -> all.forEach(verdict -> outcomes.add(verdict.outcome())));
        return outcomes;
    }

    /** A run with JaCoCo's own bookkeeping: the result, and the probes that were hit. */
    private static final class Run {

        private final LoggerRuntime runtime = new LoggerRuntime();
        private final RuntimeData data = new RuntimeData();

        byte[] instrument(byte[] bytes) throws Exception {
            return new Instrumenter(runtime).instrument(bytes, CLASS);
        }

        List<String> run(byte[] bytes, int n) throws Exception {
            runtime.startup(data);
            try {
                Class<?> type = new ClassLoader(PARENT) {
                    Class<?> define() {
                        return defineClass(CLASS, bytes, 0, bytes.length);
                    }
                }.define();
                Outcome outcome = Outcome.of(type, Schedule.ok(1), n);
                ExecutionDataStore store = new ExecutionDataStore();
                data.collect(store, new SessionInfoStore(), false);
                List<String> found = new ArrayList<>(List.of(outcome.result(), "open " + outcome.open()));
                for (ExecutionData execution : store.getContents()) {
                    found.add(java.util.Arrays.toString(execution.getProbes()));
                }
                return found;
            } finally {
                runtime.shutdown();
            }
        }
    }

    @Test
    void aLoopStaysAPipelineUnderCoverage() throws Exception {
        probesChangeNoVerdictNoResultAndNoCoverage(
                "int t = 0;\nfor (int i = 0; i < n; i++) {\n t += s.f(i);\n}\nreturn t;");
    }

    /** Probes are booleans, and no probe is an element of an array of the program. */
    @Test
    void booleansOfTheProgramAreReadAheadOfProbes() throws Exception {
        probesChangeNoVerdictNoResultAndNoCoverage(
                "int t = 0;\nfor (int i = 0; i < n; i++) {\n if (ODD[i & 3]) {\n t += s.f(i);\n }\n}\nreturn t;\n}\n"
                        + "private static final boolean[] ODD = {true, false, true, true};\nstatic int none() {\nreturn 0;");
    }

    /** If a probe were a write to an array of booleans, the loop would have to ask whether the program's array is that one. */
    @Test
    void rewrittenCodeAsksNothingForTheSakeOfProbes() throws Exception {
        byte[] written = compile(
                "boolean[] odd = FLAGS;\nint t = 0;\nfor (int i = 0; i < n; i++) {\n if (odd[i & 3]) {\n t += s.f(i);\n }\n}\nreturn t;\n}\n"
                        + "static boolean[] FLAGS = {true, false, true, true};\nstatic int none() {\nreturn 0;");

        List<String> expected = questions(rewrite(written).classFile());
        assertThat(expected).contains("take");
        assertThat(questions(rewrite(new Run().instrument(written)).classFile()))
                .isEqualTo(expected);
    }

    /** The names of the methods of the runtime that a class calls, in the order of its code. */
    private static List<String> questions(byte[] classFile) {
        ClassNode node = new ClassNode();
        new ClassReader(classFile).accept(node, 0);
        List<String> names = new ArrayList<>();
        for (MethodNode method : node.methods) {
            for (AbstractInsnNode insn : method.instructions) {
                if (insn instanceof MethodInsnNode call && call.owner.startsWith("dev/cleave/rt/")) {
                    names.add(call.name);
                }
            }
        }
        return names;
    }

    @Test
    void callsOverlapAcrossProbes() throws Exception {
        probesChangeNoVerdictNoResultAndNoCoverage(
                "int a = s.f(1);\nint b = s.f(2);\nint c = s.g(n);\nreturn a + b + c;");
    }

    @Test
    void helpersStayTransparentUnderCoverage() throws Exception {
        probesChangeNoVerdictNoResultAndNoCoverage(
                "int a = s.f(1);\nint k = twice(n);\nint b = s.g(k);\nreturn a + b;");
    }

    @Test
    void arraysOfTheProgramAreNoProbes() throws Exception {
        byte[] written = compile("boolean[] odd = new boolean[n + 1];\nint a = s.f(1);\nodd[n] = true;\n"
                + "int b = s.f(odd[n] ? 2 : 3);\nreturn a * 31 + b;");
        Run run = new Run();

        assertThat(run.run(rewrite(written).classFile(), 4)).isEqualTo(run.run(written, 4));
    }

    @Test
    void otherCodeThatToolsPutInIsABarrier() {
        byte[] written =
                compile("int a = s.f(1);\nSystem.setProperty(\"line\", \"2\");\nint b = s.f(2);\nreturn a + b;");

        assertThat(outcomes(rewrite(written))).contains(Verdict.Outcome.SEQUENTIAL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "int t = 0;\nfor (int i = 0; i < n; i++) {\n t += s.f(i);\n t = twice(t);\n}\nreturn t;",
                "int a = s.f(1);\nint b = s.f(2);\nint c = s.g(n);\nreturn a + b + c;",
                "int t = 0;\nfor (int i = 0; i < n; i++) {\n if (i % 2 == 0) {\n t += s.f(i);\n }\n else {\n t--;\n }\n}\nreturn t;",
                "boolean[] odd = new boolean[n + 1];\nint t = 0;\nfor (int i = 0; i < n; i++) {\n odd[i] = i % 2 == 1;\n}\n"
                        + "for (int i = 0; i < n; i++) {\n if (odd[i]) {\n t += s.f(i);\n }\n}\nreturn t;",
                "List<Integer> r = new ArrayList<>();\nfor (int i = 0; i < n; i++) {\n r.add(s.f(i));\n}\nreturn r;"
            })
    void probesChangeNoVerdictNoResultAndNoCoverage(String body) throws Exception {
        byte[] written = compile(body);
        for (int n : new int[] {0, 1, 9}) {
            Run plain = new Run();
            List<String> expected = plain.run(plain.instrument(written), n);

            Run before = new Run();
            Rewritten rewritten = rewrite(before.instrument(written));
            assertThat(outcomes(rewritten)).isEqualTo(outcomes(rewrite(written)));
            assertThat(outcomes(rewritten)).doesNotContain(Verdict.Outcome.SEQUENTIAL);
            assertThat(before.run(rewritten.classFile(), n)).isEqualTo(expected);

            Run after = new Run();
            List<String> found = after.run(after.instrument(rewrite(written).classFile()), n);
            assertThat(found.subList(0, 2)).isEqualTo(expected.subList(0, 2));
        }
    }
}
