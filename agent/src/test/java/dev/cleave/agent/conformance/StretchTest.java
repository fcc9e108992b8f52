package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.rule.Rule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** The patterns of prefetch and claim in straight line, by their names. */
@Tag("one-jdk")
class StretchTest extends ProgramTests {

    /** Code that nobody knows, and the traces that it leaves. */
    private static final String LIB = "StringBuilder seen = new StringBuilder();\n"
            + "java.util.function.Consumer<Object> lib = x -> seen.append(x).append(' ');\n"
            + "java.util.function.IntUnaryOperator fun = x -> { seen.append('f'); return x * 2 + 1; };\n";

    private void prefetched(String name, int calls, String body) {
        conformance.addBody(name, LIB + body);
        test(name, () -> {
            conformance.check(name);
            assertPrefetched(name, calls);
        });
    }

    /** As {@link #prefetched}, and calls are in flight together. */
    private void overlapping(String name, int calls, String body) {
        conformance.addBody(name, LIB + body);
        test(name, () -> {
            conformance.overlaps(name);
            assertPrefetched(name, calls);
        });
    }

    private void assertPrefetched(String name, int calls) {
        assertThat(conformance.verdicts(name).stream()
                        .filter(verdict -> verdict.outcome() == Verdict.Outcome.PREFETCHED))
                .as(name + " " + conformance.verdicts(name))
                .hasSize(calls);
    }

    private void refused(String name, Rule rule, String body) {
        conformance.addBody(name, LIB + body);
        test(name, () -> {
            conformance.staysSequential(name);
            assertPrefetched(name, 0);
            assertThat(conformance.verdicts(name))
                    .as(name)
                    .anyMatch(verdict -> verdict.refusal() != null
                            && verdict.refusal().rule().equals(rule));
        });
    }

    private void unchanged(String name, String body) {
        conformance.addBody(name, LIB + body);
        test(name, () -> conformance.check(name));
    }

    @TestFactory
    Stream<DynamicTest> patterns() {
        unknownCode();
        branches();
        stages();
        passes();
        ends();
        staleness();
        refused();
        return tests();
    }

    private void unknownCode() {
        overlapping(
                "row-around-unknown-code",
                1,
                "int a = s.pure(n); lib.accept(a); int b = s.pure(n + 1); lib.accept(b); return a * 31 + b + \" \" + seen;");
        overlapping(
                "row-of-three",
                2,
                "int a = s.pure(n); lib.accept(a); String b = s.quote(\"b\" + n); lib.accept(b); int c = z.pureDouble(n / 3.0); lib.accept(c); return a + b + c + seen;");
        prefetched("row-of-one", 1, "lib.accept(n); int a = s.pure(n); lib.accept(a); return a + \" \" + seen;");
        overlapping("row-around-remote-call", 1, "int a = s.sync(n); int b = s.pure(n + 1); return a * 31 + b;");
        overlapping(
                "row-around-lock",
                1,
                "java.util.concurrent.locks.ReentrantLock l = new java.util.concurrent.locks.ReentrantLock(); int a = s.pure(n);\n"
                        + "l.lock(); try { return a * 31 + s.pure(n + 1); } finally { l.unlock(); lib.accept(l.isLocked()); }");
        overlapping(
                "row-in-synchronized",
                1,
                "int a = s.pure(n); synchronized (seen) { lib.accept(a); int b = s.pure(n + 1); lib.accept(b); } return seen;");
        overlapping(
                "row-with-objects",
                1,
                "int a = s.pure(n); lib.accept(a); int b = s.pureWeight(new Svc.Box(n)); lib.accept(b); return a * 31 + b + \" \" + seen;");
        overlapping(
                "row-under-operands",
                1,
                "int a = s.pure(n); lib.accept(a); List<Object> l = new ArrayList<>(); l.add(new Svc.Box(a * 3 + s.pure(n + 2)).value()); return l + \" \" + seen;");
        overlapping(
                "row-in-constructor",
                0,
                "class C { int a; int b; C(Svc s) { super(); a = s.pure(n); lib.accept(a); b = s.pure(n + 4); lib.accept(this.b); } } C c = new C(s); return c.a * 31 + c.b + \" \" + seen;");
        overlapping("row-of-sync-and-pure", 1, "int a = s.sync(n); int b = s.syncPure(n + 1); return a * 31 + b;");
    }

    private void branches() {
        overlapping(
                "row-above-known-branch",
                1,
                "int a = s.pure(n); lib.accept(a); int b = 0; if (n > 1) { b = s.pure(n + 1); } return a * 31 + b + \" \" + seen;");
        overlapping(
                "row-above-unknown-branch",
                1,
                "int a = s.pure(n); lib.accept(a); int b = 0; if (a % 2 == 0) { b = s.pure(n + 1); } return a * 31 + b + \" \" + seen;");
        overlapping(
                "row-in-both-arms",
                2,
                "int a = s.pure(n); lib.accept(a); int b = 0; if (a % 2 == 0) { b = s.pure(n + 1); } else { b = s.pure(n + 2); } return a * 31 + b + \" \" + seen;");
        overlapping(
                "row-in-switch",
                2,
                "int a = s.pure(n); lib.accept(a); int b; switch (a % 3) { case 0: b = s.pure(n + 1); break; case 1: b = 5; break; default: b = s.pure(n * 2); } return a * 31 + b + \" \" + seen;");
        overlapping(
                "row-behind-early-return",
                1,
                "int a = s.pure(n); lib.accept(a); if (a % 2 == 1) return \"early\" + seen; return a * 31 + s.pure(n + 1) + \" \" + seen;");
        overlapping(
                "row-with-chosen-argument",
                1,
                "int a = s.pure(n); lib.accept(a); int k = n > 3 ? n * 2 : n + 1; int b = s.pure(k); return a * 31 + b + \" \" + seen;");
        overlapping(
                "row-with-counted-argument",
                1,
                "int a = s.pure(n); lib.accept(a); int k = 0; for (int i = 0; i < n % 9; i++) k += i; int b = s.pure(k); return a * 31 + b + \" \" + seen;");
        unchanged(
                "row-with-wrong-guess",
                "int a = s.pure(n); int k = 1; lib.accept(a); if (a % 2 == 0) k = 3; int b = s.pure(k); return a * 31 + b + \" \" + seen;");
    }

    private void stages() {
        overlapping(
                "row-behind-result",
                2,
                "int a = s.pure(n); lib.accept(a); int b = s.pure(a + 1); lib.accept(b); int c = s.pure(a + 2); lib.accept(c); return a + \" \" + b + \" \" + c + seen;");
        overlapping(
                "row-behind-unknown-value",
                1,
                "int k = fun.applyAsInt(n); int a = s.pure(k); lib.accept(a); int b = s.pure(k + 1); return a * 31 + b + \" \" + seen;");
        overlapping(
                "row-behind-two-unknown-values",
                1,
                "int k = n > 2 ? fun.applyAsInt(n) : fun.applyAsInt(-n); int a = s.pure(k); lib.accept(a); int b = s.pure(k + 1); return a * 31 + b + \" \" + seen;");
        prefetched(
                "row-behind-iterator",
                1,
                "Iterator<Integer> it = List.of(n, n + 1, n + 2).iterator(); int a = s.pure(it.next()); lib.accept(a); int k = it.next(); lib.accept(k); int b = s.pure(k); lib.accept(b); int c = s.pure(k + it.next()); return a + b * 31 + c + \" \" + seen;");
        overlapping(
                "row-in-handler",
                1,
                "try { lib.accept(List.of(1).get(1)); return \"none\"; } catch (IndexOutOfBoundsException e) { int a = s.pure(n); lib.accept(a); int b = s.pure(n + 1); return \"caught\" + a + b + seen; }");
    }

    private void passes() {
        overlapping(
                "row-in-loop-behind-unknown-value",
                1,
                "int t = 0; for (int i = 0; i < n; i++) { int k = fun.applyAsInt(i); t = t * 3 + s.pure(k); lib.accept(t); t += s.pure(k + 1); lib.accept(t); } return t + \" \" + seen;");
        overlapping(
                "row-in-loop-behind-result",
                2,
                "int t = 0; for (int i = 0; i < n; i++) { int k = s.pure(i); lib.accept(k); t = t * 3 + s.pure(k); lib.accept(t); } return t + \" \" + seen;");
        overlapping(
                "row-in-while-of-unknown-condition",
                2,
                "int t = 0; Iterator<Integer> it = java.util.stream.IntStream.range(0, n).iterator(); while (it.hasNext()) { int k = it.next(); lib.accept(k); t = t * 3 + s.pure(k); lib.accept(t); if (t % 5 == 4) continue; t += s.pure(k + 100); } return t + \" \" + seen;");
        overlapping(
                "row-with-exit-from-loop",
                1,
                "int t = 0; for (int i = 0; i < n; i++) { int k = fun.applyAsInt(i); t = t * 3 + s.pure(k); lib.accept(t); if (t > 200) break; t += s.pure(k + 1); if (t % 11 == 10) return \"out\" + t + seen; } return t + \" \" + seen;");
        overlapping(
                "row-around-loop",
                1,
                "int a = s.pure(n); for (int i = 0; i < n; i++) lib.accept(i); int b = s.pure(n + 1); return a * 31 + b + \" \" + seen;");
        overlapping(
                "row-around-pipeline",
                1,
                "int t = 0; lib.accept(n); for (int i = 0; i < n; i++) t += s.f(i); int b = s.pure(n + 1); return t * 31 + b + \" \" + seen;");
    }

    private void ends() {
        overlapping(
                "row-left-by-exception",
                1,
                "int a = s.pure(n); lib.accept(a); if (a % 2 == 0) throw new IllegalStateException(\"at \" + a + seen); return a * 31 + s.pure(n + 1);");
        overlapping(
                "row-behind-caught-exception",
                1,
                "int a = s.pure(n); try { lib.accept(a); if (a % 2 == 0) throw new IllegalStateException(\"x\"); } catch (IllegalStateException e) { lib.accept(e.getMessage()); } return \"caught\" + a * 31 + s.pure(n + 1) + seen;");
        overlapping(
                "row-in-two-tries",
                2,
                "int t = 0; try { t += s.sync(n); lib.accept(t); t += s.pure(n); } catch (RuntimeException e) { lib.accept(\"one\"); } try { lib.accept(t); t += s.pure(n + 1); } catch (RuntimeException e) { lib.accept(\"two\"); } finally { t++; } return \"caught\" + t + seen;");
        overlapping(
                "row-with-finally",
                1,
                "int t = s.pure(n); try { lib.accept(t); t += s.pure(n + 1); } finally { lib.accept(\"end\"); } return t + \" \" + seen;");
        overlapping(
                "row-in-recursion",
                0,
                "class R { int run(int d) { int a = s.pure(d); lib.accept(a); int r = d > 0 ? run(d - 1) : 0; return r * 3 + s.pure(d + 1); } } return new R().run(n % 7) + \" \" + seen;");
        unchanged(
                "row-behind-late-await",
                "Object o = s.get(n); String x = o instanceof String ? (String) o : \"none\"; int k = 0; for (int i = 0; i < 50; i++) k += i * n; Integer y = (Integer) s.get(n * 2 + 1); int v = y; for (int i = 0; i < 50; i++) k += i * n; int b = s.pure(v); lib.accept(b); return x + k + (b + s.pure(v + 1)) + seen;");
        unchanged(
                "row-with-mock",
                "Svc r = new LocalSvc() { public int pure(int x) { lib.accept(\"mock\" + x); return x; } }; int a = r.pure(n); lib.accept(a); return a * 31 + r.pure(n + 1) + \" \" + seen;");
        unchanged(
                "row-with-null-receiver",
                "Svc r = n == 5 ? null : s; lib.accept(n); int a = r.pure(n); lib.accept(a); return a;");
        unchanged(
                "row-with-null-argument",
                "Svc.Box x = n == 5 ? null : new Svc.Box(n); lib.accept(n); int a = s.pure(x.value); lib.accept(a); return a + \" \" + seen;");
        unchanged(
                "row-with-changed-object",
                "Svc.Box x = new Svc.Box(n); java.util.function.IntConsumer w = v -> x.value = v; lib.accept(n); w.accept(n * 2); int a = s.pureWeight(x); w.accept(7); return a * 31 + s.pureWeight(x) + \" \" + seen;");
    }

    private void staleness() {
        prefetched(
                "row-with-age",
                2,
                "int a = s.peek(n); lib.accept(a); int b = s.peek(n + 1); lib.accept(b); int c = s.peek(n + 2); return a * 31 + b + c + \" \" + seen;");
        unchanged("row-around-write", "int a = s.peek(1); s.store(1, a + n); int b = s.peek(1); return a * 31 + b;");
        unchanged(
                "row-around-hidden-write",
                "java.util.function.IntConsumer w = v -> s.store(1, v); int a = s.peek(1); w.accept(a + n); int b = s.peek(1); return a * 31 + b;");
        unchanged(
                "row-around-write-in-handler",
                "int a = s.peek(1); try { lib.accept(List.of(a).get(n % 2)); } catch (IndexOutOfBoundsException e) { s.store(1, a + n); } int b = s.peek(1); return a * 31 + b;");
        unchanged(
                "row-around-possible-write",
                "int a = s.load(1); if (n % 2 == 0) s.store(1, a + n); int b = s.load(1); return a * 31 + b;");
    }

    private void refused() {
        refused(
                "row-of-argument-from-unknown-code",
                Rule.R43,
                "lib.accept(n); int a = s.pure(fun.applyAsInt(n)); return a + \" \" + seen;");
        refused(
                "row-of-reads-behind-unknown-code",
                Rule.R61,
                "int a = s.load(n); lib.accept(a); int b = s.load(n + 1); return a * 31 + b + \" \" + seen;");
        refused("row-of-read-behind-write", Rule.R60, "int a = s.store(1, n); int b = s.peek(1); return a * 31 + b;");
        String step = "t = t * 3 + s.pure(n + %d); lib.accept(t); ";
        StringBuilder many = new StringBuilder("int t = 0; ");
        for (int i = 0; i < 150; i++) {
            many.append(String.format(step, i));
        }
        conformance.addBody("row-of-many", LIB + many + "return t + \" \" + seen;");
        test("row-of-many", () -> {
            conformance.overlaps("row-of-many");
            assertThat(conformance.verdicts("row-of-many"))
                    .extracting(Verdict::outcome)
                    .contains(Verdict.Outcome.PREFETCHED, Verdict.Outcome.SEQUENTIAL);
        });
        refused("row-of-result-at-once", Rule.R30, "int a = s.pure(n); int b = s.pure(a + 1); return a * 31 + b;");
    }
}
