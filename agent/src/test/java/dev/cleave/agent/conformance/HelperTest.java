package dev.cleave.agent.conformance;

import dev.cleave.agent.rule.Rule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Calls in helpers (R68): what a caller may send ahead through them, and what it may not. */
@Tag("one-jdk")
class HelperTest extends ProgramTests {

    private static final String RUN = "public static Object run(Svc s, Svc z, int n) throws Exception {\n";
    private static final String SUM =
            RUN + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(s, i); return t; }\n";
    private static final String SCORE = "private static int score(Svc s, int x) ";
    private static final String OBJECT =
            "Svc s; int f = 3; int[] keys = {4, 5, 6}; StringBuilder log = new StringBuilder();\n"
                    + "public static Object run(Svc s, Svc z, int n) throws Exception { @@ o = new @@(); o.s = s; o.f = n; Object r;\n"
                    + "try { r = o.go(n); } catch (RuntimeException e) { r = \"caught \" + e; } return r + \" \" + o.log + o.f; }\n"
                    + "Object go(int n) throws Exception {\n";

    @Override
    void add(String name, String members) {
        conformance.add(name, members.replace("@@", Conformance.className(name)));
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        loops();
        lines();
        helpers();
        exceptions();
        several();
        refused();
        severalWithMovedAwaits();
        askedInVain();
        same("none", RUN + "return 0; }");
        return tests();
    }

    /** Helpers with several calls that are split for callers who hand nothing over, too. */
    private void severalWithMovedAwaits() {
        String heavy =
                " static int heavy(int x) { int h = x; for (int i = 0; i < 300; i++) h = h * 31 + i; return h % 50; }";
        String[] bodies = {
            "int a = s.f(1); int[] y = new int[] {x, 2}; int b = s.sumOf(y); y[0] = heavy(x); int c = s.sumOf(y); return a + b * 100 + c;",
            "int a = s.f(x); int b = s.g(x + 1); int k = heavy(x); int c = s.f(k); return a + b * 100 + c;",
            "int a = s.f(x); int k = heavy(x); int b = s.g(x + 1); return a + b * 100 + k;",
            "int a = s.f(x); int b = s.g(x); int k = heavy(x); if (k > 0) a += 1; return a + b * 100 + k;",
            "int a = s.f(1); int q = heavy(x) / x; int b = s.g(q); return a + b * 7;",
            "int a = s.f(x); int q = heavy(x) / x; int b = s.g(q); int c = s.f(a); return a + b * 7 + c;",
            "int[] y = new int[] {x, 2}; int a = s.sumOf(y); y[0] = heavy(x); int b = s.sumOf(y); return a * 100 + b;",
        };
        for (int i = 0; i < bodies.length; i++) {
            same("moved-awaits-loop-" + i, SUM + SCORE + "{ " + bodies[i] + " }" + heavy);
            same(
                    "moved-awaits-line-" + i,
                    RUN + "return score(s, 1) + score(s, 2) * 7; }\n" + SCORE + "{ " + bodies[i] + " }" + heavy);
            same(
                    "moved-awaits-both-" + i,
                    RUN + "int t = 0; for (int i = 1; i <= n; i++) t = t * 3 + score(s, i); return t + score(s, 0); }\n"
                            + SCORE + "{ " + bodies[i] + " }" + heavy);
            same(
                    "moved-awaits-once-" + i,
                    RUN + "int a = s.f(3); int b = score(s, 1); return a + b; }\n" + SCORE + "{ " + bodies[i] + " }"
                            + heavy);
        }
    }

    /** A method that is left before it calls a helper, which could not be entered when it was asked, leaves no wish to it. */
    private void askedInVain() {
        same(
                "null-receiver-behind-a-failure",
                RUN
                        + "try { return both(s, n % 2 == 0 ? new @@() : null, n); } catch (RuntimeException e) { return \"caught \" + lone(s, n); } }\n"
                        + "private static int both(Svc s, @@ o, int n) { int a = s.f(n); int b = o.score(s, n); return a * 3 + b; }\n"
                        + "private static int lone(Svc s, int n) { return new @@().score(s, n + 1); }\n"
                        + "private int score(Svc s, int x) { return s.g(x) * 2 + 1; }");
        same(
                "null-receiver-behind-a-failure-in-a-loop",
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) { try { t = t * 3 + both(s, i % 2 == 0 ? new @@() : null, i); } catch (RuntimeException e) { t += 1; } t += new @@().score(s, i); } return \"caught \" + t; }\n"
                        + "private static int both(Svc s, @@ o, int n) { int a = s.f(n); int b = o.score(s, n); return a * 3 + b; }\n"
                        + "private int score(Svc s, int x) { return s.g(x) * 2 + 1; }");
    }

    private void loops() {
        overlaps("loop", SUM + SCORE + "{ return s.f(x) * 2; }");
        overlaps(
                "loop-strings",
                RUN + "List<String> q = new ArrayList<>(); for (int i = 0; i < n; i++) q.add(\"q\" + i);\n"
                        + "String t = \"\"; for (String x : q) t += score(s, x); return t; }\n"
                        + "private static String score(Svc s, String x) { return s.s(x + \"!\").trim(); }");
        overlaps(
                "loop-void",
                RUN + "for (int i = 0; i < n; i++) put(s, i); return 0; }\n"
                        + "private static void put(Svc s, int x) { s.put(x * 2); }");
        overlaps(
                "loop-unused-result",
                RUN + "for (int i = 0; i < n; i++) score(s, i); return 0; }\n" + SCORE + "{ return s.f(x); }");
        overlaps(
                "loop-long",
                RUN + "long t = 0; for (int i = 0; i < n; i++) t += score(s, i); return t; }\n"
                        + "private static long score(Svc s, long x) { return s.lf(x + 1L) * 2L; }");
        overlaps(
                "loop-double",
                RUN + "double t = 0; for (int i = 0; i < n; i++) t = t * 1.1 + score(s, i); return t; }\n"
                        + "private static double score(Svc s, double x) { return s.df(x) / 2; }");
        overlaps(
                "loop-object",
                RUN
                        + "List<Object> t = new ArrayList<>(); for (int i = 0; i < n; i++) t.add(score(s, i)); return t; }\n"
                        + "private static Object score(Svc s, int x) { return s.get(x); }");
        overlaps(
                "loop-field",
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "private int score(int x) { return s.f(x + f) * 2; }");
        overlaps(
                "loop-array-of-fields",
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "private int score(int x) { return s.f(keys[x % 3]) * 2; }");
        overlaps(
                "loop-final",
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "final int score(int x) { return s.f(x); }");
        overlaps(
                "loop-two-calls-of-one-helper",
                RUN + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(s, i) * score(s, i + 7); return t; }\n"
                        + SCORE + "{ return s.f(x) + 1; }");
        overlaps(
                "loop-helper-and-call",
                RUN + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(s, i) * s.g(i); return t; }\n" + SCORE
                        + "{ return s.f(x) + 1; }");
        overlaps(
                "loop-two-helpers",
                RUN + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(s, i) * other(z, i); return t; }\n"
                        + SCORE
                        + "{ return s.f(x) + 1; }\nstatic int other(Svc s, int x) { int k = x * 5; return s.g(k); }");
        overlaps(
                "loop-conditional",
                RUN + "int t = 0; for (int i = 0; i < n; i++) if (i % 3 != 1) t = t * 3 + score(s, i); return t; }\n"
                        + SCORE + "{ return s.f(x) + 1; }");
        overlaps(
                "loop-array-argument",
                RUN
                        + "int t = 0; int[] g = {1, 2, 3}; for (int i = 0; i < n; i++) t = t * 3 + score(s, i, g); return t; }\n"
                        + "private static int score(Svc s, int x, int[] g) { return s.sumOf(g) + x; }");
        overlaps(
                "loop-own-argument",
                RUN + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(s, i); return t; }\n" + SCORE
                        + "{ int[] g = new int[2]; g[0] = x; g[1] = 7; return s.sumOf(g); }");
        overlaps(
                "loop-with-println",
                RUN + "for (int i = 0; i < n; i++) System.out.print(score(s, i) < 0 ? \"!\" : \"\"); return 0; }\n"
                        + SCORE + "{ return s.f(x); }");
    }

    private void lines() {
        overlaps("pair", RUN + "return score(s, n) + score(s, n + 1); }\n" + SCORE + "{ return s.f(x) * 2; }");
        overlaps(
                "pair-of-helper-and-call",
                RUN + "int a = score(s, n); int b = s.g(n); return a + \" \" + b; }\n" + SCORE
                        + "{ return s.f(x) * 2; }");
        overlaps(
                "pair-of-call-and-helper",
                RUN + "int a = s.g(n); int b = score(s, n); return a + \" \" + b; }\n" + SCORE
                        + "{ return s.f(x) * 2; }");
        overlaps(
                "five",
                RUN
                        + "int a = score(s, 1); int b = score(s, 2); int c = s.g(3); int d = score(z, 4); int e = z.g(5); return a + b * 3 + c * 7 + d * 11 + e; }\n"
                        + SCORE + "{ return s.f(x) * 2; }");
        overlaps(
                "pair-in-try",
                RUN
                        + "int k = 0; try { k = score(s, n); k += score(s, n + 1); } catch (RuntimeException e) { return \"caught \" + e.getMessage() + k; } return k; }\n"
                        + SCORE + "{ return s.f(x) * 2; }");
        overlaps(
                "lambda",
                RUN + "java.util.function.IntSupplier u = () -> score(s, n) + score(z, n + 1); return u.getAsInt(); }\n"
                        + SCORE + "{ return s.f(x) * 2; }");
    }

    private void helpers() {
        overlaps(
                "nested",
                SUM + SCORE
                        + "{ return inner(s, x + 1) * 2; }\nprivate static int inner(Svc s, int x) { return s.f(x * 2) + 1; }");
        overlaps(
                "nested-four",
                SUM + SCORE
                        + "{ return b(s, x + 1) * 2; }\nprivate static int b(Svc s, int x) { return c(s, x) + 1; }\n"
                        + "private static int c(Svc s, int x) { return d(s, x - 1); }\nprivate static int d(Svc s, int x) { return s.f(x) / 2; }");
        overlaps("branches", SUM + SCORE + "{ if (x % 2 == 0) return s.f(x) + 1; return s.g(x) - 1; }");
        overlaps("sometimes-no-call", SUM + SCORE + "{ if (x % 3 == 0) return -x; return s.f(x) + 1; }");
        overlaps("never-a-call-first", SUM + SCORE + "{ if (x < 3) return -x; return s.f(x) + 1; }");
        overlaps("ternary", SUM + SCORE + "{ return x % 4 == 0 ? 5 : s.f(x); }");
        overlaps(
                "loop-before-the-call",
                SUM + SCORE + "{ int k = 0; for (int j = 0; j < x % 5; j++) k += j; return s.f(k + x); }");
        overlaps(
                "loop-behind-the-call",
                SUM + SCORE + "{ int v = s.f(x); int k = 0; for (int j = 0; j < 3; j++) k = k * 3 + v; return k; }");
        overlaps(
                "try-behind-the-call",
                SUM + SCORE
                        + "{ int v = s.f(x); try { return 100 / (v % 3); } catch (ArithmeticException e) { return -1; } }");
        overlaps(
                "pure-helper-inside",
                SUM + SCORE + "{ return mix(s.f(mix(x))); }\nprivate static int mix(int x) { return x * 31 + 7; }");
        overlaps(
                "writes-apart",
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "private int score(int x) { int v = s.f(x); f = f * 3 + v; return v; }");
        overlaps(
                "writes-before-the-call",
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "private int score(int x) { f = f * 3 + x; return s.f(x); }");
        overlaps(
                "log-behind-the-call",
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "private int score(int x) { int v = s.f(x); log.append(v).append(' '); return v; }");
        overlaps(
                "log-before-the-call",
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "private int score(int x) { log.append(x).append(' '); return s.f(x); }");
        overlaps(
                "println-inside",
                SUM + SCORE + "{ System.out.print(\"\"); int v = s.f(x); System.out.print(\"\"); return v; }");
        overlaps(
                "list-of-the-slice",
                OBJECT.replace("int f = 3;", "int f = 3; List<Integer> list = new ArrayList<>(List.of(1, 2, 3));")
                        + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "private int score(int x) { return s.f(list.get(x % 3)); }");
        overlaps(
                "called-from-two-loops",
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(s, i); for (int i = n; i > 0; i--) t = t * 3 + score(z, i); return t; }\n"
                        + SCORE + "{ return s.f(x) + 1; }");
        overlaps(
                "called-by-others-meanwhile",
                RUN
                        + "int t = score(s, -1); for (int i = 0; i < n; i++) { t = t * 3 + score(s, i); } Runnable r = () -> score(s, -2); r.run(); return t + score(s, -3); }\n"
                        + SCORE + "{ return s.f(x) + 1; }");
        overlaps(
                "recursive-caller",
                RUN
                        + "return go(s, 3, n); }\nprivate static int go(Svc s, int depth, int n) { int t = 0; for (int i = 0; i < n / 5; i++) t = t * 3 + score(s, i); for (int i = 0; i < 2; i++) { if (depth > 0) t += go(s, depth - 1, n); } return t + score(s, 5) * score(s, 6); }\n"
                        + SCORE + "{ return s.f(x) + 1; }");
    }

    private void exceptions() {
        overlaps("throws-before", SUM + SCORE + "{ int k = 100 / (x - 4); return s.f(k); }");
        overlaps("throws-after", SUM + SCORE + "{ int v = s.f(x); return 100 / (x - 4) + v; }");
        overlaps(
                "throws-either-way",
                SUM + SCORE
                        + "{ if (x == 12) throw new IllegalStateException(\"twelve\"); int v = s.f(x); if (x == 14) throw new IllegalStateException(\"fourteen\"); return v; }");
        overlaps(
                "checked",
                RUN
                        + "int k = 0; for (int i = 0; i < n; i++) try { k++; check(s, i); } catch (Svc.Failure e) { k += 100; } return k; }\n"
                        + "private static void check(Svc s, int x) throws Svc.Failure { s.checked(x); }");
        overlaps(
                "caught-by-the-caller",
                RUN
                        + "int k = 0; for (int i = 0; i < n; i++) try { k = k * 3 + score(s, i); } catch (RuntimeException e) { k += 5; } return k; }\n"
                        + SCORE
                        + "{ if (x == 3) throw new IllegalStateException(\"three\"); return s.f(x) + 100 / (x - 2); }");
        overlaps(
                "finally-of-the-caller",
                OBJECT
                        + "int t = 0; try { for (int i = 0; i < n; i++) t = t * 3 + score(i); } finally { log.append(\"done\").append(t); } return t; }\n"
                        + "private int score(int x) { return s.f(x) + keys[x]; }");
        same(
                "null-object",
                RUN
                        + "@@ o = n > 1 ? null : new @@(); int k = 0; try { for (int i = 0; i < n; i++) k += o.score(s, i); } catch (NullPointerException e) { return \"caught\" + k; } return k + (n == 2 ? 0 : new @@().score(s, 1)); }\n"
                        + "private int score(Svc s, int x) { return s.f(x); }");
        same(
                "null-service",
                RUN + "Svc u = n > 2 ? null : s; int k = 0; for (int i = 0; i < n; i++) k += score(u, i); return k; }\n"
                        + SCORE + "{ return s.f(x); }");
        same(
                "local-service",
                RUN
                        + "Svc u = new LocalSvc() { int c; public int f(int x) { c++; return c * x; } }; int k = 0; for (int i = 0; i < n; i++) k = k * 3 + score(i % 4 == 3 ? u : s, i); return k; }\n"
                        + SCORE + "{ return s.f(x); }");
        same(
                "stack-full",
                RUN + "return deep(s, 0) > 100 ? score(s, n) + score(s, n + 1) : 0; }\n"
                        + "private static int deep(Svc s, int d) { try { return deep(s, d + 1); } catch (StackOverflowError e) { return d; } }\n"
                        + SCORE + "{ return s.f(x); }");
    }

    private void takes(String name, int atMost, String members) {
        add(name, members);
        test(name, () -> conformance.takes(name, 200, atMost));
    }

    private void several() {
        takes("takes-few-of-one", 12, SUM + SCORE + "{ return s.f(x) * 2; }");
        takes("takes-few-of-two", 20, SUM + SCORE + "{ return s.f(x) * 2 + s.g(x); }");
        overlaps("two-in-a-row", SUM + SCORE + "{ return s.f(x) + s.g(x); }");
        overlaps(
                "three-in-a-row",
                SUM + SCORE
                        + "{ int a = s.f(x); int b = s.g(x + 3); String c = s.s(\"c\" + x); return a - b + c.length(); }");
        overlaps(
                "two-of-two-services",
                RUN + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(s, z, i); return t; }\n"
                        + "private static int score(Svc s, Svc z, int x) { return s.f(x) * 3 + z.f(x + 1); }");
        overlaps("two-or-none", SUM + SCORE + "{ if (x % 3 == 0) return -x; return s.f(x) + s.g(x); }");
        overlaps("one-or-two", SUM + SCORE + "{ int a = s.f(x); if (x % 3 == 0) return a; return a + s.g(x); }");
        overlaps(
                "two-or-another",
                SUM + SCORE + "{ int a = x % 3 == 0 ? s.w(x) : s.f(x) * s.g(x); return a + s.g(x + 9); }");
        overlaps("throws-between", SUM + SCORE + "{ int a = s.f(x); int k = 100 / (x - 4); return a + s.g(k); }");
        overlaps(
                "throws-between-apart",
                SUM + SCORE + "{ int a = s.f(x); int k = 100 / (x - 4); return a + s.g(x) + k; }");
        overlaps(
                "void-in-a-row",
                RUN + "for (int i = 0; i < n; i++) put(s, i); return 0; }\n"
                        + "private static void put(Svc s, int x) { s.put(x * 2); s.put(x * 2 + 1); }");
        overlaps(
                "several-and-log",
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "private int score(int x) { int v = s.f(x); log.append(v).append(' '); int w = s.g(x); log.append(w); return v - w; }");
        overlaps(
                "several-and-alone",
                RUN
                        + "int t = score(s, -1); for (int i = 0; i < n; i++) t = t * 3 + score(s, i); Runnable r = () -> score(s, -2); r.run(); return t + score(s, -3) * score(z, -4); }\n"
                        + SCORE + "{ return s.f(x) + s.g(x) * s.f(x + 1); }");
        overlaps(
                "several-in-pairs",
                RUN + "return score(s, n) + score(s, n + 1); }\n" + SCORE + "{ return s.f(x) * 2 + s.g(x); }");
        overlaps(
                "several-and-cpu",
                SUM + SCORE
                        + "{ int v = s.f(x); int k = 0; for (int j = 0; j < 200; j++) k = k * 31 + j; int w = s.g(x + 1); for (int j = 0; j < 200; j++) k = k * 31 + j; return v + k + w; }");
        overlaps(
                "one-and-cpu",
                SUM.replace("return t;", "return t + score(s, 4);") + SCORE
                        + "{ int v = s.f(x); int k = 0; for (int j = 0; j < 200; j++) k = k * 31 + j; return v + k; }");
        overlaps(
                "several-nested",
                SUM + SCORE
                        + "{ return inner(s, x + 1) * 2; }\nprivate static int inner(Svc s, int x) { return s.f(x * 2) + s.g(x); }");
        overlaps(
                "several-read-and-change",
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + score(s, i); } Object o = new Object(); for (int i = 0; i < n; i++) { t += o.hashCode() == 77 ? 1 : score(s, i); } return t; }\n"
                        + SCORE + "{ return s.f(x) + s.pure(x) * s.pure(x + 1); }");
        same(
                "several-one-local",
                RUN
                        + "Svc u = new LocalSvc() { int c; public int g(int x) { c++; return c * x; } }; int k = 0; for (int i = 0; i < n; i++) k = k * 3 + score(s, i % 4 == 3 ? u : z, i); return k; }\n"
                        + "private static int score(Svc s, Svc z, int x) { return s.f(x) - z.g(x); }");
        same(
                "several-null",
                RUN
                        + "Svc u = n > 2 ? null : s; int k = 0; for (int i = 0; i < n; i++) k += score(s, u, i); return k; }\n"
                        + "private static int score(Svc s, Svc z, int x) { return s.f(x) - z.g(x); }");
        overlaps(
                "several-caught-by-the-caller",
                RUN
                        + "int k = 0; for (int i = 0; i < n; i++) try { k = k * 3 + score(s, i); } catch (RuntimeException e) { k += 5; } return \"caught\" + k; }\n"
                        + SCORE
                        + "{ if (x == 3) throw new IllegalStateException(\"three\"); return s.f(x) + 100 / (x - 2) + s.g(x); }");
        same(
                "helper-beside-a-call",
                SUM + SCORE
                        + "{ return inner(s, x) + s.g(x); }\nprivate static int inner(Svc s, int x) { return s.f(x * 2); }");
        same(
                "write-between-several",
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "private int score(int x) { int v = s.f(x); f = v % 7; return v + s.g(f); }");
    }

    private void refused() {
        overlaps(
                "virtual",
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "int score(int x) { return s.f(x); }");
        overlaps(
                "virtual-nested",
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "int score(int x) { return inner(x + 1) - 1; } public int inner(int x) { return s.f(x); }");
        overlaps(
                "virtual-pair",
                OBJECT + "return score(n) + \" \" + score(n + 1); }\nint score(int x) { return s.f(x); }");
        same(
                "virtual-overridden",
                OBJECT.replace("@@ o = new @@();", "@@ o = new Sub();")
                        + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t + score(n) * score(n + 1); }\n"
                        + "int score(int x) { return s.f(x); }\n"
                        + "static class Sub extends @@ { int score(int x) { f = f * 3 + x; log.append(f); return x % 3 == 0 ? f : super.score(x); } }");
        same(
                "virtual-now-and-then",
                OBJECT.replace("@@ o = new @@();", "@@ o = n % 2 == 0 ? new Sub() : new @@();")
                        + "int t = 0; @@[] all = {this, new @@(), new Sub()}; for (@@ o : all) { o.s = s; o.log = log; }\n"
                        + "for (int i = 0; i < n; i++) t = t * 3 + all[i % 3].score(i) + score(i); return t; }\n"
                        + "int score(int x) { return inner(x); } int inner(int x) { return s.f(x); }\n"
                        + "static class Sub extends @@ { int inner(int x) { f = f * 3 + x; log.append(f); return super.inner(f); } }");
        same(
                "virtual-null",
                OBJECT
                        + "int t = 0; @@ o = n > 2 ? null : this; try { for (int i = 0; i < n; i++) { t = t * 3 + s.g(i); t += o.score(i); } } catch (NullPointerException e) { return \"caught\" + t; } return t; }\n"
                        + "int score(int x) { return s.f(x); }");
        same(
                "virtual-of-an-abstract-class",
                RUN + "return new Sub().go(s, n); }\n"
                        + "static class Sub extends Base { } static abstract class Base { int go(Svc s, int n) { int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(s, i); return t; }\n"
                        + "int score(Svc s, int x) { return s.f(x); } }");
        sequential(
                "synchronized",
                Rule.R68,
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "private synchronized int score(int x) { return s.f(x); }");
        sequential(
                "monitor",
                Rule.R68,
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "private int score(int x) { synchronized (this) { return s.f(x); } }");
        sequential(
                "loop-that-may-not-end",
                Rule.R68,
                SUM + SCORE + "{ int k = x; while (k > 0) k = k % 2 == 0 ? k / 2 : k - 1; return s.f(x + k); }");
        sequential(
                "monitor-behind",
                Rule.R10,
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "private int score(int x) { int v = s.f(x); synchronized (this) { f++; } return v; }");
        overlaps("handler", SUM + SCORE + "{ try { return s.f(x); } catch (RuntimeException e) { return -1; } }");
        overlaps(
                "handler-before",
                SUM + SCORE
                        + "{ int k = x; try { k = 100 / (x - 2); } catch (ArithmeticException e) { k = 5; } return s.f(k); }");
        overlaps(
                "finally-inside",
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "private int score(int x) { try { return s.f(x); } finally { f++; } }");
        overlaps("two-calls", SUM + SCORE + "{ int a = s.f(x); if (a > 5) a += s.g(a); return a; }");
        overlaps(
                "call-in-a-loop",
                SUM + SCORE + "{ int a = 0; for (int j = 0; j < 2; j++) { a = s.f(a) + 1; } return a; }");
        same("recursive", SUM + SCORE + "{ return x > 5 ? score(s, x - 5) : s.f(x); }");
        sequential(
                "mutually-recursive",
                Rule.R72,
                SUM + SCORE
                        + "{ return x > 5 ? other(s, x - 5) : 1; }\nprivate static int other(Svc s, int x) { return x > 9 ? score(s, x) : s.f(x); }");
        sequential(
                "nested-five",
                Rule.R68,
                SUM + SCORE
                        + "{ return b(s, x + 1) * 2; }\nprivate static int b(Svc s, int x) { return c(s, x) + 1; }\n"
                        + "private static int c(Svc s, int x) { return d(s, x - 1); }\nprivate static int d(Svc s, int x) { return e(s, x) / 2; }\nprivate static int e(Svc s, int x) { return s.f(x); }");
        sequential(
                "unknown-call-behind",
                Rule.R43,
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "Object o = new Object() { public String toString() { return \"o\" + f; } }; private int score(int x) { int v = s.f(x); log.append(o.toString()); return v; }");
        sequential("time-behind", Rule.R10, SUM + SCORE + "{ int v = s.f(x); return System.nanoTime() == 0 ? 1 : v; }");
        sequential("sync-call-behind", Rule.R10, SUM + SCORE + "{ int v = s.f(x); return v + s.sync(x); }");
        sequential(
                "feeds-the-argument",
                Rule.R33,
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "private int score(int x) { int v = s.f(x + f); f = v % 5; return v; }");
        sequential(
                "feeds-the-argument-of-itself",
                Rule.R33,
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "private int score(int x) { f = f + x; return s.f(f); }");
        sequential(
                "counts",
                Rule.R33,
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n"
                        + "private int score(int x) { return s.f(f++); }");
        sequential(
                "caller-changes-what-it-reads",
                Rule.R33,
                OBJECT + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + score(i); f = t % 3; } return t; }\n"
                        + "private int score(int x) { return s.f(x + f); }");
        sequential(
                "caller-changes-the-argument",
                Rule.R33,
                RUN
                        + "int t = 0; int[] g = {1, 2}; for (int i = 0; i < n; i++) { t = t * 3 + score(s, g); g[0] = t % 3; } return t; }\n"
                        + "private static int score(Svc s, int[] g) { return s.sumOf(g); }");
        sequential(
                "depends-on-its-result",
                Rule.R30,
                RUN + "int t = 0; for (int i = 0; i < n; i++) t = score(s, t % 7); return t; }\n" + SCORE
                        + "{ return s.f(x); }");
        sequential(
                "exit-by-its-result",
                Rule.R37,
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + score(s, i); if (t % 5 == 4) break; } return t; }\n"
                        + SCORE + "{ return s.f(x); }");
        overlaps(
                "iterator",
                RUN
                        + "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i); int t = 0; Iterator<Integer> it = xs.iterator(); for (int i = 0; i < n; i++) t = t * 3 + score(s, it); return t; }\n"
                        + "private static int score(Svc s, Iterator<Integer> it) { return s.f(it.next()); }");
        sequential("no-style", Rule.R10, SUM + SCORE + "{ return s.plain(x); }");
        sequential(
                "changes-what-was-tested",
                Rule.R43,
                OBJECT.replace("int f = 3;", "int f = 3; List<Integer> list = new ArrayList<>();")
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + score(i); list.add(t); } return t; }\n"
                        + "private int score(int x) { int v = s.f(x); if (x == 3) list = new ArrayList<>() {\n"
                        + "public boolean add(Integer e) { s.sync(e); return true; } }; return v; }");
        sequential(
                "leader-feeds-the-next",
                Rule.R33,
                OBJECT + "return score(n) + \" \" + s.g(f); }\n"
                        + "private int score(int x) { f = x * 2; return s.f(x); }");
    }
}
