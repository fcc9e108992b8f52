package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Loops in which running ahead would go wrong if one of the analyses had a hole. */
@Tag("one-jdk")
class LoopTrapTest extends ProgramTests {

    private static final String LIST =
            "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i * 2);\n";
    private static final String TEXTS =
            "String[] q = {\"1\", \"x\", \"2\", \"y\", \"4\"}; StringBuilder l = new StringBuilder();\n";
    private static final String MAP =
            "Map<String, Integer> m = new HashMap<>(); for (int i = 0; i < n; i++) m.put(\"k\" + i, i); int t = 0;\n";

    @TestFactory
    Stream<DynamicTest> programs() {
        endless();
        exceptions();
        collections();
        values();
        return tests();
    }

    /** Parts that end in an exception, if at all. */
    private void endless() {
        String a = "int[] a = {3, 1, 4, 1, 5}; StringBuilder l = new StringBuilder();\n";
        same(
                "endless-part-before-the-call",
                a
                        + "for (int i = 0; i < n; i++) { try { if (i % 4 == 2) { int j = 0; while (true) l.append(a[j++]); } l.append(s.f(i)); }\n"
                        + "catch (ArrayIndexOutOfBoundsException e) { l.append('!'); } } return \"caught\" + l;");
        same(
                "endless-part-instead-of-the-call",
                a
                        + "for (int i = 0; i < n; i++) { if (i == 6) { int j = 0; while (true) l.append(a[j++]); } l.append(s.f(i)); } return \"caught\" + l;");
        same(
                "endless-part-that-the-handler-leaves",
                a
                        + "int k = 0; for (int i = 0; i < n; i++) { try { if (i % 4 == 2) { while (true) l.append(a[k++]); } }\n"
                        + "catch (ArrayIndexOutOfBoundsException e) { k = i; } l.append(s.f(k)); } return \"caught\" + l;");
        same(
                "endless-part-behind-the-call",
                a
                        + "for (int i = 0; i < n; i++) { l.append(s.f(i)); if (i == 6) { int j = 0; while (true) l.append(a[j++]); } l.append(s.g(i)); } return \"caught\" + l;");
    }

    private void exceptions() {
        same(
                "catch-leaves-at-times",
                TEXTS
                        + "int i = 0; for (; i < n; i++) { try { l.append(Integer.parseInt(q[i % 5])); l.append(s.f(i)); } catch (NumberFormatException e) { if (i > 5) break; l.append('!'); } } l.append(s.f(i)); return \"caught\" + l;");
        same(
                "catch-leaves-at-times-behind-the-call",
                TEXTS
                        + "int i = 0; for (; i < n; i++) { int v = s.f(i); try { l.append(v).append(Integer.parseInt(q[i % 5])); } catch (NumberFormatException e) { if (i > 5) break; l.append('!'); } } l.append(s.f(i)); return \"caught\" + l;");
        same(
                "catch-skips-argument",
                TEXTS
                        + "int k = -1; for (int i = 0; i < n; i++) { try { l.append(Integer.parseInt(q[i % 5])); k = i; }\n"
                        + "catch (NumberFormatException e) { l.append('!'); } l.append(s.f(k)); } return \"caught\" + l;");
        same(
                "catch-skips-array-store",
                TEXTS + "for (int i = 0; i < n; i++) { int[] k = new int[1];\n"
                        + "try { l.append(Integer.parseInt(q[i % 5])); k[0] = i; } catch (NumberFormatException e) { l.append('!'); } l.append(s.sumOf(k)); }\n"
                        + "return \"caught\" + l;");
        same(
                "catch-skips-next",
                LIST + TEXTS + "int i = 0; Iterator<Integer> it = xs.iterator(); int last = -1; while (i < n) { i++;\n"
                        + "try { l.append(Integer.parseInt(q[i % 5])); last = it.next(); } catch (RuntimeException e) { l.append('!'); } l.append(s.f(last)); }\n"
                        + "return \"caught\" + l;");
        same(
                "catch-skips-count",
                TEXTS + "int i = 0; int tries = 0; while (i < n && tries++ < 400) {\n"
                        + "try { l.append(s.f(i)); l.append(Integer.parseInt(q[tries % 5])); i++; } catch (NumberFormatException e) { l.append('!'); } }\n"
                        + "return \"caught\" + l;");
        overlaps(
                "catch-skips-nothing-needed",
                TEXTS + "for (int i = 0; i < n; i++) { int k = i * 3;\n"
                        + "try { l.append(s.f(k)); l.append(Integer.parseInt(q[i % 5])); } catch (NumberFormatException e) { l.append(i); } }\n"
                        + "return \"caught\" + l;");
        same(
                "catch-skips-send",
                TEXTS + "for (int i = 0; i < n; i++) {\n"
                        + "try { l.append(Integer.parseInt(q[i % 5])); l.append(s.f(i)); } catch (NumberFormatException e) { l.append('!'); } l.append(s.g(i)); }\n"
                        + "return \"caught\" + l;");
    }

    private void collections() {
        same(
                "own-list-set-ahead",
                LIST
                        + "int k = n - 1; int t = 0; for (int x : xs) { int v = s.f(x); xs.set(k--, v); t = t * 3 + v; } return t + \" \" + xs;");
        same(
                "own-list-set-by-index",
                LIST
                        + "int t = 0; for (int i = 0; i < n; i++) { int v = s.f(xs.get(i)); xs.set(n - 1 - i, v); t = t * 3 + v; } return t + \" \" + xs;");
        same(
                "map-entries-changed",
                MAP
                        + "for (Map.Entry<String, Integer> e : m.entrySet()) { int v = s.f(e.getValue()); m.put(\"k\" + v % Math.max(n, 1), v); t = t * 3 + v;\n"
                        + "if (m.size() > n) return \"caught\"; } return t + \" \" + m;");
        same(
                "map-values-read-and-set",
                MAP
                        + "for (String k : m.keySet()) { int v = s.f(m.get(k)); for (String j : m.keySet()) m.put(j, v % 50); t = t * 3 + v; } return t + \" \" + m;");
        overlaps(
                "own-list-in-consumer",
                "int t = 0; for (int i = 0; i < n; i++) { List<Integer> l = new ArrayList<>(); l.add(s.f(i)); l.add(i); for (int v : l) t = t * 3 + v; } return t;");
        same(
                "nested-lists",
                "List<List<Integer>> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(new ArrayList<>(List.of(i)));\n"
                        + "int t = 0; for (int i = 0; i < n; i++) { int v = s.f(xs.get(i).get(0)); xs.get((i + 1) % n).set(0, v % 100); t = t * 3 + v; } return t;");
        same(
                "list-of-array",
                "Integer[] a = new Integer[n]; for (int i = 0; i < n; i++) a[i] = i; List<Integer> xs = Arrays.asList(a); int t = 0;\n"
                        + "int k = n - 1; for (int x : xs) { int v = s.f(x); a[k--] = v; t = t * 3 + v; } return t;");
        same(
                "two-lists-of-one-array",
                "Integer[] a = new Integer[n]; for (int i = 0; i < n; i++) a[i] = i; return go(s, Arrays.asList(a), Arrays.asList(a), n); }\n"
                        + "static Object go(Svc s, List<Integer> xs, List<Integer> ys, int n) { int t = 0; int k = n - 1; for (int x : xs) { int v = s.f(x); ys.set(k--, v); t = t * 3 + v; } return t;");
    }

    private void values() {
        same(
                "number-subclass",
                "Counting.calls = 0; Number[] xs = new Number[n]; for (int i = 0; i < n; i++) xs[i] = new Counting(); int t = 0;\n"
                        + "for (int i = 0; i < n; i++) t = t * 3 + s.f(xs[i].intValue()) + Counting.calls; Counting.calls = 0; return t; }\n"
                        + "static class Counting extends Number { static int calls; public int intValue() { return calls++; } public long longValue() { return 0; }\n"
                        + "public float floatValue() { return 0; } public double doubleValue() { return 0; }");
        same(
                "char-array-argument",
                "char[] c = {'a', 'b'}; String t = \"\"; for (int i = 0; i < n; i++) { t = t + s.s(String.valueOf(c)); c[0] = (char) ('a' + i % 20); } return t;");
        same(
                "key-object-shared",
                "Svc.Box b = new Svc.Box(1); int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.weigh(b); b.value = t % 7; } return t;");
        same(
                "key-object-behind-helper",
                "Svc.Box b = new Svc.Box(1); int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.f(b.value()); touch(b, t); } return t; }\n"
                        + "private static void touch(Svc.Box b, int t) { b.value = t % 7;");
        same(
                "static-counter",
                "K.c = 0; int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.f(K.c); K.c += t % 3; } return t; }\nstatic class K { static int c;");
        same(
                "helper-with-state",
                "K.c = 0; int t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.f(next()); return t + K.c; }\n"
                        + "static int next() { return K.c++; }\nstatic class K { static int c;");
        same(
                "array-element-of-array",
                "int[][] a = new int[n + 1][2]; int t = 0; for (int i = 0; i < n; i++) { int v = s.f(a[i][0]); a[i + 1][0] = v % 50; t = t * 3 + v; } return t;");
        same(
                "index-reused",
                "int[] a = new int[n + 1]; int k = 0; int t = 0; for (int i = 0; i < n; i++) { int v = s.f(a[k]); a[k] = v % 50; if (i % 3 == 0) k++; t = t * 3 + v; } return t;");
        same(
                "index-moved-between",
                "int[] a = new int[2 * n + 2]; int t = 0; for (int i = 0; i < n; i++) { int v = s.f(a[i]); i++; a[i + 1] = v % 50; t = t * 3 + v; } return t;");
        same(
                "string-builder-argument",
                "StringBuilder b = new StringBuilder(); String t = \"\"; for (int i = 0; i < n; i++) { t = s.s(b.toString()); b.append(t.length()); } return t + b;");
        same(
                "argument-with-counter",
                "int c = 0; int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.f(c++) * c; } return t + c;");
        same(
                "swapped-arrays",
                "int[] a = new int[n]; int[] b = new int[n]; int t = 0; for (int i = 0; i < n; i++) { int v = s.f(a[i]); b[n - 1 - i] = v % 9; int[] x = a; a = b; b = x; t = t * 3 + v; } return t;");
    }
}
