package dev.cleave.agent.conformance;

import dev.cleave.agent.rule.Rule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** What stands around and between the calls of ordinary programs: maps that are merged, beans that are set, loops of the JDK. */
@Tag("one-jdk")
class OrdinaryShapesTest extends ProgramTests {

    private static final String BEANS =
            "List<Bean> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(%s); int t = 0; Order.calls = 0;\n";
    private static final String BEAN =
            "static class Bean { int id; int price; Bean(int id) { this.id = id; } int getId() { return id; }\n"
                    + "int getPrice() { return price; } void setPrice(int p) { price = p; } }\n"
                    + "static class Order extends Bean { static int calls; Order(int id) { super(id); } int getPrice() { return calls++; }\n"
                    + "void setPrice(int p) { calls += 100; super.setPrice(p); } int getId() { return id; }";

    @TestFactory
    Stream<DynamicTest> programs() {
        maps();
        functions();
        views();
        beans();
        loopsOfTheJdk();
        keys();
        add(
                "split-in-a-loop",
                "int k = 1; for (int i = 0; i < n; i++) { int a = s.f(k); int b = s.g(k); k = (a + b) % 50; } return k;");
        test("split-in-a-loop", () -> {
            conformance.overlaps("split-in-a-loop");
            refusedBy("split-in-a-loop", Rule.R30);
        });
        return tests();
    }

    private void maps() {
        overlaps(
                "merge-into-hash-map",
                "Map<Integer, Integer> m = new HashMap<>(); for (int i = 0; i < n; i++) m.merge(i % 3, s.f(i), Integer::sum); return new TreeMap<>(m).toString();");
        overlaps(
                "merge-into-tree-map",
                "Map<String, Double> m = new TreeMap<>(); for (int i = 0; i < n; i++) m.merge(\"k\" + i % 3, s.df(i), Double::sum); return m.toString();");
        overlaps(
                "merge-by-lambda",
                "int k = n; Map<Integer, Integer> m = new HashMap<>(); for (int i = 0; i < n; i++) m.merge(i % 3, s.f(i), (a, b) -> a * 3 + b * k); return m.toString();");
        overlaps(
                "put-into-tree-map",
                "Map<Integer, Integer> m = new TreeMap<>(); for (int i = 0; i < n; i++) m.put(i % 5, s.f(i)); return m.toString();");
        same(
                "tree-map-with-comparator",
                "int[] c = new int[1]; Map<Integer, Integer> m = new TreeMap<>((a, b) -> { c[0]++; return Integer.compare(a, b); });\n"
                        + "for (int i = 0; i < n; i++) m.put(i % 5, s.f(i) + s.g(c[0])); return m + \" \" + c[0];");
        same(
                "tree-map-of-the-programs-keys",
                "Map<Object, Integer> m = new TreeMap<>(); go(s, m, n); return \"\" + Key.calls; }\n"
                        + "static void go(Svc s, Map<Object, Integer> m, int n) { Key.calls = 0; for (int i = 0; i < n; i++) m.merge(new Key(), s.f(Key.calls), Integer::sum); }\n"
                        + "static class Key implements Comparable<Object> { static int calls; public int compareTo(Object o) { calls++; return 0; }");
        same(
                "map-of-the-program",
                "Counting.calls = 0; Map<Integer, Integer> m = new Counting(); for (int i = 0; i < n; i++) m.merge(1, s.f(Counting.calls), Integer::sum); Counting.calls = 0; return m.toString(); }\n"
                        + "static class Counting extends HashMap<Integer, Integer> { static int calls;\n"
                        + "public Integer merge(Integer k, Integer v, java.util.function.BiFunction<? super Integer, ? super Integer, ? extends Integer> f) { calls++; return super.merge(k, v, f); }");
    }

    private void functions() {
        sequential(
                "merge-writes-what-is-read",
                "int[] k = {1}; Map<Integer, Integer> m = new HashMap<>();\n"
                        + "for (int i = 0; i < n; i++) m.merge(0, s.f(k[0] + i), (a, b) -> { k[0] = a % 7; return b; }); return m.toString();");
        sequential(
                "merge-calls",
                "Map<Integer, Integer> m = new HashMap<>(); for (int i = 0; i < n; i++) m.merge(i % 2, s.f(i), (a, b) -> s.plain(a)); return m.toString();");
        sequential(
                "merge-by-a-function-of-somebody-else",
                "Map<Integer, Integer> m = new HashMap<>(); int[] k = {0}; go(s, m, (a, b) -> { k[0]++; return a + b; }, k, n); return m + \" \" + k[0]; }\n"
                        + "static void go(Svc s, Map<Integer, Integer> m, java.util.function.BinaryOperator<Integer> f, int[] k, int n) { for (int i = 0; i < n; i++) m.merge(0, s.f(k[0]), f);");
        sequential(
                "merge-by-one-of-two",
                "Map<Integer, Integer> m = new HashMap<>(); int[] k = {0}; java.util.function.BinaryOperator<Integer> f = Integer::sum;\n"
                        + "if (n > 1) f = (a, b) -> { k[0]++; return a; }; for (int i = 0; i < n; i++) m.merge(0, s.f(k[0]), f); return m + \" \" + k[0];");
        overlaps(
                "compute-if-absent-of-a-list",
                "Map<Integer, List<Integer>> m = new HashMap<>(); int t = 0;\n"
                        + "for (int i = 0; i < n; i++) { t = t * 3 + s.f(i); m.computeIfAbsent(i % 3, k -> new ArrayList<>()); } return t + \" \" + m;");
        overlaps(
                "list-changed-by-functions",
                "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) { xs.add(s.f(i)); xs.replaceAll(x -> x + 1); xs.removeIf(x -> x % 5 == 0); } return xs.toString();");
    }

    private void views() {
        overlaps(
                "entries-between-calls",
                "Map<Integer, Integer> m = new HashMap<>(); m.put(1, 2); int t = 0;\n"
                        + "for (int i = 0; i < n; i++) { t = t * 3 + s.f(i); for (Map.Entry<Integer, Integer> e : m.entrySet()) t += e.getKey(); } return t;");
        same(
                "keys-that-are-entries-of-the-program",
                "Own.calls = 0; Map<Map.Entry<Integer, Integer>, Integer> m = new HashMap<>(); m.put(new Own(), 2); int t = 0;\n"
                        + "for (int i = 0; i < n; i++) { t = t * 3 + s.f(Own.calls); for (Map.Entry<Integer, Integer> e : m.keySet()) t += e.getKey(); } return t; }\n"
                        + "static class Own implements Map.Entry<Integer, Integer> { static int calls; public Integer getKey() { return ++calls; }\n"
                        + "public Integer getValue() { return 1; } public Integer setValue(Integer v) { return v; }");
        same(
                "keys-of-a-map-of-the-program",
                "Counting.calls = 0; Map<Integer, Integer> m = new Counting(); m.put(1, 2); int t = 0;\n"
                        + "for (int i = 0; i < n; i++) { t = t * 3 + s.f(Counting.calls); for (int k : m.keySet()) t += k; } Counting.calls = 0; return t; }\n"
                        + "static class Counting extends HashMap<Integer, Integer> { static int calls; public Set<Integer> keySet() { calls++; return super.keySet(); }");
    }

    private void beans() {
        String plain = BEANS.formatted("new Bean(i)");
        String mixed = BEANS.formatted("i % 4 == 3 ? new Order(i) : new Bean(i)");
        String set =
                "for (Bean o : xs) { int v = s.f(o.getId()); o.setPrice(v); t = t * 3 + o.getPrice(); } return t; }\n";
        overlaps("bean-set", plain + set + BEAN);
        same("bean-set-of-a-subclass", mixed + set + BEAN);
        same(
                "bean-set-before-its-test",
                mixed
                        + "for (Bean o : xs) { o.setPrice(o.hashCode() % 1); t = t * 3 + s.f(o.getId() + Order.calls); } return t; }\n"
                        + BEAN);
        same(
                "bean-tested-on-one-way-only",
                mixed
                        + "for (int i = 0; i < n; i++) { Bean o = xs.get(i); int k = i; if (i % 2 == 0) k = o.getId(); t = t * 3 + s.f(k + Order.calls); o.setPrice(t); } return t; }\n"
                        + BEAN);
        same(
                "other-bean-tested",
                mixed
                        + "for (int i = 0; i < n; i++) { Bean o = xs.get(i); Bean p = xs.get(n - 1 - i); t = t * 3 + s.f(o.getId() + Order.calls); p.setPrice(t); } return t; }\n"
                        + BEAN);
        sequential(
                "bean-whose-setter-writes-what-is-read",
                plain + "for (Bean o : xs) { int v = s.f(o.getId()); o.setId(v % 10); t = t * 3 + v; } return t; }\n"
                        + "static class Bean { int id; Bean(int id) { this.id = id; } int getId() { return id; } void setId(int i) { id = i; } }\n"
                        + "static class Order { static int calls;");
    }

    private void loopsOfTheJdk() {
        String list = "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i);\n";
        overlaps("set-all", "int[] a = new int[n]; Arrays.setAll(a, i -> s.f(i) + i); return a;");
        overlaps("set-all-by-reference", "int[] a = new int[n]; Arrays.setAll(a, s::f); return a;");
        overlaps(
                "set-all-longs",
                "long[] a = new long[n]; Arrays.setAll(a, i -> s.lf(i * 3L)); return Arrays.toString(a);");
        overlaps(
                "set-all-doubles",
                "double[] a = new double[n]; Arrays.setAll(a, i -> s.df(i)); return Arrays.toString(a);");
        overlaps("set-all-objects", "String[] a = new String[n]; Arrays.setAll(a, i -> s.s(\"k\" + i)); return a;");
        overlaps(
                "set-all-of-another-array",
                "int[] ids = new int[n]; for (int i = 0; i < n; i++) ids[i] = i * 3; int[] a = new int[n]; Arrays.setAll(a, i -> s.f(ids[i])); return a;");
        sequential(
                "set-all-of-the-same-array",
                "int[] ids = new int[n]; for (int i = 0; i < n; i++) ids[i] = i * 3; int[] a = ids; Arrays.setAll(a, i -> s.f(ids[Math.max(0, i - 1)] % 50)); return a;");
        sequential(
                "set-all-of-an-array-that-is-given-away",
                "int[] ids = new int[n]; int[] a = new int[n]; Arrays.setAll(a, i -> s.sumOf(ids)); return a;");
        same(
                "set-all-of-rows",
                "int[][] ids = new int[n + 1][]; int[] a = new int[n]; Arrays.fill(ids, a); Arrays.setAll(a, i -> s.f(ids[i][0] % 50)); return a;");
        sequential(
                "set-all-reads-what-it-sets",
                "int[] a = new int[n]; Arrays.setAll(a, i -> s.f(i == 0 ? 1 : a[i - 1] % 50)); return a;");
        same("set-all-of-no-array", "int[] a = n > 2 ? null : new int[n]; Arrays.setAll(a, i -> s.f(i)); return a;");
        same(
                "set-all-of-the-wrong-class",
                "Object[] a = new String[n]; Arrays.setAll(a, i -> i == 2 ? (Object) s.f(i) : s.s(\"k\" + i)); return a;");
        overlaps("replace-all", list + "xs.replaceAll(x -> s.f(x) + 1); return xs.toString();");
        overlaps("replace-all-by-reference", list + "xs.replaceAll(s::boxed); return xs.toString();");
        same(
                "replace-all-of-a-linked-list",
                list + "List<Integer> ys = new LinkedList<>(xs); ys.replaceAll(x -> s.f(x)); return ys.toString();");
        sequential(
                "replace-all-reads-the-list", list + "xs.replaceAll(x -> s.f(xs.get(0) + x)); return xs.toString();");
        sequential(
                "replace-all-sets-another-list",
                list
                        + "List<Integer> ys = xs; int[] k = {n}; xs.replaceAll(x -> { int v = s.f(x); ys.set(--k[0], v % 20); return v; }); return xs.toString();");
        same(
                "replace-all-of-a-fixed-list",
                "List<Integer> xs = List.of(1, 2, n); xs.replaceAll(x -> s.f(x)); return xs;");
        same(
                "replace-all-of-a-list-of-the-program",
                "List<Integer> xs = new Backwards(); for (int i = 0; i < n; i++) xs.add(i); xs.replaceAll(x -> s.f(x)); return xs.toString(); }\n"
                        + "static class Backwards extends ArrayList<Integer> {\n"
                        + "public void replaceAll(java.util.function.UnaryOperator<Integer> f) { for (int i = size() - 1; i > 1; i--) set(i, f.apply(get(i)));\n"
                        + "}");
        String map = "Map<Integer, Integer> m = new %s; for (int i = 0; i < n; i++) m.put(i, i * 2);\n";
        overlaps(
                "replace-all-of-a-map",
                map.formatted("TreeMap<>()") + "m.replaceAll((k, v) -> s.f(k + v)); return m.toString();");
        overlaps(
                "replace-all-of-a-hash-map",
                map.formatted("HashMap<>()")
                        + "m.replaceAll((k, v) -> s.f(k) + v); return new TreeMap<>(m).toString();");
        sequential(
                "replace-all-reads-the-map",
                map.formatted("TreeMap<>()")
                        + "m.replaceAll((k, v) -> s.f(m.getOrDefault(k - 1, 7) % 50)); return m.toString();");
        same(
                "replace-all-of-a-map-of-the-program",
                map.formatted(
                                "TreeMap<>() { @Override public void replaceAll(java.util.function.BiFunction<? super Integer, ? super Integer, ? extends Integer> f) { for (Integer k : descendingKeySet()) put(k, f.apply(k, get(k))); } }")
                        + "m.replaceAll((k, v) -> s.f(k)); return m.toString();");
        same(
                "replace-all-changes-the-map",
                map.formatted("HashMap<>()")
                        + "try { m.replaceAll((k, v) -> { int r = s.f(k); if (k == 3) m.put(99, r); return r; }); } catch (ConcurrentModificationException e) { return \"caught\"; } return new TreeMap<>(m).toString();");
        overlaps("remove-if", list + "boolean r = xs.removeIf(x -> s.f(x) % 2 == 0); return r + \" \" + xs;");
        overlaps("remove-if-by-reference", list + "xs.removeIf(s::ok); return xs.toString();");
        same(
                "remove-if-of-a-linked-list",
                list
                        + "List<Integer> ys = new LinkedList<>(xs); ys.removeIf(x -> s.f(x) % 2 == 0); return ys.toString();");
        same(
                "remove-if-of-keys",
                "Map<Integer, Integer> m = new HashMap<>(); for (int i = 0; i < n; i++) m.put(i, i); m.keySet().removeIf(x -> s.f(x) % 3 == 0); return m.toString();");
        sequential(
                "remove-if-asks-the-list",
                list + "xs.removeIf(x -> s.f(xs.size() + x) % 2 == 0); return xs.toString();");
    }

    private void keys() {
        String map =
                "Map<String, Object> m = new HashMap<>(); List<String> ks = new ArrayList<>(); String t = \"\"; Own.calls = 0;\n"
                        + "for (int i = 0; i < n; i++) { ks.add(\"k\" + i); m.put(\"k\" + i, %s); }\n";
        String own =
                " return t; }\nstatic class Own { static int calls; public String toString() { return \"o\" + calls++; } public int hashCode() { calls++; return 1; }";
        String joined = "for (String k : ks) t += s.s(k + \":\" + m.get(k));";
        overlaps("key-joined-with-a-value", map.formatted("i * 3") + joined + own);
        same("key-joined-with-an-object", map.formatted("i % 3 == 2 ? new Own() : (Object) i") + joined + own);
        same("key-joined-with-nothing", map.formatted("i % 2 == 0 ? null : (Object) i") + joined + own);
        same("key-joined-with-objects-only", map.formatted("new Own()") + joined + own);
        overlaps(
                "key-looked-up",
                map.formatted("i * 3")
                        + "Object[] xs = ks.toArray(); for (int i = 0; i < n; i++) t += s.s(\"\" + m.get(xs[i]));"
                        + own);
        same(
                "key-looked-up-by-an-object",
                map.formatted("i") + "Object[] xs = ks.toArray(); if (n > 2) xs[2] = new Own();\n"
                        + "for (int i = 0; i < n; i++) t += s.s(\"\" + m.get(xs[i]) + Own.calls);" + own);
        same(
                "printed-between",
                map.formatted("i % 3 == 2 ? new Own() : (Object) i")
                        + "StringBuilder b = new StringBuilder(); for (String k : ks) { t += s.s(k + Own.calls); b.append(m.get(k)); } t += b;"
                        + own);
    }
}
