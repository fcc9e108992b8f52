package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** R11 and R28: calls of {@code @Async(speculative = true)} in straight line, beside what is only {@code @Async}. */
@Tag("one-jdk")
class SpeculationTest extends ProgramTests {

    @TestFactory
    Stream<DynamicTest> patterns() {
        guards();
        ways();
        sharp();
        return tests();
    }

    private void guards() {
        overlaps("branch-on-result", "if (s.ok(n)) return s.tryInt(1); return 0;");
        overlaps("branch-on-result-void", "int r = 0; if (s.ok(n)) { s.tryInt(1); r = 2; } return r;");
        overlaps("short-circuit", "return s.tryFlag(n) && s.tryFlag(n + 1);");
        overlaps("short-circuit-or", "return s.ok(n) || s.tryFlag(n + 1);");
        overlaps("short-circuit-three", "return s.ok(n) && s.tryFlag(n + 1) && s.tryFlag(n + 2);");
        overlaps("ternary-on-result", "return s.ok(n) ? s.tryInt(1) : s.tryInt(2);");
        overlaps("guard-by-two", "if (n > 1 && s.ok(n)) return s.tryInt(n); return 7;");
        overlaps("early-return", "int a = s.f(n); if (a > 10) return a; return s.tryInt(n) + a;");
        overlaps(
                "throw-between",
                "int a = s.f(n); if (a > 40) throw new IllegalStateException(\"a\" + a); return s.tryInt(n) + a;");
        overlaps(
                "switch-on-result",
                "return switch (s.f(n) & 3) { case 0 -> s.tryInt(1); case 1 -> s.tryInt(2); case 2 -> 5; default -> s.tryInt(3); };");
        overlaps(
                "nested-guards",
                "int a = s.f(n); int r = 0; if (a > 4) { int b = s.tryInt(1); if (b > 3) r = s.tryInt(2); r += b; } return r + a;");
        sequential("async-is-not-enough", "if (s.ok(n)) return s.f(1); return 0;");
        sequential("async-short-circuit", "return s.ok(n) && s.ok(n + 1);");
        sequential("argument-from-result", "int a = s.f(n); if (a > 3) return s.tryInt(a); return 0;");
        overlaps("known-guard-is-asked", "int a = s.f(n); int r = a; if (n > 4) r += s.tryInt(n); return r;");
    }

    private void ways() {
        same(
                "argument-of-one-way",
                "int a = s.f(n); int k = 5; if (a > 3) { k = 6; } if (a > 7) return s.tryInt(k); return k;");
        overlaps("argument-inside", "int a = s.f(n); if (a > 3) { int k = n * 2; return s.tryInt(k); } return 4;");
        same(
                "fallthrough",
                "int k = 0; switch (s.f(n) & 3) { case 0: k = 1; case 1: k += 2; return s.tryInt(k); default: return k; }");
        same(
                "abandoned-by-two-groups",
                "fi = 0; int v0 = n; int y = s.g(n) & 3; int v2 = 0; int v3 = 2; int[] b = {1, 2, 3}; switch (s.f(y) & 3) { case 0: v2 = s.tryInt(b[y % 3]); case 1: fi = s.tryInt(v0); break; case 2: v3++; default: v0 = s.tryInt(fi); } return v0 * 100 + fi + v2 + v3; }\nstatic int fi; static { fi = 0;");
        same("either-condition", "if (s.ok(n) || s.tryFlag(n)) return s.tryInt(n); return 3;");
        same(
                "either-condition-different-argument",
                "int k = 1; if (s.ok(n) || (k = n + 5) > 7) return s.tryInt(k); return 3;");
        same(
                "null-guard",
                "String x = n > 1 ? null : \"abc\"; int a = s.f(n); if (x != null && a > 0) return s.tryInt(x.length()); return a;");
        same(
                "index-guard",
                "int[] x = {1, 2}; int a = s.f(n); if (a < 9) { int i = n; if (i < x.length) return s.tryInt(x[i]); } return a;");
        same(
                "heap-written-on-the-way",
                "y = 1; int a = s.f(n); if (a > 3) { y = a; return s.tryInt(y); } return y; }\nstatic int y; static { y = 0;");
        same(
                "heap-written-beside",
                "y = 1; int a = s.f(n); if (a > 3) { return s.tryInt(y); } y = 2; return y; }\nstatic int y; static { y = 0;");
    }

    private void sharp() {
        same("barrier-on-the-other-way", "int r; if (s.ok(n)) r = s.tryInt(1); else r = s.sync(2); return r;");
        same("barrier-behind", "int r = 1; if (s.ok(n)) r = s.tryInt(1); r += s.sync(2); return r;");
        same(
                "caught-on-the-other-way",
                "int r = 0; try { if (s.ok(n)) r = s.tryInt(1); else throw new IllegalStateException(); } catch (RuntimeException e) { return \"caught\" + r + e.getMessage() + s.sync(9); } return r;");
        same(
                "finally-on-the-other-way",
                "StringBuilder l = new StringBuilder(); try { if (s.ok(n)) l.append(s.tryInt(1)); } catch (RuntimeException e) { l.append(\"caught\"); } finally { l.append(s.plain(3)); } return l.toString();");
        same(
                "monitor",
                "Object m = new Object(); int r = 0; synchronized (m) { if (s.ok(n)) r = s.tryInt(1); } return r + s.sync(1);");
        same(
                "loop-around",
                "int r = 0; for (int i = 0; i < 3; i++) { if (s.ok(n + r)) r += s.tryInt(i); else r += 2; r += s.sync(r & 7); } return r;");
        same(
                "loop-behind",
                "int r = 0; if (s.ok(n)) r = s.tryInt(1); for (int i = 0; i < n; i++) r = r * 3 + s.f(i); return r;");
        same("local-receiver", "Svc l = n > 1 ? new LocalSvc() : s; if (l.ok(n)) return l.tryInt(1); return 0;");
        same(
                "then-cpu",
                "int r = 0; if (s.ok(n)) r = s.tryInt(1); int k = heavy(n) / n; return r + k; }\n"
                        + "private static int heavy(int x) { int t = x; for (int i = 0; i < 50; i++) t = t * 31 + i; return t & 1023;");
        overlaps("group-keeps-order", "int a = s.f(n); int b = s.kept(a); int c = s.kept(2); return a + b + c;");
        sequential("group-reads-and-writes", "int a = s.kept(1); int b = s.keptRead(2); return a + b;");
        sequential("group-reads-and-writes-reversed", "int a = s.keptRead(1); int b = s.kept(2); return a + b;");
        overlaps("group-of-reads", "int a = s.keptRead(1); int b = s.keptRead(2); return a + b;");
        overlaps("group-of-writes", "int a = s.kept(1); int b = s.kept(2); return a + b;");
    }
}
