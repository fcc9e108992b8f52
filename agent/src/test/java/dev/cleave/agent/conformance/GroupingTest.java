package dev.cleave.agent.conformance;

import dev.cleave.agent.rule.Rule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Results that go into collections which a map holds (R43). */
@Tag("one-jdk")
class GroupingTest extends ProgramTests {

    private static final String ODD =
            "static class Odd extends ArrayList<Object> { static int calls; @Override public boolean add(Object o) { calls++; return super.add(o); } }\n";

    @TestFactory
    Stream<DynamicTest> programs() {
        groups();
        traps();
        texts();
        return tests();
    }

    private void groups() {
        overlaps(
                "group-by-key",
                "Map<Integer, List<Integer>> m = new HashMap<>(); for (int i = 0; i < n; i++) m.computeIfAbsent(i % 5, k -> new ArrayList<>()).add(s.f(i)); return m.toString();");
        overlaps(
                "group-by-result",
                "Map<String, List<Integer>> m = new TreeMap<>(); for (int i = 0; i < n; i++) m.computeIfAbsent(s.s(\"c\" + i % 5), k -> new LinkedList<>()).add(s.f(i)); return m.toString();");
        overlaps(
                "group-by-hand",
                "Map<Integer, List<Integer>> m = new HashMap<>(); for (int i = 0; i < n; i++) { List<Integer> l = m.get(i % 5); if (l == null) { l = new ArrayList<>(); m.put(i % 5, l); } l.add(s.f(i)); } return m.toString();");
        overlaps(
                "group-of-a-list",
                "List<Integer> ids = new ArrayList<>(); for (int i = 0; i < n; i++) ids.add(i * 3); Map<Integer, List<Integer>> m = new HashMap<>(); for (int id : ids) m.computeIfAbsent(id % 5, ArrayList::new).add(s.f(id)); return m.toString();");
        overlaps(
                "maps-in-a-map",
                "Map<String, Map<String, Integer>> m = new TreeMap<>(); for (int i = 0; i < n; i++) m.computeIfAbsent(\"a\" + i % 3, k -> new TreeMap<>()).put(\"b\" + i, s.f(i)); return m.toString();");
        overlaps(
                "sets-in-a-map",
                "Map<Integer, Set<Integer>> m = new LinkedHashMap<>(); for (int i = 0; i < n; i++) { int v = s.f(i); m.computeIfAbsent(v % 7, k -> new HashSet<>()).add(v); } return m.toString();");
    }

    private void traps() {
        sequential(
                "list-of-the-program",
                Rule.R43,
                "Map<Integer, List<Object>> m = new HashMap<>(); Odd.calls = 0; for (int i = 0; i < n; i++) m.computeIfAbsent(i % 5, k -> new Odd()).add(s.f(i + Odd.calls)); return m.toString(); }\n"
                        + ODD + "static int q() { return 1;");
        sequential(
                "list-of-the-program-is-put-before",
                Rule.R43,
                "Map<Integer, List<Object>> m = new HashMap<>(); Odd.calls = 0; m.put(3, new Odd()); for (int i = 0; i < n; i++) m.computeIfAbsent(i % 5, k -> new ArrayList<>()).add(s.f(i + Odd.calls)); return m.toString(); }\n"
                        + ODD + "static int q() { return 1;");
        sequential(
                "map-that-others-fill",
                Rule.R43,
                "Map<Integer, List<Object>> m = new HashMap<>(); Odd.calls = 0; fill(m); for (int i = 0; i < n; i++) m.computeIfAbsent(i % 5, k -> new ArrayList<>()).add(s.f(i + Odd.calls)); return m.toString(); }\n"
                        + ODD + "static void fill(Map<Integer, List<Object>> m) { m.put(2, new Odd());");
        sequential(
                "map-of-the-caller",
                Rule.R43,
                "Map<Integer, List<Object>> m = new HashMap<>(); m.put(2, new Odd()); Odd.calls = 0; return go(s, m, n); }\n"
                        + ODD
                        + "static Object go(Svc s, Map<Integer, List<Object>> m, int n) { for (int i = 0; i < n; i++) m.computeIfAbsent(i % 5, k -> new ArrayList<>()).add(s.f(i + Odd.calls)); return m.toString();");
        sequential(
                "one-of-two-maps",
                Rule.R43,
                "Map<Integer, List<Object>> a = new HashMap<>(); Map<Integer, List<Object>> b = new HashMap<>(); b.put(1, new Odd()); Odd.calls = 0; for (int i = 0; i < n; i++) { Map<Integer, List<Object>> m = i % 2 == 0 ? a : b; m.computeIfAbsent(i % 5, k -> new ArrayList<>()).add(s.f(i + Odd.calls)); } return a + \"\" + b; }\n"
                        + ODD + "static int q() { return 1;");
        same(
                "function-that-gives-a-list-of-others",
                "Map<Integer, List<Object>> m = new HashMap<>(); Odd.calls = 0; List<Object> all = new Odd(); for (int i = 0; i < n; i++) m.computeIfAbsent(i % 5, k -> all).add(s.f(i + Odd.calls)); return m.toString(); }\n"
                        + ODD + "static int q() { return 1;");
        same(
                "list-that-the-loop-reads",
                "Map<Integer, List<Integer>> m = new HashMap<>(); List<Integer> first = m.computeIfAbsent(0, k -> new ArrayList<>()); int t = 0; for (int i = 0; i < n; i++) { m.computeIfAbsent(i % 2, k -> new ArrayList<>()).add(i); t = t * 3 + s.f(first.size()); } return t + m.toString();");
        same(
                "list-that-a-field-knows",
                "Map<Integer, List<Integer>> m = new HashMap<>(); KNOWN = m.computeIfAbsent(0, k -> new ArrayList<>()); int t = 0; for (int i = 0; i < n; i++) { m.computeIfAbsent(i % 2, k -> new ArrayList<>()).add(i); t = t * 3 + s.f(KNOWN.size()); } return t + m.toString(); }\nstatic List<Integer> KNOWN; static int q() { return 1;");
        same(
                "list-that-is-put-and-read",
                "Map<Integer, List<Integer>> m = new HashMap<>(); List<Integer> mine = new ArrayList<>(); m.put(1, mine); int t = 0; for (int i = 0; i < n; i++) { m.get(1).add(i); t = t * 3 + s.f(mine.size()); } return t + m.toString();");
        same(
                "entries-are-set",
                "Map<Integer, List<Object>> m = new HashMap<>(); Odd.calls = 0; m.computeIfAbsent(1, k -> new ArrayList<>()); for (Map.Entry<Integer, List<Object>> e : m.entrySet()) e.setValue(new Odd()); for (int i = 0; i < n; i++) m.computeIfAbsent(i % 2, k -> new ArrayList<>()).add(s.f(i + Odd.calls)); return m.toString(); }\n"
                        + ODD + "static int q() { return 1;");
        same(
                "values-are-replaced-in-a-loop",
                "Map<Integer, List<Object>> m = new HashMap<>(); Odd.calls = 0; for (int j = 0; j < 3; j++) { for (int i = 0; i < n; i++) m.computeIfAbsent(i % 2, k -> new ArrayList<>()).add(s.f(i + Odd.calls)); m.replaceAll((k, v) -> new Odd()); } return m.toString(); }\n"
                        + ODD + "static int q() { return 1;");
        same(
                "map-is-kept-in-a-loop",
                "Map<Integer, List<Object>> m = new HashMap<>(); Odd.calls = 0; for (int j = 0; j < 3; j++) { for (int i = 0; i < n; i++) m.computeIfAbsent(i % 2, k -> new ArrayList<>()).add(s.f(i + Odd.calls)); KNOWN = m; other(); } return m.toString(); }\n"
                        + ODD
                        + "static Map<Integer, List<Object>> KNOWN; static void other() { KNOWN.put(1, new Odd()); } static int q() { return 1;");
    }

    private void texts() {
        overlaps(
                "formatted-results",
                "StringBuilder b = new StringBuilder(); for (int i = 0; i < n; i++) b.append(String.format(\"%d;%s;%.2f%n\", s.f(i), s.s(\"x\" + i), s.df(i))); return b.toString();");
        overlaps(
                "formatted-key",
                "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.s(\"%05d-%s\".formatted(i, \"k\")).length() + s.f(Objects.hash(i, \"a\") & 15); return t;");
        overlaps(
                "joined-strings",
                "StringBuilder b = new StringBuilder(); for (int i = 0; i < n; i++) b.append(String.join(\",\", s.s(\"a\" + i), \"b\", s.s(\"c\" + i))); return b.toString();");
        overlaps(
                "statistics",
                "IntSummaryStatistics t = new IntSummaryStatistics(); for (int i = 0; i < n; i++) t.accept(s.f(i)); return t.getMax() + \" \" + t.getSum() + t;");
        overlaps(
                "sorted-set",
                "int t = 0; for (int x : new TreeSet<>(List.of(5, 3, 9, 1))) t = t * 3 + s.f(x); return t;");
        sequential(
                "format-runs-code",
                Rule.R43,
                "Text.calls = 0; Object k = new Text(); StringBuilder b = new StringBuilder(); for (int i = 0; i < n; i++) b.append(String.format(\"%s;%d\", k, s.f(i + Text.calls))); return b.toString(); }\n"
                        + "static class Text { static int calls; @Override public String toString() { return \"t\" + calls++; } } static int q() { return 1;");
        sequential(
                "array-of-the-caller-is-formatted",
                Rule.R43,
                "Text.calls = 0; Object[] k = {1, new Text()}; StringBuilder b = new StringBuilder(); for (int i = 0; i < n; i++) b.append(String.format(\"%s;%s\", k)).append(s.f(i + Text.calls)); return b.toString(); }\n"
                        + "static class Text { static int calls; @Override public String toString() { return \"t\" + calls++; } } static int q() { return 1;");
        sequential(
                "hash-runs-code",
                Rule.R43,
                "Text.calls = 0; Object k = new Text(); int t = 0; for (int i = 0; i < n; i++) t = t * 3 + Objects.hash(1, k) + s.f(i + Text.calls); return t; }\n"
                        + "static class Text { static int calls; @Override public int hashCode() { return calls++; } } static int q() { return 1;");
    }
}
