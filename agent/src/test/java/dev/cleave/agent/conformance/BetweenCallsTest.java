package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Code between calls that is known to change nothing which calls depend on: optional values, enums, records, copies (R43). */
@Tag("one-jdk")
class BetweenCallsTest extends StrandPrograms {

    BetweenCallsTest() {
        super(20);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        values();
        collections();
        exits();
        traps();
        return tests();
    }

    private void values() {
        trips(
                "mapped",
                2,
                "long t = 0; for (int i = 0; i < n; i++) { int l = Optional.ofNullable(s.s(\"k\" + i)).map(String::length).orElse(0); t = t * 3 + s.f(l + i); } return t;");
        trips(
                "mapped-by-code",
                2,
                "long t = 0; for (int i = 0; i < n; i++) { int l = Optional.of(s.s(\"k\" + i)).filter(x -> x.length() > 1).map(x -> x.length() + 1).orElseGet(() -> 7); t = t * 3 + s.f(l + i); } return t;");
        trips(
                "if-present",
                1,
                "long[] t = {0}; for (int i = 0; i < n; i++) Optional.ofNullable(s.s(\"k\" + i)).ifPresent(x -> t[0] += x.length()); return t[0];");
        trips(
                "enum-keys",
                1,
                "E[] all = E.values(); Map<E, Integer> m = new HashMap<>(); for (int i = 0; i < n; i++) m.merge(all[i % all.length], s.f(i), Integer::sum); return new TreeMap<>(m).toString(); } enum E { A, B, C; static int q() { return 1; }");
        trips(
                "switch-on-an-enum-of-the-jdk",
                1,
                "java.util.concurrent.TimeUnit[] all = java.util.concurrent.TimeUnit.values(); long t = 0; for (int i = 0; i < n; i++) { switch (all[i % all.length]) { case DAYS: t += s.f(i); break; default: t = t * 3 + s.g(i); } } return t;");
        trips(
                "record-keys",
                1,
                "Map<Pair, Integer> m = new HashMap<>(); for (int i = 0; i < n; i++) m.put(new Pair(i % 7, \"x\"), s.f(i)); long t = 0; for (int i = 0; i < 7; i++) t = t * 3 + m.get(new Pair(i, \"x\")); return t; } record Pair(int a, String b) { static int q() { return 1; }");
        trips(
                "enum-in-a-text",
                2,
                "E[] all = E.values(); StringBuilder b = new StringBuilder(); for (int i = 0; i < n; i++) b.append(all[i % all.length]).append(s.f(i)); return b.toString(); } enum E { A, B; static int q() { return 1; }");
    }

    private void collections() {
        strands(
                "copied-list",
                2,
                "long t = 0; for (int i = 0; i < n; i++) { List<String> l = new ArrayList<>(s.names(i)); for (String x : l) t = t * 3 + s.s(x).length(); } return t;");
        trips(
                "copy-of-a-list",
                2,
                "long t = 0; for (int i = 0; i < n; i++) for (String x : List.copyOf(s.names(i))) t = t * 3 + s.s(x).length(); return t;");
        trips(
                "key-and-value",
                2,
                "Map<String, Integer> m = new LinkedHashMap<>(); for (int i = 0; i < n; i++) m.put(\"k\" + i, i); long t = 0; for (Map.Entry<String, Integer> e : m.entrySet()) { int v = e.getValue(); t = t * 3 + s.f(v) + s.s(e.getKey()).length(); } return t;");
        trips(
                "object-of-a-result",
                2,
                "long t = 0; for (int i = 0; i < n; i++) { Item x = new Item(i, s.f(i)); if (x.price() % 3 != 0) t = t * 3 + s.g(x.price()); } return t; } record Item(int id, int price) { static int q() { return 1; }");
    }

    private void exits() {
        trips(
                "checked-and-thrown",
                2,
                "long t = 0; for (int i = 0; i < n; i++) { String nm = s.s(\"v\" + i); if (nm.isBlank()) throw new IllegalArgumentException(\"no name\"); t = t * 3 + nm.length() + s.f(i); } return t;");
        trips(
                "checked-and-left",
                21,
                "long t = 0; for (int i = 0; i < n; i++) { String nm = s.s(\"v\" + i); if (nm.isBlank()) break; t = t * 3 + nm.length() + s.f(i); } return t;");
        same(
                "checked-and-thrown-at-last",
                "long t = 0; for (int i = 0; i < n; i++) { int v = s.f(i); if (v % 11 == 7) throw new IllegalArgumentException(\"no \" + v); t = t * 3 + v + s.g(i); } return t;");
        same(
                "checked-and-left-at-last",
                "long t = 0; for (int i = 0; i < n; i++) { int v = s.f(i); if (v % 11 == 7) break; t = t * 3 + v + s.g(i); } return t;");
        same(
                "left-on-either",
                "for (int i = 0; i < n; i++) { int v = s.f(i); if (v % 13 == 7) return \"f\" + i; if (s.g(i) % 13 == 5) return \"g\" + i; } return \"none\";");
    }

    private void traps() {
        same(
                "enum-with-a-text-of-its-own",
                "E.c = 0; E[] all = E.values(); StringBuilder b = new StringBuilder(); for (int i = 0; i < n; i++) b.append(all[i % all.length]).append(s.f(i + E.c)); return b.toString(); } enum E { A, B; static int c; public String toString() { return name() + c++; }");
        same(
                "optional-function-that-counts",
                "int[] c = new int[1]; long t = 0; for (int i = 0; i < n; i++) { int l = Optional.of(s.s(\"k\" + i)).map(x -> x.length() + c[0]++).orElse(0); t = t * 3 + s.f(l + i); } return t;");
        same(
                "record-with-its-own-hash",
                "Own.c = 0; Map<Own, Integer> m = new HashMap<>(); for (int i = 0; i < n; i++) m.put(new Own(i % 5), s.f(i + Own.c)); return m.size() + Own.c; } record Own(int a) { static int c; public int hashCode() { return c++ % 3; } static int q() { return 1; }");
        same(
                "record-of-an-object",
                "Odd.c = 0; Map<Holder, Integer> m = new HashMap<>(); for (int i = 0; i < n; i++) m.put(new Holder(new Odd()), s.f(i + Odd.c)); return m.size() + Odd.c; } record Holder(Object o) {} static class Odd { static int c; public int hashCode() { return c++; } static int q() { return 1; }");
        same(
                "record-that-is-compared",
                "Cmp.c = 0; Map<Cmp, Integer> m = new TreeMap<>(); for (int i = 0; i < n; i++) m.put(new Cmp(i % 5), s.f(i + Cmp.c)); return m.size() + Cmp.c; } record Cmp(int a) implements Comparable<Cmp> { static int c; public int compareTo(Cmp o) { c++; return a - o.a; } static int q() { return 1; }");
        same(
                "enum-whose-constant-has-code",
                "F.c = 0; F[] all = F.values(); StringBuilder b = new StringBuilder(); for (int i = 0; i < n; i++) b.append(all[i % all.length]).append(s.f(i + F.c)); return b.toString(); } enum F { A, B { @Override public String toString() { return \"b\" + c++; } }; static int c; static int q() { return 1; }");
        same(
                "object-whose-constructor-counts",
                "Cn.c = 0; long t = 0; for (int i = 0; i < n; i++) { Cn x = new Cn(s.f(i)); if (x.a % 3 != 0) t = t * 3 + s.g(x.a + Cn.c); } return t; } static class Cn { static int c; final int a; Cn(int a) { this.a = a; c++; } static int q() { return 1; }");
        same(
                "entries-of-a-map-of-the-program",
                "My.c = 0; Map<String, Integer> m = new My(); for (int i = 0; i < n; i++) m.put(\"k\" + i, i); long t = 0; for (Map.Entry<String, Integer> e : m.entrySet()) { int v = e.getValue(); t = t * 3 + s.f(v + My.c) + s.s(e.getKey()).length(); } return t; } static class My extends LinkedHashMap<String, Integer> { static int c; @Override public Set<Map.Entry<String, Integer>> entrySet() { c++; return super.entrySet(); } static int q() { return 1; }");
    }
}
