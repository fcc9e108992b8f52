package dev.cleave.agent.conformance;

import static dev.cleave.agent.conformance.StreamPrograms.LIST;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Streams whose functions call several times: strands run ahead of them (R69, R71). */
@Tag("one-jdk")
class StrandStreamTest {

    private final StreamPrograms programs = new StreamPrograms();

    @TestFactory
    Stream<DynamicTest> overlapping() {
        chains();
        loops();
        sources();
        flattened();
        return programs.tests();
    }

    @TestFactory
    Stream<DynamicTest> hostile() {
        exceptions();
        writes();
        oddLists();
        left();
        return programs.tests();
    }

    private void chains() {
        programs.takes("chain", 60, 20, LIST + "return xs.stream().map(x -> s.g(s.f(x))).toList();");
        programs.overlaps(
                "chain-in-for-each",
                LIST + "long[] t = {0}; xs.forEach(x -> { int a = s.f(x); t[0] = t[0] * 3 + s.g(a); }); return t[0];");
        programs.overlaps("chain-to-double", LIST + "return xs.stream().mapToDouble(x -> s.df(s.lf(x))).sum();");
        programs.overlaps(
                "chain-then-chain", LIST + "return xs.stream().map(x -> s.g(s.f(x))).map(y -> s.f(s.g(y))).toList();");
        programs.overlaps(
                "branch-on-a-result", LIST + "return xs.stream().map(x -> s.ok(x) ? s.f(x) : s.g(x + 1)).toList();");
        programs.overlaps(
                "filtered-by-two",
                LIST + "return xs.stream().filter(x -> s.ok(x) && s.ok(s.f(x))).map(x -> x + 1).toList();");
        programs.overlaps(
                "chain-in-a-helper",
                LIST
                        + "return xs.stream().map(x -> both(s, x)).toList(); }\nprivate static int both(Svc s, int x) { int a = s.f(x); return a < 0 ? a : s.g(a);");
        programs.overlaps(
                "helper-as-a-reference",
                LIST
                        + "P@ p = new P@(s); return xs.stream().map(p::both).toList(); }\nprivate final Svc f; P@(Svc f) { this.f = f; } private int both(int x) { int a = f.f(x); return a < 0 ? a : f.g(a);"
                                .replace("P@", Conformance.className("helper-as-a-reference")));
        programs.overlaps(
                "collected-in-groups",
                LIST
                        + "return xs.stream().map(x -> s.s(\"k\" + s.f(x) % 7)).collect(java.util.stream.Collectors.groupingBy(t -> t, TreeMap::new, java.util.stream.Collectors.counting()));");
    }

    private void loops() {
        programs.takes(
                "loop-in-a-lambda",
                60,
                30,
                LIST
                        + "return xs.stream().map(x -> { long t = 0; for (int id : s.row(x)) t = t * 3 + s.f(id); return t; }).toList();");
        programs.overlaps(
                "loop-in-for-each",
                LIST
                        + "long[] t = {0}; xs.forEach(x -> { for (int id : s.row(x)) t[0] = t[0] * 3 + s.f(id); }); return t[0];");
        programs.overlaps(
                "list-in-a-lambda",
                LIST
                        + "return xs.stream().map(x -> { String t = \"\"; for (String id : s.names(x)) t += s.s(id); return t; }).toList();");
        programs.overlaps(
                "loop-in-a-helper",
                LIST
                        + "return xs.stream().mapToLong(x -> total(s, x)).sum(); }\nprivate static long total(Svc s, int x) { long t = 0; for (int id : s.row(x)) t += price(s, id); return t; }\nprivate static int price(Svc s, int id) { int p = s.f(id); return p < 0 ? 0 : p;");
    }

    private void sources() {
        programs.overlaps(
                "range", "return java.util.stream.IntStream.range(0, n).mapToObj(i -> s.g(s.f(i))).toList();");
        programs.overlaps(
                "long-range", "return java.util.stream.LongStream.range(0, n).map(i -> s.lf(s.lf(i))).sum();");
        programs.overlaps(
                "boxed-range", "return java.util.stream.IntStream.range(0, n).boxed().map(i -> s.g(s.f(i))).toList();");
        programs.overlaps(
                "ints",
                "int[] a = new int[n]; for (int i = 0; i < n; i++) a[i] = 3 * i; return Arrays.stream(a).map(i -> s.g(s.f(i))).sum();");
        programs.overlaps(
                "strings",
                "String[] a = new String[n]; for (int i = 0; i < n; i++) a[i] = \"t\" + i; return Arrays.stream(a).map(t -> s.s(s.s(t))).toList();");
        programs.overlaps("set", LIST + "return new LinkedHashSet<>(xs).stream().map(x -> s.g(s.f(x))).toList();");
        programs.overlaps(
                "pure-in-front",
                LIST
                        + "int k = n; return xs.stream().map(x -> x + k).filter(x -> x % 3 != 0).map(x -> s.g(s.f(x))).toList();");
        programs.overlaps(
                "stream-in-a-loop",
                "long t = 0; for (int i = 0; i < n && i < 9; i++) { List<Integer> xs = List.of(i, i + 1, i + 2); t = t * 3 + xs.stream().mapToInt(x -> s.g(s.f(x))).sum(); } return t;");
    }

    private void exceptions() {
        programs.overlaps("throws-between", LIST + "return xs.stream().map(x -> s.g(100 / (s.f(x) - 19))).toList();");
        programs.overlaps(
                "throws-in-front", LIST + "return xs.stream().map(x -> 100 / (x - 8)).map(x -> s.g(s.f(x))).toList();");
        programs.overlaps(
                "caught-around",
                LIST
                        + "try { return xs.stream().map(x -> s.g(s.f(x))).toList(); } catch (RuntimeException e) { return \"caught\" + s.g(3); }");
        programs.same(
                "caught-within",
                LIST
                        + "return xs.stream().map(x -> { try { return s.g(s.f(x)); } catch (RuntimeException e) { return -1; } }).toList();");
        programs.same("null-element", "return Arrays.asList(1, null, 3).stream().map(x -> s.g(s.f(x))).toList();");
        programs.same(
                "thrown-by-the-program",
                LIST
                        + "return xs.stream().map(x -> { int a = s.f(x); if (a > 40) throw new IllegalStateException(\"\" + a); return s.g(a); }).toList();");
        programs.same(
                "changed-while-it-runs",
                LIST
                        + "return xs.stream().map(x -> { int a = s.g(s.f(x)); if (x == 4) xs.add(3); return a; }).toList();");
    }

    private void writes() {
        programs.same(
                "array-that-decides",
                LIST
                        + "int[] k = {1}; return xs.stream().map(x -> { int a = s.f(x + k[0]); k[0] = s.g(a); return a; }).toList();");
        programs.same(
                "array-that-counts",
                LIST + "int[] k = {1}; return xs.stream().map(x -> s.g(s.f(x + k[0]++))).toList();");
        programs.overlaps(
                "adds-to-another-list",
                LIST + "List<Integer> out = new ArrayList<>(); xs.forEach(x -> out.add(s.g(s.f(x)))); return out;");
        programs.same(
                "adds-to-the-list",
                LIST
                        + "List<Integer> out = xs; try { xs.forEach(x -> out.add(s.g(s.f(x)))); } catch (ConcurrentModificationException e) { return \"cme\" + out.size(); } return out;");
        programs.same(
                "map-between",
                LIST
                        + "Map<Integer, Integer> m = new HashMap<>(); return xs.stream().map(x -> { int a = s.f(x % 5); m.merge(a, 1, Integer::sum); return s.g(m.get(a)); }).toList();");
        programs.overlaps(
                "appends-behind",
                LIST
                        + "StringBuilder b = new StringBuilder(); xs.stream().map(x -> s.g(s.f(x))).forEach(y -> b.append(y).append(',')); return b.toString();");
        programs.same(
                "prints-between",
                LIST
                        + "return xs.stream().map(x -> { int a = s.f(x); System.out.print(\"\"); return s.g(a); }).toList();");
        programs.same(
                "sync-between",
                LIST + "return xs.stream().map(x -> { int a = s.f(x); s.sync(a); return s.g(a); }).toList();");
        programs.same(
                "static-that-decides",
                LIST
                        + "k = 1; return xs.stream().map(x -> { int a = s.f(x + k); k = s.g(a) % 3; return a; }).toList(); }\nstatic int k; static int unused() { return 0;");
        programs.same(
                "field-that-decides",
                LIST
                        + "return new P@().go(s, xs); }\nint k; Object go(Svc s, List<Integer> xs) { return xs.stream().map(x -> { int a = s.f(x + k); k = s.g(a) % 3; return a; }).toList();"
                                .replace("P@", Conformance.className("field-that-decides")));
        programs.same(
                "result-that-is-written",
                LIST
                        + "return xs.stream().map(x -> { int[] r = s.row(x); if (r.length > 0) r[0]++; long t = 0; for (int id : r) t = t * 3 + s.f(id); return t; }).toList();");
        programs.same("reads-and-changes", LIST + "return xs.stream().map(x -> s.load(s.set(x % 3, x))).toList();");
        programs.same("group-between", LIST + "return xs.stream().map(x -> s.kept(s.f(x))).toList();");
    }

    private void flattened() {
        programs.overlaps(
                "flat-parts-of-results",
                LIST
                        + "return xs.stream().flatMap(x -> s.parcels(x).stream()).flatMap(p -> p.parts().stream()).map(t -> s.f(t.count())).toList();");
        programs.overlaps(
                "flat-parts-by-two-calls",
                LIST
                        + "return xs.stream().map(x -> s.parcel(x)).flatMap(p -> p.parts().stream()).filter(t -> t.count() > 2).map(t -> s.g(s.f(t.count()))).toList();");
        programs.overlaps(
                "flat-lists-by-reference",
                LIST
                        + "List<List<Integer>> all = new ArrayList<>(); all.add(xs); all.add(List.of(5, 6, n)); return all.stream().flatMap(List::stream).map(x -> s.g(s.f(x))).toList();");
        programs.same(
                "flat-lists-of-objects",
                LIST
                        + "List<Team> all = new ArrayList<>(); for (int i = 0; i < n; i++) all.add(new Team(List.of(i, i + 2))); return all.stream().flatMap(t -> t.ids().stream()).map(x -> s.g(s.f(x))).toList(); }"
                        + ODD);
        programs.overlaps(
                "flat-in-a-loop",
                LIST
                        + "long r = 0; for (int i = 0; i < n && i < 4; i++) r = r * 3 + sum(s, xs, i); return r; } private static int sum(Svc s, List<Integer> xs, int i) { return xs.stream().flatMap(x -> s.parcels(x + i).stream()).flatMap(p -> p.parts().stream()).mapToInt(t -> s.f(t.count())).sum();");
        programs.overlaps(
                "flat-parts-in-a-loop",
                LIST
                        + "StringBuilder r = new StringBuilder(); for (int i = 0; i < n && i < 4; i++) { int at = i; r.append(xs.stream().flatMap(x -> s.parcels(x + at).stream()).flatMap(p -> p.parts().stream()).map(t -> s.s(t.name())).collect(java.util.stream.Collectors.joining())); } return r.toString();");
        programs.same(
                "flat-searched-in-a-loop",
                LIST
                        + "int r = 0; for (int i = 0; i < n && i < 4; i++) { int at = i; r += xs.stream().flatMap(x -> s.parcels(x + at).stream()).flatMap(p -> p.parts().stream()).anyMatch(t -> s.ok(t.count())) ? 1 : 0; r += xs.stream().flatMap(x -> s.parcels(x + at).stream()).map(p -> s.f(p.number())).distinct().toList().size(); } return r;");
        programs.same(
                "flat-that-fails",
                LIST
                        + "return xs.stream().flatMap(x -> s.parcels(x).stream()).flatMap(p -> p.parts().subList(0, p.number() % 3).stream()).map(t -> s.f(t.count())).toList();");
        programs.same(
                "flat-of-nothing",
                LIST
                        + "return xs.stream().flatMap(x -> x % 2 == 0 ? null : s.parcels(x).stream()).map(t -> s.f(t.number())).toList();");
    }

    private static final String ODD =
            " static class Team { final List<Integer> ids; Team(List<Integer> ids) { this.ids = ids; } List<Integer> ids() { return ids; } } static class Odd extends ArrayList<Integer> { static int looks; Odd(int x) { add(x); add(x + 1); } @Override public java.util.stream.Stream<Integer> stream() { looks++; return super.stream().map(y -> y * 2 + 1); } @Override public Iterator<Integer> iterator() { looks += 3; return super.iterator(); } } static int q() { return 1;";

    private void oddLists() {
        programs.same(
                "flat-odd-lists",
                LIST
                        + "Odd.looks = 0; List<Team> all = new ArrayList<>(); for (int i = 0; i < n; i++) all.add(new Team(i % 2 == 0 ? List.of(i) : new Odd(i))); return all.stream().flatMap(t -> t.ids().stream()).map(x -> s.g(s.f(x + Odd.looks))).toList() + \" \" + Odd.looks; }"
                        + ODD);
        programs.same(
                "flat-odd-lists-by-reference",
                LIST
                        + "Odd.looks = 0; List<List<Integer>> all = new ArrayList<>(); for (int i = 0; i < n; i++) all.add(i % 2 == 0 ? List.of(i) : new Odd(i)); return all.stream().flatMap(List::stream).map(x -> s.g(s.f(x + Odd.looks))).toList() + \" \" + Odd.looks; }"
                        + ODD);
        programs.same(
                "flat-odd-lists-without-looks",
                LIST
                        + "Odd.looks = 0; List<List<Integer>> all = new ArrayList<>(); for (int i = 0; i < n; i++) all.add(i % 2 == 0 ? List.of(i) : new Odd(i)); return all.stream().flatMap(List::stream).map(x -> s.g(s.f(x))).toList() + \" \" + Odd.looks; }"
                        + ODD);
        programs.same(
                "flat-odd-team",
                LIST
                        + "Odd.looks = 0; List<Team> all = new ArrayList<>(); for (int i = 0; i < n; i++) all.add(i % 2 == 0 ? new Team(List.of(i)) : new Team(List.of(i)) { @Override List<Integer> ids() { Odd.looks++; return List.of(7, 8); } }); return all.stream().flatMap(t -> t.ids().stream()).map(x -> s.g(s.f(x + Odd.looks))).toList() + \" \" + Odd.looks; }"
                        + ODD);
    }

    private void left() {
        programs.same("limited", LIST + "return xs.stream().map(x -> s.g(s.f(x))).limit(3).toList();");
        programs.same("first", LIST + "return xs.stream().map(x -> s.g(s.f(x))).findFirst().orElse(-1);");
        programs.same("any", LIST + "return xs.stream().anyMatch(x -> s.ok(s.f(x)));");
        programs.same("taken-while", LIST + "return xs.stream().takeWhile(x -> s.g(s.f(x)) != 7).toList();");
        programs.same("never-run", LIST + "xs.stream().map(x -> s.g(s.f(x))); return 3;");
        programs.same("counted", LIST + "return xs.stream().map(x -> s.g(s.f(x))).count();");
        programs.same("counted-behind-a-filter", LIST + "return xs.stream().filter(x -> s.ok(s.f(x))).count();");
        programs.same(
                "by-an-iterator",
                LIST
                        + "Iterator<Integer> it = xs.stream().map(x -> s.g(s.f(x))).iterator(); int r = 0; while (it.hasNext() && r < 20) r += 5 + it.next(); return r;");
        programs.same(
                "local-service",
                LIST
                        + "StringBuilder b = new StringBuilder(); Svc u = new LocalSvc() { public int g(int x) { b.append(x); return s.sync(x); } }; return xs.stream().map(x -> u.g(s.f(x))).toList() + \" \" + b;");
        programs.same(
                "list-of-the-program",
                LIST
                        + "class L extends ArrayList<Integer> { L() { super(xs); } public Iterator<Integer> iterator() { Probe.otherClient.accept(1); return super.iterator(); } } return new L().stream().map(x -> s.g(s.f(x))).toList();");
        programs.same(
                "sorted-between",
                LIST + "return xs.stream().map(x -> s.f(x)).sorted().map(x -> s.g(s.f(x))).toList();");
        programs.same(
                "distinct-between",
                LIST + "return xs.stream().map(x -> x / 4).distinct().map(x -> s.g(s.f(x))).toList();");
        programs.same(
                "peeked-between",
                LIST
                        + "StringBuilder b = new StringBuilder(); return xs.stream().peek(b::append).map(x -> s.g(s.f(x))).toList() + \" \" + b;");
        programs.same(
                "nested",
                LIST + "return xs.stream().map(x -> s.names(x).stream().map(t -> s.s(t)).toList()).toList();");
        programs.same("parallel-as-one", "return List.of(n).parallelStream().map(x -> s.g(s.f(x))).toList();");
        programs.same("turned-parallel", "return List.of(n).stream().parallel().map(x -> s.g(s.f(x))).toList();");
        programs.same(
                "same-function-twice",
                LIST
                        + "java.util.function.Function<Integer, Integer> f = x -> s.g(s.f(x)); return xs.stream().map(f).map(f).toList();");
        programs.same(
                "function-of-two",
                LIST
                        + "java.util.function.Function<Integer, Integer> f = n % 2 == 0 ? x -> s.g(s.f(x)) : x -> s.f(s.g(x)); return xs.stream().map(f).toList();");
        programs.same(
                "calls-itself",
                LIST
                        + "return go(s, xs, 2); }\nprivate static List<Integer> go(Svc s, List<Integer> xs, int d) { return d == 0 || xs.size() > 20 ? xs : xs.stream().map(x -> s.g(s.f(x)) + go(s, List.of(x), d - 1).size()).toList();");
    }
}
