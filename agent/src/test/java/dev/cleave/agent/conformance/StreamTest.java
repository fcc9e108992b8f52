package dev.cleave.agent.conformance;

import dev.cleave.agent.rule.Rule;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Sequential streams (R69): which of them send ahead, and which do not. */
@Tag("one-jdk")
class StreamTest extends ProgramTests {

    private static final String LIST =
            "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i * 2);\n";

    @TestFactory
    Stream<DynamicTest> programs() {
        sources();
        stages();
        ends();
        references();
        exceptions();
        besideCallsOfALoop();
        sorted();
        refused();
        return tests();
    }

    private void sources() {
        overlaps("list", LIST + "return xs.stream().map(x -> s.f(x)).toList();");
        overlaps(
                "list-of",
                "List<Integer> xs = n == 0 ? List.of() : List.of(n, 2, 3, 4, 5, 6); return xs.stream().map(x -> s.f(x)).toList();");
        overlaps(
                "set",
                "Set<Integer> xs = new LinkedHashSet<>(); for (int i = 0; i < n; i++) xs.add(i); return xs.stream().map(x -> s.f(x)).toList();");
        overlaps(
                "map-entries",
                "Map<String, Integer> m = new HashMap<>(); for (int i = 0; i < n; i++) m.put(\"k\" + i, i); return m.entrySet().stream().map(e -> e.getKey() + s.f(e.getValue())).toList();");
        overlaps(
                "array",
                "Integer[] xs = new Integer[n]; for (int i = 0; i < n; i++) xs[i] = i; return Arrays.stream(xs).map(x -> s.f(x)).toList();");
        overlaps(
                "int-array",
                "int[] xs = new int[n]; for (int i = 0; i < n; i++) xs[i] = i; return Arrays.stream(xs).map(x -> s.f(x)).sum();");
        overlaps(
                "double-array",
                "double[] xs = new double[n]; for (int i = 0; i < n; i++) xs[i] = i; return Arrays.stream(xs).map(x -> s.df(x)).sum();");
        overlaps(
                "long-array",
                "long[] xs = new long[n]; for (int i = 0; i < n; i++) xs[i] = i; return Arrays.stream(xs).map(x -> s.lf(x)).sum();");
        overlaps("range", "return java.util.stream.IntStream.range(0, n).mapToObj(i -> s.f(i) + \"x\").toList();");
        overlaps(
                "long-range",
                "return java.util.stream.LongStream.range(0, n).map(i -> s.lf(i)).sum() + java.util.stream.LongStream.rangeClosed(1, n).map(i -> s.lf(i)).sum();");
        same(
                "range-closed-to-the-end",
                "return java.util.stream.IntStream.rangeClosed(Integer.MAX_VALUE - 3, Integer.MAX_VALUE).map(i -> s.f(i % 100)).sum() + java.util.stream.LongStream.rangeClosed(Long.MAX_VALUE - n, Long.MAX_VALUE).map(i -> s.lf(i % 100)).sum();");
        overlaps("range-closed", "return java.util.stream.IntStream.rangeClosed(1, n).map(i -> s.f(i)).sum();");
        overlaps(
                "array-fill",
                "int[][] r = java.util.stream.IntStream.range(0, n).mapToObj(i -> s.row(i)).toArray(int[][]::new); return r;");
        overlaps(
                "list-in-a-field",
                "Box b = new Box(); for (int i = 0; i < n; i++) b.xs.add(i); return b.xs.stream().map(x -> s.f(x)).toList(); } static class Box { final List<Integer> xs = new ArrayList<>();");
        overlaps(
                "in-a-loop",
                LIST
                        + "String t = \"\"; for (int i = 0; i < 3; i++) { int k = i; t += xs.stream().map(x -> s.f(x + k)).toList(); } return t;");
        same(
                "own-list",
                "List<Integer> xs = new ArrayList<>() { public Iterator<Integer> iterator() { s.sync(1); return super.iterator(); } }; for (int i = 0; i < n; i++) xs.add(i); return xs.stream().map(x -> s.f(x)).toList();");
        overlaps(
                "changed-before-the-end",
                LIST + "var st = xs.stream().map(x -> s.f(x)); xs.add(77); return st.toList();");
    }

    private void stages() {
        overlaps("map-to-int", LIST + "return xs.stream().mapToInt(x -> s.f(x)).sum();");
        overlaps("map-to-long", LIST + "return xs.stream().mapToLong(x -> s.lf(x)).sum();");
        overlaps("map-to-double", LIST + "return xs.stream().mapToDouble(x -> s.df(x)).sum();");
        overlaps("filter-remote", LIST + "return xs.stream().filter(x -> s.ok(x)).toList();");
        overlaps("flat-map", LIST + "return xs.stream().flatMapToInt(x -> Arrays.stream(s.row(x))).sum();");
        overlaps("map-before", LIST + "return xs.stream().map(x -> x * 3 + 1).map(x -> s.f(x)).toList();");
        overlaps("filter-before", LIST + "return xs.stream().filter(x -> x % 3 != 0).map(x -> s.f(x)).toList();");
        overlaps(
                "sparse-filter-before",
                LIST + "return xs.stream().filter(x -> x % 11 == 2 || x < 5).map(x -> s.f(x)).toList();");
        overlaps(
                "map-to-int-before",
                LIST
                        + "return xs.stream().mapToInt(x -> x + 1).filter(x -> x % 3 > 0).mapToObj(x -> s.s(\"k\" + x)).toList();");
        overlaps("boxed-before", "return java.util.stream.IntStream.range(0, n).boxed().map(i -> s.f(i)).toList();");
        overlaps(
                "map-behind",
                LIST + "return xs.stream().map(x -> s.f(x)).map(y -> y * 2).filter(y -> y % 3 != 1).toList();");
        overlaps(
                "peek-behind",
                LIST
                        + "StringBuilder b = new StringBuilder(); return xs.stream().map(x -> s.f(x)).peek(y -> System.out.print(y < 0 ? \"!\" : \"\")).toList();");
        overlaps(
                "captures",
                LIST
                        + "int k = n + 3; String q = \"q\" + n; return xs.stream().map(x -> s.both(x, q, k, 1.5)).toList();");
        overlaps(
                "helper-in-lambda",
                LIST
                        + "return xs.stream().map(x -> score(s, x) + 1).toList(); }\nprivate static int score(Svc s, int x) { return s.f(x * 2) * 2;");
        overlaps(
                "helper-reference",
                LIST
                        + "return new @@(s).go(xs); }\nSvc s; @@(Svc s) { this.s = s; } Object go(List<Integer> xs) { return xs.stream().map(this::score).toList(); }\nprivate int score(int x) { return s.f(x * 2) * 2;"
                                .replace("@@", Conformance.className("helper-reference")));
        overlaps("sometimes-no-call", LIST + "return xs.stream().map(x -> x % 3 == 0 ? -1 : s.f(x)).toList();");
        overlaps(
                "two-streams",
                LIST
                        + "return xs.stream().map(x -> s.f(x)).toList() + \" \" + xs.stream().mapToInt(x -> s.g(x)).sum();");
        overlaps("object-stream", LIST + "return xs.stream().map(x -> (Object) s.get(x)).toList();");
        overlaps("window", LIST + "return xs.stream().map(x -> s.w(x)).toList();");
    }

    private void ends() {
        overlaps("for-each-void", LIST + "xs.stream().forEach(x -> s.put(x)); return 0;");
        overlaps("for-each-ordered", LIST + "xs.stream().forEachOrdered(x -> s.put(x + 1)); return 0;");
        overlaps(
                "for-each-prints",
                LIST + "xs.stream().map(x -> s.f(x)).forEach(y -> System.out.print(y < 0 ? \"!\" : \"\")); return 0;");
        overlaps(
                "for-each-adds",
                LIST
                        + "List<Integer> out = new ArrayList<>(); xs.stream().map(x -> s.f(x)).forEach(y -> out.add(y)); return out;");
        overlaps(
                "for-each-add-reference",
                LIST
                        + "List<Integer> out = new ArrayList<>(); xs.stream().map(x -> s.f(x)).forEach(out::add); return out;");
        overlaps(
                "for-each-appends",
                LIST
                        + "StringBuilder out = new StringBuilder(); xs.stream().map(x -> s.f(x)).forEach(y -> out.append(y).append(';')); return out.toString();");
        overlaps(
                "peek-adds",
                LIST
                        + "List<Integer> out = new ArrayList<>(); return xs.stream().map(x -> s.f(x)).peek(out::add).toList() + \" \" + out;");
        same(
                "for-each-adds-to-the-source",
                LIST
                        + "try { xs.stream().map(x -> s.f(x)).forEach(y -> xs.add(y)); } catch (ConcurrentModificationException | NullPointerException e) { return \"caught\" + xs; } return xs;");
        same(
                "for-each-adds-to-an-own-list",
                LIST
                        + "List<Integer> out = new ArrayList<>() { public boolean add(Integer y) { s.sync(y); return super.add(y); } }; xs.stream().map(x -> s.f(x)).forEach(out::add); return out;");
        same(
                "for-each-adds-to-another-own-list",
                LIST
                        + "List<Integer> out = new ArrayList<>() { public boolean add(Integer y) { s.sync(y); return super.add(y); } }; xs.stream().map(x -> s.f(x)).forEach(y -> out.add(y)); return out;");
        same(
                "for-each-adds-to-an-alias",
                LIST
                        + "try { go(s, xs, n == 5 ? xs : new ArrayList<>()); } catch (ConcurrentModificationException | NullPointerException e) { return \"caught\" + xs; } return xs; }\n"
                        + "private static void go(Svc s, List<Integer> xs, List<Integer> out) { xs.stream().map(x -> s.f(x)).forEach(y -> out.add(y));");
        sequential(
                "for-each-adds-to-what-is-read",
                Rule.R33,
                LIST
                        + "List<Integer> out = new ArrayList<>(); xs.stream().map(x -> s.f(x + out.size())).forEach(y -> out.add(y)); return out;");
        sequential(
                "for-each-adds-to-a-field",
                Rule.R43,
                LIST
                        + "new @@().go(s, xs); return xs; }\nList<Integer> out = new ArrayList<>(); void go(Svc s, List<Integer> xs) { xs.stream().map(x -> s.f(x)).forEach(y -> out.add(y));"
                                .replace("@@", Conformance.className("for-each-adds-to-a-field")));
        overlaps(
                "collect-to-list",
                LIST + "return xs.stream().map(x -> s.f(x)).collect(java.util.stream.Collectors.toList());");
        overlaps("reduce", LIST + "return xs.stream().map(x -> s.f(x)).reduce(1, (a, b) -> a * 31 + b);");
        overlaps(
                "reduce-optional",
                LIST + "return xs.stream().map(x -> s.f(x)).reduce((a, b) -> a * 31 + b).orElse(-1);");
        overlaps("reduce-reference", LIST + "return xs.stream().map(x -> s.f(x)).reduce(0, Integer::sum);");
        overlaps("to-array", LIST + "return xs.stream().mapToInt(x -> s.f(x)).toArray();");
        overlaps("average", LIST + "return xs.stream().mapToInt(x -> s.f(x)).average().orElse(-1);");
        same("count", LIST + "return xs.stream().map(x -> s.f(x)).count();");
        overlaps("count-filtered", LIST + "return xs.stream().filter(x -> s.ok(x)).count();");
        same("never-run", LIST + "var st = xs.stream().map(x -> s.f(x)); return st == null;");
        same(
                "run-twice",
                LIST
                        + "var st = xs.stream().map(x -> s.f(x)); st.toList(); try { st.toList(); } catch (IllegalStateException e) { return \"caught\"; } return 0;");
    }

    private void references() {
        overlaps("reference", LIST + "return xs.stream().map(s::f).toList();");
        overlaps("reference-int", LIST + "return xs.stream().mapToInt(s::f).sum();");
        overlaps(
                "reference-long",
                "return java.util.stream.LongStream.of(new long[] {n, 2, 3}).map(s::lf).sum() + Arrays.stream(new long[] {n, 2, 3, 4}).map(s::lf).sum();");
        overlaps("reference-double", "double[] d = {n, 2, 3.5}; return Arrays.stream(d).map(s::df).sum();");
        overlaps("reference-float", LIST + "return xs.stream().map(Integer::floatValue).map(s::ff).toList();");
        overlaps("reference-string", LIST + "return xs.stream().map(x -> \"k\" + x).map(s::s).toList();");
        overlaps("reference-object", LIST + "return xs.stream().map(s::get).toList();");
        overlaps(
                "reference-row",
                "return java.util.stream.IntStream.range(0, n).mapToObj(s::row).toArray(int[][]::new);");
        overlaps("reference-filter", LIST + "return xs.stream().filter(s::ok).toList();");
        overlaps("reference-void", LIST + "xs.stream().forEach(s::put); return 0;");
        overlaps("reference-unused-result", LIST + "xs.forEach(x -> {}); xs.stream().forEach(s::f); return 0;");
        same(
                "reference-elsewhere",
                LIST + "xs.forEach(s::put); java.util.function.IntUnaryOperator u = s::f; return u.applyAsInt(n);");
        same(
                "reference-null",
                LIST
                        + "Svc u = null; try { return xs.stream().map(u::f).toList(); } catch (NullPointerException e) { return \"caught\"; }");
        same("reference-local", LIST + "Svc u = new LocalSvc(); return xs.stream().map(u::f).toList();");
    }

    private void exceptions() {
        overlaps("throws-before-the-call", LIST + "return xs.stream().map(x -> s.f(100 / (x - 6))).toList();");
        overlaps("throws-behind-the-call", LIST + "return xs.stream().map(x -> s.f(x) + 100 / (x - 6)).toList();");
        overlaps(
                "throws-in-a-stage-before",
                LIST + "return xs.stream().map(x -> 100 / (x - 6)).map(x -> s.f(x)).toList();");
        overlaps(
                "throws-in-a-stage-behind",
                LIST + "return xs.stream().map(x -> s.f(x)).map(y -> 100 / (y - 19)).toList();");
        overlaps(
                "caught",
                LIST
                        + "StringBuilder b = new StringBuilder(); try { b.append(xs.stream().map(x -> s.f(x) + 100 / (x - 6)).toList()); } catch (RuntimeException e) { return \"caught \" + e.getClass() + s.g(5); } return b.toString();");
        overlaps("null-element", LIST + "if (n > 3) xs.set(3, null); return xs.stream().map(x -> s.f(x)).toList();");
        same(
                "class-cast",
                "List xs = new ArrayList(); for (int i = 0; i < n; i++) xs.add(i == 4 ? (Object) \"four\" : (Object) i); List<Integer> ys = xs; try { return ys.stream().map(x -> s.f(x)).toList(); } catch (ClassCastException e) { return \"caught\" + s.g(1); }");
        same(
                "local-in-between",
                LIST
                        + "Svc u = new LocalSvc() { int c; public int f(int x) { return c++ * x; } }; return xs.stream().map(x -> (x == 6 ? u : s).f(x)).toList();");
        same(
                "local",
                LIST
                        + "Svc u = new LocalSvc() { int c; public int f(int x) { return c++ * x; } }; return xs.stream().map(x -> u.f(x)).toList();");
    }

    /** A stream in a loop that sends ahead: its failure leaves none of the loop's calls open. */
    private void besideCallsOfALoop() {
        Map<String, String> streams = Map.of(
                "handed-on", "xs.stream().map(y -> 1).map(y -> late(s, y)).forEach(y -> s.put(y));",
                "reference", "xs.stream().map(s::f).forEach(y -> s.put(y));",
                "for-each", "xs.forEach(y -> s.put(y));",
                "prefetched", "xs.stream().map(y -> s.pure(y)).forEach(y -> z.put(y));");
        Map<String, String> calls = Map.of(
                "call", "z.g(i)",
                "helper", "late(z, i)",
                "mixed-helper", "mixed(z, i)",
                "invariant-helper", "mixed(z, 0)",
                "pure", "z.pure(i)");
        streams.forEach((stream, text) -> calls.forEach((call, made) -> same(
                "beside-" + stream + "-" + call,
                "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n && i < 3; i++) xs.add(i * 2); int r = 0;"
                        + " for (int i = 0; i < n && i < 5; i++) { " + text + " r += " + made
                        + "; } return r; } private static int late(Svc s, int x) { return s.f(x) + 1; }"
                        + " private static int mixed(Svc s, int x) { return s.g(x) * 2 + s.pure(x + 1);")));
    }

    private void sorted() {
        overlaps("sorted-behind", LIST + "return xs.stream().map(x -> s.f(x)).sorted().toList();");
        overlaps(
                "sorted-by-a-comparator",
                LIST
                        + "return xs.stream().map(x -> s.f(x)).sorted((a, b) -> Integer.compare(b, a)).limit(3).map(x -> x + 1).toList();");
        overlaps(
                "sorted-first",
                LIST + "return xs.stream().map(x -> s.f(x)).sorted(Comparator.reverseOrder()).findFirst().orElse(-1);");
        overlaps(
                "sorted-by-unknown-code",
                LIST
                        + "int[] c = {0}; Comparator<Integer> by = n > 3 ? (a, b) -> { c[0] += a; return b - a; } : Comparator.naturalOrder(); return xs.stream().map(x -> s.f(x)).sorted(by).peek(x -> c[0] += x).toList() + \" \" + c[0];");
        overlaps("distinct-behind", LIST + "return xs.stream().map(x -> s.f(x) % 3).distinct().toList();");
        overlaps(
                "sorted-behind-two",
                LIST
                        + "return xs.stream().map(x -> s.g(s.f(x))).sorted(Comparator.reverseOrder()).map(x -> \"<\" + x).findFirst().orElse(\"\");");
        overlaps(
                "grouped-by-an-enum",
                LIST
                        + "Map<Odd, List<Integer>> m = xs.stream().collect(java.util.stream.Collectors.groupingBy(x -> s.ok(x) ? Odd.YES : Odd.NO)); return m.get(Odd.YES) + \" \" + m.get(Odd.NO); } enum Odd { YES, NO } static void none() {");
        overlaps(
                "largest-by-a-key",
                LIST
                        + "return xs.stream().map(x -> s.parcel(x)).max(Comparator.comparingInt(Svc.Parcel::number)).map(p -> p.name()).orElse(\"\") + xs.stream().map(x -> s.parcel(x)).min(Comparator.comparing(p -> p.name())).get().number();");
        sequential(
                "largest-by-a-key-that-counts",
                Rule.R33,
                LIST
                        + "int[] c = {0}; return xs.stream().map(x -> s.f(x + c[0])).max(Comparator.comparingInt(y -> c[0] += y)).orElse(0);");
        overlaps(
                "formatted-behind",
                LIST
                        + "return xs.stream().map(x -> s.f(x)).map(y -> String.format(\"<%d %s>\", y, \"k\" + y)).toList();");
        sequential(
                "formatted-object-behind",
                Rule.R43,
                LIST + "return xs.stream().map(x -> s.get(x)).map(y -> String.format(\"<%s>\", y)).toList().size();");
        same(
                "sorted-counted",
                LIST
                        + "return xs.stream().map(x -> s.f(x)).sorted(Comparator.reverseOrder()).count() + xs.stream().filter(x -> s.ok(x)).sorted(Comparator.reverseOrder()).count();");
        same(
                "sorted-source-first",
                "TreeSet<Integer> xs = new TreeSet<>(); for (int i = 0; i < n; i++) xs.add(i * 2);\n"
                        + "return xs.stream().filter(x -> s.ok(x)).sorted().findFirst().orElse(-1) + \" \" + java.util.stream.IntStream.range(0, n).filter(x -> s.ok(x)).sorted().findFirst().orElse(-1);");
        sequential(
                "sorted-source-limited",
                Rule.R37,
                "TreeSet<Integer> xs = new TreeSet<>(); for (int i = 0; i < n; i++) xs.add(i * 2);\n"
                        + "return xs.stream().filter(x -> s.ok(x)).sorted().limit(2).toList();");
        sequential(
                "sorted-between-calls",
                Rule.R69,
                LIST
                        + "return xs.stream().map(x -> x + 1).sorted(Comparator.reverseOrder()).map(x -> s.f(x)).toList();");
        sequential(
                "sorted-then-parallel",
                Rule.R69,
                LIST
                        + "return xs.stream().map(x -> s.f(x)).sorted(Comparator.reverseOrder()).parallel().sequential().toList();");
        sequential(
                "sorted-objects", Rule.R69, LIST + "return xs.stream().map(x -> s.get(x)).sorted().toList().size();");
    }

    private void refused() {
        sequential("find-first", Rule.R37, LIST + "return xs.stream().map(x -> s.f(x)).findFirst().orElse(-1);");
        sequential("any-match", Rule.R37, LIST + "return xs.stream().anyMatch(x -> s.ok(x));");
        sequential("any-match-behind", Rule.R37, LIST + "return xs.stream().map(x -> s.f(x)).anyMatch(y -> y > 9);");
        sequential("limit", Rule.R37, LIST + "return xs.stream().map(x -> s.f(x)).limit(3).toList();");
        sequential("limit-before", Rule.R37, LIST + "return xs.stream().limit(3).map(x -> s.f(x)).toList();");
        sequential(
                "parallel",
                Rule.R69,
                LIST
                        + "return xs.stream().parallel().map(x -> n).count() + xs.stream().sequential().map(x -> s.f(x)).toList().size();");
        sequential("sorted-before", Rule.R69, LIST + "return xs.stream().sorted().map(x -> s.f(x)).toList();");
        sequential(
                "iterator",
                Rule.R69,
                LIST
                        + "int t = 0; Iterator<Integer> it = xs.stream().map(x -> s.f(x)).iterator(); while (it.hasNext() && t < 20) t += it.next(); return t;");
        sequential(
                "peek-before",
                Rule.R69,
                LIST
                        + "int[] c = {0}; return xs.stream().peek(x -> c[0] += x).map(x -> s.f(x)).toList() + \" \" + c[0];");
        sequential(
                "impure-map-before",
                Rule.R69,
                LIST
                        + "int[] c = {0}; return xs.stream().map(x -> x + c[0]++).map(x -> s.f(x)).toList() + \" \" + c[0];");
        sequential(
                "changes-what-is-read",
                Rule.R33,
                LIST + "int[] c = {0}; return xs.stream().map(x -> s.f(x + c[0])).peek(y -> c[0] = y % 7).toList();");
        sequential(
                "feeds-itself",
                Rule.R33,
                LIST + "int[] c = {0}; return xs.stream().map(x -> c[0] = s.f(x + c[0]) % 5).toList();");
        sequential(
                "unknown-behind",
                Rule.R43,
                LIST
                        + "Object o = new Object() { public String toString() { return \"o\"; } }; return xs.stream().map(x -> s.f(x)).map(y -> y + o.toString()).toList();");
        sequential("sync-behind", Rule.R10, LIST + "return xs.stream().map(x -> s.f(x)).map(y -> s.sync(y)).toList();");
        overlaps(
                "handler-in-lambda",
                LIST
                        + "return xs.stream().map(x -> { try { return s.f(x); } catch (RuntimeException e) { return -1; } }).toList();");
        overlaps(
                "two-calls-in-lambda",
                LIST + "return xs.stream().map(x -> { int a = s.f(x); return a > 5 ? s.g(a) : a; }).toList();");
        sequential(
                "source-unknown",
                Rule.R69,
                LIST
                        + "return go(xs).map(x -> s.f(x)).toList(); }\nstatic java.util.stream.Stream<Integer> go(List<Integer> xs) { return xs.stream();");
        sequential(
                "may-not-return",
                Rule.R11,
                LIST
                        + "return xs.stream().map(x -> s.f(x)).map(y -> { int k = y; while (k > 9) k /= 2; return k; }).toList();");
        sequential("skip", Rule.R69, LIST + "return xs.stream().skip(2).map(x -> s.f(x)).toList();");
        sequential(
                "generate",
                Rule.R69,
                "return java.util.stream.Stream.iterate(1, x -> x + 1).limit(n).map(x -> s.f(x)).toList();");
    }
}
