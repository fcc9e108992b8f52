package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.plan.verdict.Verdict;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Group C: where calls are awaited. {@code LOOK} in a program reads how many calls are in flight, which pure code may; the
 * program must do the same with 0 in its place.
 */
@Tag("one-jdk")
class AwaitTest extends ProgramTests {

    /** A helper that may take long and has no effect. */
    private static final String HEAVY =
            "}\nprivate static int heavy(int x) { int t = x; for (int i = 0; i < 50; i++) t = t * 31 + i; return t & 1023; ";

    /** The code that looks runs beside the call in front of it. */
    private void beside(String name, String body) {
        addLooking(name, body);
        test(name, () -> {
            conformance.check(name);
            assertThat(look(name)).as(name + conformance.verdicts(name)).isPositive();
        });
    }

    /** The code that looks runs when the call in front of it has ended. */
    private void behind(String name, String body) {
        addLooking(name, body);
        test(name, () -> {
            conformance.check(name);
            assertThat(look(name)).as(name + conformance.verdicts(name)).isZero();
        });
    }

    private void moves(String name, String body) {
        conformance.addBody(name, body);
        test(name, () -> {
            conformance.check(name);
            assertThat(conformance.verdicts(name)).anyMatch(verdict -> verdict.outcome() == Verdict.Outcome.SPLIT);
        });
    }

    private void addLooking(String name, String body) {
        conformance.addBody(name, body.replace("LOOK", "0") + HEAVY);
        conformance.addBody(
                name + "-looking",
                "seen = 0; try { seen = (int) go(s, z, n); } catch (Throwable t) { seen = -1; } return 0; }\n"
                        + "static int seen; static Object go(Svc s, Svc z, int n) throws Exception {\n"
                        + body.replace("LOOK", "Probe.inFlight") + HEAVY);
    }

    private int look(String name) {
        Class<?> program = conformance.programs().rewritten("p." + Conformance.className(name + "-looking"));
        Outcome.of(program, Schedule.ok(1), 2);
        try {
            var seen = program.getDeclaredField("seen");
            seen.setAccessible(true);
            return seen.getInt(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @TestFactory
    Stream<DynamicTest> patterns() {
        firstUse();
        observable();
        throwing();
        handlers();
        order();
        restored();
        return tests();
    }

    /** R75. */
    private void restored() {
        beside(
                "changed-array-then-cpu",
                "int[] x = {n, 3}; s.turn(x); int k = heavy(n); int l = LOOK; return l + (x[0] + k) * 0;");
        beside(
                "changed-array-then-other-array",
                "int[] x = {n, 3}; int[] y = {n, 4}; s.turn(x); int k = heavy(n) + y[1]; int l = LOOK; return l + (x[0] + k) * 0;");
        beside(
                "changed-array-then-parameter-array",
                "return look(s, new int[] {n, 4}); }\nstatic int look(Svc s, int[] y) { int[] x = {1, 3}; s.turn(x); int k = heavy(3) + y[1]; int l = LOOK; return l + (x[0] + k) * 0;");
        beside(
                "changed-array-then-doubles",
                "int[] x = {n, 3}; double[] y = {n, 4}; s.turn(x); int k = heavy(n) + (int) y[1]; int l = LOOK; return l + (x[0] + k) * 0;");
        behind(
                "changed-array-read-then-cpu",
                "int[] x = {n, 3}; s.turn(x); int k = heavy(n) + x[1]; int l = LOOK; return l + (x[0] + k) * 0;");
        behind(
                "changed-array-written-then-cpu",
                "int[] x = {n, 3}; s.turn(x); x[1] = heavy(n); int l = LOOK; return l + x[0] * 0;");
        behind(
                "changed-array-of-a-field-then-cpu",
                "own = new int[] {n, 3}; int[] x = own; s.turn(x); int k = heavy(n) + own[1]; int l = LOOK; return l + (x[0] + k) * 0; }\nstatic int[] own; static { own = null; ");
        behind(
                "changed-row-then-cpu",
                "int[][] x = new int[2][2]; int[] row = x[1]; s.grid(n, x); int k = heavy(n) + row[1]; int l = LOOK; return l + k * 0;");
        behind(
                "changed-array-in-a-method-then-cpu",
                "int[] x = {n, 3}; s.turn(x); int k = heavy(n) + first(x); int l = LOOK; return l + k * 0; }\nprivate static int first(int[] a) { return a[0];");
    }

    /** R16, R25. */
    private void firstUse() {
        beside("call-then-cpu", "int a = s.f(1); int k = heavy(n); int l = LOOK; return l + (a + k) * 0;");
        beside(
                "call-then-loop",
                "int a = s.f(1); int k = 0; for (int i = 0; i < n; i++) k += i; int l = LOOK; return l + (a + k) * 0;");
        beside("void-call-then-cpu", "s.put(1); int k = heavy(n); int l = LOOK; return l + k * 0;");
        beside("unused-call-then-cpu", "s.lf(1L); int k = heavy(n); int l = LOOK; return l + k * 0;");
        beside("long-then-cpu", "long a = s.lf(1L); int k = heavy(n); int l = LOOK; return l + (int) (a + k) * 0;");
        beside("double-then-cpu", "double a = s.df(1); int k = heavy(n); int l = LOOK; return l + (int) (a + k) * 0;");
        beside("float-then-cpu", "float a = s.ff(1); int k = heavy(n); int l = LOOK; return l + (int) (a + k) * 0;");
        beside("boolean-then-cpu", "boolean a = s.ok(1); int k = heavy(n); int l = LOOK; return a ? l : l + k * 0;");
        beside("array-then-cpu", "int[] a = s.row(1); int k = heavy(n); int l = LOOK; return l + (a[0] + k) * 0;");
        beside(
                "cast-then-cpu",
                "String a = (String) s.get(2); int k = heavy(n); int l = LOOK; return l + (a.length() + k) * 0;");
        beside(
                "generic-then-cpu",
                "String a = s.names(2).get(0); List<String> b = s.names(3); int k = heavy(n); int l = LOOK; return l + (b.size() + k) * 0;");
        beside(
                "copy-then-cpu",
                "int a; int b; a = b = s.f(1); int k = heavy(n); int l = LOOK; return l + (a + b + k) * 0;");
        beside(
                "use-on-one-path",
                "int a = s.f(1); int k = heavy(n); int l = LOOK; if (n > 1000) return a; System.out.print(\"\"); return l + k * 0;");
        beside(
                "await-on-each-path",
                "int a = s.f(1); int k = heavy(n); int l = LOOK; if (n > 1) { k += a; } else if (n > 0) { return a; } return l + (k + a) * 0;");
        beside(
                "use-behind-join",
                "int a; if (n >= 0) a = s.f(1); else a = 7; int k = heavy(n); int l = LOOK; return l + (a + k) * 0;");
        beside(
                "both-arms-call",
                "int a; if (n > 1) a = s.f(1); else a = s.g(2); int k = heavy(n); int l = LOOK; return l + (a + k) * 0;");
        beside(
                "operand-below",
                "int k = n; return third(k * 3, s.f(1), heavy(n) * 0 + LOOK); }\nstatic int third(int a, int b, int c) { return c;");
        beside(
                "string-builder-made-behind",
                "int a = s.f(1); StringBuilder b = new StringBuilder(); for (int i = 0; i < n; i++) b.append(i); int l = LOOK; return l + (a + b.length()) * 0;");
        beside(
                "array-made-behind",
                "int a = s.f(1); int[] b = new int[n + 1]; for (int i = 0; i < b.length; i++) b[i] = i; int l = LOOK; return l + (a + b[0]) * 0;");
        beside(
                "list-read-behind",
                "List<Integer> xs = new ArrayList<>(List.of(1, 2, 3)); int a = s.f(1); int k = 0; for (int x : xs) k += x; int l = LOOK; return l + (a + k) * 0;");
        beside(
                "call-in-loop-then-cpu",
                "int t = 0; int u = n; while (u-- > 0) { if (u == 5) break; int a = s.f(u); int k = heavy(u); t = LOOK + (a + k) * 0; u -= a & 1; } return t;");
        behind("two-adds-do-not-pay", "int a = s.f(1); int k = n + 1; int l = LOOK; return l + (a + k) * 0;");
        behind("used-at-once", "int a = s.f(1) + 1; int k = heavy(n); int l = LOOK; return l + (a + k) * 0;");
        behind(
                "branch-on-result-then-cpu",
                "if (s.ok(3)) { int k = heavy(n); int l = LOOK; return l + k * 0; } return 0;");
        behind(
                "endless-loop-behind",
                "int a = s.f(1); int k = n; while (k != 0) { k = k > 0 ? k - 1 : 0; } heavy(n); int l = LOOK; return l + (a + k) * 0;");
        behind("overwritten-result", "int a = s.f(1); a = heavy(n); int l = LOOK; return l + a * 0;");
    }

    /** R17, R22, R23. */
    private void observable() {
        behind(
                "static-store-then-cpu",
                "s.f(1); x = n; int k = heavy(n); int l = LOOK; return l + k * 0; }\nstatic int x; static { x = 0; ");
        behind(
                "println-then-cpu",
                "s.put(1); System.out.print(\"\"); int k = heavy(n); int l = LOOK; return l + k * 0;");
        behind(
                "old-array-store-then-cpu",
                "int[] b = new int[3]; s.f(1); b[0] = n; int k = heavy(n); int l = LOOK; return l + k * 0 + b[0] * 0;");
        behind(
                "old-list-add-then-cpu",
                "List<Integer> b = new ArrayList<>(); s.f(1); b.add(n); int k = heavy(n); int l = LOOK; return l + k * 0;");
        behind(
                "unknown-list-read",
                "List<Integer> b = new ArrayList<>() { public int size() { return 3; } }; return go2(s, b, n); }\n"
                        + "static int go2(Svc s, List<Integer> b, int n) { s.f(1); int m = b.size(); int k = heavy(n); int l = LOOK; return l + (k + m) * 0;");
        behind("sync-call-then-cpu", "s.f(1); s.sync(2); int k = heavy(n); int l = LOOK; return l + k * 0;");
        behind(
                "clock-then-cpu",
                "s.f(1); long t = System.nanoTime(); int k = heavy(n); int l = LOOK; return l + k * 0 + (int) t * 0;");
        behind(
                "volatile-then-cpu",
                "s.f(1); v = 1; int k = heavy(n); int l = LOOK; return l + k * 0; }\nstatic volatile int v; static { v = 0; ");
        behind(
                "lock-then-cpu",
                "var m = new java.util.concurrent.locks.ReentrantLock(); s.f(1); m.lock(); m.unlock(); int k = heavy(n); int l = LOOK; return l + k * 0;");
        behind(
                "lambda-captures-result",
                "int a = s.f(1); java.util.function.IntSupplier q = () -> a; int k = heavy(n); int l = LOOK; return l + (q.getAsInt() + k) * 0;");
        behind(
                "result-into-array",
                "int[] b = new int[2]; b[0] = s.f(1); int k = heavy(n); int l = LOOK; return l + (b[0] + k) * 0;");
        behind("result-to-call", "int a = Math.abs(s.f(1)); int k = heavy(n); int l = LOOK; return l + (a + k) * 0;");
        behind(
                "access-ordered-map-read",
                "var m = new LinkedHashMap<String, Integer>(16, .75f, true); m.put(\"a\", 1); m.put(\"b\", 2); return go2(s, m, n); }\n"
                        + "static int go2(Svc s, Map<String, Integer> m, int n) { s.f(1); Integer y = m.get(\"a\"); int k = heavy(n); int l = LOOK; return l + (k + y) * 0;");
        same(
                "map-order-after-failure",
                "var m = new LinkedHashMap<String, Integer>(16, .75f, true); m.put(\"a\", 1); m.put(\"b\", 2); int k = 0;\n"
                        + "try { int a = s.f(1); Integer y = m.get(\"a\"); k = heavy(n) + y; k += a; } catch (RuntimeException e) { return \"caught\" + m.keySet(); } return m.keySet().toString() + k;"
                        + HEAVY);
        same(
                "field-after-failure",
                "x = 0; try { s.f(1); int k = heavy(n); x = k; } catch (RuntimeException e) { return \"caught\" + x; } return x; }\nstatic int x;"
                        + HEAVY.substring(1));
    }

    /** R18, R20. */
    private void throwing() {
        moves("division-under-landing-pad", "int a = s.f(1); int k = heavy(n); int q = k / n; return a + q;" + HEAVY);
        moves(
                "division-feeds-second-call",
                "int a = s.f(1); int q = heavy(n) / n; int b = s.g(q); return a + b * 7;" + HEAVY);
        moves(
                "index-under-landing-pad",
                "int[] x = new int[2]; int a = s.f(1); int k = heavy(n); int q = x[n]; return a + q + k;" + HEAVY);
        moves(
                "null-under-landing-pad",
                "String x = n > 1 ? null : \"abc\"; int a = s.f(1); int k = heavy(n); int q = x.length(); return a + q + k;"
                        + HEAVY);
        moves(
                "throwing-caught",
                "int q = 0; int a = 0; try { a = s.f(1); int k = heavy(n); int r = k / n; q = r + a; } catch (ArithmeticException e) { return \"caught\" + q; } return a + q;"
                        + HEAVY);
        moves(
                "throwing-caught-with-result",
                "try { int a = s.f(1); int k = heavy(n); int r = k / n; return r + a; } catch (RuntimeException e) { return \"caught\" + e.getClass() + e.getMessage(); }"
                        + HEAVY);
        moves(
                "throwing-helper",
                "int a = s.f(1); int k = deep(n); return a + k; }\nprivate static int deep(int x) { int t = 0; for (int i = 0; i < 60; i++) t += 100 / (x - 1 + i * 0); return t;");
        moves(
                "two-pending-and-throw",
                "int a = s.f(1); int q = heavy(n); int b = s.g(heavy(q)); int r = heavy(q) / n; return a + b * 7 + r;"
                        + HEAVY);
        moves(
                "finally-after-throw",
                "StringBuilder l = new StringBuilder(); try { try { int a = s.f(1); int k = heavy(n) / n; l.append(a + k); } finally { l.append(\"f\"); } } catch (RuntimeException e) { return \"caught\" + l + e.getMessage(); } return l.toString();"
                        + HEAVY);
        moves(
                "try-with-resources-then-cpu",
                "StringBuilder l = new StringBuilder(); try (AutoCloseable c = () -> l.append(\"c\")) { int a = s.f(1); int k = heavy(n) / n; l.append(a + k); } catch (RuntimeException e) { return \"caught\" + l + e.getMessage(); } return l.toString();"
                        + HEAVY);
        moves(
                "stack-overflow-beside",
                "int a = s.f(1); try { int b = s.g(2); int k = heavy(n); return a + b + k + down(n); } catch (StackOverflowError e) { return \"caught\" + a; } }\n"
                        + "static int down(int x) { return x > 1 ? 1 + down(x) : x;" + HEAVY);
        same("new-object-under-call", "Svc.Box b = new Svc.Box(s.f(1) + heavy(n)); return b.value();" + HEAVY);
        moves(
                "new-object-around-cpu",
                "Object[] b = {s.f(1), heavy(n)}; Svc.Box c = new Svc.Box(two(s.f(2), heavy(n))); return b[0] + \",\" + b[1] + c.value; }\nstatic int two(int a, int b) { return a * 7 + b;"
                        + HEAVY);
    }

    /** R19, R20. */
    private void handlers() {
        behind(
                "local-seen-by-handler",
                "int st = 0; try { int a = s.f(1); st = heavy(n); int l = LOOK; return l + (a + st) * 0; } catch (RuntimeException e) { return st; }");
        same(
                "local-kept-for-handler",
                "int st = 0; try { int a = s.f(1); st = heavy(n); st += a; } catch (RuntimeException e) { return \"caught\" + st; } return st;"
                        + HEAVY);
        same(
                "result-kept-for-handler",
                "int a = 5; try { a = s.f(1); int k = heavy(n) / n; a += k; } catch (RuntimeException e) { return \"caught\" + a; } return a;"
                        + HEAVY);
        same(
                "result-in-outer-local",
                "int a = 5; int k = 0; try { a = s.f(1); k = heavy(n); } catch (RuntimeException e) { a = -1; } return \"caught\" + a + k;"
                        + HEAVY);
        moves(
                "try-ends-between",
                "int a = 0; int k = 0; try { a = s.f(1); k = heavy(n); } catch (RuntimeException e) { return \"caught\"; } int m = heavy(k); return a + m;"
                        + HEAVY);
        behind(
                "try-begins-between",
                "int a = s.f(1); try { int k = heavy(n); int l = LOOK; return l + (a + k) * 0; } catch (RuntimeException e) { return -1; }");
        behind(
                "monitor-left",
                "Object m = new Object(); int a; synchronized (m) { a = s.f(1); } int k = heavy(n); int l = LOOK; return l + (a + k) * 0;");
        beside(
                "monitor-inside",
                "Object m = new Object(); int a; int l; synchronized (m) { a = s.f(1); int k = heavy(n); l = LOOK; l += (a + k) * 0; } return l;");
        behind(
                "monitor-entered",
                "Object m = new Object(); int a = s.f(1); int l; synchronized (m) { int k = heavy(n); l = LOOK + k * 0; } return l + a * 0;");
    }

    /** R20, R21, R24. */
    private void order() {
        beside(
                "first-slow-second-used-first",
                "int a = s.f(1); int q = heavy(n); int b = s.g(q); int c = b + heavy(b); int l = LOOK; return l + (a + c) * 0;");
        moves(
                "three-pending",
                "int a = s.f(1); int q = heavy(n); int b = s.g(q); int r = heavy(q + 1); int c = s.f(r); return c * 49 + b * 7 + a;"
                        + HEAVY);
        moves(
                "diamond-in-order",
                "int a = s.f(1); int b = s.g(a); int c = s.f(2); int d = s.g(c); return a + b * 3 + c * 5 + d * 7;");
        moves(
                "dependent-pairs",
                "int a = s.f(n); int b = s.g(a); int c = s.f(n + 1); int d = s.g(c); int e = s.f(b); int f = s.f(d); return a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13;");
        moves(
                "slot-used-again",
                "int t = 0; { int a = s.f(1); t += heavy(n); if (t > 500) t += a; } { long b = s.lf(t); int k = heavy(n); t += k + (int) b; } { double a = s.df(2); t += heavy(t); t += (int) a; } return t;"
                        + HEAVY);
        moves(
                "result-overwritten-by-next",
                "int a = s.f(1); int t = heavy(n); if (t > 500) t += a; a = s.g(t); int k = heavy(n) / n; return a + k;"
                        + HEAVY);
        moves(
                "two-services-then-cpu",
                "int a = s.f(1); int b = z.g(2); int k = heavy(n) / (n - 1); return a + b * 3 + k;" + HEAVY);
        same(
                "local-receiver-behind",
                "Local.trace = \"\"; Svc l = new Local(); int a = s.f(1); int q = heavy(n); int b = l.g(q); int c = s.g(q); return a + b + c + Local.trace; }\n"
                        + "static class Local extends LocalSvc { static String trace = \"\"; public int g(int x) { trace += x; return x; }"
                        + HEAVY);
        same(
                "local-receiver-behind-failure",
                "Local.trace = \"\"; Svc l = new Local(); try { int a = s.f(1); int q = heavy(n); int b = l.g(q); int c = s.g(q);\n"
                        + "return a + b + c + Local.trace; } catch (RuntimeException e) { return \"caught \" + e.getMessage() + Local.trace; } }\n"
                        + "static class Local extends LocalSvc { static String trace = \"\"; public int g(int x) { trace += x; return x; }"
                        + HEAVY);
        same(
                "null-receiver-behind",
                "Svc l = n > 1 ? null : s; int a = s.f(1); int q = heavy(n); int b = l.g(q); return a + b;" + HEAVY);
    }
}
