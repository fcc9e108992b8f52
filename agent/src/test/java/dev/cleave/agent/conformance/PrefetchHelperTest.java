package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.rule.Rule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Calls that only read in helpers that cannot be split (R63): their callers prefetch, they claim. */
@Tag("one-jdk")
class PrefetchHelperTest extends ProgramTests {

    private static final String LIB = "static StringBuilder seen = new StringBuilder();\n"
            + "static java.util.function.Consumer<Object> lib = x -> seen.append(x).append(' ');\n";
    private static final String RUN =
            LIB + "public static Object run(Svc s, Svc z, int n) throws Exception {\nseen.setLength(0); ";
    private static final String SUM =
            RUN + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(s, i); return t + \" \" + seen; }\n";
    private static final String SCORE = "private static int score(Svc s, int x) ";
    private static final String OBJECT =
            "Svc s; int f = 3; int[] keys = {4, 5, 6}; StringBuilder log = new StringBuilder();\n"
                    + "java.util.function.Consumer<Object> lib = x -> log.append(x).append(' ');\n"
                    + "public static Object run(Svc s, Svc z, int n) throws Exception { @@ o = new @@(); o.s = s; o.f = n; Object r;\n"
                    + "try { r = o.go(n); } catch (RuntimeException e) { r = \"caught \" + e; } return r + \" \" + o.log + o.f; }\n"
                    + "Object go(int n) throws Exception { int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; }\n";

    @Override
    void add(String name, String members) {
        conformance.add(name, members.replace("@@", Conformance.className(name)));
    }

    private void prefetched(String name, String members) {
        overlaps(name, members);
        test(name + ": verdict", () -> assertThat(conformance.verdicts(name))
                .as(name)
                .anyMatch(verdict -> verdict.isHelpers() && verdict.outcome() == Verdict.Outcome.PREFETCHED)
                .anyMatch(verdict -> !verdict.isHelpers() && verdict.outcome() == Verdict.Outcome.PREFETCHED));
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        around();
        several();
        nested();
        roundTrips();
        both();
        exceptions();
        changes();
        otherClients();
        refused();
        return tests();
    }

    private void around() {
        prefetched("unknown-before", SUM + SCORE + "{ lib.accept(x); return s.pure(x); }");
        prefetched("unknown-behind", SUM + SCORE + "{ int v = s.pure(x * 2); lib.accept(v); return v + 1; }");
        prefetched(
                "handler",
                SUM + SCORE
                        + "{ try { return s.pure(x); } catch (RuntimeException e) { lib.accept(\"x\"); return -1; } }");
        prefetched(
                "finally-around",
                OBJECT + "private int score(int x) { try { return s.pure(x); } finally { f++; lib.accept(f); } }");
        prefetched("monitor", OBJECT + "private int score(int x) { synchronized (this) { return s.pure(x + 1); } }");
        prefetched(
                "lock",
                "static java.util.concurrent.locks.ReentrantLock l = new java.util.concurrent.locks.ReentrantLock();\n"
                        + SUM + SCORE + "{ l.lock(); try { return s.pure(x); } finally { l.unlock(); } }");
        prefetched("clock", SUM + SCORE + "{ int v = s.pure(x); return System.nanoTime() == 0 ? 1 : v; }");
        prefetched("sync-call", SUM + SCORE + "{ int v = s.pure(x); return v + s.sync(x); }");
        prefetched(
                "guessed-guard",
                SUM + SCORE + "{ if (seen.length() % 7 == 3) return x; int v = s.pure(x); lib.accept(v); return v; }");
        prefetched(
                "decided-guard",
                SUM + SCORE
                        + "{ if (x % 3 == 1) { lib.accept(x); return -x; } int v = s.pure(x); lib.accept(v); return v; }");
        prefetched(
                "two-ways",
                SUM + SCORE
                        + "{ int v; if (x % 2 == 0) v = s.pure(x); else v = s.quote(\"q\" + x).length(); lib.accept(v); return v; }");
        prefetched(
                "void-helper",
                RUN + "for (int i = 0; i < n; i++) show(s, \"k\" + i); return seen.toString(); }\n"
                        + "static void show(Svc s, String k) { lib.accept(s.quote(k.trim())); }");
        prefetched(
                "wide-arguments",
                RUN
                        + "double t = 0; for (int i = 0; i < n; i++) t = t * 1.1 + score(s, i / 3.0, i * 5L); return t + \" \" + seen; }\n"
                        + "private static double score(Svc s, double d, long k) { lib.accept(k); return s.pureDouble(d + k) / 2.0; }");
        prefetched(
                "fields",
                OBJECT + "private int score(int x) { int v = s.pure(keys[x % 3] + f); lib.accept(v); return v; }");
        prefetched(
                "array-made-inside",
                SUM + SCORE
                        + "{ int[] g = new int[2]; g[0] = x; g[1] = 7; int v = s.pureSum(g); lib.accept(v); return v; }");
        prefetched(
                "loop-in-argument",
                SUM + SCORE
                        + "{ int k = 0; for (int j = 0; j < x % 5; j++) k += j; int v = s.pure(k + x); lib.accept(v); return v; }");
        prefetched(
                "unknown-in-the-caller",
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) { int v = score(s, i); lib.accept(v); if (v > 90) break; t += v; } return t + \" \" + seen; }\n"
                        + SCORE + "{ return s.pure(x) + 1; }");
        prefetched(
                "depends-on-the-result-elsewhere",
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + score(s, i); if (t % 5 == 4) continue; t += score(z, i); } return t; }\n"
                        + SCORE + "{ lib.accept(x); return s.pure(x); }");
    }

    private void several() {
        prefetched(
                "stretch-of-the-helper",
                RUN
                        + "int t = score(s, -1); for (int i = 0; i < n; i++) { t = t * 3 + score(s, i); lib.accept(t); } return t + score(s, 3) + \" \" + seen; }\n"
                        + SCORE + "{ lib.accept(x); int v = s.pure(x); lib.accept(v); return v + s.pure(x + 1); }");
        prefetched("two-calls", SUM + SCORE + "{ int v = s.pure(x) + s.pure(x + 1); lib.accept(v); return v; }");
        overlaps(
                "pair-of-a-group",
                RUN + "int t = score(s, -1); for (int i = 0; i < n; i++) t = t * 3 + score(s, i); return t; }\n" + SCORE
                        + "{ return s.pure(x) + s.quote(\"q\" + x).length(); }");
        prefetched(
                "second-by-the-first",
                SUM + SCORE + "{ int v = s.pure(x); if (v % 3 != 0) v += s.pure(x + 100); lib.accept(v); return v; }");
        prefetched(
                "second-from-the-first",
                SUM + SCORE + "{ int v = s.pure(x); v += s.pure(v); lib.accept(v); return v; }");
        prefetched(
                "two-places",
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + score(s, i); if (i % 3 == 0) lib.accept(t); t += score(s, i + 50); } return t + \" \" + seen; }\n"
                        + SCORE + "{ int v = s.pure(x); lib.accept(v); return v; }");
        prefetched(
                "helper-and-call",
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + score(s, i); t += s.pure(t % 2 == 0 ? i : i); t += s.pure(i + 7); } return t + \" \" + seen; }\n"
                        + SCORE + "{ int v = s.pure(x) - s.pure(x + 3); lib.accept(v); return v; }");
        prefetched(
                "two-helpers",
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + score(s, i); t += other(z, i); } return t + \" \" + seen; }\n"
                        + SCORE
                        + "{ int v = s.pure(x) - s.pure(x + 3); lib.accept(v); return v; }\nstatic int other(Svc s, int x) { int v = s.quote(\"k\" + x).length(); lib.accept(v); return v; }");
        prefetched(
                "loop-inside-too",
                SUM + SCORE
                        + "{ int v = s.pure(x); for (int j = 0; j < 3; j++) { v += s.pure(x * j); lib.accept(v); } return v; }");
    }

    private void nested() {
        prefetched(
                "nested-prefetched",
                SUM + SCORE
                        + "{ lib.accept(x); return inner(s, x + 1) * 2; }\nprivate static int inner(Svc s, int x) { int v = s.pure(x * 2) + 1; lib.accept(v); return v; }");
        prefetched(
                "nested-several",
                SUM + SCORE
                        + "{ int v = s.pure(x) + inner(s, x + 1) * 2 + inner(s, x + 2) + s.pure(x + 4); return v; }\nprivate static int inner(Svc s, int x) { int v = s.pure(x * 2) - s.pure(x * 3); lib.accept(v); return v; }");
        prefetched(
                "nested-prefetched-four",
                SUM + SCORE
                        + "{ return b(s, x + 1) * 2; }\nprivate static int b(Svc s, int x) { lib.accept(x); return c(s, x) + 1; }\n"
                        + "private static int c(Svc s, int x) { return d(s, x - 1); }\nprivate static int d(Svc s, int x) { lib.accept(x); return s.pure(x) / 2; }");
    }

    /** With one round trip for each call, a run as written takes as many as there are calls. */
    private void roundTrips() {
        takes(
                "takes-few-behind-a-lock",
                16,
                OBJECT + "private int score(int x) { synchronized (this) { return s.pure(x + 1); } }");
        takes(
                "takes-few-for-three",
                32,
                SUM + SCORE
                        + "{ int v = s.pure(x) + s.pure(x + 500); lib.accept(v); return v + s.quote(\"q\" + x).length(); }");
        takes(
                "takes-few-nested",
                16,
                SUM + SCORE
                        + "{ lib.accept(x); return inner(s, x + 1) * 2; }\nprivate static int inner(Svc s, int x) { int v = s.pure(x * 2) + 1; lib.accept(v); return v; }");
    }

    private void takes(String name, int atMost, String members) {
        add(name, members);
        test(name, () -> {
            Class<?> rewritten = conformance.programs().rewritten("p." + Conformance.className(name));
            assertThat(TimedService.run(rewritten, 200)).as(name).isLessThanOrEqualTo(atMost);
            conformance.check(name); // afterwards: runs that fail teach it to stop
        });
    }

    private void both() {
        overlaps(
                "split-and-prefetched",
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(s, i); for (int i = 0; i < n; i++) { t = t * 3 + score(s, i); lib.accept(t); } return t + \" \" + seen; }\n"
                        + SCORE + "{ return s.pure(x) * 2; }");
        prefetched(
                "prefetched-and-alone",
                RUN
                        + "int t = score(s, 3) + score(s, 4); for (int i = 0; i < n; i++) { t = t * 3 + score(s, i); lib.accept(t); } Runnable r = () -> lib.accept(score(s, -2)); r.run(); return t + score(s, -3) + \" \" + seen; }\n"
                        + SCORE + "{ int v = s.pure(x); lib.accept(v); return v + s.pure(x + 5); }");
        prefetched(
                "recursive-loops",
                RUN
                        + "return go(s, 2, n) + \" \" + seen; }\nprivate static int go(Svc s, int depth, int n) { int t = 0; for (int i = 0; i < n / 5; i++) { t = t * 3 + score(s, i); if (depth > 0 && i % 3 == 0) t += go(s, depth - 1, n); } return t; }\n"
                        + SCORE + "{ int v = s.pure(x) + 1; lib.accept(v); return v; }");
        prefetched(
                "awaits-that-move",
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + score(s, i); lib.accept(t); } return t + \" \" + seen; }\n"
                        + SCORE
                        + "{ int v = s.pure(x); int k = 0; for (int j = 0; j < 200; j++) k = k * 31 + j; int w = s.pure(x + k % 7); return v + k + w; }");
    }

    private void exceptions() {
        prefetched(
                "throws-before-prefetched",
                SUM + SCORE + "{ int k = 100 / (x - 4); lib.accept(k); return s.pure(k); }");
        prefetched(
                "throws-behind-prefetched",
                SUM + SCORE + "{ int v = s.pure(x); lib.accept(v); return 100 / (x - 4) + v; }");
        prefetched(
                "caller-catches",
                RUN
                        + "int k = 0; for (int i = 0; i < n; i++) try { k = k * 3 + score(s, i); } catch (RuntimeException e) { k += 5; lib.accept(\"x\"); } return \"caught\" + k + seen; }\n"
                        + SCORE + "{ lib.accept(x); return s.pure(x) + 100 / (x % 7 - 2); }");
        same(
                "null-object-prefetched",
                LIB
                        + "public static Object run(Svc s, Svc z, int n) throws Exception { seen.setLength(0); @@ o = n > 1 ? null : new @@(); int k = 0; try { for (int i = 0; i < n; i++) k += o.score(s, i); } catch (NullPointerException e) { return \"caught\" + k; } return k + (n == 2 ? 0 : new @@().score(s, 1)); }\n"
                        + "private int score(Svc s, int x) { lib.accept(x); return s.pure(x); }");
        same(
                "null-service-prefetched",
                RUN
                        + "Svc u = n > 2 ? null : s; int k = 0; for (int i = 0; i < n; i++) k += score(u, i); return k + \" \" + seen; }\n"
                        + SCORE + "{ lib.accept(x); return s.pure(x); }");
        same(
                "mock-prefetched",
                RUN
                        + "Svc u = new LocalSvc() { int c; public int pure(int x) { lib.accept(\"mock\"); c++; return c * x; } }; int k = 0; for (int i = 0; i < n; i++) k = k * 3 + score(i % 4 == 3 ? u : s, i); return k + \" \" + seen; }\n"
                        + SCORE + "{ lib.accept(x); return s.pure(x); }");
        same(
                "stack-full-prefetched",
                RUN
                        + "int t = 0; for (int i = 0; i < 9; i++) { t += deep(0) > 100 ? 1 : 0; t = t * 3 + score(s, i); } return t + \" \" + seen; }\n"
                        + "private static int deep(int d) { try { return deep(d + 1); } catch (StackOverflowError e) { return d; } }\n"
                        + SCORE + "{ lib.accept(x); return s.pure(x); }");
    }

    private void changes() {
        same(
                "writes-what-it-reads",
                OBJECT + "private int score(int x) { int v = s.pure(x + f); f = v % 5; lib.accept(v); return v; }");
        same("counts-prefetched", OBJECT + "private int score(int x) { lib.accept(x); return s.pure(f++); }");
        same(
                "caller-changes-the-argument-prefetched",
                RUN
                        + "int t = 0; int[] g = {1, 2}; for (int i = 0; i < n; i++) { t = t * 3 + score(s, g); g[0] = t % 3; } return t; }\n"
                        + "private static int score(Svc s, int[] g) { lib.accept(1); return s.pureSum(g); }");
        same(
                "store-inside",
                SUM + SCORE + "{ int v = s.load(x % 4); if (x % 3 == 1) s.store(x % 4 + 1 & 3, v + x); return v; }");
        same(
                "store-in-the-caller",
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + score(s, i); if (i % 3 == 1) z.store(i % 4 + 1 & 3, t); } return t; }\n"
                        + SCORE + "{ int v = s.peek(x % 4); lib.accept(v); return v; }");
        same(
                "store-in-unknown-code-inside",
                SUM + SCORE
                        + "{ java.util.function.IntConsumer w = i -> s.store(i % 4, i); int v = s.peek(x % 4); if (x % 3 == 1) w.accept(x + 1); return v; }");
        same(
                "unknown-now-and-then-inside",
                SUM + SCORE + "{ int v = s.load(x % 4); if (x % 3 == 1) lib.accept(v); return v; }");
        prefetched(
                "read-only-without-unknown-code",
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) { int v = score(s, i); if (v > 30) break; t = t * 3 + v; } return t; }\n"
                        + SCORE + "{ return s.load(x) + 1; }");
        prefetched("read-only-with-age-inside", SUM + SCORE + "{ int v = s.peek(x); lib.accept(v); return v; }");
        prefetched(
                "different-helper-now-and-then",
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) { if (i % 5 == 4) lib.accept(score(s, -i)); t = t * 3 + score(s, i); } return t + \" \" + seen; }\n"
                        + SCORE + "{ int v = s.pure(x); lib.accept(v); return v; }");
    }

    private void otherClients() {
        same(
                "other-client-writes-inside",
                RUN
                        + "java.util.function.IntConsumer w = Probe.otherClient; int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(s, i, w); return t; }\n"
                        + "private static int score(Svc s, int x, java.util.function.IntConsumer w) { int v = s.load(x % 4); if (x % 3 == 1) w.accept(x + 1 & 3); return v; }");
    }

    private void refused() {
        prefetched("virtual-prefetched", OBJECT + "int score(int x) { lib.accept(x); return s.pure(x); }");
        prefetched(
                "virtual-of-one-class-among-others",
                OBJECT.replace("score(i); return t", "all[i % 5].score(i) + score(i + 1); return t")
                                .replace(
                                        "Object go(int n) throws Exception { int t = 0;",
                                        "Object go(int n) throws Exception { int t = 0; @@[] all = {this, this, this, this, new Sub()}; all[4].s = s; all[4].log = log;")
                        + "int score(int x) { lib.accept(x); return s.pure(x); }\n"
                        + "static class Sub extends @@ { int score(int x) { f = f * 3 + x; log.append(f); return super.score(x) + s.pure(x); } }");
        same(
                "virtual-overridden-prefetched",
                OBJECT.replace("@@ o = new @@();", "@@ o = new Sub();")
                        + "int score(int x) { lib.accept(x); return s.pure(x); }\n"
                        + "static class Sub extends @@ { int score(int x) { s.store(x % 4, x); return super.score(x) + s.load(x % 4); } }");
        same(
                "virtual-that-writes-now-and-then",
                OBJECT.replace("score(i); return t", "all[i % 3].score(i); return t")
                                .replace(
                                        "Object go(int n) throws Exception { int t = 0;",
                                        "Object go(int n) throws Exception { int t = 0; @@[] all = {this, this, new Sub()}; all[2].s = s; all[2].log = log;")
                        + "int score(int x) { return s.load(x % 4); }\n"
                        + "static class Sub extends @@ { int score(int x) { s.store(x + 1 & 3, x); log.append(x); return super.score(x); } }");
        sequential(
                "synchronized-prefetched",
                Rule.R63,
                OBJECT + "private synchronized int score(int x) { int v = s.pure(x); lib.accept(v); return v; }");
        sequential(
                "argument-from-unknown-code-inside",
                Rule.R43,
                SUM + SCORE
                        + "{ java.util.function.IntUnaryOperator g = k -> k * 2; return s.pure(g.applyAsInt(x)); }");
        sequential(
                "argument-from-a-result-inside",
                Rule.R30,
                RUN + "int t = 1; for (int i = 0; i < n; i++) t = score(s, t % 7); return t + \" \" + seen; }\n" + SCORE
                        + "{ int v = s.pure(x); lib.accept(v); return v; }");
        sequential(
                "recursive-prefetched",
                Rule.R63,
                SUM + SCORE + "{ if (x > 5) return score(s, x - 5); int v = s.pure(x); lib.accept(v); return v; }");
        sequential(
                "nested-prefetched-five",
                Rule.R63,
                SUM + SCORE
                        + "{ return b(s, x + 1) * 2; }\nprivate static int b(Svc s, int x) { lib.accept(x); return c(s, x) + 1; }\n"
                        + "private static int c(Svc s, int x) { return d(s, x - 1); }\nprivate static int d(Svc s, int x) { return e(s, x) / 2; }\nprivate static int e(Svc s, int x) { return s.pure(x); }");
        sequential(
                "plain-read-only-after-unknown-inside",
                Rule.R61,
                SUM + SCORE + "{ lib.accept(x); int v = s.load(x); return v; }");
        sequential(
                "collection-under-lock-inside",
                Rule.R56,
                OBJECT.replace("int f = 3;", "int f = 3; List<Integer> list = new ArrayList<>(List.of(1, 2, 3));")
                        + "private int score(int x) { synchronized (this) { int v = s.pure(list.get(x % 3)); lib.accept(v); return v; } }");
        sequential(
                "argument-of-any-size-inside",
                Rule.R67,
                SUM + SCORE + "{ lib.accept(x); return s.quote(\"ab\".repeat(x)).length(); }");
        sequential(
                "iterator-prefetched",
                Rule.R34,
                RUN
                        + "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i); int t = 0; Iterator<Integer> it = xs.iterator(); for (int i = 0; i < n; i++) t = t * 3 + score(s, it); return t; }\n"
                        + "private static int score(Svc s, Iterator<Integer> it) { lib.accept(1); return s.pure(it.next()); }");
    }
}
