package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Programs whose thread carries something along with its calls, such as keys of a logging context: each call carries what it
 * carries in the program as written, however early it is sent, and the program finds its thread-locals as it left them.
 */
@Tag("one-jdk")
class CarriedContextTest extends ProgramTests {

    /** A logging context as libraries have it: static methods in front of an adapter that is chosen at run time. */
    private static final String MDC = "interface Adapter { void put(String v); String get(); void remove(); }\n"
            + "static class Locals implements Adapter { public void put(String v) { ProbeUser.USER.set(v); }\n"
            + "public String get() { return ProbeUser.USER.get(); } public void remove() { ProbeUser.USER.remove(); } }\n"
            + "static class Mdc { static Adapter adapter = new Locals(); static void put(String v) { adapter.put(v); }\n"
            + "static String get() { return adapter.get(); } static void remove() { adapter.remove(); }\n"
            + "static AutoCloseable putCloseable(String v) { adapter.put(v); return () -> adapter.remove(); } }\n"
            + "static class Closed {";

    @TestFactory
    Stream<DynamicTest> programs() {
        fixed();
        changing();
        prefetched();
        return tests();
    }

    private void fixed() {
        overlaps(
                "set-before-the-loop",
                "ProbeUser.USER.set(\"eve\"); int t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.f(i); return t + ProbeUser.USER.get();");
        overlaps(
                "set-by-a-logging-context-before-the-loop",
                "Mdc.put(\"eve\"); int t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.f(i); Mdc.remove(); return t + s.plain(1); }\n"
                        + MDC);
        overlaps(
                "set-before-two-calls",
                "ProbeUser.USER.set(\"eve\"); int a = s.f(n); int b = s.g(n + 1); return a * 31 + b;");
        overlaps(
                "set-before-a-chain",
                "ProbeUser.USER.set(\"eve\"); int t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.linkNum(i); return t;");
        overlaps(
                "set-before-a-stream",
                "ProbeUser.USER.set(\"eve\"); return java.util.stream.IntStream.range(0, n).mapToObj(i -> s.f(i)).toList().toString();");
    }

    private void changing() {
        sequential(
                "set-in-the-loop",
                "int t = 0; for (int i = 0; i < n; i++) { ProbeUser.USER.set(\"u\" + i); t = t * 3 + s.f(i); } return t;");
        sequential(
                "set-by-a-logging-context-in-the-loop",
                "int t = 0; for (int i = 0; i < n; i++) { Mdc.put(\"u\" + i); t = t * 3 + s.f(i); } return t; }\n"
                        + MDC);
        sequential(
                "set-behind-the-call-in-the-loop",
                "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.f(i); Mdc.put(\"u\" + i); } return t; }\n"
                        + MDC);
        sequential(
                "set-around-each-call",
                "int t = 0; for (int i = 0; i < n; i++) { try (AutoCloseable c = Mdc.putCloseable(\"u\" + i)) { t = t * 3 + s.f(i); } } return t; }\n"
                        + MDC);
        same(
                "set-in-some-iterations",
                "int t = 0; for (int i = 0; i < n; i++) { if (i % 3 == 0) Mdc.put(\"u\" + i); t = t * 3 + s.f(i); } return t; }\n"
                        + MDC);
        same(
                "set-by-the-result-of-a-call",
                "int t = 0; for (int i = 0; i < n; i++) { int v = s.f(i); if (v % 2 == 0) ProbeUser.USER.set(\"u\" + v); t = t * 3 + v; } return t;");
        sequential(
                "set-between-two-calls",
                "int a = s.f(n); ProbeUser.USER.set(\"eve\"); int b = s.g(n + 1); return a * 31 + b;");
        sequential(
                "removed-between-two-calls",
                "Mdc.put(\"eve\"); int a = s.f(n); Mdc.remove(); int b = s.g(n + 1); return a * 31 + b; }\n" + MDC);
        same(
                "set-in-a-helper",
                "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + help(s, i); return t; }\n"
                        + "static int help(Svc s, int i) { Mdc.put(\"u\" + i); return s.f(i); }\n"
                        + MDC);
        same(
                "set-in-a-nest",
                "int t = 0; for (int i = 0; i < n; i++) { Mdc.put(\"u\" + i); for (int j = 0; j < 4; j++) t = t * 3 + s.f(i + j); } return t; }\n"
                        + MDC);
        same(
                "set-in-a-stage-of-a-stream",
                "return java.util.stream.IntStream.range(0, n).mapToObj(i -> { Mdc.put(\"u\" + i); return s.f(i); }).toList().toString(); }\n"
                        + MDC);
        same(
                "set-in-a-stage-before-the-call",
                "return java.util.stream.IntStream.range(0, n).peek(i -> Mdc.put(\"u\" + i)).mapToObj(i -> s.f(i)).toList().toString(); }\n"
                        + MDC);
        same(
                "set-in-a-handler",
                "int t = 0; for (int i = 0; i < n; i++) { try { t = t * 3 + s.f(i); } catch (RuntimeException e) { Mdc.put(\"failed\"); } } return t; }\n"
                        + MDC);
        same(
                "set-in-a-chain",
                "String t = \"\"; for (int i = 0; i < n; i++) { t += s.linkNum(i); Mdc.put(\"u\" + i); } return t; }\n"
                        + MDC);
        same(
                "set-while-a-recursion-goes-down",
                "return down(s, n); }\n"
                        + "static int down(Svc s, int i) { if (i == 0) return 1; Mdc.put(\"u\" + i); int a = s.f(i); return a + down(s, i - 1) * 3; }\n"
                        + MDC);
        sequential(
                "read-back-in-the-loop",
                "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.f(i); Mdc.put(Mdc.get() + \"x\"); t += Mdc.get().length(); } return t + Mdc.get(); }\n"
                        + MDC);
    }

    private void prefetched() {
        same(
                "pure-set-in-the-loop",
                "int t = 0; for (int i = 0; i < n; i++) { Mdc.put(\"u\" + i); t = t * 3 + s.pure(i); } return t; }\n"
                        + MDC);
        same(
                "pure-set-behind-the-call",
                "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.pure(i); Mdc.put(\"u\" + i); } return t; }\n"
                        + MDC);
        same(
                "pure-set-in-some-iterations",
                "int t = 0; for (int i = 0; i < n; i++) { if (i % 5 == 3) Mdc.put(\"u\" + i); t = t * 3 + s.pure(i); } return t; }\n"
                        + MDC);
        same(
                "pure-set-between-two-calls",
                "int a = s.pure(n); Mdc.put(\"eve\"); int b = s.pure(n + 1); return a * 31 + b; }\n" + MDC);
        same(
                "pure-set-in-a-stream",
                "return java.util.stream.IntStream.range(0, n).mapToObj(i -> { Mdc.put(\"u\" + i); return s.pure(i); }).toList().toString(); }\n"
                        + MDC);
        same(
                "read-set-in-a-nest",
                "int t = 0; for (int i = 0; i < n; i++) { Mdc.put(\"u\" + i); for (int j = 0; j < 4; j++) t = t * 3 + s.read(i + j); } return t; }\n"
                        + MDC);
    }
}
