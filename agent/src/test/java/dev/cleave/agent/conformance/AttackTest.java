package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.rule.Rule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Programs against the forms of the language that other programs use least: each is the same both ways, whatever fails. */
class AttackTest extends ProgramTests {

    private static final String LIST =
            "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i * 3 % 7); ";
    private static final String LOCK =
            "java.util.concurrent.locks.ReentrantLock lock = new java.util.concurrent.locks.ReentrantLock(); ";
    private static final String UNKNOWN =
            "StringBuilder seen = new StringBuilder(); java.util.function.IntConsumer hook = seen::append; ";

    @TestFactory
    Stream<DynamicTest> programs() {
        streams();
        locks();
        handlers();
        forms();
        slots();
        lengths();
        return tests();
    }

    private void streams() {
        same("stream-sorted-between", LIST + "return xs.stream().map(x -> s.f(x)).sorted().map(x -> s.g(x)).toList();");
        same(
                "stream-skip-and-distinct",
                LIST
                        + "return xs.stream().map(s::f).skip(2).distinct().map(x -> 60 / (x - 3)).map(x -> s.g(x)).toList();");
        same(
                "stream-flat-map-around",
                LIST
                        + "return xs.stream().flatMap(x -> xs.stream().limit(2).map(y -> s.f(x * y))).map(s::g).toList();");
        same(
                "stream-doubles-and-boxes",
                LIST
                        + "return xs.stream().mapToDouble(x -> s.df(x)).mapToObj(d -> d + 1).map(d -> s.lf((long) (d * 2)))"
                        + ".reduce(1L, (x, y) -> x * 31 + y);");
        same(
                "stream-closed-in-finally",
                LIST
                        + "int[] t = {0}; try (java.util.stream.Stream<Integer> q = xs.stream().onClose(() -> t[0] += s.f(90))) {"
                        + " q.map(x -> s.g(x)).forEach(x -> t[0] = t[0] * 3 + x); } return t[0];");
    }

    private void locks() {
        same(
                "pure-in-two-locks",
                LIST + LOCK
                        + "int t = 0; for (int x : xs) { lock.lock(); try { synchronized (xs) { t = t * 3 + s.pure(x); }"
                        + " if (t % 11 == 4) break; } finally { lock.unlock(); } t -= s.pure(x + 1); }"
                        + " return t + \"\" + lock.isLocked();");
        same(
                "read-between-locks",
                LOCK
                        + "int t = 0; for (int i = 0; i < n; i++) { int v = s.read(i); lock.lock(); try { t += v * s.load(i & 3); }"
                        + " finally { lock.unlock(); } if ((i & 3) == 2) s.store(i & 3, t); } return t;");
        same(
                "pure-waits-in-monitor",
                LIST
                        + "int t = 0; for (int x : xs) { synchronized (s) { t += s.pure(x); xs.set(0, t & 7); } } return t + \"\" + xs;");
    }

    private void handlers() {
        same(
                "finally-calls-beside-pending",
                "int a = 0; int b = 0; try { a = s.f(1); b = s.g(2); a = a / (b - n); } finally { b = s.f(3) + s.g(4); z.put(b); }"
                        + " return a * 31 + b;");
        same(
                "finally-returns-over-failure",
                "int t = 0; for (int i = 0; i < n; i++) { try { t = t * 3 + s.f(i); t += s.g(60 / (i - 4)); } finally { if (i == 5)"
                        + " return t; } } return -t;");
        same(
                "resources-of-calls",
                "int t = 0; for (int i = 0; i < n; i++) try (Res a = new Res(s.f(i)); Res b = new Res(i)) { t = t * 3 + s.g(a.k + b.k); }"
                        + " catch (IllegalArgumentException e) { t += 7 + e.getSuppressed().length; } return t; }\n"
                        + "record Res(int k) implements AutoCloseable { public void close() {"
                        + " if (k % 5 == 3) throw new IllegalArgumentException(\"close\"); }");
        same(
                "nested-finally-and-continue",
                "int t = 0; out: for (int i = 0; i < n; i++) { try { try { if (i == 2) continue; t += s.f(i); } finally { t = t * 3 + s.g(i);"
                        + " if (t % 13 == 5) break out; } } catch (RuntimeException e) { t ^= s.f(i + 9); continue out; } t++; } return t;");
    }

    private void forms() {
        same(
                "switch-on-strings-in-loop",
                "int t = 0; for (int i = 0; i < n; i++) { switch (s.s(\"Aa\" + (i & 1)).length() > 3 ? \"BB\" : \"Aa\") { case \"Aa\": t +="
                        + " s.f(i); case \"BB\": t = t * 3 + s.g(i); break; default: t--; } } return t;");
        same(
                "switch-yields-calls",
                "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + switch (i % 5) { case 0 -> s.f(i); case 1, 2 -> { int v = s.g(i); yield v -"
                        + " s.f(v & 7); } case 3 -> throw new IllegalStateException(\"3\" + t); default -> i; }; return t;");
        same(
                "switch-on-enums-of-results",
                "int t = 0; for (Kind k : Kind.values()) { switch (Kind.values()[s.f(k.ordinal()) & 1]) { case ONE -> t += s.g(t & 3);"
                        + " case TWO -> t -= s.pure(k.ordinal()); } } return t + n; }\nenum Kind { ONE, TWO");
        same(
                "patterns-of-results",
                "int t = 0; for (int i = 0; i < n; i++) { Object o = s.get(i); if (o instanceof Integer k && k > 2) t += s.f(k & 7);"
                        + " else if (!(o instanceof String q)) t--; else t += s.s(q).length(); } return t;");
        same(
                "records-of-results",
                "Map<Two, Integer> m = new LinkedHashMap<>(); for (int i = 0; i < n; i++) m.merge(new Two(s.f(i) & 3, s.lf(i) & 1), s.g(i),"
                        + " Integer::sum); return m.toString(); }\nrecord Two(int a, long b) { Two { if (a == 9) throw new"
                        + " IllegalStateException(\"nine\"); }");
        overlaps(
                "lambdas-in-lambdas",
                "java.util.function.IntFunction<java.util.function.IntUnaryOperator> q = x -> { int a = s.f(x); int b = s.g(x); return y -> { int c"
                        + " = s.f(y); int d = s.g(y + a); return a * b + c - d; }; }; int t = 0; for (int i = 0; i < n; i++) t = t * 3 +"
                        + " q.apply(i).applyAsInt(i + 1); return t;");
        same(
                "anonymous-classes-with-state",
                "var o = new Object() { int k = 1; int go(int x) { int v = s.f(x + k); k += v & 3; return v * k; } }; int t = 0;"
                        + " for (int i = 0; i < n; i++) t = t * 3 + o.go(i) - o.go(t & 3); return t;");
        same(
                "table-of-the-class",
                "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.f(TABLE[i & 15]) + TABLE[s.g(i) & 15]; return t; }\n"
                        + "private static final int[] TABLE = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};"
                        + " static { TABLE[4] = 12;");
    }

    private void slots() {
        overlaps(
                "two-slots-at-handler",
                "long a = 1; double b = 2; for (int i = 0; i < n; i++) { long c = i * 7L; try { a = a * 3 + s.lf(c); b = b / 2 + s.df(i);"
                        + " c ^= s.lf(i + 1L); a += c; } catch (RuntimeException e) { a ^= c; b = -b; } } return a + \"/\" + b;");
        same(
                "two-slots-under-calls",
                "double b = n; long t = 1; for (int i = 0; i < n; i++) { b = b * 0.5 + wide(s, i, b, t); t = t * 3 + (long) b; } return t + \"/\" + b;"
                        + " }\nprivate static double wide(Svc s, long x, double y, long k) { long v = s.lf(x); double w = s.df(y);"
                        + " return v * w - s.lf(k & 7) / (x - 4);");
        same(
                "two-slots-moved-awaits",
                "long a = s.lf(2); double b = heavy(n); long c = s.lf(3 + n); double d = a / b; try { d += s.df(c) / c; a = s.lf(5); }"
                        + " catch (IllegalStateException e) { d = -d; } return a + \"/\" + d + c; }\nstatic double heavy(int x) {"
                        + " double h = x; for (int i = 0; i < 300; i++) h = h * 1.1 + i; return h;");
        same(
                "small-kinds",
                UNKNOWN
                        + "byte a = 0; short b = 1; char c = 'c'; boolean p = false; float q = 1; for (int i = 0; i < n; i++) { a += (byte)"
                        + " s.f(i); b *= (short) s.g(i); c ^= (char) s.pure(i); hook.accept(a); p |= s.ok(i); q = q / 2 + s.ff(i); }"
                        + " return a + \"/\" + b + (int) c + p + q + seen;");
    }

    /** R51: the method is as long as the JIT compiles, or longer; its calls are few. */
    private void lengths() {
        overlaps(
                "long-method",
                "int r = n; int a = s.f(1); int b = s.g(2);" + " r = r * 3 + 1;".repeat(900) + " return r + a - b;");
        add(
                "longer-method",
                "int r = n; int a = s.f(1); int b = s.g(2);" + " r = r * 3 + 1;".repeat(1_700) + " return r + a - b;");
        test("longer-method", () -> {
            conformance.check("longer-method");
            assertThat(conformance.verdicts("longer-method"))
                    .allSatisfy(verdict -> assertThat(String.valueOf(verdict.refusal()))
                            .contains(Rule.R51.name())
                            .contains("the method is too long"));
        });
    }
}
