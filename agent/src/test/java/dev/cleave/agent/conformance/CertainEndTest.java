package dev.cleave.agent.conformance;

import dev.cleave.agent.rule.Rule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** An await moves over a loop only if the loop certainly ends (R18): else a failure would never be seen. */
@Tag("one-jdk")
class CertainEndTest extends ProgramTests {

    @TestFactory
    Stream<DynamicTest> programs() {
        counted();
        longs();
        open();
        bounded();
        notBounded();
        iterated();
        helpers();
        ahead();
        return tests();
    }

    private void counted() {
        ends("up-to-local", "for (int i = 0; i < n; i++) t += i * 31;");
        ends("up-to-local-reversed", "for (int i = 0; n > i; i++) t += i * 31;");
        ends("up-to-length", "int[] d = new int[n + 3]; for (int i = 0; i < d.length; i++) t += d[i] + i;");
        ends("up-to-length-included", "int[] d = new int[n + 3]; for (int i = 1; i <= d.length; i++) t += i;");
        ends("up-to-length-by-two", "int[] d = new int[n + 3]; for (int i = 0; i < d.length; i += 2) t += i;");
        ends(
                "up-to-length-less-one",
                "int[] d = new int[n + 3]; for (int i = 0; i <= d.length - 1; i++) t += d[i] + i;");
        ends("up-to-constant-included", "for (int i = 0; i <= 9; i += 3) t += i * 31;");
        ends("up-to-size", "List<Integer> x = List.of(1, n, 3); for (int i = 0; i < x.size(); i++) t += x.get(i);");
        ends("up-to-text", "String x = \"a\" + n; for (int i = 0; i < x.length(); i++) t += x.charAt(i);");
        ends("up-to-expression", "for (int i = 0; i < n * 2 + 1; i++) t += i * 31;");
        ends("down-to-zero", "for (int i = n; i >= 0; i--) t += i * 31;");
        ends("down-after-test", "int k = n; while (k-- > 0) t += k * 31;");
        ends("up-after-test", "int k = 0; while (k++ < n) t += k * 31;");
        ends("tested-at-the-end", "int k = 0; do { t += k * 31; k++; } while (k < n);");
        ends("with-other-exit", "for (int i = 0; i < n; i++) { if (t > 99) break; t += i * 31; }");
        ends("with-continue", "for (int i = 0; i < n; i++) { if ((t & 1) == 1) continue; t += i * 31; }");
        ends("of-elements", "int[] d = {1, n, 3}; for (int v : d) t += v;");
        ends("nested", "for (int i = 0; i < n; i++) for (int k = i; k > 0; k--) t += i * k;");
    }

    private void longs() {
        ends("long-up-to-an-int", "for (long i = 0; i < n; i++) t += (int) i * 31;");
        ends("long-up-to-a-long", "long m = n * 3L; for (long i = 2; i < m; i++) t += (int) i * 31;");
        ends("long-up-to-a-long-reversed", "long m = n * 3L; for (long i = 2; m > i; i++) t += (int) i * 31;");
        ends("long-tested-at-the-end", "long m = n * 3L, i = 0; do { t += (int) i * 31; i++; } while (i < m);");
        ends("int-up-to-a-masked-long", "long m = n * 7L & 15; for (int i = 0; i < m; i++) t += i * 31;");
        ends("int-up-to-a-constant-long", "for (int i = 0; i <= 20L; i++) t += i * 31;");
        mayNotEnd("int-up-to-a-long", "long m = n * 3L; for (int i = 0; i < m; i++) t += i * 31;");
        mayNotEnd("int-up-to-a-long-with-a-negative-mask", "long m = n * 7L & -4; for (int i = 0; i < m; i++) t += i;");
        mayNotEnd(
                "int-up-to-a-greater-constant",
                "for (int i = 0; i < 2147483648L; i++) { t += i * 31; if (i > n) break; }");
        mayNotEnd("int-up-to-the-mask-of-ints", "long m = n & 0x7fffffffL; for (int i = 0; i <= m; i++) t += i * 31;");
        mayNotEnd("long-up-to-any-included", "long m = n * 3L; for (long i = 0; i <= m; i++) t += (int) i * 31;");
        mayNotEnd("long-up-by-two", "long m = n * 3L; for (long i = 0; i < m; i += 2) t += (int) i * 31;");
        mayNotEnd(
                "long-limit-moves", "long m = n; for (long i = 0; i < m; i++) { if (i < 3) m++; t += (int) i * 31; }");
        mayNotEnd(
                "long-step-on-condition",
                "long m = n; boolean x = n >= 0; long i = 0; while (i < m) { if (x) i++; t += (int) i * 31; }");
        mayNotEnd(
                "long-written-twice",
                "long m = n; for (long i = 0; i < m; i++) { if (t == 77) i = 0; t += (int) i * 31; }");
        mayNotEnd(
                "long-of-another-counter",
                "long m = n, k = 0; for (long i = 0; k < m; i++) { t += (int) i * 31; if (i > 5) k++; }");
    }

    private void open() {
        mayNotEnd("step-on-condition", "boolean x = n >= 0; int i = 0; while (i < n) { if (x) i++; t += i * 31; }");
        mayNotEnd("step-skipped-by-continue", "int i = 0; while (i < n) { if (t < 0) continue; i++; t += i * 31; }");
        mayNotEnd("test-on-condition", "int i = 0; while (true) { i++; t += i; if (t > 0 && i >= n) break; }");
        mayNotEnd("wrong-direction", "int i = n + 1; while (i > n) { t += i & 3; i++; if (t > 9) break; }");
        mayNotEnd("up-to-any-included", "for (int i = 0; i <= n; i++) t += i * 31;");
        mayNotEnd(
                "up-to-most-included", "int i = 0; while (i <= Integer.MAX_VALUE) { i++; t += i; if (i > n) break; }");
        mayNotEnd("up-to-any-by-two", "for (int i = 0; i < n; i += 2) t += i * 31;");
        mayNotEnd("down-to-any-included", "int m = -n; for (int i = 0; i >= m; i--) t += i * 31;");
        mayNotEnd("up-to-less-one-included", "for (int i = 0; i <= n - 1; i++) t += i * 31;");
        mayNotEnd("limit-moves", "int m = n; for (int i = 0; i < m; i++) { if (i < 3) m++; t += i * 31; }");
        mayNotEnd(
                "list-grows",
                "List<Integer> x = new ArrayList<>(); x.add(n);"
                        + " for (int i = 0; i < x.size(); i++) { if (i < 3) x.add(i); t += x.get(i); }");
        mayNotEnd("other-write", "int i = 0; while (i < n) { if (i == 2 && t > 0) { i = 1; t = -50; } i++; t += i; }");
        mayNotEnd(
                "inner-step-on-condition",
                "boolean x = n >= 0; for (int k = 0; k < 2; k++) { int i = 0; while (i < n) { if (x) i++; t += i; } }");
        mayNotEnd(
                "inner-loop-steps", "int i = 0; while (i < n) { int k = 0; do { i++; k++; } while (k < 3); t += i; }");
    }

    /** The limit is less than the most by a test in front of the loop, or by how it is made. */
    private void bounded() {
        ends("up-to-outer-included", "for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) t += i * j;");
        ends(
                "up-to-outer-included-of-a-row",
                "int[] d = new int[n + 3]; for (int i = 0; i < d.length; i++) for (int j = 0; j <= i; j++) t += d[i] * j;");
        ends("down-to-outer-included", "for (int i = 0; i > -n; i--) for (int j = 0; j >= i; j--) t += i * j;");
        ends("up-to-tested-included", "if (n >= 1000) return -1; for (int i = 0; i <= n; i++) t += i * 31;");
        ends("up-to-tested-by-two", "if (1000 < n) return -1; for (int i = 0; i < n; i += 2) t += i * 31;");
        ends(
                "up-to-not-positive",
                "int m = n - 900; if (m > 0) return -1; for (int i = -900; i <= m; i += 2) t += i * 31;");
        ends("up-to-cast-included", "byte m = (byte) n; for (int i = 0; i <= m; i++) t += i * 31;");
        ends("up-to-char-by-three", "char m = (char) n; for (int i = 0; i <= m; i += 3) t += i * 31;");
        ends(
                "up-to-element-included",
                "short[] d = {(short) n, 3}; short m = d[1]; for (int i = 0; i <= m; i++) t += i * 31;");
        ends("down-to-tested", "int m = -n; if (m < -1000) return -1; for (int i = 0; i >= m; i--) t += i * 31;");
        ends("up-to-bits-included", "int m = n & 15; for (int i = 0; i <= m; i += 2) t += i * 31;");
    }

    private void notBounded() {
        mayNotEnd(
                "up-to-outer-stepped-before", "int i = 0; while (i < n) { i++; for (int j = 0; j <= i; j++) t += j; }");
        mayNotEnd("up-to-outer-by-two", "for (int i = 0; i < n; i++) for (int j = 0; j <= i; j += 2) t += i * j;");
        mayNotEnd(
                "up-to-tested-or-not", "if (n >= 1000 && t == 0) return -1; for (int i = 0; i <= n; i++) t += i * 31;");
        mayNotEnd("up-to-tested-wrong-way", "if (n < -5) return -1; for (int i = 0; i <= n; i++) t += i * 31;");
        mayNotEnd(
                "up-to-written-behind-the-test",
                "int m = n; if (m >= 900) return -1; m += n; for (int i = 0; i <= m; i++) t += i * 31;");
        mayNotEnd(
                "up-to-written-in-a-loop-behind-the-test",
                "int m = n; if (m >= 900) return -1; for (int k = 0; k < 2; k++) { for (int i = 0; i <= m; i++) t += i; m += n; }");
        mayNotEnd(
                "up-to-copy-from-before-the-test",
                "int m = n; int q = m; m -= 3; if (m >= 900) return -1; for (int i = 0; i <= q; i++) t += i * 31;");
        mayNotEnd(
                "tested-behind",
                "int m = n; for (int k = 0; k < 2; k++) { for (int i = 0; i <= m; i++) t += i; if (m >= 900) break; m += 1; }");
        mayNotEnd("up-to-any-bits-included", "int m = n & -2; for (int i = 0; i <= m; i += 2) t += i * 31;");
    }

    private void iterated() {
        ends("iterated", "List<Integer> x = List.of(1, n, 3); for (int v : x) t += v;");
        ends(
                "iterated-by-hand",
                "List<Integer> x = new ArrayList<>(List.of(1, n, 3)); Iterator<Integer> it = x.iterator();"
                        + " while (it.hasNext()) { if (t < 0) break; t += it.next(); }");
        mayNotEnd(
                "asked-only",
                "Iterator<Integer> it = new ArrayList<>(List.of(1, n)).iterator(); int k = n;"
                        + " while (k != 0) { if (it.hasNext()) t += 31; k = k > 0 ? k - 1 : 0; }");
        mayNotEnd(
                "taken-on-condition",
                "Iterator<Integer> it = new ArrayList<>(List.of(1, n)).iterator();"
                        + " boolean x = n >= 0; while (it.hasNext()) { if (x) t += it.next(); t += 3; }");
        mayNotEnd(
                "taken-of-another",
                "List<Integer> x = new ArrayList<>(List.of(1, n));"
                        + " Iterator<Integer> it = x.iterator(); Iterator<Integer> other = x.iterator();"
                        + " while (it.hasNext()) { t += other.next(); if (t > 0) it = Collections.emptyIterator(); }");
        mayNotEnd(
                "goes-back",
                "ListIterator<Integer> it = new ArrayList<>(List.of(1, n, 3)).listIterator();"
                        + " int k = 0; while (it.hasNext()) { t += it.next(); if (k < 3) { it.previous(); } k = k + 1; }");
    }

    private void helpers() {
        String use = "int a = s.f(1); int t = loop(n); int b = s.g(t); return a + b; }\n";
        overlaps(
                "ends-in-called",
                use + "static int loop(int n) { int t = 0; for (int i = 0; i < n; i++) t += i; return t;");
        sequential(
                "step-on-condition-in-called",
                use + "static int loop(int n) { boolean x = n >= 0; int t = 0; int i = 0;"
                        + " while (i < n) { if (x) i++; t += i; } return t;");
        sequential(
                "up-to-any-included-in-called",
                use + "static int loop(int n) { int t = 0; for (int i = 0; i <= n; i++) t += i; return t;");
        overlaps(
                "argument-loop-ends",
                "int t = 0; for (int i = 0; i < n; i++) { int k = 0; for (int j = 0; j < i; j++) k += j; t += s.f(k); } return t;");
        sequential(
                "argument-loop-may-not-end",
                Rule.R11,
                "boolean x = n >= 0; int t = 0; for (int i = 0; i < n; i++) { int k = 0; int j = 0;"
                        + " while (j < i) { if (x) j++; k += j; } t += s.f(k); } return t;");
        overlaps(
                "helper-loop-ends",
                "int a = half(s, n); int b = half(s, n + 1); return a + b; }\n"
                        + "static int half(Svc s, int n) { int k = 0; for (int j = 0; j < n; j++) k += j; return s.f(k);");
        sequential(
                "helper-loop-may-not-end",
                "int a = half(s, n); int b = half(s, n + 1); return a + b; }\n"
                        + "static int half(Svc s, int n) { boolean x = n >= 0; int k = 0; int j = 0;"
                        + " while (j < n) { if (x) j++; k += j; } return s.f(k);");
    }

    private void ahead() {
        String lib = "java.util.function.IntConsumer lib = x -> { if (x > 90) throw new IllegalStateException(); }; ";
        overlaps(
                "argument-loop-ahead-ends",
                lib + "int t = 0; for (int i = 0; i < n; i++) { int k = 0; for (int j = 0; j < i; j++) k += j;"
                        + " lib.accept(t & 7); t += s.pure(k); } return t;");
        sequential(
                "argument-loop-ahead-may-not-end",
                Rule.R11,
                lib
                        + "boolean x = n >= 0; int t = 0; for (int i = 0; i < n; i++) { lib.accept(t & 7); int k = 0; int j = 0;"
                        + " while (j < i) { if (x) j++; k += j; } t += s.pure(k); } return t;");
        sequential(
                "argument-loop-of-a-row-may-not-end",
                lib + "boolean x = n >= 0; int a = s.sync(n); lib.accept(a & 7); int k = 0; int j = 0;"
                        + " while (j < n) { if (x) j++; k += j; } return a + s.pure(k);");
    }

    private void ends(String name, String loop) {
        overlaps(name, body(loop));
    }

    private void mayNotEnd(String name, String loop) {
        sequential(name, body(loop));
    }

    private static String body(String loop) {
        return "int t = 0; int a = s.f(1); " + loop + " int b = s.g(t); return a + b;";
    }
}
