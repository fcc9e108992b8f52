package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Loops that stand in a row, whose calls are sent when the first of them begins (R73). */
@Tag("one-jdk")
class LoopsInARowTest extends StrandPrograms {

    LoopsInARowTest() {
        super(20);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        joined();
        apart();
        traps();
        return tests();
    }

    private void joined() {
        trips(
                "row-of-two",
                1,
                "long t = 0; " + loop("t = t * 3 + s.f(i);") + loop("t = t * 5 + s.g(i);") + "return t;");
        trips(
                "row-with-lists",
                1,
                "List<Integer> a = new ArrayList<>(); List<Integer> b = new ArrayList<>(); " + loop("a.add(s.f(i));")
                        + loop("b.add(s.g(i));") + "return a + \"/\" + b;");
        trips(
                "row-with-a-map",
                1,
                "Map<Integer, Integer> m = new HashMap<>(); long t = 0; " + loop("m.put(i, s.f(i));")
                        + loop("t = t * 3 + s.g(i) + m.getOrDefault(i, 7);") + "return t;");
        trips(
                "row-of-nests",
                2,
                "long t = 0; " + loop("for (int x : s.row(i)) t = t * 3 + s.f(x);")
                        + loop("for (int x : s.row(i + 1)) t = t * 5 - s.g(x);") + "return t;");
        trips(
                "row-of-helpers",
                2,
                "long t = 0; " + loop("t = t * 3 + off(s, i);") + loop("t = t * 5 - off(s, i + 1);")
                        + "return t; } static long off(Svc s, int i) { long t = 0; for (int x : s.row(i)) t = t * 3 + s.f(x); return t;");
        trips(
                "row-of-three-with-calls-between",
                2,
                "long t = s.f(3); " + loop("t = t * 3 + s.f(i);") + "int k = s.g(5); " + loop("t = t * 5 + s.g(i);")
                        + "t += s.f(k & 7); " + loop("t = t * 7 + s.f(i + 1);") + "return t;");
        trips(
                "row-in-a-handler",
                1,
                "long t = 0; try { " + loop("t = t * 3 + s.f(i);") + loop("t = t * 5 + s.g(i);")
                        + "} catch (IllegalStateException e) { t = -1; } return t;");
    }

    /** A loop that needs what the loop in front of it computes. */
    private void apart() {
        same(
                "row-with-calls-sent-together",
                "long t = 0; " + loop("t = t * 3 + s.f(i);") + "int p = s.f(5); int q = s.g(6); t += p * q; "
                        + loop("t = t * 5 + s.g(i);") + "return t;");
        same(
                "row-by-result",
                "long t = 0; " + loop("t = t * 3 + s.f(i);") + loop("t = t * 5 + s.g((int) t & 15);") + "return t;");
        same(
                "row-over-what-was-added",
                "List<Integer> a = new ArrayList<>(); long t = 0; " + loop("a.add(s.f(i) & 15);")
                        + "for (int x : a) t = t * 3 + s.g(x); return t;");
        same(
                "row-with-unknown-code",
                "long t = 0; " + loop("t = t * 3 + s.f(i);") + "new Thread(() -> { }).run(); "
                        + loop("t = t * 5 + s.g(i);") + "return t;");
    }

    private void traps() {
        same(
                "row-left-by-return",
                "long t = 0; " + loop("{ t = t * 3 + s.f(i); if (t % 17 == 5) return t; }")
                        + loop("t = t * 5 + s.g(i);") + "return t;");
        same(
                "row-not-reached",
                "long t = 0; " + loop("t = t * 3 + s.f(i);") + "if (t % 3 == 1) return t; "
                        + loop("t = t * 5 + s.g(i);") + "return t;");
        same(
                "row-behind-an-exception",
                "long t = 0; " + loop("t = t * 3 + s.f(60 / (i - 7));") + loop("t = t * 5 + s.g(i);") + "return t;");
        same(
                "row-that-changes-arguments",
                "int[] k = new int[n + 1]; long t = 0; " + loop("{ t = t * 3 + s.f(i); k[i] = i * 2; }")
                        + loop("t = t * 5 + s.g(k[i]);") + "return t;");
        same(
                "row-that-changes-a-bound",
                "int m = n; long t = 0; " + loop("{ t = t * 3 + s.f(i); if (i == 4) m = 3; }")
                        + "for (int i = 0; i < m; i++) t = t * 5 + s.g(i); return t;");
        same(
                "row-that-may-not-end",
                "long t = 0; int j = 0; " + loop("t = t * 3 + s.f(i);")
                        + "while (j < n) { if (t % 2 == 0 || j > 3) j++; t++; } " + loop("t = t * 5 + s.g(i);")
                        + "return t;");
        same(
                "row-of-reads-and-writes",
                "long t = 0; " + loop("s.put(i);") + loop("t = t * 5 + s.load(i & 3);") + loop("t = t * 3 + s.f(i);")
                        + "return t;");
        same(
                "row-with-a-local-service",
                "Svc q = n % 2 == 0 ? s : z; long t = 0; " + loop("t = t * 3 + q.f(i);") + loop("t = t * 5 + s.g(i);")
                        + loop("t = t * 7 + z.g(i);") + "return t;");
        same(
                "row-with-a-service-that-is-null",
                "Svc q = n % 3 == 0 ? s : null; long t = 0; " + loop("t = t * 3 + s.f(i);")
                        + loop("t = t * 5 + q.g(i);") + "return t;");
        same(
                "row-with-a-handler-in-between",
                "long t = 0; " + loop("t = t * 3 + s.f(i);")
                        + "try { t += s.g(7) / (n - 5); } catch (ArithmeticException e) { t = 9; } "
                        + loop("t = t * 5 + s.g(i);") + "return t;");
        same(
                "row-in-a-loop",
                "long t = 0; for (int k = 0; k < 3; k++) { " + loop("t = t * 3 + s.f(i + k);")
                        + "if (t % 5 == 3) continue; " + loop("t = t * 5 + s.g(i - k);") + "} return t;");
    }

    private static String loop(String body) {
        return "for (int i = 0; i < n; i++) " + body + " ";
    }
}
