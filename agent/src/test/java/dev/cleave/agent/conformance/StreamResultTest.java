package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Streams in loops whose results other calls need, and streams without calls between calls (R69, R71). */
@Tag("one-jdk")
class StreamResultTest extends StrandPrograms {

    private static final String JOINING = "java.util.stream.Collectors.joining";

    StreamResultTest() {
        super(20);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        withoutCalls();
        needed();
        early();
        traps();
        return tests();
    }

    private void withoutCalls() {
        strands(
                "text-between-calls",
                1,
                "StringBuilder b = new StringBuilder(); for (int i = 0; i < n; i++) b.append(s.names(i).stream().map(x -> x + '!').collect("
                        + JOINING
                        + "(\",\"))); return b.toString();");
        strands(
                "filtered-list",
                2,
                "long t = 0; for (int i = 0; i < n; i++) { List<String> l = s.names(i).stream().filter(x -> x.length() > 1).toList(); for (String x : l) t = t * 3 + s.s(x).length(); } return t;");
        strands(
                "text-as-argument",
                2,
                "long t = 0; for (int i = 0; i < n; i++) { String key = s.names(i).stream().map(x -> x + i0(t(1))).collect("
                        + JOINING
                        + "(\"-\")); t += s.s(key).length(); } return t; } static int t(int x) { return x; } static int i0(int x) { return x + 1;");
        strands(
                "sum-as-argument",
                2,
                "long t = 0; for (int i = 0; i < n; i++) { int sum = Arrays.stream(s.row(i)).map(x -> x * 2).sum(); t = t * 3 + s.f(sum); } return t;");
        strands(
                "distinct",
                2,
                "long t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.names(i).stream().map(x -> x.substring(0, 1)).distinct().mapToInt(x -> s.s(x).length()).sum(); return t;");
        trips(
                "match",
                1,
                "long t = 0; for (int i = 0; i < n; i++) if (s.names(i).stream().anyMatch(x -> x.length() > 3)) t += s.f(i); return t;");
        strands(
                "sorted-texts",
                2,
                "StringBuilder b = new StringBuilder(); for (int i = 0; i < n; i++) b.append(s.names(i).stream().map(x -> s.s(x)).sorted().collect("
                        + JOINING
                        + "())); return b.toString();");
    }

    private void needed() {
        strands(
                "list-that-a-call-needs",
                2,
                "List<Integer> ids = List.of(1, 2, 3); long t = 0; for (int i = 0; i < n; i++) { int k = i; List<Integer> l = ids.stream().map(x -> s.f(x + k)).toList(); t = t * 3 + s.g(l.get(1)); } return t;");
        strands(
                "fold-that-a-call-needs",
                2,
                "List<Integer> ids = List.of(1, 2, 3); long t = 0; for (int i = 0; i < n; i++) { int k = i; int r = ids.stream().map(x -> s.f(x + k)).reduce(1, (a, x) -> a * 3 + x); t = t * 3 + s.g(r); } return t;");
        strands(
                "set-that-calls-need",
                3,
                "long t = 0; for (int i = 0; i < n; i++) { Set<String> l = s.names(i).stream().map(x -> s.s(x)).collect(java.util.stream.Collectors.toSet()); for (String x : l) t = t * 3 + s.f(x.length()); } return t;");
    }

    private void early() {
        strands(
                "first",
                2,
                "long t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.names(i).stream().map(x -> s.s(x)).findFirst().get().length(); return t;");
        strands(
                "first-number",
                2,
                "long t = 0; for (int i = 0; i < n; i++) t = t * 3 + Arrays.stream(s.row(i)).map(x -> s.f(x)).findFirst().getAsInt(); return t;");
        strands(
                "any",
                4,
                "long t = 0; for (int i = 0; i < n; i++) if (s.names(i).stream().anyMatch(x -> s.s(x).length() > 3)) t++; return t;");
        strands(
                "all-and-none",
                8,
                "long t = 0; for (int i = 0; i < n; i++) { if (s.names(i).stream().allMatch(x -> s.f(x.length()) % 3 != 0)) t++; if (Arrays.stream(s.row(i)).noneMatch(x -> s.ok(x))) t += 3; } return t;");
    }

    private void traps() {
        same(
                "list-that-may-not-change",
                "long t = 0; for (int i = 0; i < n; i++) try { List<String> l = s.names(i).stream().map(x -> x + 1).toList(); l.add(\"more\"); for (String x : l) t = t * 3 + s.s(x).length(); } catch (UnsupportedOperationException e) { t++; } return t;");
        same(
                "list-that-a-helper-changes",
                "long t = 0; for (int i = 0; i < n; i++) try { List<String> l = s.names(i).stream().map(x -> x + 1).toList(); more(l); for (String x : l) t = t * 3 + s.s(x).length(); } catch (UnsupportedOperationException e) { t++; } return t; } static void more(List<String> l) { l.add(\"more\");");
        same(
                "list-that-another-name-changes",
                "long t = 0; for (int i = 0; i < n; i++) try { List<String> l = s.names(i).stream().map(x -> x + 1).toList(); List<String> k = l; k.remove(0); for (String x : l) t = t * 3 + s.s(x).length(); } catch (UnsupportedOperationException e) { t++; } return t;");
        same(
                "unmodifiable-list-with-null",
                "long t = 0; for (int i = 0; i < n; i++) { int k = i; try { List<Integer> l = List.of(1, 2).stream().map(x -> x == k % 3 ? null : x).collect(java.util.stream.Collectors.toUnmodifiableList()); for (Integer x : l) t = t * 3 + s.f(x); } catch (NullPointerException e) { t++; } } return t;");
        same(
                "first-counts",
                "int[] c = new int[1]; long t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.names(i).stream().map(x -> { c[0]++; return s.s(x); }).findFirst().get().length(); return t + c[0];");
        same(
                "first-is-null",
                "long t = 0; for (int i = 0; i < n; i++) { int k = i; try { t += s.names(i).stream().map(x -> k % 3 == 0 ? null : s.s(x)).findFirst().get().length(); } catch (NullPointerException e) { t++; } } return t;");
        same(
                "match-stops",
                "int[] c = new int[1]; long t = 0; for (int i = 0; i < n; i++) { if (s.names(i).stream().anyMatch(x -> { c[0]++; return x.length() > 3; })) t = t * 3 + s.f(c[0]); } return t;");
        same(
                "texts-of-nulls",
                "long t = 0; for (int i = 0; i < n; i++) { int k = i; String key = s.names(i).stream().map(x -> x.length() % 2 == k % 2 ? null : x).collect("
                        + JOINING
                        + "(\"-\")); t += s.s(key).length(); } return t;");
        same(
                "fold-in-order",
                "long t = 0; for (int i = 0; i < n; i++) { int r = Arrays.stream(s.row(i)).reduce(i, (a, x) -> a * 31 - x); t = t * 3 + s.f(r); } return t;");
        same(
                "sorted-objects-of-the-program",
                "Own.c = 0; long t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.names(i).stream().map(x -> new Own(x)).sorted().mapToInt(x -> s.s(x.t).length()).sum(); return t + Own.c; } record Own(String t) implements Comparable<Own> { static int c; public int compareTo(Own o) { c++; return t.compareTo(o.t); } } static int q() { return 1;");
        same(
                "stream-that-changes-its-list",
                "List<Integer> ids = new ArrayList<>(List.of(1, 2, 3)); long t = 0; for (int i = 0; i < n; i++) { int k = i; ids.stream().map(x -> x + k).forEach(x -> { if (k == 5) ids.set(0, 9); }); for (int x : ids) t = t * 3 + s.f(x); } return t;");
        same(
                "collection-of-the-program",
                "Own.c = 0; long t = 0; List<Integer> ids = new Own(); ids.add(1); ids.add(2); for (int i = 0; i < n; i++) { List<Integer> l = ids.stream().map(x -> x + 1).toList(); t = t * 3 + s.f(l.get(0) + Own.c); } return t; } static class Own extends ArrayList<Integer> { static int c; @Override public java.util.stream.Stream<Integer> stream() { c++; return super.stream(); } } static int q() { return 1;");
    }
}
