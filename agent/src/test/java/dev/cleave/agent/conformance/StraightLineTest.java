package dev.cleave.agent.conformance;

import dev.cleave.agent.rule.Rule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The straight-line patterns, by their names. */
class StraightLineTest extends ProgramTests {

    private void withMembers(String name, String members, boolean overlaps) {
        conformance.add(name, members);
        test(name, () -> {
            if (overlaps) {
                conformance.overlaps(name);
            } else {
                conformance.check(name);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> patterns() {
        overlaps("pair-independent", "int a = s.f(1); int b = s.f(2); return a + b;");
        overlaps(
                "five-independent",
                "int a = s.f(1); int b = s.g(2); long c = s.lf(3); double d = s.df(4); float e = s.ff(5);\n"
                        + "return a + b + c + d + e;");
        overlaps("two-services", "int a = s.f(1); int b = z.g(2); return a - b;");
        overlaps(
                "pair-same-args-object-immutable",
                "String x = s.s(\"a\" + n); String y = s.s(x(n)); return x + y; }\n"
                        + "private static String x(int n) { return \"k\" + n;");
        overlaps(
                "cpu-args-between",
                "int a = s.f(1); int k = seven(7); int b = s.g(k); return a + b; }\n"
                        + "private static int seven(int x) { return x * x - 42;");
        overlaps(
                "args-of-one-call", "return add(s.f(1), s.f(2)); }\nstatic int add(int a, int b) { return a * 31 + b;");
        overlaps("three-in-expression", "return s.f(1) * 7 + s.g(2) * s.f(3);");
        overlaps("concat", "return \"a\" + s.f(1) + s.g(2);");
        overlaps(
                "all-kinds",
                "return \"\" + s.ok(3) + s.lf(4L) + s.ff(2f) + s.df(5.0) + s.s(\"x\") + s.row(2)[1]\n"
                        + "+ s.both(1, \"b\", 2L, 3.0);");
        overlaps("dependent-chain", "int b = s.g(s.f(n)); return b;");
        sequential("computed-chain", "int b = s.g(s.f(n) * 2); return b;");
        overlaps("diamond", "int a = s.f(n); int b = s.g(a); int c = s.f(a + 1); return s.both(b, \"\" + c, a, 0);");
        overlaps("unused-result", "s.put(1); s.put(2); return 0;");
        overlaps("ignored-results", "s.f(1); s.lf(2); s.df(3); s.s(\"q\"); return 0;");
        withMembers(
                "void-then-field",
                "static boolean done;\npublic static Object run(Svc s, Svc z, int n) {\n"
                        + "done = false; try { s.put(1); done = true; } catch (RuntimeException e) { return \"caught\" + done; }\n"
                        + "return done; }",
                false);
        withMembers(
                "field-store-between",
                "int f; int g;\npublic static Object run(Svc s, Svc z, int n) {\n"
                        + "var p = new PFieldStoreBetween(); try { return p.go(s); } catch (RuntimeException e) { return \"caught\" + p.f + p.g; } }\n"
                        + "int go(Svc s) { int a = s.f(1); this.f = a; int b = s.g(2); this.g = b; return f + g * 100; }",
                true);
        withMembers(
                "field-write-feeds-arg",
                "static Svc.Box box = new Svc.Box(1);\npublic static Object run(Svc s, Svc z, int n) {\n"
                        + "box.value = 1; int a = s.weigh(box); box.value = 2; int b = s.weigh(box); return a * 1000 + b; }",
                false);
        sequential("unknown-call-between", "int a = s.f(1); new Random(n).setSeed(n); int b = s.g(2); return a + b;");
        sequential(
                "file-looked-at-between",
                Rule.R10,
                "java.io.File d = new java.io.File(\"/\"); int a = s.f(1); boolean e = d.exists(); int b = s.g(2); return a + b + (e ? 1 : 0);");
        sequential(
                "helper-that-may-not-return",
                Rule.R11,
                "int a = s.f(1); int k = fall(n); int b = s.g(2); return a + b + k; }\n"
                        + "static int fall(int x) { while (x > 1) x = x % 2 == 0 ? x / 2 : x - 1; return x;");
        overlaps("println-between", "int a = s.f(1); System.out.print(\"\"); int b = s.g(2); return a + b;");
        sequential("t0-between", "int a = s.f(1); int b = s.sync(2); int c = s.g(3); return a + b + c;");
        sequential("plain-between", "int a = s.f(1); int b = s.plain(2); int c = s.g(3); return a + b + c;");
        withMembers(
                "volatile-between",
                "static volatile int v;\npublic static Object run(Svc s, Svc z, int n) {\n"
                        + "int a = s.f(1); v = a; int b = s.g(2); return a + b + v; }",
                false);
        sequential(
                "lock-unlock-between",
                "var l = new java.util.concurrent.locks.ReentrantLock(); int a = s.f(1); l.lock(); l.unlock();\n"
                        + "int b = s.g(2); return a + b;");
        sequential(
                "thread-start-between",
                "int a = s.f(1); var x = new Thread(() -> {}); x.start(); x.join(); int b = s.g(2); return a + b;");
        same("method-ref", "return List.of(1, 2, 3).stream().map(s::f).toList();");
        withMembers(
                "lambda-body",
                "public static Object run(Svc s, Svc z, int n) {\n"
                        + "java.util.function.Supplier<Integer> x = () -> { int a = s.f(n); int b = s.g(n); return a - b; };\n"
                        + "return x.get(); }",
                true);
        overlaps("branch-guard", "int a = s.f(1); int b = 0; if (n > 3) b = s.g(2); return a + b;");
        overlaps(
                "branch-both",
                "int a = s.f(1); int b; if (n > 3) b = s.g(2); else b = s.g(3); int c = s.f(4); return a + b + c;");
        overlaps(
                "switch-guard",
                "int a = s.f(1); int b = switch (n) { case 0 -> s.g(5); case 1 -> 3; case 2 -> s.f(6); default -> s.g(7); };\n"
                        + "return a + b;");
        sequential("branch-on-result", "if (s.ok(n)) s.put(1); return 0;");
        sequential("short-circuit", "return s.ok(n) && s.ok(n + 1);");
        same("ternary", "return n > 2 ? s.f(1) : s.g(1);");
        same("return-call", "return s.f(n);");
        overlaps("checkcast-generic", "String a = (String) s.get(2); String b = (String) s.get(4); return a + b;");
        same("checkcast-fails", "String a = (String) s.get(1); Integer b = (Integer) s.get(2); return a + b;");
        same("unbox", "Integer a = s.f(1); Integer b = s.g(1); return a.equals(b);");
        overlaps(
                "array-argument",
                "int a = s.sumOf(new int[] {1, 2, n}); int b = s.sumOf(new int[] {n}); return a + b;");
        same(
                "array-written-between",
                "int[] x = {1, 2}; int a = s.sumOf(x); x[0] = 9; int b = s.sumOf(x); return a * 100 + b;");
        overlaps(
                "object-argument",
                "int a = s.weigh(new Svc.Box(1)); int b = s.weigh(new Svc.Box(n)); return a * 100 + b;");
        overlaps("array-stores", "int[] r = new int[2]; r[0] = s.f(1); r[1] = s.g(2); return r;");
        overlaps("compound-index", "int[] r = new int[4]; int i = 0; r[i++] = s.f(i); r[i++] = s.f(i); return r;");
        overlaps("new-under-call", "return new StringBuilder(s.s(\"a\")).append(s.s(\"b\")).toString();");
        overlaps("list-of-calls", "List<Object> l = new ArrayList<>(); l.add(s.f(1)); l.add(s.s(\"x\")); return l;");
        overlaps("result-discarded-long", "s.lf(1); long x = s.lf(2); return x;");
        overlaps("division-between", "int a = s.f(1); int q = 10 / n; int b = s.g(q); return a + b;");
        overlaps("read-only-and-pure", "int a = s.read(1); int b = s.pure(2); return a + b;");
        same(
                "local-receivers",
                "Local.trace = \"\"; Svc l = new Local(); int a = l.f(1); int b = s.g(2); int c = l.f(3); return a + b + c + Local.trace; }\n"
                        + "static class Local extends LocalSvc { static String trace = \"\"; public int f(int x) { trace += x; return x; }");
        same(
                "local-receiver-between",
                "int[] k = {2}; L l = new L(); l.k = k; Svc x = l; int a = s.f(1); int c = x.f(a / 2); int b = s.g(k[0]); return a + b * 31 + c; }\n"
                        + "static class L extends LocalSvc { int[] k; public int f(int x) { k[0] += x; return x; }");
        same(
                "local-receiver-in-helper-between",
                "int[] k = {2}; L l = new L(); l.k = k; int a = s.f(1); int c = risky(l, 7); int b = s.g(k[0]); return a + b * 31 + c; }\n"
                        + "static int risky(Svc x, int i) { try { return x.f(i); } catch (RuntimeException e) { return -1; } }\n"
                        + "static class L extends LocalSvc { int[] k; public int f(int x) { k[0] += x; return x; }");
        same(
                "null-receiver",
                "Svc l = n > 3 ? null : s; int a = s.f(1); int b = l.g(2); int c = s.f(3); return a + b + c;");
        same("null-first", "Svc l = n > 3 ? null : s; int a = l.f(1); int b = s.g(2); return a + b;");
        same(
                "iterator-arguments",
                "Iterator<Integer> it = List.of(1, 2, 3).iterator(); int a = s.f(1); int b = s.f(it.next()); int c = s.g(it.next()); return a + b * 7 + c;");
        overlaps("more-than-leader", "int a = s.f(1); int b = s.f(a); int c = s.g(2); return a + b * 7 + c * 3;");
        exceptions();
        return tests();
    }

    private void exceptions() {
        same(
                "argument-made-from-result",
                "Svc.Box b = new Svc.Box(s.f(n)); int c = s.weigh(b); int d = s.g(1); return c + d;");
        same(
                "argument-made-around-a-call",
                "StringBuilder b = new StringBuilder(s.s(\"x\")); String c = s.s(b.toString()); return c + s.s(\"y\");");
        overlaps("first-fails", "int a = s.f(1); int b = s.f(2); int c = s.f(3); return a + b + c;");
        same(
                "try-catch-one",
                "int a = 0; try { a = s.f(1); } catch (RuntimeException e) { a = -1; } return \"caught\" + a;");
        overlaps(
                "try-two-in-one",
                "int st = 0; int a = 0; int b = 0; try { a = s.f(1); st = 1; b = s.g(2); st = 2; }\n"
                        + "catch (RuntimeException e) { return \"caught\" + st + a + b + e.getMessage(); } return st + a + b;");
        same(
                "try-catch-then-call",
                "int a; try { a = s.f(1); } catch (RuntimeException e) { a = 0; } int b = s.g(2); return \"caught\" + a + b;");
        overlaps(
                "finally-side-effect",
                "StringBuilder l = new StringBuilder(); try { try { int a = s.f(1); l.append(a); int b = s.g(2); l.append(b); }\n"
                        + "finally { l.append(\"f\"); } } catch (RuntimeException e) { return \"caught\" + l; } return l.toString();");
        overlaps(
                "nested-try-different-types",
                "String r = \"\"; try { try { s.checked(1); s.put(2); } catch (Svc.Failure e) { r += \"inner\" + e.getMessage(); } }\n"
                        + "catch (RuntimeException e) { r += \"outer\" + e.getMessage(); } return \"caught\" + r;");
        same("checked-exception-declared", "s.checked(1); s.checked(2); return 0;");
        same(
                "rethrow-wrap",
                "try { return s.f(1) + s.f(2); } catch (RuntimeException e) { throw new IllegalStateException(\"w\", e); }");
        same(
                "catch-and-retry-loop",
                "int k = 0; for (;;) { try { return s.f(k); } catch (RuntimeException e) { if (++k > 2) throw e; } }");
        overlaps(
                "synchronized-block",
                "Object m = new Object(); int a; int b; synchronized (m) { a = s.f(1); b = s.g(2); } return a + b;");
        overlaps(
                "try-leader-outside",
                "int a = s.f(1); try { return a + s.g(2); } catch (RuntimeException e) { return \"caught\" + a; }");
        overlaps(
                "local-throw-between",
                "int[] x = new int[3]; int a = s.f(1); x[n] = a; int b = s.g(2); return x[0] + b;");
        overlaps(
                "try-with-resources",
                "StringBuilder l = new StringBuilder(); try (AutoCloseable c = () -> l.append(\"c\")) { int a = s.f(1); int b = s.g(2);\n"
                        + "l.append(a + b); } catch (RuntimeException e) { return \"caught\" + l; } return l.toString();");
    }

    /** The handler goes on to the second call: that must not have been made before. */
    @Test
    void handlersThatGoOnComeToACallThatWasNotMade() {
        add("handler-goes-on", "int a; try { a = s.f(1); } catch (RuntimeException e) { a = 0; } return a + s.g(2);");

        conformance.executesTheSame("handler-goes-on");
    }
}
