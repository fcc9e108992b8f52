package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Nested loops (R40): one queue for all levels where the run-ahead knows the bounds of the inner loops. */
@Tag("one-jdk")
class NestTest extends ProgramTests {

    private static final int N = 100;

    private void takes(String name, int atMost, String body) {
        conformance.addBody(name, body);
        test(name, () -> conformance.takes(name, N, atMost));
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        kept();
        drained();
        traps();
        return tests();
    }

    private void kept() {
        takes(
                "matrix-fill",
                14,
                "int[][] r = new int[n][3]; for (int y = 0; y < n; y++) for (int x = 0; x < 3; x++) r[y][x] = s.f(y * 3 + x); return r;");
        takes(
                "matrix-fill-parameter",
                14,
                "int[][] r = new int[n][3]; go(s, r); return r; }\n"
                        + "static void go(Svc s, int[][] r) { for (int y = 0; y < r.length; y++) for (int x = 0; x < 3; x++) r[y][x] = s.f(y * 3 + x);");
        takes(
                "both-levels",
                16,
                "long t = 0; for (int y = 0; y < n; y++) { t = t * 3 + s.f(y); for (int x = 0; x < 3; x++) t = t * 5 + s.g(y * 3 + x); } return t;");
        takes( // strands leave calls of a group to the queue of the nest
                "nest-of-a-group",
                20,
                "long t = 0; for (int y = 0; y < n; y++) for (int x = 0; x < 3; x++) t = t * 3 + s.kept(y * 3 + x); return t;");
        takes(
                "behind-the-inner-loop",
                16,
                "long t = 0; for (int y = 0; y < n; y++) { for (int x = 0; x < 2; x++) t = t * 5 + s.g(y * 3 + x); t = t * 3 + s.f(y); } return t;");
        takes(
                "triangular-nest",
                90,
                "long t = 0; for (int y = 0; y < n; y++) for (int x = 0; x < y; x++) t = t * 3 + s.f(y * 100 + x); return t;");
        takes(
                "ragged",
                14,
                "int[][] a = new int[n][]; for (int y = 0; y < n; y++) a[y] = new int[y % 5]; long t = 0;\n"
                        + "for (int y = 0; y < n; y++) for (int x = 0; x < a[y].length; x++) t = t * 3 + s.f(y + a[y][x]); return t;");
        takes(
                "ragged-foreach",
                14,
                "int[][] a = new int[n][]; for (int y = 0; y < n; y++) a[y] = new int[y % 5]; long t = 0;\n"
                        + "for (int[] r : a) for (int v : r) t = t * 3 + s.f(v + r.length); return t;");
        takes(
                "lists-of-lists",
                14,
                "List<List<Integer>> a = new ArrayList<>(); for (int y = 0; y < n; y++) a.add(new ArrayList<>(List.of(y, y + 1, y + 2))); long t = 0;\n"
                        + "for (List<Integer> r : a) for (int v : r) t = t * 3 + s.f(v); return t;");
        takes(
                "two-inner-loops",
                20,
                "long t = 0; for (int y = 0; y < n; y++) { for (int x = 0; x < 2; x++) t = t * 3 + s.f(x + y); String k = \"k\" + y; for (int x = 0; x < 2; x++) t = t * 5 + s.s(k).length(); } return t;");
        takes(
                "two-types-in-one-slot",
                20,
                "long t = 0; for (int y = 0; y < n; y++) { { String k = \"k\" + y; for (int x = 0; x < 2; x++) t = t * 5 + s.s(k).length(); }\n"
                        + "{ int[] k = new int[] {y, 2}; for (int x = 0; x < 2; x++) t = t * 3 + s.f(k[x]); } } return t;");
        takes(
                "three-levels",
                30,
                "long t = 0; for (int y = 0; y < n; y++) for (int x = 0; x < 2; x++) for (int w = 0; w < 2; w++) t = t * 3 + s.f(y * 4 + x * 2 + w); return t;");
        takes(
                "three-levels-called",
                40,
                "long t = 0; for (int y = 0; y < n; y++) { t += s.f(y); for (int x = 0; x < 2; x++) { t = t * 3 + s.g(x); for (int w = 0; w < 2; w++) t = t * 3 + s.f(y * 4 + x * 2 + w); } } return t;");
        takes(
                "sometimes-inner",
                14,
                "long t = 0; for (int y = 0; y < n; y++) if (y % 3 != 0) for (int x = 0; x < 3; x++) t = t * 3 + s.f(y + x); return t;");
        takes(
                "labelled-continue-nest",
                14,
                "long t = 0; outer: for (int y = 0; y < n; y++) for (int x = 0; x < 5; x++) { if (x > y % 3) continue outer; t = t * 3 + s.f(y + x); } return t;");
        takes(
                "labelled-break-nest",
                14,
                "long t = 0; outer: for (int y = 0; y < n; y++) for (int x = 0; x < 3; x++) { if (y == 80 && x == 1) break outer; t = t * 3 + s.f(y + x); } return t;");
        takes(
                "do-while-inside",
                14,
                "long t = 0; for (int y = 0; y < n; y++) { int x = 0; do { t = t * 3 + s.f(y + x); x++; } while (x < y % 3); } return t;");
        takes(
                "stages-in-nest",
                34,
                "long t = 0; for (int y = 0; y < n; y++) for (int x = 0; x < 3; x++) t = t * 3 + s.g(s.f(y + x)); return t;");
        takes(
                "outer-result-in-inner-loop",
                40,
                "long t = 0; for (int y = 0; y < n; y++) { int a = s.f(y); for (int x = 0; x < 3; x++) t = t * 3 + s.g(a + x); } return t;");
        takes(
                "inner-bound-from-outer-result",
                3 * N,
                "long t = 0; for (int y = 0; y < n; y++) { int m = s.f(y) % 4; for (int x = 0; x < m; x++) t = t * 3 + s.g(x); } return t;");
        takes(
                "consumer-loop-inside",
                14,
                "long t = 0; for (int y = 0; y < n; y++) for (int x = 0; x < 3; x++) { int v = s.f(y + x); for (int k = 0; k < 3; k++) t = t * 3 + v; } return t;");
    }

    private void drained() {
        takes(
                "own-list-inside",
                14,
                "List<Object> r = new ArrayList<>(); for (int y = 0; y < n; y++) { List<Object> l = new ArrayList<>(); for (int x = 0; x < 3; x++) l.add(s.f(y + x)); r.add(l); } return r;");
        takes(
                "unknown-between",
                3 * N,
                "long t = 0; Random q = new Random(1); for (int y = 0; y < n; y++) { t += q.nextInt(); for (int x = 0; x < 5; x++) t = t * 3 + s.f(y + x); } return t;");
        takes(
                "handler-around-inner-loop",
                3 * N,
                "long t = 0; StringBuilder l = new StringBuilder(); for (int y = 0; y < n; y++) { try { for (int x = 0; x < 5; x++) t = t * 3 + s.f(y * 5 + x); } catch (RuntimeException e) { l.append(y); } t += y; } return \"caught\" + l + t;");
    }

    private void traps() {
        same(
                "handler-in-inner-loop",
                "StringBuilder l = new StringBuilder(); for (int y = 0; y < n && y < 6; y++) { l.append(s.g(y)); for (int x = 0; x < 3; x++) try { l.append(s.f(y * 3 + x)); } catch (RuntimeException e) { l.append('!'); } } return \"caught\" + l;");
        same(
                "handler-between",
                "StringBuilder l = new StringBuilder(); for (int y = 0; y < n && y < 6; y++) { try { l.append(s.g(y)); } catch (RuntimeException e) { l.append('!'); } for (int x = 0; x < 3; x++) l.append(s.f(y * 3 + x)); } return \"caught\" + l;");
        same(
                "handler-continues-outside",
                "StringBuilder l = new StringBuilder(); outer: for (int y = 0; y < n && y < 6; y++) for (int x = 0; x < 3; x++) try { l.append(s.f(y * 3 + x)); } catch (RuntimeException e) { l.append('!'); continue outer; } return \"caught\" + l;");
        same( // nothing that the run-ahead computes is passed over: only the steps are not the same
                "handler-leaves-a-row-without-a-counter",
                "int[] b = new int[3]; boolean f = n < 0; long t = 0; int i = 0; int y = 0; outer: while (y < n && y < 6) { int q = y++; while (true) { t = t * 3 + s.f(q); if (f) break; try { t += b[i++]; } catch (ArrayIndexOutOfBoundsException e) { i = 0; continue outer; } } } return \"caught\" + t;");
        same(
                "handler-leaves-a-row-that-never-ends",
                "int[] b = new int[3]; long t = 0; int i = 0; int y = 0; outer: while (y < n && y < 6) { int q = y++; while (true) { t = t * 3 + s.f(q); try { t += b[i++]; } catch (ArrayIndexOutOfBoundsException e) { i = 0; continue outer; } } } return \"caught\" + t;");
        same(
                "handler-ends-the-row",
                "int[] a = {1, 0, 2, 0, 4, 5}; StringBuilder l = new StringBuilder(); for (int y = 0; y < n && y < 6; y++) { try { for (int x = 0; x < 3; x++) { l.append(s.f(y * 3 + x)); l.append(7 / a[(y + x) % 6]); } } catch (ArithmeticException e) { l.append('!'); } l.append(';'); } return \"caught\" + l;");
        same(
                "handler-ends-the-row-by-continue",
                "int[] a = {1, 0, 2, 0, 4, 5}; long t = 0; outer: for (int y = 0; y < n && y < 6; y++) for (int x = 0; x < 3; x++) { long v = s.f(y * 3 + x); try { t = t * 3 + v / a[(y + x) % 6]; } catch (ArithmeticException e) { t++; continue outer; } } return t;");
        same(
                "handler-of-the-head-of-a-row",
                "int[] a = {1, 0, 2, 0, 4, 5}; long t = 0; for (int y = 0; y < n && y < 6; y++) { int m = 3; try { t += 7 / a[y]; } catch (ArithmeticException e) { t++; continue; } for (int x = 0; x < m; x++) t = t * 3 + s.f(y * 3 + x); } return t;");
        same(
                "handler-between-two-calls-of-a-row",
                "int[] a = {1, 0, 2, 0, 4, 5}; long t = 0; for (int y = 0; y < n && y < 6; y++) { t += s.g(y); try { for (int x = 0; x < 3; x++) { t = t * 3 + s.f(y * 3 + x); t += 7 / a[(y + x) % 6]; } } catch (ArithmeticException e) { t++; } } return t;");
        same(
                "handler-leaves-all",
                "StringBuilder l = new StringBuilder(); outer: for (int y = 0; y < n && y < 6; y++) for (int x = 0; x < 3; x++) try { l.append(s.f(y * 3 + x)); } catch (RuntimeException e) { l.append('!'); break outer; } return \"caught\" + l;");
        same(
                "do-while-and-handler",
                "StringBuilder l = new StringBuilder(); for (int y = 0; y < n && y < 6; y++) { int x = 0; do { try { l.append(s.f(y * 3 + x)); } catch (RuntimeException e) { l.append('!'); } x++; } while (x < 3); } return \"caught\" + l;");
        same(
                "finally-in-nest",
                "StringBuilder l = new StringBuilder(); try { for (int y = 0; y < n && y < 6; y++) { try { for (int x = 0; x < 3; x++) l.append(s.f(y * 3 + x)); } finally { l.append('f'); } } } catch (RuntimeException e) { return \"caught\" + l; } return l.toString();");
        same(
                "bounds-changed-inside",
                "int[] m = {3}; long t = 0; for (int y = 0; y < n; y++) for (int x = 0; x < m[0]; x++) { t = t * 3 + s.f(y + x); m[0] = 1 + (int) Math.floorMod(t, 4L); } return t;");
        same(
                "rows-changed-inside",
                "int[][] a = new int[n + 1][2]; long t = 0; for (int y = 0; y < n; y++) for (int x = 0; x < 2; x++) { t = t * 3 + s.f(a[y][x]); a[y + 1][x] = (int) Math.floorMod(t, 7L); } return t;");
        same(
                "list-filled-inside",
                "List<List<Integer>> a = new ArrayList<>(); for (int y = 0; y < n; y++) a.add(new ArrayList<>(List.of(y, 2))); long t = 0;\n"
                        + "for (List<Integer> r : a) for (int x = 0; x < r.size() && x < 4; x++) { int v = s.f(r.get(x)); if (v % 2 == 0) r.add(v); t = t * 3 + v; } return t;");
        same(
                "iterator-of-subclass-inside",
                "List<List<Integer>> a = new ArrayList<>(); int[] c = {0}; for (int y = 0; y < n; y++) a.add(y % 3 == 2 ? new ArrayList<>(List.of(y, 1)) { public Iterator<Integer> iterator() { c[0]++; return super.iterator(); } } : new ArrayList<>(List.of(y)));\n"
                        + "long t = 0; for (List<Integer> r : a) for (int v : r) t = t * 3 + s.f(v) + c[0]; return t;");
        same(
                "null-row",
                "int[][] a = new int[n][]; for (int y = 0; y < n; y++) a[y] = y == 4 ? null : new int[2]; long t = 0; for (int[] r : a) { t++; for (int v : r) t = t * 3 + s.f(v); } return t;");
        same(
                "throw-in-nest",
                "long t = 0; int[] k = new int[20]; int y = 0; try { for (y = 0; y < n; y++) for (int x = 0; x < 3; x++) { t = t * 3 + s.f(y * 3 + x); k[y * 3 + x]++; } } catch (ArrayIndexOutOfBoundsException e) { return \"caught\" + y + t + k[3]; } return t;");
        same(
                "shadowed-counter",
                "long t = 0; int x = 0; for (int y = 0; y < n; y++) { for (; x < y; x++) t = t * 3 + s.f(x); t++; } return t + x;");
        same(
                "inner-loop-changes-outer-counter",
                "long t = 0; for (int y = 0; y < n; y++) for (int x = 0; x < 3; x++) { t = t * 3 + s.f(y + x); if (x == 1) y++; } return t;");
        same(
                "local-receiver-inside",
                "L.seen = 0; Svc q = new L(); long t = 0; for (int y = 0; y < n; y++) { t += q.g(y); for (int x = 0; x < 3; x++) t = t * 3 + s.f(y + x); } return t; }\n"
                        + "static class L extends LocalSvc { static int seen; public int g(int x) { return seen++; }");
    }
}
