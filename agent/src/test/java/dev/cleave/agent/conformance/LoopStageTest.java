package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Calls that need results of the same iteration (R44): the stages overlap across iterations. */
@Tag("one-jdk")
class LoopStageTest extends ProgramTests {

    private static final int N = 512;

    /** With a window of 64 that begins at 2: N / 64 windows of two round trips each, and some to grow. */
    private static final int TWO_STAGES = 2 * (N / 64 + 6);

    private void takes(String name, int atMost, String body) {
        conformance.addBody(name, body);
        test(name, () -> conformance.takes(name, N, atMost));
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        allowed();
        exceptions();
        traps();
        return tests();
    }

    private void allowed() {
        takes(
                "dependent-calls",
                TWO_STAGES,
                "int t = 0; for (int i = 0; i < n; i++) { int b = s.g(s.f(i)); t = t * 3 + b; } return t;");
        takes(
                "dependent-stages",
                TWO_STAGES,
                "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i); StringBuilder l = new StringBuilder();\n"
                        + "for (int x : xs) { String u = s.s(\"u\" + x); String o = s.s(u + \"/\" + u.length()); l.append(o); } return l.toString();");
        takes(
                "three-stages",
                TWO_STAGES * 3 / 2,
                "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.g(s.f(s.g(i) & 255)); return t;");
        takes(
                "diamond-in-loop",
                TWO_STAGES * 2,
                "int t = 0; for (int i = 0; i < n; i++) { int a = s.f(i); int b = s.g(a); int c = s.g(a + 1); int d = s.f(b + c); t = t * 3 + d; } return t;");
        takes(
                "conditional-on-result-of-iteration",
                TWO_STAGES,
                "int t = 0; for (int i = 0; i < n; i++) { if (s.ok(i)) t = t * 3 + s.f(i); else t++; } return t;");
        takes(
                "result-of-array",
                TWO_STAGES,
                "int t = 0; for (int i = 0; i < n; i++) { int[] r = s.row(i); t = t * 3 + s.f(r[1]) + r[0]; } return t;");
        takes(
                "result-as-argument",
                TWO_STAGES,
                "int t = 0; for (int i = 0; i < n; i++) { int[] r = s.row(i); t = t * 3 + s.sumOf(r); } return t;");
        takes(
                "accumulator-as-argument",
                TWO_STAGES,
                "int t = 0; int acc = 0; for (int i = 0; i < n; i++) { acc += s.f(i); t = t * 3 + s.g(acc); } return t;");
        takes(
                "independent-beside-dependent",
                TWO_STAGES * 2,
                "int t = 0; for (int i = 0; i < n; i++) { int a = s.f(i); int b = s.g(a); int c = s.f(i + 1000); t = t * 3 + b - c; } return t;");
        takes(
                "long-and-double",
                TWO_STAGES,
                "double t = 0; for (int i = 0; i < n; i++) { long a = s.lf(i); double b = s.df(a); t = t * 1.1 + b; } return t;");
        takes("void-behind-result", TWO_STAGES, "for (int i = 0; i < n; i++) { int a = s.f(i); s.put(a); } return 0;");
        takes(
                "loop-over-result",
                TWO_STAGES,
                "int t = 0; for (int i = 0; i < n; i++) { int[] r = s.row(i); int m = 0; for (int v : r) m += v; t = t * 3 + s.f(m); } return t;");
    }

    private void exceptions() {
        overlaps(
                "dependent-in-try",
                "StringBuilder l = new StringBuilder(); for (int i = 0; i < n; i++) { try { int a = s.f(i); l.append(a); int b = s.g(a); l.append(b); }\n"
                        + "catch (RuntimeException e) { l.append('!'); } } return \"caught\" + l;");
        overlaps(
                "first-in-try",
                "StringBuilder l = new StringBuilder(); for (int i = 0; i < n; i++) { int a; try { a = s.f(i); } catch (RuntimeException e) { a = -1; }\n"
                        + "int b = s.g(a); l.append(a + b).append(' '); } return \"caught\" + l;");
        same(
                "result-kept-over-failure",
                "StringBuilder l = new StringBuilder(); int a = -1; for (int i = 0; i < n; i++) { try { a = s.f(i); } catch (RuntimeException e) { l.append('!'); }\n"
                        + "l.append(s.g(a)); } return \"caught\" + l;");
        same(
                "result-of-iteration-before",
                "StringBuilder l = new StringBuilder(); int a = -1; for (int i = 0; i < n; i++) { l.append(s.g(a)); try { a = s.f(i); } catch (RuntimeException e) { l.append('!'); } }\n"
                        + "return \"caught\" + l;");
        same(
                "accumulator-over-failure",
                "StringBuilder l = new StringBuilder(); int a = 0; for (int i = 0; i < n; i++) { try { a += s.f(i); } catch (RuntimeException e) { l.append('!'); }\n"
                        + "l.append(s.g(a)); } return \"caught\" + l;");
        overlaps(
                "accumulator-and-failure-outside",
                "int t = 0; int acc = 0; int i = 0; try { for (i = 0; i < n; i++) { acc += s.f(i); t = t * 3 + s.g(acc); } } catch (RuntimeException e) { return \"caught\" + i + \" \" + acc + \" \" + t; } return t;");
        same(
                "typed-handler",
                "StringBuilder l = new StringBuilder(); try { for (int i = 0; i < n; i++) { try { s.checked(i); l.append(s.g(s.f(i))); } catch (Svc.Failure e) { l.append('c'); } } }\n"
                        + "catch (RuntimeException e) { return \"caught\" + l; } return \"caught\" + l;");
        overlaps(
                "throw-behind-first",
                "StringBuilder l = new StringBuilder(); int[] k = new int[12]; try { for (int i = 0; i < n; i++) { int a = s.f(i); l.append(k[i]); l.append(s.g(a)); } }\n"
                        + "catch (ArrayIndexOutOfBoundsException e) { return \"caught\" + l; } return l.toString();");
    }

    private void traps() {
        sequential("result-of-pass-before", "int x = 1; for (int i = 0; i < n; i++) x = s.f(x) % 1000; return x;");
        sequential(
                "two-calls-in-a-circle",
                "int x = 1; for (int i = 0; i < n; i++) { int y = s.f(x); x = s.g(y + 1) % 1000; } return x;");
        same(
                "changed-before-the-first",
                "int[] a = new int[n]; for (int i = 0; i < n; i++) a[i] = i; int t = 0;\n"
                        + "for (int i = 0; i < n; i++) { int v = a[i]; a[i] = 0; int x = s.f(i); t = t * 3 + s.g(x + v); } return t;");
        same(
                "changed-result",
                "int t = 0; for (int i = 0; i < n; i++) { int[] r = s.row(i); r[0] = 7; t = t * 3 + s.sumOf(r); } return t;");
        same(
                "result-changed-later",
                "int t = 0; int[] last = {1}; for (int i = 0; i < n; i++) { int[] r = s.row(i); t = t * 3 + s.f(r[0] + last[0]); r[0] = 99; last = r; } return t;");
        same(
                "second-receiver-local",
                "L.seen = 0; Svc x = new L(); int t = 0; for (int i = 0; i < n; i++) t = t * 3 + x.g(s.f(i)); return t + L.seen; }\n"
                        + "static class L extends LocalSvc { static int seen; public int g(int x) { return x + seen++ - seen; }");
        same(
                "first-receiver-local",
                "Svc x = new L(); int t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.g(x.f(i)); return t; }\n"
                        + "static class L extends LocalSvc { public int f(int x) { return x - 1; }");
        sequential("one-group", "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.kept(s.keptRead(i)); return t;");
        overlaps(
                "group-in-order",
                "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.kept(i) - s.keptRead(i); return t;");
    }
}
