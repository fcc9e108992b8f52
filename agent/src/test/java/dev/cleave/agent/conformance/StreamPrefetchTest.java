package dev.cleave.agent.conformance;

import static dev.cleave.agent.conformance.StreamPrograms.LIST;

import dev.cleave.agent.rule.Rule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Prefetch and claim in streams (R64): what the other stages do does not matter, or only for staleness. */
@Tag("one-jdk")
class StreamPrefetchTest {

    /** Code that nobody knows, and the traces that it leaves. */
    private static final String LIB = "StringBuilder seen = new StringBuilder();\n"
            + "java.util.function.Consumer<Object> lib = x -> seen.append(x).append(' ');\n";

    private final StreamPrograms programs = new StreamPrograms();

    @TestFactory
    Stream<DynamicTest> prefetch() {
        unknownCode();
        early();
        arguments();
        several();
        exceptions();
        staleness();
        refused();
        return programs.tests();
    }

    private void unknownCode() {
        programs.prefetched(
                "unknown-behind",
                LIB + LIST
                        + "return xs.stream().map(x -> s.pure(x)).map(y -> { lib.accept(y); return y; }).toList() + \" \" + seen;");
        programs.prefetched(
                "unknown-in-front",
                LIB + LIST + "return xs.stream().peek(lib).map(x -> s.pure(x)).toList() + \" \" + seen;");
        programs.prefetched(
                "unknown-in-the-lambda",
                LIB + LIST
                        + "return xs.stream().map(x -> { lib.accept(x); int y = s.pure(x); lib.accept(y); return y; }).toList() + \" \" + seen;");
        programs.prefetched(
                "unknown-on-both-sides",
                LIB + LIST + "xs.stream().peek(lib).map(x -> s.pure(x)).forEach(lib); return seen.toString();");
        programs.prefetched(
                "unknown-function",
                LIST
                        + "return go(s, xs, y -> \"q\" + y); }\nstatic Object go(Svc s, List<Integer> xs, java.util.function.Function<Integer, Object> q) { return xs.stream().map(x -> s.pure(x)).map(q).toList();");
        programs.prefetched(
                "synchronized-lambda",
                LIST
                        + "Object m = new Object(); return xs.stream().map(x -> { synchronized (m) { return s.pure(x); } }).toList();");
        programs.prefetched(
                "sync-call-behind", LIST + "return xs.stream().map(x -> s.pure(x)).map(y -> s.sync(y)).toList();");
        programs.prefetched("sync-and-pure-method", LIST + "return xs.stream().map(x -> s.syncPure(x)).toList();");
        programs.prefetched(
                "sorted-behind-pure", LIST + "return xs.stream().map(x -> s.pure(x)).sorted().skip(1).toList();");
        programs.prefetched(
                "unknown-collector",
                LIB + LIST
                        + "return xs.stream().map(x -> s.pure(x)).collect(java.util.stream.Collector.of(ArrayList<Integer>::new, (l, y) -> { l.add(y); lib.accept(y); }, (a, b) -> a)) + \" \" + seen;");
        programs.prefetched(
                "reference-then-unknown",
                LIB + LIST + "xs.stream().map(s::pure).forEach(lib); return seen.toString();");
        programs.prefetched(
                "text-reference-then-unknown",
                LIB + LIST + "xs.stream().map(x -> \"k\" + x).map(s::quote).forEach(lib); return seen.toString();");
        programs.prefetched(
                "number-reference-then-unknown",
                LIB
                        + "java.util.stream.IntStream.range(0, n).map(s::pure).forEach(x -> lib.accept(x)); return seen.toString();");
        programs.prefetched(
                "flat-map-of-results",
                LIB + LIST
                        + "xs.stream().flatMap(x -> List.of(x, s.pure(x)).stream()).forEach(lib); return seen.toString();");
        programs.prefetched(
                "two-calls-in-one-lambda",
                LIB + LIST + "xs.stream().map(x -> s.pure(x) + s.pure(x + 1)).forEach(lib); return seen.toString();");
        programs.prefetched(
                "result-decides-in-the-lambda",
                LIB + LIST
                        + "xs.stream().map(x -> s.pure(x) % 3 == 0 ? -1 : s.pure(x + 5)).forEach(lib); return seen.toString();");
        programs.prefetched(
                "helper-behind-the-lambda",
                LIB + LIST
                        + "xs.stream().map(x -> score(s, x, lib)).forEach(lib); return seen.toString(); }\nprivate static int score(Svc s, int x, java.util.function.Consumer<Object> lib) { lib.accept(x); return s.pure(x * 2) + 1;");
    }

    private void early() {
        programs.prefetched("any-match", LIST + "return xs.stream().anyMatch(x -> s.pure(x) % 50 == 49);");
        programs.prefetched("all-match", LIST + "return xs.stream().allMatch(x -> s.pure(x) >= -99);");
        programs.prefetched("none-match", LIST + "return xs.stream().noneMatch(x -> s.pure(x) % 50 == 49);");
        programs.prefetched(
                "find-first",
                LIST + "return xs.stream().map(x -> s.pure(x)).filter(y -> y % 50 == 49).findFirst().orElse(-1);");
        programs.prefetched("limit", LIST + "return xs.stream().map(x -> s.pure(x)).limit(9).toList();");
        programs.prefetched("limit-in-front", LIST + "return xs.stream().limit(9).map(x -> s.pure(x)).toList();");
        programs.prefetched(
                "take-while", LIST + "return xs.stream().map(x -> s.pure(x)).takeWhile(y -> y % 50 != 49).toList();");
        programs.prefetched(
                "take-while-calls", LIST + "return xs.stream().takeWhile(x -> s.pure(x) % 50 != 49).toList();");
        programs.prefetched(
                "match-of-results", LIST + "return xs.stream().map(x -> s.pure(x)).anyMatch(y -> y % 50 == 49);");
        programs.prefetched(
                "filter-then-first",
                LIB + LIST
                        + "return xs.stream().filter(x -> s.pure(x) % 17 == 16).peek(lib).findFirst().orElse(-1) + \" \" + seen;");
    }

    private void arguments() {
        programs.prefetched(
                "computed-in-front",
                LIB + LIST
                        + "xs.stream().filter(x -> x % 3 != 0).map(x -> x * 7 + 1).map(x -> s.pure(x)).forEach(lib); return seen.toString();");
        programs.prefetched(
                "unknown-filter-in-front",
                LIB + LIST
                        + "java.util.function.Predicate<Integer> p = x -> x % 20 != 6; xs.stream().filter(p).map(x -> s.pure(x)).forEach(lib); return seen.toString();");
        programs.prefetched(
                "entries",
                LIB
                        + "Map<String, Integer> m = new HashMap<>(); for (int i = 0; i < n; i++) m.put(\"k\" + i, i); m.entrySet().stream().map(e -> e.getKey() + s.pure(e.getValue())).forEach(lib); return seen.toString();");
        programs.prefetched(
                "array-of-numbers",
                LIB
                        + "int[] a = new int[n]; for (int i = 0; i < n; i++) a[i] = i * 3; Arrays.stream(a).map(x -> s.pure(x)).forEach(x -> lib.accept(x)); return seen.toString();");
        programs.same(
                "argument-changed-behind",
                LIB + LIST
                        + "int[] c = {0}; xs.stream().map(x -> s.pure(x + c[0])).forEach(y -> { c[0] = y % 7; lib.accept(y); }); return seen.toString();");
        programs.same(
                "source-changed-behind",
                LIB + LIST
                        + "try { xs.stream().map(x -> s.pure(x)).forEach(y -> { if (y % 10 == 9) xs.add(y); lib.accept(y); }); } catch (ConcurrentModificationException e) { return \"caught\" + seen; } return seen.toString();");
        programs.same(
                "array-changed-behind",
                LIB
                        + "int[] a = new int[n]; for (int i = 0; i < n; i++) a[i] = i * 3; Arrays.stream(a).map(x -> s.pure(x)).forEach(x -> { if (n > 3) a[(x & 0xFF) % n] = x % 100; lib.accept(x); }); return seen.toString();");
        programs.same(
                "collection-of-its-own",
                LIB
                        + "List<Integer> xs = new ArrayList<>() { public Iterator<Integer> iterator() { lib.accept(\"it\"); return super.iterator(); } }; for (int i = 0; i < n; i++) xs.add(i); xs.stream().map(x -> s.pure(x)).forEach(lib); return seen.toString();");
        programs.same(
                "mock",
                LIB + LIST
                        + "Svc r = new LocalSvc() { public int pure(int x) { lib.accept(\"mock\" + x); return x; } }; xs.stream().map(x -> r.pure(x)).forEach(lib); return seen.toString();");
        programs.same(
                "mock-reference",
                LIB + LIST
                        + "Svc r = new LocalSvc() { public int pure(int x) { lib.accept(\"mock\" + x); return x; } }; xs.stream().map(r::pure).forEach(lib); return seen.toString();");
        programs.same(
                "mock-among-elements",
                LIB + LIST
                        + "Svc r = new LocalSvc() { public int pure(int x) { lib.accept(\"mock\" + x); return x; } }; xs.stream().map(x -> (x % 6 == 4 ? r : s).pure(x)).forEach(lib); return seen.toString();");
    }

    private void several() {
        programs.prefetched(
                "filter-and-map",
                LIB + LIST
                        + "xs.stream().filter(x -> s.pure(x) % 9 != 8).map(x -> s.pure(x + 1)).forEach(lib); return seen.toString();");
        programs.prefetched(
                "filter-reference-and-map",
                LIB + LIST
                        + "xs.stream().filter(x -> s.quote(\"k\" + x).length() > 2).map(s::pure).forEach(lib); return seen.toString();");
        programs.prefetched(
                "second-needs-the-first",
                LIB + LIST
                        + "xs.stream().map(x -> s.pure(x)).map(y -> s.pure(y)).forEach(lib); return seen.toString();");
        programs.prefetched(
                "pure-then-changing",
                LIST + "return xs.stream().filter(x -> s.pure(x) % 4 != 3).map(x -> s.sync(x)).toList();");
        programs.prefetched(
                "two-streams-in-a-loop",
                LIB + LIST
                        + "for (int i = 0; i < 3; i++) { int k = i; xs.stream().map(x -> s.pure(x + k)).forEach(lib); } return seen.toString();");
    }

    private void exceptions() {
        programs.prefetched(
                "throws-in-front-of-pure",
                LIB + LIST
                        + "try { xs.stream().map(x -> s.pure(100 / (x - 6))).forEach(lib); } catch (ArithmeticException e) { return \"caught\" + seen; } return seen.toString();");
        programs.prefetched(
                "throws-behind-pure",
                LIB + LIST
                        + "try { xs.stream().map(x -> s.pure(x)).peek(lib).map(y -> 100 / (y % 19 - 6)).forEach(lib); } catch (ArithmeticException e) { return \"caught\" + seen; } return seen.toString();");
        programs.prefetched(
                "handler-in-the-lambda",
                LIB + LIST
                        + "xs.stream().map(x -> { try { return s.pure(x); } catch (RuntimeException e) { return -1; } }).forEach(lib); return \"caught\" + seen;");
    }

    private void staleness() {
        programs.prefetched("read-only", LIST + "return xs.stream().anyMatch(x -> s.load(x) > 99);");
        programs.prefetched(
                "read-only-collected",
                LIST + "return xs.stream().map(x -> s.load(x)).limit(n).collect(java.util.stream.Collectors.toSet());");
        programs.prefetched(
                "read-only-filled",
                LIST
                        + "List<Integer> out = new ArrayList<>(); xs.stream().map(x -> s.load(x)).limit(n).forEach(out::add); return out;");
        programs.prefetched(
                "old-read-only-and-unknown",
                LIB + LIST + "xs.stream().map(x -> s.peek(x)).forEach(lib); return seen.toString();");
        programs.prefetched(
                "read-only-and-rarely-unknown",
                LIB + LIST
                        + "xs.stream().map(x -> s.load(x)).filter(y -> y % 7 == 1).forEach(lib); return seen.toString();");
        programs.same(
                "read-only-and-rarely-a-write",
                LIST
                        + "xs.stream().filter(x -> s.load(x) % 7 == 1).limit(n).forEach(x -> s.store(x + 2, x)); return xs.stream().mapToInt(x -> s.load(x)).sum();");
        programs.sequential(
                "read-only-and-unknown",
                Rule.R61,
                LIB + LIST + "xs.stream().map(x -> s.load(x)).limit(n).forEach(lib); return seen.toString();");
        programs.sequential(
                "unknown-then-read-only",
                Rule.R61,
                LIB + LIST + "xs.stream().peek(lib).limit(n).map(x -> s.load(x)).toList(); return seen.toString();");
        programs.sequential(
                "read-only-and-unknown-in-the-lambda",
                Rule.R61,
                LIB + LIST
                        + "return xs.stream().map(x -> { lib.accept(x); return s.load(x); }).toList() + \" \" + seen;");
        programs.sequential(
                "read-only-and-write",
                Rule.R61,
                LIST + "return xs.stream().map(x -> s.load(x)).map(y -> s.store(y % 9, y)).toList();");
    }

    private void refused() {
        programs.sequential(
                "argument-from-unknown",
                Rule.R69,
                LIB + LIST
                        + "xs.stream().map(x -> { lib.accept(x); return x + seen.length(); }).map(x -> s.pure(x)).forEach(lib); return seen.toString();");
        programs.same(
                "reference-to-what-is-overridden",
                LIB
                        + LIST
                        + "@@ p = new @@() { int score(Svc s, int x) { seen.append(x); return s.sync(x); } int soon(Svc s, int x) { seen.append(x); return s.sync(x); } }; return p.go(s, xs, lib) + \" \" + seen; }\nObject go(Svc s, List<Integer> xs, java.util.function.Consumer<Object> lib) { xs.stream().map(x -> this.score(s, x)).forEach(lib); this.t = s; xs.stream().map(this::one).forEach(lib); return xs.stream().map(this::two).toList(); }\nSvc t; int one(int x) { return score(t, x); } int two(int x) { return soon(t, x); } int score(Svc s, int x) { return s.pure(x); } int soon(Svc s, int x) { return s.f(x);"
                                .replace("@@", Conformance.className("reference-to-what-is-overridden")));
        programs.sequential(
                "sorted-in-front-of-pure",
                Rule.R69,
                LIB + LIST + "xs.stream().sorted().map(x -> s.pure(x)).forEach(lib); return seen.toString();");
        programs.sequential(
                "iterator-of-pure",
                Rule.R69,
                LIST
                        + "int t = 0; Iterator<Integer> it = xs.stream().map(x -> s.pure(x)).iterator(); while (it.hasNext() && t < 20) t += it.next(); return t;");
        programs.sequential(
                "parallel-pure",
                Rule.R69,
                LIST + "return xs.stream().parallel().sequential().map(x -> s.pure(x)).toList();");
        programs.sequential(
                "skip-in-front-of-pure",
                Rule.R69,
                LIB + LIST + "xs.stream().skip(2).map(x -> s.pure(x)).forEach(lib); return seen.toString();");
    }
}
