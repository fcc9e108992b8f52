package dev.cleave.agent.conformance;

import static dev.cleave.agent.conformance.StreamPrograms.LIST;

import dev.cleave.agent.rule.Rule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Collectors that are given functions which make remote calls, as {@code toMap(identity(), service::get)} (R69). */
@Tag("one-jdk")
class CollectorTest {

    private static final String C = "java.util.stream.Collectors.";

    private final StreamPrograms programs = new StreamPrograms();

    private static String collected(String collector) {
        return LIST + "return \"\" + xs.stream().collect(" + collector.replace("@", C) + ");";
    }

    @TestFactory
    Stream<DynamicTest> overlapping() {
        programs.takes(
                "to-map",
                40,
                1,
                LIST + "return new TreeMap<>(xs.stream().collect(" + C
                        + "toMap(java.util.function.Function.identity(), s::f))).toString();");
        programs.takes(
                "merged", 40, 1, collected("@toMap(x -> x % 6, x -> s.f(x), (a, b) -> a * 3 + b, TreeMap::new)"));
        programs.takes("keys", 40, 1, collected("@toMap(x -> s.f(x), x -> x, (a, b) -> a + b, TreeMap::new)"));
        programs.takes("groups", 40, 1, collected("@groupingBy(x -> s.f(x) % 3, TreeMap::new, @toList())"));
        programs.takes(
                "mapped-groups", 40, 1, collected("@groupingBy(x -> x % 6, TreeMap::new, @mapping(s::f, @toList()))"));
        programs.takes("sums", 40, 1, collected("@groupingBy(x -> x % 6, TreeMap::new, @summingInt(x -> s.f(x)))"));
        programs.takes("parts", 40, 1, collected("@partitioningBy(s::ok)"));
        programs.takes("averages", 40, 1, collected("@averagingDouble(x -> s.df(x))"));
        programs.takes("reduced", 40, 1, collected("@reducing(7, x -> s.f(x), (a, b) -> a * 3 + b)"));
        programs.takes("filters", 40, 1, collected("@filtering(x -> s.f(x) % 2 == 0, @toList())"));
        programs.takes(
                "behind-a-call",
                40,
                2,
                LIST + "return \"\" + xs.stream().map(x -> s.f(x)).collect(" + C
                        + "toMap(x -> x, x -> s.g(x), (a, b) -> a + b, TreeMap::new));");
        programs.takes(
                "in-a-loop",
                40,
                3,
                LIST + "String t = \"\"; for (int j = 0; j < 3; j++) { int d = j; t += xs.stream().collect(" + C
                        + "summingInt(x -> s.f(x + d))); } return t;");
        programs.overlaps(
                "part-of-the-list",
                LIST + "return \"\" + xs.stream().filter(x -> x % 3 != 1).collect(" + C
                        + "toMap(x -> x, x -> s.f(x), (a, b) -> a, TreeMap::new));");
        return programs.tests();
    }

    @TestFactory
    Stream<DynamicTest> hostile() {
        programs.same(
                "same-key-twice",
                LIST + "try { return \"\" + xs.stream().collect(" + C
                        + "toMap(x -> x % 8, x -> s.f(x))); } catch (IllegalStateException e) { return \"caught \" + e.getMessage(); }");
        programs.same(
                "key-throws",
                LIST + "try { return \"\" + xs.stream().collect(" + C
                        + "toMap(x -> 10 / (x - 6), x -> s.f(x), (a, b) -> a, TreeMap::new)); } catch (ArithmeticException e) { return \"caught\"; }");
        programs.same(
                "null-value",
                LIST + "try { return \"\" + xs.stream().collect(" + C
                        + "toMap(x -> x, x -> s.maybe(x), (a, b) -> a, TreeMap::new)); } catch (NullPointerException e) { return \"caught\"; }");
        programs.same(
                "null-element",
                LIST + "if (n > 3) xs.set(3, null); try { return \"\" + xs.stream().collect(" + C
                        + "toMap(x -> String.valueOf(x), x -> s.f(x), (a, b) -> a, TreeMap::new)); } catch (NullPointerException e) { return \"caught\"; }");
        programs.same(
                "list-changes",
                LIST + "try { return \"\" + xs.stream().collect(" + C
                        + "toMap(x -> { if (x == 6) xs.add(1); return x; }, x -> s.f(x), (a, b) -> a, TreeMap::new)); } catch (ConcurrentModificationException e) { return \"caught\"; }");
        programs.same(
                "many-threads",
                LIST + "return \"\" + xs.parallelStream().limit(0).collect(" + C + "summingInt(x -> s.f(x)));");
        programs.same(
                "collector-of-a-variable",
                LIST + "java.util.stream.Collector<Integer, ?, Integer> c = " + C
                        + "summingInt(x -> s.f(x)); return xs.stream().collect(c);");
        programs.sequential(
                "key-writes-what-is-read",
                Rule.R33,
                "int[] c = {0}; "
                        + collected(
                                "@toMap(x -> { c[0]++; return x; }, x -> s.f(x + c[0]), (a, b) -> a, TreeMap::new)"));
        programs.sequential(
                "two-functions",
                Rule.R69,
                collected("@toMap(x -> s.f(x), x -> s.g(x), (a, b) -> a + b, TreeMap::new)"));
        programs.sequential(
                "not-for-each", Rule.R69, collected("@filtering(x -> x % 4 == 0, @summingInt(x -> s.f(x)))"));
        programs.sequential(
                "when-merged", Rule.R69, collected("@toMap(x -> x % 6, x -> x, (a, b) -> s.f(a) + b, TreeMap::new)"));
        programs.sequential(
                "keys-of-the-program",
                Rule.R69,
                LIST + "Key.asked = 0; return \"\" + xs.stream().collect(" + C
                        + "toMap(x -> new Key(x), x -> s.f(x + Key.asked))).size(); }\n"
                        + "record Key(int x) { static int asked; public int hashCode() { asked++; return x; }");
        return programs.tests();
    }
}
