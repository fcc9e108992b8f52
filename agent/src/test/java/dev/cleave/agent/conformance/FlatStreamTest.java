package dev.cleave.agent.conformance;

import static dev.cleave.agent.conformance.StreamPrograms.LIST;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Streams in which a call is made for each element of what another one gave (R69). */
@Tag("one-jdk")
class FlatStreamTest {

    private final StreamPrograms programs = new StreamPrograms();

    @TestFactory
    Stream<DynamicTest> overlapping() {
        lists();
        arrays();
        filters();
        return programs.tests();
    }

    @TestFactory
    Stream<DynamicTest> left() {
        exceptions();
        notPlain();
        return programs.tests();
    }

    private void lists() {
        programs.overlaps("one-flat", LIST + "return xs.stream().flatMap(x -> s.names(x).stream()).toList();");
        programs.takes(
                "flat-then-map",
                60,
                30,
                LIST + "return xs.stream().flatMap(x -> s.names(x).stream()).map(t -> s.s(t)).toList();");
        programs.takes(
                "flat-flat-map",
                60,
                45,
                LIST
                        + "return xs.stream().flatMap(x -> s.names(x).stream()).flatMap(t -> s.names(t.length()).stream()).map(t -> s.s(t)).toList();");
        programs.overlaps(
                "flat-then-groups",
                LIST
                        + "return xs.stream().flatMap(x -> s.names(x).stream()).map(t -> s.s(t)).collect(java.util.stream.Collectors.groupingBy(String::length, TreeMap::new, java.util.stream.Collectors.counting()));");
        programs.overlaps(
                "map-then-flat-then-map",
                LIST
                        + "return xs.stream().map(x -> s.f(x)).flatMap(x -> s.names(x).stream()).map(t -> s.s(t)).toList();");
        programs.same(
                "sometimes-no-list",
                LIST
                        + "return xs.stream().flatMap(x -> x % 3 == 0 ? Stream.<String>empty() : s.names(x).stream()).map(t -> s.s(t)).toList();"
                                .replace("Stream.<", "java.util.stream.Stream.<"));
        programs.overlaps(
                "size-then", LIST + "return xs.stream().map(x -> s.names(x).size()).map(t -> s.f(t)).toList();");
        programs.overlaps(
                "prints-behind",
                LIST
                        + "StringBuilder b = new StringBuilder(); xs.stream().flatMap(x -> s.names(x).stream()).map(t -> s.s(t)).forEach(b::append); return b.toString();");
    }

    private void arrays() {
        programs.takes(
                "flat-then-map-ints",
                60,
                30,
                LIST + "return xs.stream().flatMapToInt(x -> Arrays.stream(s.row(x))).map(t -> s.f(t)).sum();");
        programs.overlaps(
                "flat-of-a-range",
                "return java.util.stream.IntStream.range(0, n).flatMap(i -> Arrays.stream(s.row(i))).mapToObj(i -> s.f(i)).toList();");
        programs.overlaps(
                "flat-of-an-array",
                "int[] a = new int[n]; for (int i = 0; i < n; i++) a[i] = 3 * i; return Arrays.stream(a).flatMap(i -> Arrays.stream(s.row(i))).mapToObj(i -> s.f(i)).toList();");
        programs.overlaps(
                "references-behind",
                LIST + "return xs.stream().flatMapToInt(x -> Arrays.stream(s.row(x))).map(s::f).map(s::g).sum();");
    }

    private void filters() {
        programs.overlaps(
                "filtered-by-a-result-behind-flat",
                LIST
                        + "return xs.stream().flatMapToInt(x -> Arrays.stream(s.row(x))).filter(t -> s.ok(t)).map(t -> s.f(t)).sum();");
        programs.overlaps(
                "most-are-filtered-out",
                "return java.util.stream.IntStream.range(0, n * 100).filter(i -> i % 100 == 99).map(i -> s.f(i)).sum();");
        programs.same(
                "nearly-all-are-filtered-out",
                "return java.util.stream.IntStream.range(0, n * 300).filter(i -> i % 300 == 299).map(i -> s.f(i)).sum();");
        programs.overlaps(
                "most-are-filtered-out-between",
                "return java.util.stream.IntStream.range(0, n).flatMap(i -> Arrays.stream(s.row(i))).filter(i -> i % 7 == 3).map(i -> s.f(i)).sum();");
        programs.same(
                "nearly-all-are-filtered-out-between",
                "return java.util.stream.IntStream.range(0, n * 20).flatMap(i -> Arrays.stream(s.row(i))).filter(i -> i % 701 == 3).map(i -> s.f(i)).sum();");
    }

    private void exceptions() {
        programs.overlaps(
                "throws-behind-flat",
                LIST
                        + "return xs.stream().flatMapToInt(x -> Arrays.stream(s.row(x))).map(t -> 100 / (t - 19)).map(t -> s.f(t)).sum();");
        programs.overlaps(
                "caught-around",
                LIST
                        + "try { return xs.stream().flatMap(x -> s.names(x).stream()).map(t -> s.s(t)).toList(); } catch (RuntimeException e) { return \"caught\" + s.g(3); }");
        programs.same(
                "null-list",
                LIST
                        + "return xs.stream().flatMap(x -> { List<String> r = s.names(x); List<String> l = x == 6 ? null : r; return l.stream(); }).map(t -> s.s(t)).toList();");
    }

    private void notPlain() {
        programs.declines(
                "list-of-the-program",
                LIST + "return xs.stream().flatMap(x -> z.names(x).stream()).map(t -> s.s(t)).toList();");
        programs.declines(
                "writes-the-list-behind",
                LIST
                        + "return xs.stream().flatMap(x -> s.names(x).stream()).map(t -> s.s(t)).map(t -> { xs.set(0, t.length()); return t; }).toList();");
        programs.overlaps(
                "prints-in-the-flat-function",
                LIST
                        + "return xs.stream().flatMap(x -> { List<String> r = s.names(x); System.out.print(\"\"); return r.stream(); }).map(t -> s.s(t)).toList();");
        programs.same(
                "stage-in-the-flat-function",
                LIST
                        + "StringBuilder b = new StringBuilder(); return xs.stream().flatMap(x -> s.names(x).stream().peek(b::append)).map(t -> s.s(t)).toList() + \" \" + b;");
        programs.same(
                "nested-in-map",
                LIST + "return xs.stream().map(x -> s.names(x).stream().map(t -> s.s(t)).toList()).toList();");
        programs.same(
                "first-of-all",
                LIST
                        + "return xs.stream().flatMap(x -> s.names(x).stream()).map(t -> s.s(t)).findFirst().orElse(\"none\");");
        programs.same(
                "limited",
                LIST + "return xs.stream().flatMap(x -> s.names(x).stream()).limit(3).map(t -> s.s(t)).toList();");
        programs.same(
                "parallel",
                LIST + "return xs.stream().sequential().flatMap(x -> s.names(x).stream()).map(t -> s.s(t)).toList();");
        programs.same(
                "by-an-iterator",
                LIST
                        + "Iterator<String> it = xs.stream().flatMap(x -> s.names(x).stream()).map(t -> s.s(t)).iterator(); String r = \"\"; while (it.hasNext() && r.length() < 20) r += it.next(); return r;");
    }
}
