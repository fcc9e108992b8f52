package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.rule.Rule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The patterns of prefetch and claim in loops, by their names. */
@Tag("one-jdk")
class PrefetchTest extends ProgramTests {

    private static final String LIST =
            "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i * 2);\n";

    /** Code that nobody knows, and the traces that it leaves. */
    private static final String LIB = "StringBuilder seen = new StringBuilder();\n"
            + "java.util.function.Consumer<Object> lib = x -> seen.append(x).append(' ');\n";

    private void prefetched(String name, String body) {
        conformance.addBody(name, body);
        test(name, () -> {
            conformance.overlaps(name);
            assertThat(conformance.verdicts(name))
                    .as(name)
                    .anyMatch(verdict -> verdict.outcome() == Verdict.Outcome.PREFETCHED);
        });
    }

    @TestFactory
    Stream<DynamicTest> patterns() {
        unknownCode();
        exits();
        changes();
        arguments();
        staleness();
        otherClients();
        refused();
        return tests();
    }

    /** R62: where claims do not find what they want, calls are soon no more fetched ahead. */
    @Test
    void stopsWhereItsGuessesAreWrong() {
        conformance.addBody(
                "wrong-guesses",
                "int[] k = {0}; Runnable r = () -> k[0] += 3; int t = 0;\n"
                        + "for (int i = 0; i < n; i++) { t = t * 3 + s.pure(k[0] + i); r.run(); } return t;");
        Class<?> rewritten = conformance.programs().rewritten("p." + Conformance.className("wrong-guesses"));

        List<String> calls = Outcome.of(rewritten, Schedule.ok(1), 150).log();

        assertThat(calls).hasSizeBetween(151, 190);
    }

    private void unknownCode() {
        prefetched(
                "unknown-call-in-body",
                LIB + LIST
                        + "String t = \"\"; for (int x : xs) { String q = s.quote(\"k\" + x); lib.accept(q); t += q; }\n"
                        + "return t + seen;");
        prefetched(
                "unknown-call-counted",
                LIB
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.pure(i); lib.accept(t); } return t + \" \" + seen;");
        prefetched(
                "synchronized-in-body",
                LIB + LIST + "Object m = new Object(); int t = 0;\n"
                        + "for (int x : xs) synchronized (m) { t = t * 3 + s.pure(x); lib.accept(t); } return t + \" \" + seen;");
        prefetched(
                "lock-in-body",
                LIST
                        + "java.util.concurrent.locks.ReentrantLock l = new java.util.concurrent.locks.ReentrantLock(); int t = 0;\n"
                        + "for (int x : xs) { l.lock(); try { t = t * 3 + s.pure(x); } finally { l.unlock(); } } return t + \" \" + l.isLocked();");
        prefetched(
                "try-with-resources-in-body",
                LIB + LIST
                        + "int t = 0; for (int x : xs) try (AutoCloseable c = () -> lib.accept(\"closed\")) { t = t * 3 + s.pure(x); } return t + \" \" + seen;");
        prefetched(
                "finally-in-body",
                LIB + LIST
                        + "int t = 0; try { for (int x : xs) try { t = t * 3 + s.pure(x); } finally { lib.accept(t); } } catch (RuntimeException e) { return \"caught\" + seen; } return t + \" \" + seen;");
        prefetched(
                "sync-call-between",
                LIST + "int t = 0; for (int x : xs) { t = t * 3 + s.pure(x); t += s.sync(t); } return t;");
        prefetched("sync-and-pure", LIST + "int t = 0; for (int x : xs) { t = t * 3 + s.syncPure(x); } return t;");
        prefetched(
                "nested-loops-with-unknown-code",
                LIB
                        + "int t = 0; for (int i = 0; i < n % 20; i++) { for (int k = 0; k < 3; k++) { t = t * 3 + s.pure(i * k); lib.accept(k); } t += s.pure(i + 100); lib.accept(t); } return t + \" \" + seen;");
        prefetched(
                "failing-method",
                LIB + LIST
                        + "int t = 0; try { for (int x : xs) { t += s.pure(x); lib.accept(t); } } catch (RuntimeException e) { return \"caught\" + e.getMessage() + seen; } return t;");
        prefetched(
                "mock-among-stubs",
                LIB
                        + "Svc[] r = {s, new LocalSvc() { public int pure(int x) { lib.accept(\"mock\" + x); return x; } }, z}; int t = 0;\n"
                        + "for (int i = 0; i < n; i++) { t = t * 3 + s.pure(i); t += r[i % 3].pure(i); lib.accept(t); } return t + \" \" + seen;");
        same(
                "mock-receiver",
                LIB
                        + "Svc r = new LocalSvc() { public int pure(int x) { lib.accept(\"mock\" + x); return x; } }; int t = 0;\n"
                        + "for (int i = 0; i < n; i++) { t = t * 3 + r.pure(i); lib.accept(t); } return t + \" \" + seen;");
        same(
                "null-receiver-prefetched",
                LIB
                        + "Svc r = n == 5 ? null : s; int t = 0; for (int i = 0; i < n; i++) { t += r.pure(i); lib.accept(t); } return t;");
    }

    private void exits() {
        prefetched(
                "break-on-result",
                LIST
                        + "int t = 0; for (int x : xs) { int v = s.pure(x); if (v > 40) break; t = t * 5 + v; } return t;");
        prefetched("return-if-ok", "for (int i = 1; i < n; i++) if (s.pure(i) % 29 == 28) return i; return -1;");
        prefetched(
                "poll-until-done",
                LIB + "int i = 0; while (s.pure(i) < 60) { lib.accept(i); i++; } return i + \" \" + seen;");
        prefetched(
                "guard-unknown",
                LIB + "java.util.function.IntPredicate done = i -> i % 10 == 9; int t = 0;\n"
                        + "for (int i = 0; i < n; i++) { if (done.test(i)) { lib.accept(i); continue; } t = t * 3 + s.pure(i); lib.accept(t); } return t + \" \" + seen;");
        prefetched(
                "throw-in-body",
                LIB
                        + "int t = 0; for (int i = 0; i < n; i++) { t += s.pure(i); if (t > 300) throw new IllegalStateException(\"at \" + i + seen); lib.accept(t); } return t;");
        prefetched(
                "catch-and-continue",
                LIB
                        + "int t = 0; for (int i = 0; i < n; i++) { try { t += s.pure(i); lib.accept(t); } catch (RuntimeException e) { lib.accept(\"x\"); } } return \"caught\" + t + seen;");
        prefetched(
                "catch-and-break",
                LIB
                        + "int t = 0; for (int i = 0; i < n; i++) { try { t += s.pure(i); lib.accept(t); } catch (RuntimeException e) { break; } } return \"caught\" + t + seen;");
        prefetched(
                "catch-changes-counter",
                LIB
                        + "int t = 0; for (int i = 0; i < n; i++) { try { t += s.pure(i); lib.accept(t); } catch (RuntimeException e) { i++; } } return \"caught\" + t + seen;");
        prefetched(
                "labelled-exit",
                LIB
                        + "int t = 0; outer: for (int k = 0; k < 3; k++) for (int i = 0; i < n; i++) { t += s.pure(i + k); lib.accept(i); if (t % 37 == 36) break outer; } return t + \" \" + seen;");
    }

    private void changes() {
        same(
                "list-changed-in-body",
                LIB + LIST
                        + "try { for (int x : xs) { int v = s.pure(x); lib.accept(v); if (v > 20) xs.remove(0); } } catch (ConcurrentModificationException e) { return \"caught\" + xs + seen; } return xs;");
        same(
                "iterator-remove",
                LIST
                        + "Iterator<Integer> it = xs.iterator(); while (it.hasNext()) { int x = it.next(); if (s.pure(x) % 3 == 0) it.remove(); } return xs;");
        same(
                "iterator-of-subclass",
                LIB
                        + "List<Integer> xs = new Counted(); for (int i = 0; i < n; i++) xs.add(i); Counted.made = 0; int t = 0;\n"
                        + "for (int x : xs) { t = t * 3 + s.pure(x); lib.accept(t); } return t + \" \" + Counted.made + seen; }\n"
                        + "static final class Counted extends ArrayList<Integer> { static int made;\n"
                        + "public Iterator<Integer> iterator() { made++; return super.iterator(); }");
        same(
                "indexed-remove",
                LIB + LIST
                        + "for (int i = 0; i < xs.size(); i++) { int v = s.pure(xs.get(i)); lib.accept(v); if (v % 5 == 4) xs.remove(i); } return xs + \" \" + seen;");
        same(
                "argument-changed-by-body",
                LIB + "int[] a = new int[n + 1]; java.util.function.IntConsumer w = i -> a[i] = i * 7; int t = 0;\n"
                        + "for (int i = 0; i < n; i++) { t = t * 3 + s.pure(a[i]); w.accept(i + 1); lib.accept(t); } return t + \" \" + seen;");
        same(
                "read-through-argument",
                "List<Svc.Box> xs = new ArrayList<>(); for (int i = 0; i < n; i++) { xs.add(new Svc.Box(i)); if (i > 0) xs.get(i).next = xs.get(i - 1); }\n"
                        + "for (Svc.Box x : xs) x.value = s.pureWeight(x) % 50; String t = \"\"; for (Svc.Box x : xs) t += x.value + \" \"; return t;");
        same(
                "shifted-index",
                "int[] a = new int[n + 1]; for (int i = 0; i < n; i++) a[i + 1] = s.pure(a[i]) % 40; return Arrays.toString(a);");
        same(
                "cycle-cut-later",
                LIB
                        + "Svc.Box a = new Svc.Box(1); a.next = a; int t = 0; for (int i = 0; i < n; i++) { if (i == 0) a.next = null; int d = 0; for (Svc.Box b = a; b != null; b = b.next) d++; t = t * 3 + s.pure(d + i); lib.accept(t); } return t;");
        same(
                "unpredictable",
                LIB
                        + "Random r = new Random(n); int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.pure(r.nextInt(9)); lib.accept(t); } return t + \" \" + seen;");
    }

    private void arguments() {
        prefetched(
                "array-argument",
                LIB
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.pureSum(new int[] {i, i + 1, 4}); lib.accept(t); } return t + \" \" + seen;");
        prefetched(
                "object-argument",
                LIB
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.pureWeight(new Svc.Box(i)); lib.accept(t); } return t + \" \" + seen;");
        prefetched(
                "double-argument",
                LIB
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.pureDouble(i == 3 ? -0.0 : i / 7.0); lib.accept(t); } return t + \" \" + seen;");
        prefetched(
                "map-entries",
                LIB
                        + "Map<String, Integer> m = new HashMap<>(); for (int i = 0; i < n; i++) m.put(\"k\" + i, i); String t = \"\";\n"
                        + "for (Map.Entry<String, Integer> e : m.entrySet()) { String v = s.quote(e.getKey()) + e.getValue(); lib.accept(v); t += v; } return t + seen;");
        prefetched(
                "inner-loop-in-argument",
                LIB
                        + "int t = 0; for (int i = 0; i < n; i++) { int d = 0; for (int k = 0; k < i % 7; k++) d += k; t = t * 3 + s.pure(d); lib.accept(t); } return t + \" \" + seen;");
        prefetched(
                "several-calls",
                LIB
                        + "String t = \"\"; for (int i = 0; i < n; i++) { int a = s.pure(i); lib.accept(a); t += s.quote(\"x\" + i) + a; } return t + seen;");
    }

    private void staleness() {
        same(
                "write-between",
                "int t = 0; for (int i = 0; i < n; i++) { int a = s.load(1); s.store(1, a + i); int b = s.load(1); t = t * 3 + a + b; } return t;");
        same(
                "write-between-with-age",
                "int t = 0; for (int i = 0; i < n; i++) { int a = s.peek(1); s.store(1, a + i); int b = s.peek(1); t = t * 3 + a + b; } return t;");
        same(
                "write-now-and-then",
                LIB
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.load(i % 4); if (i % 3 == 1) s.store(i % 4 + 1 & 3, t); if (t == 1234567) lib.accept(t); } return t;");
        same(
                "write-now-and-then-with-age",
                LIB
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.peek(i % 4); if (i % 3 == 1) s.store(i % 4 + 1 & 3, t); lib.accept(t); } return t + \" \" + seen;");
        same(
                "write-in-unknown-code",
                "java.util.function.IntConsumer w = i -> s.store(i % 4, i); int t = 0;\n"
                        + "for (int i = 0; i < n; i++) { t = t * 3 + s.peek(i % 4); if (i % 3 == 1) w.accept(i + 1); } return t;");
        same(
                "write-through-other-stub",
                "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.peek(i % 4); z.store(i % 4 + 1 & 3, i); } return t;");
        same(
                "lock-service",
                "for (int i = 0; i < n; i++) { s.sync(1); int v = s.load(1); s.store(1, v + 1); s.sync(2); } return s.load(1);");
        prefetched(
                "read-only-with-age",
                LIB
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.peek(i); lib.accept(t); } return t + \" \" + seen;");
        prefetched(
                "write-of-another-group",
                LIB
                        + "int t = 0; for (int i = 0; i < n; i++) { int v = s.shelf(i); t = t * 3 + v; lib.accept(t); s.putDesk(i, t); } return t + \" \" + seen;");
        same(
                "write-of-the-same-group",
                LIB
                        + "int t = 0; for (int i = 0; i < n; i++) { int v = s.desk(i % 3); t = t * 3 + v; lib.accept(t); if (i % 2 == 0) s.putDesk((i + 1) % 3, t); } return t + \" \" + seen;");
        same(
                "hidden-write-of-the-same-group",
                LIB
                        + "java.util.function.IntConsumer w = i -> s.putDesk(i % 3, i); int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.desk(i % 3) + s.shelf(i); lib.accept(t); w.accept(i + 1); } return t + \" \" + seen;");
        same(
                "write-without-group-beside-a-group",
                LIB
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.desk(i % 3) + s.peek(i % 3); lib.accept(t); s.store(i % 3, t); } return t + \" \" + seen;");
        prefetched(
                "read-only-with-exit",
                "int t = 0; for (int i = 0; i < n; i++) { int v = s.load(i); if (v > 30) break; t = t * 3 + v; } return t;");
    }

    private void otherClients() {
        String other = "java.util.function.IntConsumer w = Probe.otherClient; ";
        same(
                "other-client-writes-now-and-then",
                other
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.load(i % 4); if (i % 3 == 1) w.accept(i + 1 & 3); } return t;");
        same(
                "other-client-writes-before-break",
                other
                        + "int t = 0; for (int i = 0; i < n; i++) { if (i == 4) w.accept(2); int v = s.load(2); if (v > 30) break; t = t * 3 + v; } return t;");
    }

    private void refused() {
        sequential(
                "plain-read-only-after-unknown",
                Rule.R61,
                LIB
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.load(i); lib.accept(t); } return t + \" \" + seen;");
        sequential(
                "read-only-and-write-in-body",
                Rule.R60,
                "int t = 0; for (int i = 0; i < n; i++) { int v = s.peek(i); t = t * 3 + v; s.store(i, t); } return t;");
        sequential(
                "read-and-write-of-one-group",
                Rule.R60,
                LIB
                        + "int t = 0; for (int i = 0; i < n; i++) { int v = s.desk(i); t = t * 3 + v; lib.accept(t); s.putDesk(i, t); } return t + \" \" + seen;");
        sequential(
                "argument-from-unknown-code",
                Rule.R43,
                LIB
                        + "java.util.function.IntUnaryOperator g = x -> x * 2; int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.pure(g.applyAsInt(i)); lib.accept(t); } return t + \" \" + seen;");
        sequential(
                "argument-from-result",
                Rule.R30,
                LIB
                        + "int x = 1; for (int i = 0; i < n; i++) { x = s.pure(x) % 50; lib.accept(x); } return x + \" \" + seen;");
        sequential(
                "argument-decided-by-result",
                Rule.R30,
                LIB
                        + "int k = 0; int t = 0; for (int i = 0; i < n; i++) { int v = s.pure(k); if (v % 3 == 0) k += 2; else k++; t = t * 3 + v; lib.accept(t); } return t + \" \" + seen;");
        sequential(
                "argument-too-long-to-make-ahead",
                LIB
                        + "int t = 0; for (int i = 0; i < n && i < 3; i++) { int[] a = new int[70000]; a[0] = i; t = t * 3 + s.pureSum(a); lib.accept(t); } return t + \" \" + seen;");
        sequential(
                "argument-of-any-size",
                Rule.R67,
                LIB
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.quote(\"ab\".repeat(i)).length(); lib.accept(t); } return t + \" \" + seen;");
        sequential(
                "part-that-never-ends",
                Rule.R29,
                "int[] b = new int[3]; int t = 0; for (int i = 0; i < n; i++) { try { if (i % 3 == 1) { int j = 0; while (true) t += b[j++]; } } catch (ArrayIndexOutOfBoundsException e) { t++; } t = t * 3 + s.read(i); } return t;");
        sequential(
                "collection-under-lock",
                Rule.R56,
                LIB + LIST
                        + "Object m = new Object(); int t = 0; for (int i = 0; i < n; i++) { synchronized (m) { t = t * 3 + s.pure(xs.get(i)); } lib.accept(t); } return t + \" \" + seen;");
        sequential(
                "next-from-unknown-iterator",
                Rule.R34,
                LIB
                        + "Iterator<Integer> it = java.util.stream.IntStream.range(0, n).iterator(); int t = 0; while (it.hasNext()) { t = t * 3 + s.pure(it.next()); lib.accept(t); } return t + \" \" + seen;");
    }
}
