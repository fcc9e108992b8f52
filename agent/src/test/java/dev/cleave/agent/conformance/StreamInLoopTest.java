package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Streams in loops: strands of the loop send the calls of their functions (R69, R71). */
@Tag("one-jdk")
class StreamInLoopTest extends StrandPrograms {

    private static final String IDS =
            "List<Integer> ids = new ArrayList<>(); for (int i = 0; i < 7; i++) ids.add(i * 3);\n";

    StreamInLoopTest() {
        super(20);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        sums();
        nested();
        others();
        traps();
        return tests();
    }

    private void sums() {
        strands(
                "sum-of-an-array",
                2,
                "long t = 0; for (int i = 0; i < n; i++) t = t * 3 + Arrays.stream(s.row(i)).map(x -> s.f(x)).sum(); return t;");
        strands(
                "sum-of-a-list",
                2,
                "long t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.names(i).stream().mapToInt(x -> s.s(x).length()).sum(); return t;");
        strands(
                "two-calls-in-a-function",
                3,
                "long t = 0; for (int i = 0; i < n; i++) t += s.names(i).stream().mapToInt(x -> s.f(s.s(x).length())).sum(); return t;");
        strands(
                "two-functions",
                4,
                "long t = 0; for (int i = 0; i < n; i++) t = t * 3 + Arrays.stream(s.row(i)).map(x -> s.f(x)).filter(x -> s.ok(x)).mapToLong(x -> s.lf(x)).sum(); return t;");
        strands(
                "filter-and-call-behind",
                2,
                IDS
                        + "long t = 0; for (int i = 0; i < n; i++) { int k = i; t += ids.stream().filter(x -> s.ok(x + k)).mapToInt(x -> s.f(x * k)).sum() + s.g(i); } return t;");
        strands(
                "range",
                1,
                "long t = 0; for (int i = 0; i < n; i++) { int k = i; t += java.util.stream.IntStream.range(0, 4).map(x -> s.f(x * k)).max().orElse(0); } return t;");
        strands(
                "nested-loops",
                3,
                "long t = 0; for (int i = 0; i < n; i++) for (int c : s.row(i)) t = t * 3 + s.names(c).stream().mapToInt(x -> s.s(x).length()).sum(); return t;");
        strands(
                "inside-a-condition",
                3,
                "long t = 0; for (int i = 0; i < n; i++) if (s.ok(i)) t = t * 3 + Arrays.stream(s.row(i)).map(x -> s.f(x)).sum(); return t;");
        strands(
                "two-streams",
                3,
                "long t = 0; for (int i = 0; i < n; i++) { t = t * 3 + Arrays.stream(s.row(i)).map(x -> s.f(x)).sum(); t -= s.names(i).stream().mapToInt(x -> s.f(x.length())).max().orElse(1); } return t;");
        strands(
                "objects",
                2,
                IDS
                        + "double t = 0; for (int i = 0; i < n; i++) { int k = i; t += ids.stream().map(x -> new Item(x, s.f(x + k))).filter(y -> y.price() % 3 != 0).mapToDouble(y -> y.price() / 7.0).sum(); } return t; }\nrecord Item(int id, int price) {} static int q() { return 1;");
    }

    /** Streams in the functions of streams, and in helpers. */
    private void nested() {
        strands(
                "for-each-with-a-stream",
                2,
                "List<Integer> ids = new ArrayList<>(); for (int i = 0; i < n; i++) ids.add(i); long[] t = {0}; ids.forEach(o -> { t[0] = t[0] * 3 + Arrays.stream(s.row(o)).map(x -> s.f(x)).sum(); }); return t[0];");
        strands(
                "stream-in-a-stream",
                2,
                "List<Integer> ids = new ArrayList<>(); for (int i = 0; i < n; i++) ids.add(i); return ids.stream().map(id -> Arrays.stream(s.row(id)).map(x -> s.f(x)).boxed().toList()).toList().toString();");
        strands(
                "helper-with-a-stream",
                2,
                "long t = 0; for (int i = 0; i < n; i++) t = t * 3 + total(s, i); return t; } static int total(Svc s, int i) { return Arrays.stream(s.row(i)).map(x -> s.f(x)).sum();");
        strands(
                "helper-with-a-stream-twice",
                2,
                "long t = 0; for (int i = 0; i < n; i++) t = t * 3 + total(s, i) - total(s, i + 1); return t; } static int total(Svc s, int i) { return Arrays.stream(s.row(i)).map(x -> s.f(x)).sum();");
        strands(
                "helper-in-a-function",
                3,
                "long t = 0; for (int i = 0; i < n; i++) t = t * 3 + Arrays.stream(s.row(i)).map(x -> one(s, x)).sum(); return t; } static int one(Svc s, int x) { return s.g(s.f(x));");
        same(
                "helper-that-is-called-elsewhere-too",
                "long t = total(s, 7); for (int i = 0; i < n; i++) t = t * 3 + total(s, i); return t + total(s, 9); } static int total(Svc s, int i) { return Arrays.stream(s.row(i)).map(x -> s.f(x)).sum();");
        same(
                "function-that-calls-its-method",
                "return walk(s, 0, Math.min(n, 30)); } static int walk(Svc s, int x, int n) { return x >= n ? 1 : s.f(x) + Arrays.stream(s.row(2 * x + 1)).map(c -> walk(s, c, n)).sum();");
        same(
                "walk-in-a-function",
                "long t = 0; for (int i = 0; i < 3; i++) t = t * 3 + Arrays.stream(s.row(i)).map(c -> walk(s, c, Math.min(n, 30))).sum(); return t; } static int walk(Svc s, int x, int n) { int t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t += walk(s, c, n); return t;");
        same(
                "function-of-a-function-counts",
                "List<Integer> ids = List.of(1, 2, 3); int[] k = new int[1]; long t = 0; for (int i = 0; i < n; i++) t = t * 3 + ids.stream().mapToInt(o -> Arrays.stream(s.row(o)).map(x -> s.f(x + k[0]++)).sum()).sum(); return t;");
    }

    private void others() {
        strands(
                "for-each-that-adds",
                2,
                "List<Integer> out = new ArrayList<>(); for (int i = 0; i < n; i++) Arrays.stream(s.row(i)).map(x -> s.f(x)).forEach(x -> out.add(x)); return out.toString();");
        strands(
                "for-each-of-a-list",
                1,
                IDS
                        + "long[] t = {0}; for (int i = 0; i < n; i++) { int k = i; ids.forEach(x -> t[0] = t[0] * 3 + s.f(x + k)); } return t[0];");
        strands(
                "list-of-results",
                1,
                IDS
                        + "long t = 0; for (int i = 0; i < n; i++) { int k = i; List<Integer> l = ids.stream().map(x -> s.f(x + k)).toList(); t = t * 3 + l.get(0) + l.size(); } return t;");
        strands(
                "collected-list",
                1,
                IDS
                        + "long t = 0; for (int i = 0; i < n; i++) { int k = i; List<Integer> l = ids.stream().map(x -> s.f(x + k)).collect(java.util.stream.Collectors.toList()); l.add(3); for (int x : l) t = t * 3 + x; } return t;");
        strands(
                "peek-that-counts",
                1,
                IDS
                        + "int[] c = new int[1]; long t = 0; for (int i = 0; i < n; i++) { int k = i; t = t * 3 + ids.stream().map(x -> s.f(x + k)).peek(x -> c[0]++).mapToInt(x -> x).sum(); } return t + c[0];");
        same(
                "result-that-another-call-needs",
                IDS
                        + "long t = 0; for (int i = 0; i < n; i++) { int k = i; List<Integer> l = ids.stream().map(x -> s.f(x + k)).toList(); t = t * 3 + s.g(l.get(1)); } return t;");
    }

    private void traps() {
        same(
                "function-that-counts",
                IDS
                        + "int[] c = new int[1]; long t = 0; for (int i = 0; i < n; i++) t = t * 3 + ids.stream().mapToInt(x -> { c[0]++; return s.f(x + c[0]); }).sum(); return t;");
        same(
                "later-function-changes-what-is-read",
                IDS
                        + "int[] c = new int[1]; long t = 0; for (int i = 0; i < n; i++) t = t * 3 + ids.stream().mapToInt(x -> s.f(x + c[0])).map(x -> { c[0] += x; return x; }).sum(); return t;");
        same(
                "for-each-that-adds-to-the-source",
                IDS
                        + "List<Integer> todo = new ArrayList<>(ids); long t = 0; for (int i = 0; i < todo.size() && i < 40; i++) { Arrays.stream(s.row(todo.get(i))).map(x -> s.f(x)).forEach(x -> todo.add(x % 50)); t += todo.size(); } return t;");
        same(
                "stream-of-the-list-that-grows",
                IDS
                        + "long t = 0; for (int i = 0; i < 5; i++) { t = t * 3 + ids.stream().mapToInt(x -> s.f(x)).sum(); ids.add((int) (t % 50)); } return t;");
        same(
                "list-of-the-program",
                "Odd.calls = 0; List<Integer> ids = new Odd(); ids.add(1); ids.add(2); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + ids.stream().mapToInt(x -> s.f(x + Odd.calls)).sum(); return t; }\n"
                        + "static class Odd extends ArrayList<Integer> { static int calls; @Override public Iterator<Integer> iterator() { calls++; return super.iterator(); } @Override public Spliterator<Integer> spliterator() { calls += 100; return super.spliterator(); } } static int q() { return 1;");
        same(
                "ends-early",
                IDS
                        + "long t = 0; for (int i = 0; i < n; i++) { int k = i; if (ids.stream().anyMatch(x -> s.ok(x + k))) t++; } return t;");
        same(
                "first-of-a-list",
                IDS
                        + "long t = 0; for (int i = 0; i < n; i++) { int k = i; t = t * 3 + ids.stream().map(x -> s.f(x + k)).findFirst().orElse(1); } return t;");
        same(
                "limited",
                IDS
                        + "long t = 0; for (int i = 0; i < n; i++) { int k = i; t = t * 3 + ids.stream().map(x -> s.f(x + k)).limit(3).mapToInt(x -> x).sum(); } return t;");
        same(
                "sorted-and-distinct",
                IDS
                        + "long t = 0; for (int i = 0; i < n; i++) { int k = i; t = t * 3 + ids.stream().map(x -> s.f(x + k)).sorted().map(x -> s.g(x)).distinct().mapToInt(x -> x).sum(); } return t;");
        same(
                "stream-in-a-variable",
                IDS
                        + "long t = 0; for (int i = 0; i < n; i++) { int k = i; java.util.stream.Stream<Integer> st = ids.stream().map(x -> s.f(x + k)); ids.set(0, i); t = t * 3 + st.mapToInt(x -> x).sum(); } return t;");
        same(
                "function-in-a-variable",
                IDS
                        + "java.util.function.IntUnaryOperator f = x -> s.f(x); long t = 0; for (int i = 0; i < n; i++) { t = t * 3 + Arrays.stream(s.row(i)).map(f).sum() + f.applyAsInt(3); } return t;");
        same(
                "one-of-two-functions",
                IDS
                        + "long t = 0; for (int i = 0; i < n; i++) { int k = i; t = t * 3 + ids.stream().map(i % 2 == 0 ? x -> s.f(x) : x -> s.g(x + k)).mapToInt(x -> x).sum(); } return t;");
        same(
                "handler-around-the-stream",
                IDS
                        + "long t = 0; for (int i = 0; i < n; i++) { int k = i; try { t = t * 3 + ids.stream().mapToInt(x -> 100 / (s.f(x + k) % 7)).sum(); } catch (ArithmeticException e) { t += 1000; } } return t;");
        same(
                "handler-in-the-function",
                IDS
                        + "long t = 0; for (int i = 0; i < n; i++) { int k = i; t = t * 3 + ids.stream().mapToInt(x -> { try { return 100 / (s.f(x + k) % 7); } catch (ArithmeticException e) { return s.g(x); } }).sum(); } return t;");
        same(
                "exception-in-the-function",
                IDS
                        + "long t = 0; for (int i = 0; i < n; i++) { int k = i; t = t * 3 + ids.stream().mapToInt(x -> 100 / ((s.f(x + k) + 1) % 97)).sum(); } return t;");
        same(
                "results-decide",
                IDS
                        + "long t = 0; for (int i = 0; i < n && t < 3000; i++) { int k = i; t += ids.stream().mapToInt(x -> s.f(x + k)).sum(); } return t;");
        same(
                "writes-in-the-function",
                IDS
                        + "long t = 0; for (int i = 0; i < n; i++) { int k = i; ids.forEach(x -> s.put(x + k)); t = t * 3 + s.load(i); } return t;");
        same(
                "field-of-the-object",
                "return new PFieldOfTheObject().go(s, n); }\nint k; long go(Svc s, int n) { List<Integer> ids = List.of(1, 2, 3); long t = 0; for (int i = 0; i < n; i++) { k = i; t = t * 3 + ids.stream().mapToInt(x -> s.f(x + k)).sum(); } return t;");
        same(
                "local-service-in-the-function",
                IDS
                        + "int[] c = new int[1]; Svc[] all = {s, z}; long t = 0; for (int i = 0; i < n; i++) { Svc a = all[i % 2]; t = t * 3 + ids.stream().mapToInt(x -> a.f(x)).sum() + s.g(i); } return t;");
        same(
                "empty-and-null-elements",
                "List<Integer> ids = new ArrayList<>(); ids.add(1); ids.add(null); long t = 0; for (int i = 0; i < n; i++) { t = t * 3 + new ArrayList<Integer>().stream().mapToInt(x -> s.f(x)).sum(); if (i == 3) t += ids.stream().mapToInt(x -> s.f(x)).sum(); } return t;");
        same(
                "count-of-calls",
                IDS
                        + "long t = 0; for (int i = 0; i < n; i++) { int k = i; t = t * 3 + ids.stream().map(x -> s.f(x + k)).count(); } return t;");
        same(
                "stream-that-a-stream-makes",
                IDS
                        + "long t = 0; for (int i = 0; i < n; i++) { int k = i; t = t * 3 + ids.stream().flatMap(x -> Arrays.stream(s.row(x + k)).boxed()).mapToInt(x -> s.f(x)).sum(); } return t;");
        same(
                "function-of-the-caller",
                "return go(s, x -> { PFunctionOfTheCaller.C++; return x; }, n); }\nstatic int C; static Object go(Svc s, java.util.function.IntUnaryOperator g, int n) { C = 0; long t = 0; for (int i = 0; i < n; i++) t = t * 3 + Arrays.stream(s.row(i)).map(x -> s.f(x + C)).map(g).sum(); return t;");
        same(
                "for-each-in-for-each",
                "List<Integer> ids = new ArrayList<>(); for (int i = 0; i < Math.min(n, 9); i++) ids.add(i); int[] last = new int[1]; ids.forEach(y -> ids.forEach(w -> last[0] = s.f(1))); return last[0];");
        same(
                "end-with-a-function-in-for-each",
                "List<Integer> ids = new ArrayList<>(); for (int i = 0; i < Math.min(n, 9); i++) ids.add(i); int[] last = new int[1]; ids.forEach(y -> ids.stream().map(w -> s.f(w)).forEach(w -> last[0] = last[0] * 3 + s.g(w + y))); return last[0];");
    }
}
