package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.effect.RemoteCalls;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.ClassFiles;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.ClassRewriter;
import dev.cleave.agent.transform.Rewritten;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a failure in a helper, or in a function of a stream, looks like to the program. */
@Tag("one-jdk")
class HelperTraceTest {

    private static final String HELPER = """
            public static Object run(Svc s, Svc z, int n) {
                int t = 0;
                for (int i = 0; i < n; i++)
                    t += outer(s, i);
                return t;
            }
            private static int outer(Svc s, int x) {
                return score(s, x + 1) * 2;
            }
            private static int score(Svc s, int x) {
                int k = 100 / (x - 9);
                return s.f(x) + k;
            }
            """;

    private static final String STREAM = """
            public static Object run(Svc s, Svc z, int n) {
                List<Integer> xs = new ArrayList<>();
                for (int i = 0; i < n; i++) xs.add(i);
                return xs.stream()
                        .map(x ->
                            s.f(x + 1) + 100 / (x - 8))
                        .toList();
            }
            """;

    private static final String FILLED = """
            public static Object run(Svc s, Svc z, int n) {
                Map<Integer, Integer> m = new HashMap<>();
                int t = 0;
                for (int i = 0; i < n; i++)
                    t += m.computeIfAbsent(i % 7,
                            k -> s.f(k));
                return t;
            }
            """;

    private static final String GIVEN = """
            public static Object run(Svc s, Svc z, int n) {
                int t = 0;
                for (int i = 0; i < n; i++) {
                    int k = i;
                    t += twice(() ->
                            s.f(k) + 100 / (k - 9));
                }
                return t;
            }
            private static int twice(java.util.function.Supplier<Integer> op) {
                return op.get() * 2;
            }
            """;

    private static Throwable failure(Class<?> program, Schedule schedule) throws ReflectiveOperationException {
        ScriptedService service = new ScriptedService(schedule);
        try {
            program.getMethod("run", Svc.class, Svc.class, int.class)
                    .invoke(null, new ScriptedStub(service), new ScriptedStub(service), 20);
        } catch (InvocationTargetException e) {
            return e.getCause();
        }
        throw new AssertionError("nothing was thrown");
    }

    /** The frames of the program, as the trace shows them. */
    private static List<String> frames(Throwable thrown, String program) {
        return Stream.of(thrown.getStackTrace())
                .filter(frame -> frame.getClassName().equals(program))
                .map(frame -> frame.getMethodName() + ":" + frame.getLineNumber())
                .toList();
    }

    private static void compare(String name, String members, Schedule schedule) throws ReflectiveOperationException {
        Conformance conformance = new Conformance();
        conformance.add(name, members);
        String program = "p." + Conformance.className(name);
        conformance.overlaps(name);

        Throwable expected = failure(conformance.programs().written(program), schedule);
        Throwable actual = failure(conformance.programs().rewritten(program), schedule);

        assertThat(actual).hasSameClassAs(expected).hasMessage(expected.getMessage());
        assertThat(frames(actual, program)).isNotEmpty().isEqualTo(frames(expected, program));
    }

    @Test
    void aFailedCallShowsTheFramesOfAllHelpers() throws Exception {
        compare("trace-call", HELPER, Schedule.failing(1, "f[5]"));
    }

    @Test
    void aLocalExceptionShowsTheFramesOfAllHelpers() throws Exception {
        compare("trace-local", HELPER, Schedule.ok(1));
    }

    @Test
    void aFailedCallShowsTheFrameOfTheFunction() throws Exception {
        compare("trace-stream-call", STREAM, Schedule.failing(1, "f[5]"));
    }

    @Test
    void aLocalExceptionShowsTheFrameOfTheFunction() throws Exception {
        compare("trace-stream-local", STREAM, Schedule.ok(1));
    }

    @Test
    void aFailedCallShowsTheFrameOfTheFunctionThatFillsAMap() throws Exception {
        compare("trace-map", FILLED, Schedule.failing(1, "f[5]"));
    }

    @Test
    void aFailedCallShowsTheFramesOfAFunctionThatAMethodIsGiven() throws Exception {
        compare("trace-given-call", GIVEN, Schedule.failing(1, "f[5]"));
    }

    @Test
    void aLocalExceptionShowsTheFramesOfAFunctionThatAMethodIsGiven() throws Exception {
        compare("trace-given-local", GIVEN, Schedule.ok(1));
    }

    @Test
    void theSameClassFileIsRewrittenTheSameWayAgain() {
        String source = "package p;\nimport dev.cleave.agent.conformance.*;\nimport java.util.*;\npublic class Q {\n"
                + HELPER + STREAM.replace(" run(", " other(") + "}\n";
        byte[] written = Compiler.compile(Map.of("p.Q", source)).get("p.Q");

        Rewritten first = rewrite(written);
        Rewritten second = rewrite(written);

        assertThat(first.changed()).isTrue();
        assertThat(second.classFile()).isEqualTo(first.classFile());
        assertThat(second.verdicts()).isEqualTo(first.verdicts());
    }

    private static Rewritten rewrite(byte[] written) {
        ClassLoader loader = HelperTraceTest.class.getClassLoader();
        RemoteInterfaceIndex index = new RemoteInterfaceIndex(ClassFileSource::ofResources, CallSettings.NONE);
        RemoteCalls remote = (owner, name, descriptor) -> index.call(loader, owner, name, descriptor);
        return new ClassRewriter(ClassFiles.of(loader), remote).rewrite(written);
    }
}
