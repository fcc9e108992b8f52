package dev.cleave.agent.conformance;

import static dev.cleave.agent.conformance.StreamPrograms.LIST;

import dev.cleave.agent.rule.Rule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Streams with several functions that call (R44, R69), and what they are collected to. */
@Tag("one-jdk")
class StreamStageTest {

    private final StreamPrograms programs = new StreamPrograms();

    @TestFactory
    Stream<DynamicTest> stages() {
        dependent();
        dependentExceptions();
        notDependent();
        return programs.tests();
    }

    @TestFactory
    Stream<DynamicTest> loops() {
        forEach();
        return programs.tests();
    }

    @TestFactory
    Stream<DynamicTest> collectors() {
        collected();
        notCollected();
        return programs.tests();
    }

    private void dependent() {
        programs.takes("two-stages", 60, 30, LIST + "return xs.stream().map(x -> s.f(x)).map(y -> s.g(y)).toList();");
        programs.takes("two-references", 60, 30, LIST + "return xs.stream().map(s::f).map(s::g).toList();");
        programs.overlaps(
                "three-stages",
                LIST + "return xs.stream().map(x -> s.f(x)).map(s::g).filter(y -> s.ok(y)).mapToInt(y -> y).sum();");
        programs.overlaps(
                "filter-then-map", LIST + "return xs.stream().filter(x -> s.ok(x)).map(x -> s.f(x)).toList();");
        programs.overlaps(
                "filters-then-map",
                LIST
                        + "return xs.stream().filter(s::ok).filter(x -> x % 3 != 0).filter(x -> s.ok(x + 1)).map(x -> s.f(x)).toList();");
        programs.overlaps(
                "pure-stages-between",
                LIST
                        + "return xs.stream().map(x -> x + 1).map(x -> s.f(x)).filter(y -> y % 3 != 0).map(y -> y + 7).map(y -> s.g(y)).map(y -> y * 2).toList();");
        programs.overlaps(
                "numbers-between",
                "return java.util.stream.IntStream.range(0, n).map(i -> s.f(i)).asLongStream().map(i -> s.lf(i)).asDoubleStream().map(d -> s.df(d)).sum();");
        programs.overlaps(
                "boxed-numbers-between",
                "return java.util.stream.IntStream.range(0, n).map(s::f).asLongStream().boxed().map(i -> s.s(\"k\" + i)).toList();");
        programs.overlaps(
                "computes-behind-the-first",
                LIST + "int k = n; return xs.stream().map(x -> s.f(x) * 2 + k).map(y -> s.g(y)).toList();");
        programs.overlaps("then-for-each", LIST + "xs.stream().map(x -> s.f(x)).forEach(y -> s.put(y)); return 0;");
        programs.overlaps(
                "then-flat-map",
                LIST + "return xs.stream().map(x -> s.f(x)).flatMapToInt(y -> Arrays.stream(s.row(y))).sum();");
        programs.overlaps(
                "result-object", LIST + "return xs.stream().map(x -> s.row(x)).mapToInt(r -> s.f(r.length)).sum();");
        programs.overlaps("two-services", LIST + "return xs.stream().map(x -> s.f(x)).map(y -> z.g(y)).toList();");
        programs.overlaps(
                "adds-behind-two",
                LIST
                        + "List<Integer> out = new ArrayList<>(); xs.stream().map(x -> s.f(x)).map(y -> s.g(y)).forEach(out::add); return out;");
        programs.overlaps(
                "helpers-in-two-stages",
                LIST
                        + "return xs.stream().map(x -> one(s, x)).map(y -> two(s, y)).toList(); }\nprivate static int one(Svc s, int x) { return s.f(x * 2) + 1; }\nprivate static int two(Svc s, int x) { return s.g(x) * 3;");
        programs.overlaps(
                "service-in-a-final-field",
                LIST
                        + "return new @@(s).go(xs); }\nprivate final Svc f; @@(Svc f) { this.f = f; } Object go(List<Integer> xs) { return xs.stream().map(x -> f.f(x)).map(y -> f.g(y)).map(this::last).toList(); }\nprivate int last(int x) { return f.g(x) * 2;"
                                .replace("@@", Conformance.className("service-in-a-final-field")));
        programs.overlaps(
                "sometimes-no-first-call",
                LIST + "return xs.stream().map(x -> x % 3 == 0 ? -1 : s.f(x)).map(y -> s.g(y)).toList();");
        programs.overlaps(
                "sometimes-no-second-call",
                LIST + "return xs.stream().map(x -> s.f(x)).map(y -> y % 3 == 0 ? -1 : s.g(y)).toList();");
    }

    private void dependentExceptions() {
        programs.overlaps(
                "throws-between",
                LIST + "return xs.stream().map(x -> s.f(x)).map(y -> 100 / (y - 19)).map(y -> s.g(y)).toList();");
        programs.overlaps(
                "throws-behind-the-first",
                LIST + "return xs.stream().map(x -> 100 / (s.f(x) - 19)).map(y -> s.g(y)).toList();");
        programs.overlaps(
                "caught-around-two",
                LIST
                        + "try { return xs.stream().map(x -> s.f(x)).filter(y -> s.ok(y)).toList(); } catch (RuntimeException e) { return \"caught\" + s.g(3); }");
        programs.overlaps(
                "null-between",
                LIST
                        + "return xs.stream().map(x -> s.f(x)).map(y -> y % 4 == 3 ? null : y).map(y -> s.g(y)).toList();");
    }

    private void notDependent() {
        programs.sequential(
                "second-of-local-objects",
                Rule.R3,
                LIST
                        + "Svc[] r = {s, new LocalSvc()}; return xs.stream().map(x -> s.f(x)).map(y -> r[Math.abs(y) % 2].g(y)).toList();");
        programs.overlaps(
                "service-in-a-field-that-changes",
                LIST
                        + "return new @@(s).go(xs); }\nprivate Svc f; @@(Svc f) { this.f = f; } Object go(List<Integer> xs) { return xs.stream().map(x -> f.f(x)).map(y -> f.g(y)).toList();"
                                .replace("@@", Conformance.className("service-in-a-field-that-changes")));
        programs.same(
                "local-service-in-a-final-field",
                LIST
                        + "StringBuilder b = new StringBuilder(); Svc u = new LocalSvc() { public int g(int x) { b.append(x); return s.sync(x); } }; return new @@(u).go(s, xs) + b; }\nprivate final Svc f; @@(Svc f) { this.f = f; } String go(Svc s, List<Integer> xs) { return xs.stream().map(x -> s.f(x)).map(y -> f.g(y)).toList().toString();"
                                .replace("@@", Conformance.className("local-service-in-a-final-field")));
        programs.same(
                "second-local",
                LIST
                        + "StringBuilder b = new StringBuilder(); Svc u = new LocalSvc() { public int g(int x) { b.append(x); return s.sync(x); } }; return xs.stream().map(x -> s.f(x)).map(y -> u.g(y)).toList() + \" \" + b;");
        programs.same(
                "second-local-reference",
                LIST
                        + "StringBuilder b = new StringBuilder(); Svc u = new LocalSvc() { public int g(int x) { b.append(x); return s.sync(x); } }; return xs.stream().map(s::f).map(u::g).toList() + \" \" + b;");
        programs.same(
                "first-local",
                LIST
                        + "StringBuilder b = new StringBuilder(); Svc u = new LocalSvc() { public int f(int x) { b.append(x); return s.sync(x); } }; return xs.stream().map(u::f).map(s::g).toList() + \" \" + b;");
        programs.overlaps(
                "prints-behind-the-first",
                LIST
                        + "return xs.stream().map(x -> { int y = s.f(x); System.out.print(y < 0 ? \"!\" : \"\"); return y; }).map(y -> s.g(y)).toList();");
        programs.overlaps(
                "writes-behind-the-first",
                LIST
                        + "int[] c = {0}; return xs.stream().map(x -> { int y = s.f(x); c[0] += y; return y; }).map(y -> s.g(y)).toList() + \" \" + c[0];");
        programs.sequential(
                "result-depends-on-what-is-written",
                Rule.R33,
                LIST
                        + "int[] c = {0}; return xs.stream().map(x -> s.f(x) + c[0]).map(y -> s.g(y)).peek(y -> c[0] = y % 7).toList();");
        programs.sequential(
                "flat-map-then-map",
                Rule.R69,
                LIST
                        + "return xs.stream().flatMap(x -> Arrays.stream(new int[] {s.f(x), x}).boxed()).map(y -> s.g(y)).toList();");
        programs.sequential(
                "effect-between",
                Rule.R69,
                LIST
                        + "int[] c = {0}; return xs.stream().map(x -> s.f(x)).peek(y -> c[0] += y).map(y -> s.g(y)).toList() + \" \" + c[0];");
        programs.sequential(
                "sync-then-async",
                Rule.R10,
                LIST + "return xs.stream().map(x -> s.sync(x)).map(y -> s.g(y)).toList();");
        programs.sequential(
                "two-stages-then-limit",
                Rule.R37,
                LIST + "return xs.stream().map(x -> s.f(x)).map(y -> s.g(y)).limit(3).toList();");
    }

    private void collected(String name, String collector) {
        programs.overlaps(
                name,
                LIST + "return xs.stream().map(x -> s.f(x)).collect("
                        + collector.replace("C.", "java.util.stream.Collectors.") + ");");
    }

    private void notCollected(String name, Rule rule, String collector) {
        programs.sequential(
                name,
                rule,
                LIST + "return xs.stream().map(x -> s.f(x)).collect("
                        + collector.replace("C.", "java.util.stream.Collectors.") + ");");
    }

    private void collected() {
        collected("collect-set", "C.toSet()");
        collected("collect-unmodifiable-set", "C.toUnmodifiableSet()");
        collected("collect-map", "C.toMap(y -> y, y -> y * 2, (a, b) -> a + b)");
        collected("collect-map-with-duplicates", "C.toMap(y -> y % 5, y -> y * 2)");
        collected("collect-tree-map", "C.toMap(y -> y % 5, y -> y * 2, Integer::sum, TreeMap::new)");
        collected("collect-groups", "C.groupingBy(y -> y % 3)");
        collected("collect-groups-counted", "C.groupingBy(y -> \"g\" + y % 3, C.counting())");
        collected(
                "collect-groups-in-order",
                "C.groupingBy(y -> y % 3, LinkedHashMap::new, C.mapping(y -> y + 1, C.toList()))");
        collected(
                "collect-groups-of-groups", "C.groupingBy(y -> y % 3, C.groupingBy(y -> y % 2, C.summingInt(y -> y)))");
        collected("collect-partition", "C.partitioningBy(y -> y > 40)");
        collected("collect-partition-counted", "C.partitioningBy(y -> y > 40, C.counting())");
        collected("collect-sum", "C.summingInt(y -> y)");
        collected("collect-average", "C.averagingDouble(y -> y / 2.0)");
        collected("collect-statistics", "C.summarizingInt(y -> y)");
        collected("collect-reduced", "C.reducing(7, y -> y * 2, Integer::sum)");
        collected("collect-deque", "C.toCollection(LinkedList::new)");
        collected("collect-tree-set", "C.toCollection(TreeSet::new)");
        collected("collect-largest", "C.maxBy(Comparator.naturalOrder())");
        collected("collect-filtered", "C.filtering(y -> y % 2 == 0, C.toSet())");
        programs.overlaps(
                "collect-joined",
                LIST
                        + "return xs.stream().map(x -> s.s(\"k\" + x)).collect(java.util.stream.Collectors.joining(\",\", \"[\", \"]\"));");
        programs.overlaps(
                "collect-filtered-elements",
                LIST + "return xs.stream().filter(x -> s.ok(x)).collect(java.util.stream.Collectors.toSet());");
        programs.overlaps(
                "collect-to-own-container",
                LIST
                        + "return xs.stream().map(x -> s.f(x)).collect(ArrayList::new, ArrayList::add, ArrayList::addAll);");
        programs.sequential(
                "collect-to-unknown-container",
                Rule.R69,
                LIST
                        + "return xs.stream().map(x -> s.f(x)).collect(() -> new ArrayList<Integer>(), (l, y) -> l.add(y), (a, b) -> a.addAll(b));");
        programs.overlaps(
                "max-by-order",
                LIST + "return xs.stream().map(x -> s.f(x)).max(Comparator.naturalOrder()).orElse(-1);");
        programs.overlaps(
                "min-by-function",
                LIST + "return xs.stream().map(x -> s.f(x)).min((a, b) -> a % 7 - b % 7).orElse(-1);");
        programs.overlaps(
                "statistics", LIST + "return xs.stream().mapToInt(x -> s.f(x)).summaryStatistics().getMax();");
        programs.overlaps("to-typed-array", LIST + "return xs.stream().map(x -> s.f(x)).toArray(Integer[]::new);");
    }

    private void notCollected() {
        notCollected("collect-map-of-what-is-sent", Rule.R10, "C.toMap(y -> y, y -> s.sync(y), (a, b) -> a + b)");
        notCollected(
                "collect-groups-of-objects",
                Rule.R69,
                "C.groupingBy(y -> new Object() { public int hashCode() { return s.sync(y); } })");
        notCollected(
                "collect-to-own-collection",
                Rule.R69,
                "C.toCollection(() -> new ArrayList<Integer>() { public boolean add(Integer y) { s.sync(y); return super.add(y); } })");
        notCollected(
                "collect-own",
                Rule.R69,
                "java.util.stream.Collector.of(ArrayList<Integer>::new, (l, y) -> l.add(s.sync(y)), (a, b) -> a)");
        notCollected("collect-by-own-order", Rule.R10, "C.minBy((a, b) -> s.sync(a) - b)");
        programs.sequential(
                "collect-set-of-objects",
                Rule.R69,
                LIST + "return xs.stream().map(x -> s.get(x)).collect(java.util.stream.Collectors.toSet()).size();");
        programs.sequential(
                "collect-joined-text",
                Rule.R69,
                LIST
                        + "return xs.stream().map(x -> (CharSequence) s.s(\"k\" + x)).collect(java.util.stream.Collectors.joining());");
    }

    private void forEach() {
        programs.takes("for-each-of-a-list", 60, 16, LIST + "xs.forEach(x -> s.put(x)); return 0;");
        programs.overlaps("for-each-reference", LIST + "xs.forEach(s::put); return 0;");
        programs.overlaps(
                "for-each-of-a-set",
                "Set<Integer> xs = new LinkedHashSet<>(); for (int i = 0; i < n; i++) xs.add(i); int[] t = {0}; xs.forEach(x -> t[0] = t[0] * 3 + s.f(x)); return t[0];");
        programs.overlaps(
                "for-each-of-an-iterable",
                LIST
                        + "Iterable<Integer> it = xs; int[] t = {0}; it.forEach(x -> t[0] = t[0] * 3 + s.f(x)); return t[0];");
        programs.overlaps(
                "for-each-adds-results",
                LIST + "List<Integer> out = new ArrayList<>(); xs.forEach(x -> out.add(s.f(x))); return out;");
        programs.overlaps(
                "for-each-of-a-map",
                "Map<String, Integer> m = new TreeMap<>(); for (int i = 0; i < n; i++) m.put(\"k\" + i, i); StringBuilder b = new StringBuilder(); m.forEach((k, v) -> b.append(k).append(s.f(v))); return b.toString();");
        programs.prefetched(
                "for-each-with-unknown-code",
                LIST
                        + "StringBuilder seen = new StringBuilder(); java.util.function.Consumer<Object> lib = x -> seen.append(x); xs.forEach(x -> { lib.accept(s.pure(x)); }); return seen.toString();");
        programs.prefetched(
                "for-each-of-a-map-with-unknown-code",
                "Map<Integer, String> m = new HashMap<>(); for (int i = 0; i < n; i++) m.put(i, \"k\" + i); StringBuilder seen = new StringBuilder(); java.util.function.Consumer<Object> lib = x -> seen.append(x); m.forEach((k, v) -> { lib.accept(s.pure(k) + v); }); return seen.toString();");
        programs.overlaps(
                "for-each-throws",
                LIST
                        + "int[] t = {0}; try { xs.forEach(x -> t[0] += s.f(x) + 100 / (x - 6)); } catch (ArithmeticException e) { return \"caught\" + t[0] + s.g(1); } return t[0];");
        programs.same(
                "for-each-adds-to-the-list",
                LIST
                        + "try { xs.forEach(x -> xs.add(s.f(x))); } catch (ConcurrentModificationException e) { return \"caught\" + xs; } return xs;");
        programs.same(
                "for-each-fills-the-map",
                "Map<Integer, Integer> m = new HashMap<>(); for (int i = 0; i < n; i++) m.put(i, i); try { m.forEach((k, v) -> m.put(k + 200, s.f(v))); } catch (ConcurrentModificationException e) { return \"caught\" + m; } return m;");
        programs.same(
                "for-each-of-an-own-list",
                "List<Integer> xs = new ArrayList<>() { public void forEach(java.util.function.Consumer<? super Integer> c) { for (Integer x : this) { s.sync(x); c.accept(x); } } }; for (int i = 0; i < n; i++) xs.add(i); xs.forEach(x -> s.put(x)); return 0;");
        programs.same(
                "for-each-of-null",
                "List<Integer> xs = n == 5 ? null : new ArrayList<>(List.of(1, 2)); try { xs.forEach(x -> s.put(x)); } catch (NullPointerException e) { return \"caught\"; } return 0;");
        programs.same(
                "for-each-local",
                LIST
                        + "StringBuilder b = new StringBuilder(); Svc u = new LocalSvc() { public void put(int x) { b.append(s.sync(x)); } }; xs.forEach(u::put); xs.forEach(x -> u.put(x)); return b.toString();");
        programs.sequential(
                "for-each-feeds-itself",
                Rule.R33,
                LIST + "int[] t = {0}; xs.forEach(x -> t[0] = s.f(x + t[0]) % 7); return t[0];");
        programs.sequential(
                "for-each-and-unknown",
                Rule.R43,
                LIST
                        + "StringBuilder seen = new StringBuilder(); java.util.function.Consumer<Object> lib = x -> seen.append(x); xs.forEach(x -> { lib.accept(s.f(x)); }); return seen.toString();");
        programs.overlaps(
                "flat-map-of-a-list-of-results",
                LIST + "return xs.stream().flatMap(x -> s.names(x).stream()).toList();");
    }
}
