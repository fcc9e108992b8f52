package dev.cleave.agent.conformance;

import dev.cleave.agent.rule.Rule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** The loop patterns, by their names. */
@Tag("one-jdk")
class LoopTest extends ProgramTests {

    private static final String LIST =
            "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i * 2);\n";

    @TestFactory
    Stream<DynamicTest> patterns() {
        counted();
        collections();
        control();
        exceptions();
        refused();
        return tests();
    }

    private void counted() {
        overlaps("array-fill", "int[][] r = new int[n][]; for (int i = 0; i < n; i++) r[i] = s.row(i); return r;");
        overlaps("int-array-fill", "int[] r = new int[n]; for (int i = 0; i < n; i++) r[i] = s.f(i); return r;");
        overlaps(
                "array-keys",
                "int[] k = new int[n]; for (int i = 0; i < n; i++) k[i] = i * i; int[] r = new int[n];\n"
                        + "for (int i = 0; i < n; i++) r[i] = s.f(k[i]); return r;");
        overlaps(
                "array-keys-parameter",
                "int[] k = new int[n]; for (int i = 0; i < n; i++) k[i] = i; return go(s, k, new int[n], k, n); }\n"
                        + "static int[] go(Svc s, int[] k, int[] r, int[] q, int n) { for (int i = 0; i < n; i++) r[n - 1 - i] = s.f(k[i]); return r;");
        same(
                "array-keys-aliased",
                "int[] k = new int[n]; for (int i = 0; i < n; i++) k[i] = i; return go(s, k, k, n); }\n"
                        + "static int[] go(Svc s, int[] k, int[] r, int n) { for (int i = 0; i < n; i++) r[n - 1 - i] = s.f(k[i]); return r;");
        overlaps(
                "inplace-same-index",
                "int[] a = new int[n]; for (int i = 0; i < n; i++) a[i] = i;\n"
                        + "for (int i = 0; i < n; i++) a[i] = s.f(a[i]); return a;");
        sequential(
                "shifted-index",
                Rule.R33,
                "int[] a = new int[n + 1]; for (int i = 0; i < n; i++) a[i + 1] = s.f(a[i]); return a;");
        sequential(
                "shifted-index-of-field",
                Rule.R33,
                "Own o = new Own(); o.a = new int[n + 1]; for (int i = 0; i < n; i++) o.a[i + 1] = s.f(o.a[i]); return o.a; } static class Own { int[] a;");
        overlaps("sum", "int t = 0; for (int i = 0; i < n; i++) t += s.f(i); return t;");
        overlaps("sum-long", "long t = 0; for (int i = 0; i < n; i++) t += s.lf(i); return t;");
        overlaps("double-sum", "double t = 0; for (int i = 0; i < n; i++) t = t * 1.1 + s.df(i); return t;");
        overlaps(
                "string-builder",
                "StringBuilder b = new StringBuilder(); for (int i = 0; i < n; i++) b.append(s.f(i)).append(','); return b.toString();");
        overlaps("string-concat", "String b = \"\"; for (int i = 0; i < n; i++) b = b + i + s.s(\"k\" + i); return b;");
        overlaps(
                "best-so-far",
                "int best = -1; int at = -1; for (int i = 0; i < n; i++) { int v = s.f(i * 7 % 11); if (v > best) { best = v; at = i; } }\n"
                        + "return best + \"@\" + at;");
        overlaps("count-down", "int t = 0; for (int i = n; i > 0; i--) t = t * 3 + s.f(i); return t;");
        overlaps("do-while", "int t = 0; int i = 0; do { t = t * 3 + s.f(i); i++; } while (i < n); return t;");
        overlaps(
                "while-two-steps",
                "int t = 0; int i = 0; while (i < n) { t = t * 31 + s.f(i); i += 1 + i % 2; } return t;");
        overlaps("void-calls", "for (int i = 0; i < n; i++) s.put(i); return 0;");
        overlaps(
                "live-out", "int i; int k = 0; for (i = 0; i < n; i++) { k = i * 2; s.put(k); } return i + \" \" + k;");
        overlaps("small-window", "int t = 0; for (int i = 0; i < n; i++) t += s.w(i); return t;");
        overlaps(
                "two-independent",
                "int t = 0; for (int i = 0; i < n; i++) { int a = s.f(i); int b = s.g(i + 1); t = t * 7 + a * b; } return t;");
        overlaps("two-in-expression", "int t = 0; for (int i = 0; i < n; i++) t += s.f(i) * s.g(i); return t;");
        overlaps("dependent-pair", "int t = 0; for (int i = 0; i < n; i++) t += s.g(s.f(i)); return t;");
        overlaps(
                "array-argument",
                "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.sumOf(new int[] {i, i + 1, t(i)}); return t; }\n"
                        + "static int t(int i) { return i / 2;");
        overlaps(
                "object-argument",
                "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.weigh(new Svc.Box(i)); return t;");
        overlaps(
                "helper-in-consumer",
                "int t = 0; for (int i = 0; i < n; i++) t = mix(t, s.f(i)); return t; }\n"
                        + "private static int mix(int a, int b) { int r = a; for (int k = 0; k < 3; k++) r = r * 31 + b; return r;");
        overlaps(
                "helper-in-argument",
                "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.f(key(i)); return t; }\n"
                        + "private static int key(int i) { return i % 5 == 0 ? 3 : i;");
        overlaps("println", "for (int i = 0; i < n; i++) System.out.print(s.f(i) < 0 ? \"!\" : \"\"); return 0;");
        overlaps(
                "nested-fill",
                "int[][] r = new int[3][n]; for (int k = 0; k < 3; k++) for (int i = 0; i < n; i++) r[k][i] = s.f(k * 100 + i); return r;");
        overlaps(
                "triangular",
                "int t = 0; for (int k = 0; k < 4; k++) for (int i = 0; i < k * n / 2; i++) t = t * 3 + s.f(i); return t;");
        overlaps(
                "inner-bound-from-result",
                "int t = 0; for (int k = 0; k < 2; k++) { int m = s.f(k) % 3 + n; for (int i = 0; i < m; i++) t = t * 3 + s.g(i); } return t;");
        overlaps(
                "local-loop-inside",
                "int t = 0; for (int i = 0; i < n; i++) { int v = s.f(i); for (int k = 0; k < 3; k++) t = t * 3 + v; } return t;");
        overlaps(
                "mandelbrot-like",
                "int[][] im = new int[n][]; int done = 0; for (int y = 0; y < n; y++) { int[] r = s.row(y); im[y] = r; done += r.length; }\n"
                        + "return im;");
    }

    private void collections() {
        overlaps(
                "list-add", "List<Object> r = new ArrayList<>(); for (int i = 0; i < n; i++) r.add(s.f(i)); return r;");
        overlaps(
                "list-add-parameter",
                "List<Object> r = new ArrayList<>(); go(s, r, n); return r; }\n"
                        + "static void go(Svc s, List<Object> r, int n) { for (int i = 0; i < n; i++) r.add(s.f(i));");
        same(
                "list-add-unknown-list",
                "List<Object> r = new Vector<>(); go(s, r, n); return r; }\n"
                        + "static void go(Svc s, List<Object> r, int n) { for (int i = 0; i < n; i++) r.add(s.f(i));");
        overlaps(
                "list-add-field",
                "P x = new P(); x.go(s, n); return x.r; }\n"
                        + "static class P { List<Object> r = new ArrayList<>(); int t; void go(Svc s, int n) { for (int i = 0; i < n; i++) { r.add(s.f(i)); } } \n}"
                        + " static int z() { return 1;");
        overlaps(
                "new-row-in-add",
                "record Row(int a, String b) {} List<Object> r = new ArrayList<>();\n"
                        + "for (int i = 0; i < n; i++) r.add(new Row(s.f(i), s.s(\"x\" + i))); return r.toString();");
        overlaps(
                "map-put",
                "Map<String, Integer> r = new HashMap<>(); for (int i = 0; i < n; i++) r.put(\"k\" + i, s.f(i)); return r.toString();");
        overlaps(
                "foreach-array",
                "int[] xs = new int[n]; for (int i = 0; i < n; i++) xs[i] = i * 3; int t = 0; for (int x : xs) t = t * 7 + s.f(x); return t;");
        overlaps(
                "foreach-strings",
                "String[] xs = new String[n]; Arrays.fill(xs, \"q\"); String t = \"\"; for (String x : xs) t = t + s.s(x); return t;");
        overlaps("foreach-ArrayList", LIST + "int t = 0; for (int x : xs) t = t * 7 + s.f(x); return t;");
        overlaps("foreach-List-of", "int t = 0; for (int x : List.of(n, 2, 3, 4)) t = t * 7 + s.f(x); return t;");
        overlaps(
                "foreach-map-entries",
                "Map<String, Integer> m = new HashMap<>(); for (int i = 0; i < n; i++) m.put(\"k\" + i, i);\n"
                        + "String t = \"\"; for (Map.Entry<String, Integer> e : m.entrySet()) t = t + s.f(e.getValue()); return t;");
        overlaps(
                "foreach-map-keys",
                "Map<String, Integer> m = new LinkedHashMap<>(); for (int i = 0; i < n; i++) m.put(\"k\" + i, i);\n"
                        + "String t = \"\"; for (String k : m.keySet()) t = t + s.s(k); return t;");
        same(
                "foreach-unknown-iterable",
                "Iterable<Integer> it = () -> List.of(1, 2, n).iterator(); int t = 0; for (int x : it) t += s.f(x); return t;");
        same(
                "foreach-subclass",
                "List<Integer> xs = new ArrayList<>(List.of(1, 2, n)) { public Iterator<Integer> iterator() { return List.of(5, 6).iterator(); } };\n"
                        + "int t = 0; for (int x : xs) t += s.f(x); return t;");
        overlaps(
                "foreach-into-list",
                LIST + "List<Object> r = new ArrayList<>(); for (int x : xs) r.add(s.f(x)); return r;");
        same(
                "foreach-into-same-list",
                LIST + "return go(s, xs, xs); }\n"
                        + "static Object go(Svc s, List<Integer> xs, List<Integer> r) { try { for (int x : xs) r.add(s.f(x)); } catch (ConcurrentModificationException e) { return \"caught\" + r; } return r;");
        overlaps(
                "foreach-into-other-list",
                LIST + "return go(s, xs, new ArrayList<>()); }\n"
                        + "static Object go(Svc s, List<Integer> xs, List<Integer> r) { for (int x : xs) r.add(s.f(x)); return r;");
        overlaps(
                "foreach-records",
                "List<Item> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(new Item(\"i\" + i, i)); int t = 0;\n"
                        + "for (Item x : xs) { if (x.weight() % 3 != 0) t = t * 7 + s.f(x.weight()); } return t; }\n"
                        + "record Item(String id, int weight) { static int z() { return 1; }");
        overlaps(
                "foreach-beans",
                "List<Item> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(new Item(\"i\" + i)); String t = \"\";\n"
                        + "for (Item x : xs) t = t + s.s(x.getId()); return t; }\n"
                        + "static class Item { private String id; Item(String id) { this.id = id; } public String getId() { return id; }");
        same(
                "foreach-beans-subclass",
                "List<Item> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i % 4 == 3 ? new Sub(\"i\" + i) : new Item(\"i\" + i)); String t = \"\";\n"
                        + "Item.count = 0; for (Item x : xs) t = t + s.s(x.getId()); return t + Item.count; }\n"
                        + "static class Sub extends Item { static int total; Sub(String id) { super(id); } public String getId() { count++; return \"s\" + count; } }\n"
                        + "static class Item { private String id; static int count; Item(String id) { this.id = id; } public String getId() { return id; }");
        overlaps(
                "indexed-list",
                LIST + "int t = 0; for (int i = 0; i < xs.size(); i++) t = t * 7 + s.f(xs.get(i)); return t;");
        overlaps(
                "list-result",
                "List<String> r = new ArrayList<>(); for (int i = 0; i < n; i++) { List<String> l = s.names(i); r.add(l.toString() == null ? \"\" : \"x\"); } return r;"
                        .replace("l.toString() == null ? \"\" : \"x\"", "l == null ? \"\" : \"x\""));
        same(
                "set-result-on-element",
                "List<Svc.Box> xs = new ArrayList<>(); for (int i = 0; i < n; i++) { xs.add(new Svc.Box(i)); if (i > 0) xs.get(i).next = xs.get(i - 1); }\n"
                        + "for (Svc.Box x : xs) x.value = s.weigh(x); String t = \"\"; for (Svc.Box x : xs) t += x.value; return t;");
        overlaps(
                "own-list-with-mutable-argument",
                "List<Svc.Box> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(new Svc.Box(i));\n"
                        + "List<Object> r = new ArrayList<>(); for (Svc.Box x : xs) r.add(s.weigh(x)); return r;");
    }

    private void control() {
        overlaps(
                "conditional-call",
                "int t = 0; for (int i = 0; i < n; i++) if (i % 3 != 1) t = t * 5 + s.f(i); return t;");
        sequential(
                "conditional-on-result",
                "int t = 0; boolean go = true; for (int i = 0; i < n; i++) if (go) { int v = s.f(i); t += v; go = v % 2 == 0 || v > 0; } return t;");
        overlaps(
                "break-on-arg",
                "int t = 0; for (int i = 0; i < n; i++) { if (i == 9) break; t = t * 5 + s.f(i); } return t;");
        sequential(
                "break-on-result",
                "int t = 0; for (int i = 0; i < n; i++) { int v = s.f(i); if (v > 30) break; t = t * 5 + v; } return t;");
        sequential("return-if-ok", "for (int i = 1; i < n; i++) if (s.ok(i)) return i; return -1;");
        overlaps(
                "continue",
                "int t = 0; for (int i = 0; i < n; i++) { if (i % 4 == 2) continue; t = t * 5 + s.f(i); } return t;");
        overlaps(
                "labelled-continue",
                "int t = 0; outer: for (int i = 0; i < n; i++) { for (int k = 0; k < 3; k++) { if (k == i) continue outer; } t = t * 5 + s.f(i); } return t;");
        overlaps(
                "switch-in-body",
                "int t = 0; for (int i = 0; i < n; i++) switch (i % 3) { case 0 -> t += s.f(i); case 1 -> t = t * 3 + s.g(i); default -> t++; } return t;");
        sequential("call-in-condition", "int t = 0; while (s.f(t) < n) t++; return t;");
        sequential("result-feeds-next", "int x = 1; for (int i = 0; i < n; i++) x = s.f(x) % 1000; return x;");
        sequential("step-from-result", "int t = 0; for (int i = 0; i < n; i += s.f(1)) t++; return t;");
        overlaps(
                "infinite-with-break",
                "int t = 0; int i = 0; for (;;) { if (i >= n) break; t = t * 3 + s.f(i++); } return t;");
        overlaps(
                "ternary-argument",
                "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.f(i % 2 == 0 ? i : -i); return t;");
        overlaps(
                "either-call",
                "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + (i % 2 == 0 ? s.f(i) : s.g(i)); return t;");
        overlaps(
                "result-tested",
                "int t = 0; for (int i = 0; i < n; i++) { if (s.ok(i)) t += i; else t = t * 2; } return t;");
    }

    private void exceptions() {
        overlaps(
                "throw-in-consumer",
                "int[] r = new int[12]; int i = 0; try { for (i = 0; i < n; i++) r[i] = s.f(i); } catch (ArrayIndexOutOfBoundsException e) { return \"caught\" + i + Arrays.toString(r).length(); }\n"
                        + "return i;");
        overlaps(
                "late-exception",
                "int[] a = new int[8]; StringBuilder l = new StringBuilder(); int t = 0;\n"
                        + "try { for (int i = 0; i < n; i++) { l.append(i); t += s.f(a[i]); } } catch (ArrayIndexOutOfBoundsException e) { return \"caught\" + l + t; } return l.toString() + t;");
        overlaps(
                "try-catch-in-body",
                "List<Object> ok = new ArrayList<>(); List<Object> bad = new ArrayList<>();\n"
                        + "for (int i = 0; i < n; i++) try { ok.add(s.f(i)); } catch (RuntimeException e) { bad.add(i); } return \"caught\" + ok.size() + bad + ok.hashCode();"
                                .replace("+ ok.hashCode()", ""));
        overlaps(
                "try-two-in-body",
                "StringBuilder l = new StringBuilder(); for (int i = 0; i < n; i++) { try { int a = s.f(i); l.append(a); int b = s.g(i); l.append(b); }\n"
                        + "catch (RuntimeException e) { l.append('!'); } } return \"caught\" + l;");
        overlaps(
                "try-then-call-in-body",
                "StringBuilder l = new StringBuilder(); for (int i = 0; i < n; i++) { int a; try { a = s.f(i); } catch (RuntimeException e) { a = -1; }\n"
                        + "int b = s.g(i); l.append(a + b).append(' '); } return \"caught\" + l;");
        same(
                "catch-changes-counter",
                "StringBuilder l = new StringBuilder(); for (int i = 0; i < n; i++) { try { l.append(s.f(i)); } catch (RuntimeException e) { i++; l.append('!'); } } return \"caught\" + l;");
        same(
                "catch-and-break",
                "StringBuilder l = new StringBuilder(); for (int i = 0; i < n; i++) { try { l.append(s.f(i)); } catch (RuntimeException e) { break; } } return \"caught\" + l;");
        overlaps(
                "failure-then-cleanup",
                "try { for (int i = 0; i < n; i++) s.put(i); } catch (RuntimeException e) { s.sync(1); return \"caught\"; } return 0;");
        overlaps(
                "try-finally-around",
                "StringBuilder l = new StringBuilder(); try { try { for (int i = 0; i < n; i++) l.append(s.f(i)); } finally { l.append('F'); } }\n"
                        + "catch (RuntimeException e) { return \"caught\" + l; } return l.toString();");
        overlaps(
                "checked-in-loop",
                "int i = 0; try { for (; i < n; i++) s.checked(i); } catch (Svc.Failure e) { return \"caught\" + i + e.getMessage(); } return i;");
        same(
                "division-in-producer",
                "int t = 0; int k = 20; try { for (int i = 0; i < n; i++) { t += i; t += s.f(100 / (k - i)); } } catch (ArithmeticException e) { return \"caught\" + t; } return t;");
        same(
                "finally-in-body",
                "StringBuilder l = new StringBuilder(); try { for (int i = 0; i < n; i++) try { l.append(s.f(i)); } finally { l.append('f'); } }\n"
                        + "catch (RuntimeException e) { return \"caught\" + l; } return l.toString();");
        same(
                "nested-handlers",
                "StringBuilder l = new StringBuilder(); try { for (int i = 0; i < n; i++) { try { try { s.checked(i); l.append(s.f(i)); } catch (Svc.Failure e) { l.append('c'); } }\n"
                        + "catch (IllegalStateException e) { l.append('i'); } } } catch (RuntimeException e) { return \"caught\" + l; } return \"caught\" + l;");
        overlaps(
                "loop-in-monitor",
                "Object m = new Object(); int t = 0; synchronized (m) { for (int i = 0; i < n; i++) t += s.f(i); } return t;");
    }

    private void refused() {
        sequential(
                "unknown-call-in-body",
                "int t = 0; Random r = new Random(1); for (int i = 0; i < n; i++) t += s.f(i) + r.nextInt(); return t;");
        sequential(
                "unknown-function-in-body",
                "int[] k = {n}; java.util.function.IntConsumer c = x -> k[0] = x % 5; int t = 0;\n"
                        + "for (int i = 0; i < n; i++) { t = t * 3 + s.f(k[0] + i); c.accept(t); } return t + k[0];");
        sequential(
                "method-of-an-interface-in-body",
                Rule.R43,
                "k = n; Put put = put(n); int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.f(k + i); put.put(t); } return t + k; }\n"
                        + "private static int k; interface Put { void put(int x); }\n"
                        + "private static Put put(int n) { return n < 0 ? x -> { } : x -> k = x % 5;");
        sequential(
                "sync-call-in-body",
                "int t = 0; for (int i = 0; i < n; i++) { t += s.f(i); t += s.sync(i); } return t;");
        sequential(
                "synchronized-in-body",
                "Object m = new Object(); int t = 0; for (int i = 0; i < n; i++) synchronized (m) { t += s.f(i); } return t;");
        sequential(
                "array-argument-written",
                "int[] x = new int[1]; int t = 0; for (int i = 0; i < n; i++) { x[0] = i; t = t * 3 + s.sumOf(x); } return t;");
        sequential(
                "field-written-and-read",
                "P x = new P(); for (int i = 0; i < n; i++) { x.v = s.f(x.v) % 100; } return x.v; }\nstatic class P { int v;");
        same(
                "list-changed-in-body",
                LIST
                        + "try { for (int x : xs) { int v = s.f(x); if (v > 20) xs.remove(0); } } catch (ConcurrentModificationException e) { return \"caught\" + xs; } return xs;");
        same(
                "iterator-moved-before",
                LIST
                        + "int t = 0; Iterator<Integer> it = xs.iterator(); if (it.hasNext()) it.next(); while (it.hasNext()) t = t * 3 + s.f(it.next()); return t;");
        same(
                "iterator-moved-in-consumer",
                LIST
                        + "int t = 0; Iterator<Integer> it = xs.iterator(); while (it.hasNext()) { int x = it.next(); int v = s.f(x); if (v % 2 == 0 && it.hasNext()) it.next(); t = t * 3 + v; } return t;");
        same(
                "iterator-remove",
                LIST
                        + "Iterator<Integer> it = xs.iterator(); while (it.hasNext()) { int x = it.next(); if (s.ok(x)) it.remove(); } return xs;");
        same(
                "local-receiver",
                "Local l = new Local(); Svc x = l; int t = 0; for (int i = 0; i < n; i++) t = t * 3 + x.f(i) + l.seen; return t; }\n"
                        + "static class Local extends LocalSvc { int seen; public int f(int x) { seen++; return x * seen; }");
        same(
                "local-receiver-changes-keys",
                "int[] k = new int[n + 1]; Svc x = new Local(k); int t = 0; for (int i = 0; i < n; i++) t = t * 3 + x.f(k[i]); return t; }\n"
                        + "static class Local extends LocalSvc { int[] k; Local(int[] k) { this.k = k; } public int f(int x) { for (int i = 0; i < k.length; i++) k[i]++; return x; }");
        same(
                "mixed-receivers",
                "Svc[] xs = new Svc[n]; for (int i = 0; i < n; i++) xs[i] = i % 3 == 2 ? new Local() : i % 3 == 1 ? z : s; int r = 0;\n"
                        + "for (int i = 0; i < n; i++) r = r * 3 + xs[i].f(i); return r; }\nstatic class Local extends LocalSvc { int seen; public int f(int x) { return x - 1; }");
        same(
                "null-receiver",
                "Svc x = n == 5 ? null : s; int t = 0; for (int i = 0; i < n; i++) t += x.f(i); return t;");
        same(
                "null-elements",
                "String[] xs = new String[n]; for (int i = 0; i < n; i++) xs[i] = i == 9 ? null : \"abc\"; int t = 0; for (String x : xs) t = t * 3 + s.f(x.length()); return t;");
        same(
                "static-initialiser",
                "int t = 0; for (int i = 0; i < n; i++) t += s.f(i) + Other.v; return t; }\nstatic class Other { static int v = new Random(4).nextInt(9);");
        same(
                "volatile-in-body",
                "V v = new V(); for (int i = 0; i < n; i++) v.x += s.f(i); return v.x; }\nstatic class V { volatile int x;");
        same(
                "clock-in-body",
                "long t = 0; for (int i = 0; i < n; i++) { long a = System.nanoTime(); t += s.f(i); if (System.nanoTime() < a) t++; } return t;");
    }
}
