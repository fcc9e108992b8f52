package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Switches on patterns, which compilers write since JDK 21: with guards, on records, texts, enums and null. */
@EnabledForJreRange(min = JRE.JAVA_21)
class PatternSwitchTest extends StrandPrograms {

    private static final String SHAPES = "sealed interface Shape permits Round, Flat, Named {}\n"
            + "record Round(int key, int size) implements Shape {}\nrecord Flat(Round in, int key) implements Shape {}\n"
            + "enum Named implements Shape { A, B, C }\n"
            + "static List<Shape> shapes(int n) { List<Shape> all = new ArrayList<>(); for (int i = 0; i < n; i++) all.add(i % 4 == 0 ? Named.values()[i / 4 % 3] : i % 3 == 0 ? new Flat(new Round(i, 2), i) : new Round(i, i % 5)); return all; }\n";

    PatternSwitchTest() {
        super(24);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        overlap();
        stay();
        return tests();
    }

    /** A loop over shapes; a value is added for each. */
    private static String each(String cases) {
        return "long t = 0; for (Shape x : shapes(n)) { t = t * 3 + switch (x) { " + cases + " }; } return t;";
    }

    @Override
    void add(String name, String body) {
        super.add(name, body.contains("Shape") ? body + " }\n" + SHAPES + "static int unused() { return 0;" : body);
    }

    private void overlap() {
        trips(
                "classes",
                2,
                each("case Round r -> s.f(r.key()); case Flat f -> s.g(f.key()); case Named e -> s.f(e.ordinal());"));
        trips(
                "one-guard",
                2,
                each(
                        "case Round r when r.size() > 2 -> s.f(r.key()); case Round r -> s.g(r.size()); case Flat f -> 7; case Named e -> 1;"));
        trips(
                "guards-behind-each-other",
                2,
                each(
                        "case Round r when r.size() == 1 -> s.f(1); case Round r when r.size() == 2 -> s.f(2); case Round r when r.size() == 3 -> s.g(r.key()); case Round r -> s.f(r.key()); case Flat f when f.key() > 9 -> s.g(f.key()); case Flat f -> 3; case Named e -> 1;"));
        trips(
                "parts-of-records",
                2,
                each(
                        "case Round(int k, int y) when y > 1 -> s.f(k + y); case Round(var k, var y) -> k; case Flat(Round(int k, int y), int o) -> s.g(k + o); case Named e -> 1;"));
        trips(
                "null-and-the-rest",
                2,
                "long t = 0; for (int i = 0; i < n; i++) { Object x = i % 5 == 0 ? null : i % 2 == 0 ? (Object) i : \"k\" + i; t = t * 3 + switch (x) { case null -> s.f(0); case Integer k when k > 7 -> s.f(k); case String k -> s.s(k).length(); default -> 5; }; } return t;");
        trips(
                "texts",
                2,
                "long t = 0; for (int i = 0; i < n; i++) { String x = \"k\" + i % 4; t = t * 3 + switch (x) { case \"k1\" -> s.f(i); case String k when k.endsWith(\"2\") -> s.g(i); case String k -> k.length(); }; } return t;");
        trips(
                "decides-about-a-helper",
                2,
                "long t = 0; for (Shape x : shapes(n)) t = t * 3 + of(s, x); return t; }\nprivate static int of(Svc s, Shape x) { return switch (x) { case Round r when r.size() > 2 -> s.f(r.key()); case Round r -> 4; case Flat f -> s.g(f.key()); case Named e -> 1; };");
        trips(
                "nest",
                8,
                "long t = 0; for (Shape x : shapes(n)) { switch (x) { case Round r when r.size() > 2 -> { for (int k : s.row(r.key())) t = t * 3 + s.f(k); } case Round r -> t += s.g(r.key()); case Flat f -> t++; case Named e -> { } } } return t;");
        trips(
                "of-results",
                3,
                "long t = 0; for (int i = 0; i < n; i++) { Object x = s.get(i); t = t * 3 + switch (x) { case Integer k when k > 3 -> s.f(k); case Integer k -> k; case String k -> s.s(k).length(); default -> 2; }; } return t;");
        trips(
                "instanceof-parts",
                2,
                "long t = 0; for (Shape x : shapes(n)) if (x instanceof Flat(Round(int k, int y), int o) && o > 2) t = t * 3 + s.f(k + y); else if (x instanceof Round r && r.size() > 1) t += s.g(r.key()); return t;");
    }

    private void stay() {
        same(
                "guard-that-calls",
                each(
                        "case Round r when s.f(r.key()) % 2 == 0 -> s.g(r.key()); case Round r -> 2; case Flat f -> 3; case Named e -> 4;"));
        same(
                "guard-with-an-effect",
                "int[] c = {0}; long t = 0; for (Shape x : shapes(n)) { t = t * 3 + switch (x) { case Round r when c[0]++ % 2 == 0 -> s.f(r.key()); case Round r -> s.g(c[0]); case Flat f -> 3; case Named e -> 4; }; } return t + c[0];");
        same(
                "guard-that-throws",
                each(
                        "case Round r when 12 / (r.key() % 7 - 3) > 2 -> s.f(r.key()); case Round r -> 2; case Flat f -> s.g(f.key()); case Named e -> 4;"));
        same(
                "constants-of-an-enum",
                each(
                        "case Named.A -> s.f(1); case Named.B -> s.g(2); case Named e -> 3; case Round r -> s.f(r.key()); case Flat f -> 1;"));
        same(
                "boxes",
                "long t = 0; for (int i = 0; i < n; i++) { Integer x = i % 6; t = t * 3 + switch (x) { case 1 -> s.f(i); case Integer k when k > 3 -> s.g(k + i); case Integer k -> k; }; } return t;");
        same(
                "null-that-throws",
                "long t = 0; for (int i = 0; i < n; i++) { Object x = i == 9 ? null : (Object) i; t = t * 3 + switch (x) { case Integer k when k > 3 -> s.f(k); default -> 5; }; } return t;");
        same(
                "accessor-that-throws",
                "long t = 0; for (int i = 0; i < n; i++) { Object x = new Odd(i); t = t * 3 + switch (x) { case Odd(int k) when k > 3 -> s.f(k); default -> s.g(i); }; } return t; }\nrecord Odd(int key) { public int key() { if (key == 11) throw new IllegalStateException(\"odd\"); return key; } }\nstatic int unusedOdd() { return 0;");
    }
}
