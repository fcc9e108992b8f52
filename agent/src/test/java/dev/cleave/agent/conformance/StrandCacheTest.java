package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Maps that programs fill by hand with results of calls, each asked for its key first: one call is sent for each missing key (R71). */
@Tag("one-jdk")
class StrandCacheTest extends StrandPrograms {

    private static final String GET =
            "Integer v = m.get(k); if (v == null) { v = s.f(k); m.put(k, v); } t = t * 3 + v; ";

    StrandCacheTest() {
        super(40);
    }

    @Override
    void runFirst(Class<?> rewritten) {
        TimedService.run(rewritten, 3); // code of another class takes what is sent once it has run
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        filled();
        notFilled();
        return tests();
    }

    private static String loop(String map, String body) {
        return map + " long t = 0; for (int i = 0; i < n; i++) { int k = i * 7 % 5; " + body
                + "} return t + m.toString();";
    }

    /** A class with a map as a field, which a method fills; the loop calls it through an interface. */
    private static String elsewhere(String name, String method) {
        return "Rates r = new Cached(s); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + r.of(s.f(i) & 7); return t + r.toString(); }\n"
                + "interface Rates { int of(int k); }\n"
                + "static final class Cached implements Rates { private final Map<Integer, Integer> m = new HashMap<>(); private final Svc s; Cached(Svc s) { this.s = s; }\n"
                + "@Override public String toString() { return m.toString(); }\n@Override public int of(int k) { "
                + method + " } }\n"
                + "static long unused" + name + "() { return 0;";
    }

    private void filled() {
        strands("get-then-put", 6, loop("Map<Integer, Integer> m = new HashMap<>();", GET));
        strands("sorted-map", 6, loop("Map<Integer, Integer> m = new TreeMap<>();", GET));
        strands(
                "contains-then-put",
                6,
                loop(
                        "Map<Integer, Integer> m = new HashMap<>();",
                        "if (!m.containsKey(k)) { m.put(k, s.f(k)); } t = t * 3 + m.get(k); "));
        strands(
                "texts-for-texts",
                6,
                "Map<String, String> m = new LinkedHashMap<>(); StringBuilder l = new StringBuilder(); for (int i = 0; i < n; i++) { String k = \"k\" + i * 7 % 5; String v = m.get(k); if (v == null) { v = s.s(k); m.put(k, v); } l.append(v); } return l.toString() + m;");
        strands(
                "key-is-a-result",
                8,
                "Map<Integer, Integer> m = new HashMap<>(); long t = 0; for (int i = 0; i < n; i++) { int k = s.f(i) & 7; "
                        + GET + "} return t + m.toString();");
        strands("filled-before", 6, loop("Map<Integer, Integer> m = new HashMap<>(Map.of(1, 77, 3, 99));", GET));
        strands(
                "in-a-helper",
                8,
                "Map<Integer, Integer> m = new HashMap<>(); long t = 0; for (int i = 0; i < n; i++) t = t * 3 + of(s, m, s.f(i) & 7); return t + m.toString(); }\n"
                        + "private static int of(Svc s, Map<Integer, Integer> m, int k) { Integer v = m.get(k); if (v == null) { v = s.g(k); m.put(k, v); } return v;");
        strands(
                "elsewhere",
                8,
                elsewhere("A", "Integer v = m.get(k); if (v == null) { v = s.g(k); m.put(k, v); } return v;"));
        strands(
                "elsewhere-twice-behind-each-other",
                4,
                "Rates r = new Cached(s);\nreturn r.of(n) * 3 - r.of(n + 1) + r.toString(); }\n"
                        + elsewhere("Twice", "return m.computeIfAbsent(k & 3, s::g);")
                                .split("\n", 2)[1]);
        strands(
                "elsewhere-contains",
                8,
                elsewhere("B", "if (!m.containsKey(k)) { m.put(k, s.g(k)); } return m.get(k);"));
        strands(
                "key-written-twice",
                1,
                loop(
                        "Map<String, Integer> m = new HashMap<>();",
                        "Integer v = m.get(k + \"/\" + i % 4); if (v == null) { v = s.f(k * 4 + i % 4); m.put(k + \"/\" + i % 4, v); } t = t * 3 + v; "));
        strands(
                "number-written-twice",
                1,
                loop(
                        "Map<Long, Integer> m = new TreeMap<>();",
                        "if (!m.containsKey(k * 100L + (i & 3))) m.put(k * 100L + (i & 3), s.f(i)); t = t * 3 + m.get(k * 100L + (i & 3)); "));
        strands(
                "computed-if-absent",
                1,
                loop("Map<Integer, Integer> m = new HashMap<>();", "t = t * 3 + m.computeIfAbsent(k, s::f); "));
        strands(
                "computed-if-absent-by-lambda",
                1,
                loop("Map<Integer, Integer> m = new TreeMap<>();", "t = t * 3 + m.computeIfAbsent(k, x -> s.f(x)); "));
        same(
                "results-that-are-null",
                loop(
                        "Map<Integer, Integer> m = new HashMap<>();",
                        "Integer v = m.get(k); if (v == null) { v = s.maybe(k); m.put(k, v); } t = t * 3 + (v == null ? 1 : v); "));
        same(
                "results-that-are-null-and-kept",
                loop(
                        "Map<Integer, Integer> m = new HashMap<>();",
                        "if (!m.containsKey(k)) { m.put(k, s.maybe(k)); } Integer v = m.get(k); t = t * 3 + (v == null ? 1 : v); "));
        same(
                "null-values-before",
                loop("Map<Integer, Integer> m = new HashMap<>(); m.put(2, null); m.put(4, null);", GET));
        same(
                "handles-a-failure",
                "Map<Integer, Integer> m = new HashMap<>(); StringBuilder l = new StringBuilder(\"caught\"); for (int i = 0; i < n && i < 9; i++) { int k = i * 7 % 5; try { Integer v = m.get(k); if (v == null) { v = s.f(k); m.put(k, v); } l.append(v); } catch (RuntimeException e) { l.append('!'); } } return l.toString() + m;");
    }

    private void notFilled() {
        without("removed-behind", loop("Map<Integer, Integer> m = new HashMap<>();", GET + "m.remove(k - 1); "));
        without("cleared", loop("Map<Integer, Integer> m = new HashMap<>();", GET + "if (m.size() > 2) m.clear(); "));
        without("put-behind", loop("Map<Integer, Integer> m = new HashMap<>();", GET + "m.put(k + 1, 3); "));
        without(
                "another-key",
                loop(
                        "Map<Integer, Integer> m = new HashMap<>();",
                        "int j = k + 1; Integer v = m.get(k); if (v == null) { v = s.f(k); m.put(j, v); } t = t * 3 + v; "));
        without(
                "another-value",
                loop(
                        "Map<Integer, Integer> m = new HashMap<>();",
                        "Integer v = m.get(k); if (v == null) { v = s.f(k) + 1; m.put(k, v); } t = t * 3 + v; "));
        without(
                "put-only-sometimes",
                loop(
                        "Map<Integer, Integer> m = new HashMap<>();",
                        "Integer v = m.get(k); if (v == null) { v = s.f(k); if (v % 2 == 0) m.put(k, v); } t = t * 3 + v; "));
        without(
                "another-map",
                loop(
                        "Map<Integer, Integer> m = new HashMap<>(), o = new HashMap<>();",
                        "Integer v = m.get(k); if (v == null) { v = s.f(k); o.put(k, v); } t = t * 3 + v; "));
        same(
                "two-maps-that-are-one",
                "Map<Integer, Integer> m = new HashMap<>(), o = n > 3 ? m : new HashMap<>(); long t = 0; for (int i = 0; i < n; i++) { int k = i * 7 % 5; "
                        + GET
                        + "Integer w = o.get(k); if (w == null) { w = s.g(k); o.put(k, w); } t = t * 5 + w; } return t + m.toString() + o;");
        without(
                "key-that-changes",
                loop(
                        "Map<Integer, Integer> m = new HashMap<>();",
                        "Integer v = m.get(k); if (v == null) { v = s.f(k++); m.put(k, v); } t = t * 3 + v; "));
        without(
                "asked-on-one-way-only",
                loop(
                        "Map<Integer, Integer> m = new HashMap<>();",
                        "Integer v = i % 3 == 0 ? null : m.get(k); if (v == null) { v = s.f(k); m.put(k, v); } t = t * 3 + v; "));
        same(
                "value-decides-about-a-call",
                loop("Map<Integer, Integer> m = new HashMap<>();", GET + "if (v % 2 == 0) t += s.g(v); "));
        same(
                "map-of-the-program",
                loop(
                        "Map<Integer, Integer> m = new HashMap<>() { @Override public Integer get(Object o) { return super.size() > 3 ? null : super.get(o); } };",
                        GET));
        same("left-on-a-value", loop("Map<Integer, Integer> m = new HashMap<>();", GET + "if (v % 7 == 3) break; "));
        without(
                "another-text",
                loop(
                        "Map<String, Integer> m = new HashMap<>();",
                        "Integer v = m.get(k + \"/\" + i % 4); if (v == null) { v = s.f(k); m.put(k + \"-\" + i % 4, v); } t = t * 3 + v; "));
        without(
                "text-of-another-number",
                loop(
                        "Map<String, Integer> m = new HashMap<>();",
                        "Integer v = m.get(k + \"/\" + i % 4); if (v == null) { v = s.f(k); m.put(k + \"/\" + i % 3, v); } t = t * 3 + v; "));
        without(
                "text-of-an-object",
                loop(
                        "int[] c = {0}; Object o = new Object() { @Override public String toString() { return \"o\" + c[0]++; } }; Map<String, Integer> m = new HashMap<>();",
                        "Integer v = m.get(o + \"/\" + k); if (v == null) { v = s.f(k); m.put(o + \"/\" + k, v); } t = t * 3 + v; "));
        without(
                "default-value",
                loop(
                        "Map<Integer, Integer> m = new HashMap<>();",
                        "int v = m.getOrDefault(k, -1); if (v < 0) { v = s.f(k); m.put(k, v); } t = t * 3 + v; "));
    }
}
