package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Groups A and B: what straight-line calls may cross and what they may not. */
class BarrierTest extends ProgramTests {

    private static final String HEAVY =
            "}\nprivate static int heavy(int x) { int t = x; for (int i = 0; i < 50; i++) t = t * 31 + i; return t & 1023; ";

    @TestFactory
    Stream<DynamicTest> patterns() {
        notRewritten();
        context();
        barriers();
        failures();
        return tests();
    }

    /** R2. */
    private void notRewritten() {
        same(
                "reflection",
                "var m = Svc.class.getMethod(\"f\", int.class); try { return (int) m.invoke(s, 1) + (int) m.invoke(s, n); }\n"
                        + "catch (java.lang.reflect.InvocationTargetException e) { return \"caught\" + e.getCause().getMessage(); }");
        same(
                "method-handle",
                "try { var h = java.lang.invoke.MethodHandles.lookup().findVirtual(Svc.class, \"f\", java.lang.invoke.MethodType.methodType(int.class, int.class));\n"
                        + "return (int) h.invokeExact(s, 1) + (int) h.invokeExact(s, n); } catch (RuntimeException e) { return \"caught\" + e.getMessage(); } catch (Throwable t) { throw new AssertionError(t); }");
    }

    /** R7. */
    private void context() {
        String local = "}\nstatic final ThreadLocal<Integer> local = new ThreadLocal<>(); static {";
        sequential(
                "thread-local-between",
                "int a = s.f(1); local.set(n); int b = s.g(2); local.remove(); return a + b; " + local);
        overlaps(
                "thread-local-behind",
                "int a = s.f(1); int b = s.g(2); local.set(n); local.remove(); return a + b; " + local);
        sequential(
                "context-class-loader-between",
                "int a = s.f(1); Thread.currentThread().setContextClassLoader(null); int b = s.g(2); return a + b;");
    }

    /** R4, R9, R10, R13, R14, R15, R26. */
    private void barriers() {
        overlaps(
                "pure-jdk-between",
                "int a = s.f(1); int k = Math.max(n, Integer.parseInt(\"7\")) + \"abc\".indexOf('c'); int b = s.g(k); return a + b;");
        sequential(
                "file-then-call",
                "int a = s.f(1); boolean e = java.nio.file.Files.exists(java.nio.file.Path.of(\"/\")); int b = s.g(2); return a + b + (e ? 1 : 0);");
        sequential(
                "call-before-monitor",
                "Object m = new Object(); int a = s.f(1); int b; synchronized (m) { b = s.g(2); } return a + b;");
        overlaps(
                "synchronized-method",
                "return both(s, n); }\nprivate static synchronized int both(Svc s, int n) { int a = s.f(n); int b = s.g(n); return a * 7 + b;");
        same(
                "array-written-beside-pending",
                "int[] x = new int[] {n, 2}; int a = s.sumOf(x); int k = heavy(n); x[0] = k; int b = s.sumOf(x); return a * 100 + b;"
                        + HEAVY);
        same(
                "array-made-and-written-beside-pending",
                "int a = s.f(1); int[] x = new int[] {n, 2}; int b = s.sumOf(x); x[0] = heavy(n); int c = s.sumOf(x); return a + b * 100 + c;"
                        + HEAVY);
        overlaps(
                "field-accumulator",
                "t = 0; t += s.f(1); t += s.g(2); t += s.f(n); return t; }\nstatic int t; static { t = 0;");
        overlaps(
                "harmless-initialiser-between",
                "int a = s.f(1); int k = Plain.x; int b = s.g(k + n); return a + b; }\nstatic class Plain { static int x = 5;");
        sequential("group-order-behind-dependent", "int a = s.kept(n); int b = s.kept(a); return a + b;");
        same(
                "group-order-over-other",
                "Svc.Box x = new Svc.Box(n); int a = s.f(1); x.value = a; int b = s.kept(x.value); int c = s.kept(2); return a + b * 3 + c * 5;");
    }

    /** R6, R21: lines, messages, which failure. */
    private void failures() {
        same(
                "failure-lines",
                "int a = s.f(1);\nint k = heavy(n);\nint b = s.g(k);\nint l = heavy(b) / n;\nint c =\n  s.f(\n    l);\nreturn a\n + b\n + c;"
                        + HEAVY);
        same(
                "failure-lines-several-on-one",
                "int r = s.f(1) + heavy(n)\n + s.g(2) * heavy(n + 1)\n / n + s.f(3); return r;" + HEAVY);
        same(
                "cast-fails-late",
                "Integer a = (Integer) s.get(n);\nint k = heavy(n);\nString b = (String) s.get(k & 1);\nint l = heavy(k);\nreturn a + b + l;"
                        + HEAVY);
        same(
                "cast-and-call-fail",
                "String a = (String) s.get(1); int k = heavy(n); int b = s.g(k); return a + b;" + HEAVY);
        same(
                "checked-between",
                "String r = \"\"; try { s.checked(1); int k = heavy(n) / n; s.checked(k); r += k; } catch (Svc.Failure e) { r += \"caught\" + e.getMessage(); } return r;"
                        + HEAVY);
        same(
                "nested-tries",
                "String r = \"\"; try { int a = s.f(1); try { int b = s.g(2); int k = heavy(n) / n; r += a + b + k; } catch (ArithmeticException e) { r += \"caught\" + a; } finally { r += s.f(3); } } catch (RuntimeException e) { r += \"caughtouter\" + e.getMessage(); } return r;"
                        + HEAVY);
        same(
                "wrapped",
                "try { int a = s.f(1); int k = heavy(n) / n; int b = s.g(k); return a + b; } catch (RuntimeException e) { throw new IllegalStateException(\"wrapped\" + e.getMessage(), e); }"
                        + HEAVY);
        same(
                "retry",
                "int k = 0; for (;;) { try { int a = s.f(k); int b = heavy(a) + s.g(k + 1); return a + b; } catch (RuntimeException e) { if (++k > 2) throw e; } }"
                        + HEAVY);
        same(
                "call-in-handler",
                "int a = 0; try { a = s.f(1); a += heavy(n) / n; } catch (RuntimeException e) { int b = s.g(2); int k = heavy(n); a = b + k + s.f(3); } return \"caught\" + a;"
                        + HEAVY);
        same(
                "call-in-finally",
                "int a = 0; try { a = s.f(1); a += heavy(n) / n; } finally { int b = s.g(2); int k = heavy(n); System.identityHashCode(b + k); } return a;"
                        + HEAVY);
    }
}
