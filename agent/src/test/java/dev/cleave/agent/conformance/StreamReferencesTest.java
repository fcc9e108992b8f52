package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Streams in loops whose functions are method references: strands of the loop send their calls, too (R69, R71). */
@Tag("one-jdk")
class StreamReferencesTest extends StrandPrograms {

    private static final String IDS =
            "List<Integer> ids = new ArrayList<>(); for (int i = 0; i < 7; i++) ids.add(i * 3);\n";

    StreamReferencesTest() {
        super(20);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        services();
        helpers();
        traps();
        return tests();
    }

    private void services() {
        strands(
                "service-in-a-loop",
                2,
                "long t = 0; for (int i = 0; i < n; i++) t = t * 3 + Arrays.stream(s.row(i)).map(s::f).sum(); return t;");
        strands(
                "list",
                1,
                IDS
                        + "long t = 0; for (int i = 0; i < n; i++) t = t * 3 + ids.stream().map(s::f).toList().get(1); return t;");
        strands("nothing-returned", 2, IDS + "for (int i = 0; i < n; i++) ids.forEach(s::put); return s.load(3);");
        strands(
                "service-in-a-function",
                2,
                IDS + "return ids.stream().mapToInt(id -> Arrays.stream(s.row(id)).map(s::f).sum()).sum();");
        strands(
                "service-in-a-helper",
                2,
                "long t = 0; for (int i = 0; i < n; i++) t = t * 3 + total(s, i); return t; } static int total(Svc s, int i) { return Arrays.stream(s.row(i)).map(s::f).sum();");
        strands(
                "two-in-a-row",
                3,
                "long t = 0; for (int i = 0; i < n; i++) t = t * 3 + Arrays.stream(s.row(i)).map(s::f).map(s::g).sum(); return t;");
    }

    private void helpers() {
        strands(
                "static-helper",
                1,
                IDS
                        + "S = s; long t = 0; for (int i = 0; i < n; i++) t = t * 3 + ids.stream().mapToInt(PStaticHelper::one).sum(); return t; } static Svc S; private static int one(int x) { return S.f(x) * 3 + S.g(x);");
        trips(
                "helper-of-an-object",
                1,
                IDS
                        + "new PHelperOfAnObject(s).run(ids); return sum; } static long sum; Svc s; PHelperOfAnObject() {} PHelperOfAnObject(Svc s) { this.s = s; } void run(List<Integer> ids) { sum = 0; ids.forEach(this::one); } private void one(int x) { sum = sum * 3 + s.f(x) + s.g(x);");
    }

    private void traps() {
        same(
                "service-that-changes",
                IDS
                        + "Svc[] all = {s, z}; long t = 0; for (int i = 0; i < n; i++) { Svc a = all[i % 2]; t = t * 3 + ids.stream().mapToInt(a::f).sum(); } return t;");
        same(
                "service-that-is-null",
                IDS
                        + "Svc[] all = {s, s, null}; long t = 0; for (int i = 0; i < n; i++) { Svc a = all[i % 3]; t = t * 3 + ids.stream().mapToInt(a::f).sum(); } return t;");
        same(
                "function-in-a-variable",
                "long t = 0; for (int i = 0; i < n; i++) { java.util.function.IntUnaryOperator g = s::f; t = t * 3 + Arrays.stream(s.row(i)).map(g).map(x -> g.applyAsInt(x)).sum(); } return t;");
        same(
                "function-that-is-called-besides",
                "long t = 0; for (int i = 0; i < n; i++) { java.util.function.IntUnaryOperator g = s::f; t = t * 3 + g.applyAsInt(i) + Arrays.stream(s.row(i)).map(s::f).sum() + g.applyAsInt(t > 0 ? 1 : 2); } return t;");
        same(
                "helper-that-counts",
                IDS
                        + "C = 0; S = s; long t = 0; for (int i = 0; i < n; i++) t = t * 3 + ids.stream().mapToInt(PHelperThatCounts::one).sum(); return t; } static Svc S; static int C; private static int one(int x) { return S.f(x + C++);");
        same(
                "helper-that-throws",
                IDS
                        + "S = s; long t = 0; for (int i = 0; i < n; i++) t = t * 3 + ids.stream().mapToInt(PHelperThatThrows::one).sum(); return t; } static Svc S; private static int one(int x) { return 100 / (S.f(x) % 5);");
        same(
                "element-that-is-null",
                "List<Integer> ids = new ArrayList<>(); ids.add(1); ids.add(null); ids.add(2); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + ids.stream().mapToInt(s::f).sum(); return t;");
        same(
                "helper-that-calls-itself",
                "S = s; long t = 0; for (int i = 0; i < 4; i++) t = t * 3 + walk(i); return t; } static Svc S; private static int walk(int x) { return x > 30 ? 1 : S.f(x) + Arrays.stream(S.row(2 * x + 1)).map(PHelperThatCallsItself::walk).sum();");
    }
}
