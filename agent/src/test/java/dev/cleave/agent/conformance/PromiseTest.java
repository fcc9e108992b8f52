package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.rule.Rule;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Calls that need the result of an earlier one of the same stub (R50): sent with it, and never executed if it fails. */
@Tag("one-jdk")
class PromiseTest extends ProgramTests {

    /** Sent together; so many calls are given results. */
    private void promised(String name, int calls, String body) {
        add(name, body);
        test(name, () -> {
            conformance.overlaps(name);
            assertThat(conformance.verdicts(name).stream().filter(v -> v.outcome() == Verdict.Outcome.PROMISED))
                    .as(conformance.verdicts(name).toString())
                    .hasSize(calls);
        });
    }

    /** As {@link #promised}, and all calls are one chain: the server executes exactly what it does of the program as written. */
    private void exactly(String name, int calls, String body) {
        promised(name, calls, body);
        test(name + "-executes-the-same", () -> conformance.executesTheSame(name));
    }

    /** As {@link #exactly}, and results stay at their servers; so many in one run, if no result is dropped there. */
    private void stays(String name, int calls, int results, String body) {
        exactly(name, calls, body);
        test(name + "-stays", () -> assertThat(mostStaying(name)).isEqualTo(results));
    }

    /** As {@link #promised}, and each result comes to the program. */
    private void comes(String name, int calls, String body) {
        promised(name, calls, body);
        test(name + "-comes", () -> assertThat(mostStaying(name)).isZero());
    }

    private int mostStaying(String name) {
        return IntStream.rangeClosed(1, 24)
                .map(seed -> conformance.staying(name, seed, 3))
                .max()
                .orElseThrow();
    }

    /** No call is given a result, with this rule as a reason. */
    private void refused(String name, Rule rule, String body) {
        add(name, body);
        test(name, () -> {
            conformance.check(name);
            assertThat(conformance.verdicts(name)).noneMatch(v -> v.outcome() == Verdict.Outcome.PROMISED);
            refusedBy(name, rule);
        });
    }

    @TestFactory
    Stream<DynamicTest> patterns() {
        values();
        surroundings();
        converted();
        severalStubs();
        chained();
        staying();
        loops();
        refusedLoops();
        receivers();
        refusals();
        return tests();
    }

    private void values() {
        exactly("promise-nested", 1, "return s.g(s.f(n));");
        exactly("promise-local", 1, "int a = s.f(n); int b = s.g(a); return a * 100 + b;");
        exactly("promise-five", 4, "return s.f(s.g(s.f(s.w(s.f(n)))));");
        promised("promise-two-results", 1, "return s.both(s.f(n), s.s(\"a\" + n), s.lf(n), s.df(n));");
        exactly("promise-one-result-twice", 1, "long a = s.lf(n); return s.both(n, \"b\", a, 0.5) + a;");
        exactly("promise-string", 2, "return s.s(s.s(s.s(\"x\" + n)));");
        exactly("promise-array", 1, "return s.sumOf(s.row(n));");
        exactly("promise-array-in-local", 1, "int[] r = s.row(n); int t = s.sumOf(r); return t;");
        promised("promise-floating", 2, "return s.ff(s.ff(n)) + s.df(s.df(n));");
        exactly("promise-void-end", 1, "s.put(s.f(n)); return n;");
        exactly(
                "promise-diamond",
                3,
                "int a = s.f(n); int b = s.g(a); int c = s.w(a); return s.both(b, \"\", 1, 2) + c;");
        promised("promise-read", 1, "return s.pure(s.read(n));");
        exactly("promise-mixed-words", 2, "return s.f(s.pure(s.g(n)));");
    }

    private void surroundings() {
        exactly("promise-used-between", 1, "int a = s.f(n); int q = a * 3 + n; int b = s.g(a); return q + b;");
        promised("promise-throws-between", 1, "int a = s.f(n); int q = 100 / (a - 4); int b = s.g(a); return q + b;");
        promised(
                "promise-own-list-between",
                1,
                "List<Object> r = new ArrayList<>(); int a = s.f(n); r.add(a); r.add(s.g(a)); return r;");
        exactly("promise-prints-between", 1, "int a = s.f(n); System.out.print(\"\"); int b = s.g(a); return a + b;");
        exactly("promise-conditional", 1, "int a = s.f(n); int b = 0; if (n > 1) b = s.g(a); return a + b;");
        exactly(
                "promise-either-way",
                2,
                "int a = s.f(n); int b; if (n > 1) b = s.g(a); else b = s.w(a); return a + b;");
        promised(
                "promise-independent-beside",
                1,
                "int a = s.f(n); int b = s.g(a); int c = s.w(n); return a + b * 10 + c * 100;");
        promised(
                "promise-two-chains",
                2,
                "int a = s.f(1); int b = s.f(n); int c = s.g(a); int d = s.g(b); return c * 1000 + d;");
        exactly(
                "promise-caught",
                1,
                "int a = 0; int b = 0; try { a = s.f(n); b = s.g(a); } catch (RuntimeException e) { return \"caught \" + a + e.getMessage(); } return a + b;");
        exactly(
                "promise-finally",
                1,
                "int[] seen = {0}; try { int a = s.f(n); seen[0] = a; return s.g(a) + \"\"; } finally { s.sync(seen[0]); }");
        exactly(
                "promise-checked",
                1,
                "try { s.checked(s.f(n)); } catch (Svc.Failure e) { return \"caught\" + e.getMessage(); } return n;");
        exactly("promise-then-sync", 1, "int b = s.g(s.f(n)); return s.sync(b);");
        promised(
                "promise-in-loop",
                1,
                "int t = 0; for (int i = 0; i < n; i++) { s.sync(i); t += s.g(s.f(i)); } return t;");
        same(
                "promise-after-failure",
                "int a; try { a = s.f(n); } catch (RuntimeException e) { a = -7; } return s.g(a) + \"caught\";");
        same(
                "promise-in-try-of-its-own",
                "int a = s.f(n); try { return s.g(a); } catch (RuntimeException e) { return \"caught\" + a; }");
        same(
                "promise-list-changed-between",
                "List<String> l = new ArrayList<>(s.names(n)); l.add(\"x\"); return s.count(l);");
        same("promise-result-changed", "int[] r = s.row(n); r[0] = 77; return s.sumOf(r) + r[0];");
    }

    /** The result is another form of itself on its way, or an object. */
    private void converted() {
        exactly("promise-widened", 1, "return s.lf(s.f(n));");
        exactly("promise-widened-to-double", 2, "return s.df(s.lf(s.f(n)));");
        exactly("promise-widened-to-float", 1, "return s.ff(s.lf(n));");
        exactly("promise-widened-in-local", 1, "int a = s.f(n); long b = a; long c = s.lf(b); return a + b + c;");
        exactly("promise-boxed", 1, "Integer x = n; return s.boxed(s.boxed(x));");
        exactly("promise-boxed-five", 4, "Integer x = n; return s.boxed(s.boxed(s.boxed(s.boxed(s.boxed(x)))));");
        exactly("promise-box-of-primitive", 1, "return s.boxed(s.f(n));");
        exactly("promise-primitive-of-box", 2, "return s.f(s.boxed(s.f(n)));");
        exactly("promise-wider-than-its-box", 1, "Integer x = n; return s.lf(s.boxed(x));");
        exactly(
                "promise-null-to-unbox",
                1,
                "try { return s.g(s.maybe(n)); } catch (NullPointerException e) { return \"caught null\"; }");
        exactly(
                "promise-null-in-local",
                1,
                "Integer a = -9; try { a = s.maybe(n); int b = a; return s.g(b); } catch (NullPointerException e) { return \"caught\" + a; }");
        promised("promise-unboxed", 1, "return s.g((Integer) s.get(2 * n + 1));");
        promised(
                "promise-unboxed-of-another-class",
                1,
                "try { return s.g((Integer) s.get(n)); } catch (ClassCastException e) { return \"caught cast\"; }");
        promised("promise-cast", 1, "return s.s((String) s.get(2 * n));");
        exactly("promise-list", 1, "return s.count(s.names(n));");
        exactly("promise-list-four", 3, "return s.count(s.more(s.more(s.names(n))));");
        exactly("promise-list-in-local", 2, "List<String> l = s.more(s.names(n)); return s.count(l);");
        exactly(
                "promise-list-to-two",
                2,
                "List<String> l = s.names(n); int a = s.count(l); int b = s.count(l); return a * 10 + b;");
        refused(
                "promise-list-changed-behind",
                Rule.R50,
                "List<String> l = s.names(n); int t = s.count(l); l.add(\"x\"); return t + l.size();");
        refused("promise-narrowed", Rule.R8, "return s.f((int) s.lf(n));");
        refused(
                "promise-boxed-wide",
                Rule.R50,
                "Object o = (long) s.f(n); return s.s(String.valueOf(s.lf((Long) o)));");
        exactly(
                "promise-loop-widened",
                1,
                "long t = 0; for (int i = 0; i < n; i++) { s.sync(i); t += s.lf(s.f(i)); } return t;");
        exactly(
                "promise-loop-list-step",
                1,
                "List<String> l = s.names(n); for (int i = 0; i < n && i < 5; i++) l = s.more(l); return s.count(l);");
        exactly("promise-loop-boxed-step", 1, "Integer x = n; for (int i = 0; i < n; i++) x = s.boxed(x); return x;");
    }

    /** What the program only passes on need not come to it. */
    private void staying() {
        stays("stay-array", 1, 1, "return s.sumOf(s.row(n));");
        stays("stay-array-in-local", 1, 1, "int[] r = s.row(n); int q = n * 3; int t = s.sumOf(r); return t + q;");
        stays("stay-text", 2, 2, "return s.s(s.s(s.s(\"x\" + n)));");
        stays("stay-to-two", 2, 1, "int[] r = s.row(n); int a = s.sumOf(r); int b = s.sumOf(r); return a * 7 + b;");
        stays("stay-to-another-stub", 1, 1, "return z.sumOf(s.row(n));");
        stays(
                "stay-caught",
                1,
                1,
                "try { int[] r = s.row(n); return s.sumOf(r); } catch (RuntimeException e) { return \"caught \" + e.getMessage(); }");
        stays(
                "stay-in-loop",
                1,
                3,
                "int t = 0; for (int i = 0; i < n; i++) { s.sync(i); t += s.sumOf(s.row(i)); } return t;");
        stays("stay-prints-between", 1, 1, "int[] r = s.row(n); System.out.print(\"\"); return s.sumOf(r);");
        stays("stay-to-a-reading-call", 2, 1, "int[] r = s.row(n); int t = s.sumOf(r); return t + s.pureSum(r);");
        comes("come-text-used", 1, "String a = s.s(\"x\" + n); String b = s.s(a); return a + b;");
        comes("come-text-returned", 1, "String a = s.s(\"x\" + n); s.s(a); return a;");
        comes("come-text-to-own-code", 1, "String a = s.s(\"x\" + n); return s.s(a) + a.length();");
        comes("come-text-or-null", 1, "String a = s.s(\"x\" + n); String b = s.s(a); return a == null ? \"none\" : b;");
        comes("come-conditional", 1, "int[] r = s.row(n); int t = 0; if (n > 2) t = s.sumOf(r); return t;");
        comes("come-list", 1, "return s.count(s.names(n));");
        comes("come-cast", 1, "return s.s((String) s.get(2 * n));");
        comes("come-boxed", 1, "Integer x = n; return s.boxed(s.boxed(x));");
        comes(
                "come-array-used-behind-a-barrier",
                1,
                "int[] r = s.row(n); int t = s.sumOf(r); s.sync(1); return t + s.sumOf(r);");
    }

    /** The two calls go to several stubs, which may lead to several servers. */
    private void severalStubs() {
        exactly("promise-two-stubs", 1, "return z.g(s.f(n));");
        exactly("promise-there-and-back", 3, "return s.g(z.f(s.g(z.f(n))));");
        exactly("promise-fan-out", 2, "int a = s.f(n); int b = z.f(a); int c = s.g(a); return b * 100 + c;");
        exactly("promise-fan-in", 1, "return z.both(s.f(n), \"a\", z.lf(n), 0.5);");
        exactly("promise-list-of-another", 2, "return s.count(z.more(s.names(n)));");
        exactly("promise-chained-two-stubs", 1, "z.linkPut(s.linkNum(n)); return n;");
        exactly(
                "promise-chained-there-and-back",
                4,
                "int a = s.linkNum(n); s.linkPut(1); int b = z.linkNum(s.linkNum(a)); int c = s.linkNum(b); s.linkPut(c); return c;");
        exactly(
                "promise-chained-back-too-soon",
                2,
                "int b = z.linkNum(s.linkNum(n)); z.linkPut(2); return s.linkNum(b);");
        exactly("promise-chained-not-the-last", 1, "int a = s.linkNum(n); s.linkPut(1); z.linkPut(a); return n;");
        exactly("promise-chained-none-given", 0, "s.linkPut(n); z.linkPut(n); return n;");
        exactly(
                "promise-chained-loop-two-stubs",
                1,
                "for (int i = 0; i < n; i++) { z.linkPut(s.linkNum(i)); } return n;");
        same("promise-one-of-two-is-local", "Svc l = new LocalSvc(); return l.g(s.f(n)) + s.g(l.f(n));");
        same(
                "promise-loop-two-stubs",
                "int x = 1; for (int i = 0; i < n; i++) { int y = s.f(x); x = z.g(y); } return x;");
    }

    private void chained() {
        exactly("promise-chained", 1, "s.linkPut(s.linkNum(n)); return n;");
        exactly(
                "promise-chained-row",
                3,
                "int a = s.linkNum(n); s.linkPut(1); int b = s.linkNum(a); s.linkPut(b); return s.linkNum(b);");
        exactly("promise-chained-text", 2, "return s.linkText(s.linkText(s.linkText(\"k\" + n)));");
        exactly(
                "promise-chained-caught",
                1,
                "int a = -1; try { a = s.linkNum(n); s.linkChecked(a); s.linkPut(3); } catch (Svc.Failure e) { return \"caught\" + a; } return a;");
        refused("promise-chained-box", Rule.R50, "Integer a = s.linkBox(n); s.linkPut(1); return s.linkBoxed(a);");
        refused(
                "promise-chained-throws-between",
                Rule.R49,
                "int a = s.linkNum(n); int q = 10 / (a - 3); s.linkPut(a); return q;");
        refused(
                "promise-chained-prints-between",
                Rule.R49,
                "int a = s.linkNum(n); System.out.print(\"\"); s.linkPut(a); return a;");
    }

    private void loops() {
        exactly("promise-loop-chained", 1, "for (int i = 0; i < n; i++) s.linkPut(s.linkNum(i)); return n;");
        exactly(
                "promise-loop-chained-row",
                2,
                "int t = 0; for (int i = 0; i < n; i++) { int a = s.linkNum(i); int b = s.linkNum(a); s.linkPut(b); t = t * 3 + a; } return t;");
        exactly("promise-loop-step", 1, "int x = n; for (int i = 0; i < n; i++) x = s.f(x); return x;");
        exactly("promise-loop-chained-step", 1, "int x = n; for (int i = 0; i < n; i++) x = s.linkNum(x); return x;");
        exactly(
                "promise-loop-step-and-put",
                2,
                "int x = 1; for (int i = 0; i < n; i++) { x = s.linkNum(x); s.linkPut(x); } return x;");
        exactly(
                "promise-loop-circle",
                2,
                "int x = 1; for (int i = 0; i < n; i++) { int y = s.linkNum(x); x = s.linkNum(y); } return x;");
        exactly(
                "promise-loop-text",
                1,
                "String t = \"a\"; for (int i = 0; i < n && i < 9; i++) t = s.linkText(t); return t;");
        exactly(
                "promise-loop-conditional-step",
                1,
                "int x = 1; for (int i = 0; i < n; i++) if (i % 3 != 1) x = s.linkNum(x); return x;");
        exactly(
                "promise-loop-caught-outside",
                1,
                "int x = 1; int i = 0; try { for (i = 0; i < n; i++) x = s.linkNum(x); } catch (RuntimeException e) { return \"caught\" + x + \",\" + i; } return x;");
        exactly(
                "promise-loop-last-but-one",
                1,
                "int x = 5; int t = 0; for (int i = 0; i < n; i++) { s.linkPut(x); x = s.linkNum(i); } return x;");
        promised(
                "promise-loop-handler-beside",
                1,
                "int x = 1; int bad = 0; for (int i = 0; i < n; i++) { x = s.linkNum(x); try { s.linkPut(i); } catch (RuntimeException e) { bad++; } } return x + \"caught\" + bad;");
        promised(
                "promise-loop-step-and-other",
                1,
                "int x = 1; int t = 0; for (int i = 0; i < n; i++) { x = s.f(x); t += s.g(i); } return x + t;");
        exactly(
                "promise-loop-nest",
                1,
                "int x = 1; for (int i = 0; i < n && i < 4; i++) { for (int j = 0; j < i; j++) x = s.linkNum(x); s.linkPut(i); } return x;");
        same(
                "promise-loop-local",
                "Svc l = new LocalSvc(); int x = 1; for (int i = 0; i < n; i++) x = l.f(x); return x;");
        same(
                "promise-loop-step-of-two",
                "int x = 1; int y = 2; for (int i = 0; i < n; i++) { int q = s.f(x); x = y; y = q; } return x + y;");
        same(
                "promise-loop-kept-older",
                "int x = 1; for (int i = 0; i < n; i++) { int y = s.linkNum(i); if (i % 2 == 1) x = y; s.linkPut(x); } return x;");
    }

    private void refusedLoops() {
        refused(
                "promise-loop-failure-handled",
                Rule.R50,
                "int x = 1; int bad = 0; for (int i = 0; i < n; i++) { try { x = s.linkNum(x); } catch (RuntimeException e) { bad++; } } return x + \"caught\" + bad;");
        refused(
                "promise-loop-computed",
                Rule.R30,
                "int x = 1; for (int i = 0; i < n; i++) x = s.linkNum(x + 1); return x;");
        refused(
                "promise-loop-mixed",
                Rule.R30,
                "int x = 1; for (int i = 0; i < n; i++) { x = s.linkNum(x); if (i == 3) x = 77; } return x;");
        refused(
                "promise-loop-decides",
                Rule.R37,
                "int x = 1; for (int i = 0; i < n && x != 0; i++) x = s.linkNum(x); return x;");
    }

    private void receivers() {
        exactly(
                "promise-field",
                1,
                "PPromiseField p = new PPromiseField(); p.s = s; return p.go(n); }\n Svc s; Object go(int n) { return s.g(s.f(n));");
        exactly(
                "promise-static-field",
                1,
                "held = s; return held.g(held.f(n)); }\n static Svc held; static Object none() { return null;");
        same("promise-local-object", "Svc l = new LocalSvc(); return l.g(l.f(n));");
        same("promise-null-receiver", "Svc l = n > 3 ? null : s; return l.g(l.f(n));");
        same(
                "promise-field-changes",
                "PPromiseFieldChanges p = new PPromiseFieldChanges(); p.s = s; return p.go(z, n); }\n Svc s; Object go(Svc z, int n) { int a = s.f(n); s = z; return s.g(a);");
    }

    private void refusals() {
        refused("promise-computed", Rule.R8, "return s.g(s.f(n) + 1);");
        refused(
                "promise-array-changed",
                Rule.R50,
                "int[] r = s.row(n); int t = s.sumOf(r); r[0] = 5; return t + r[0];");
        refused("promise-array-escapes", Rule.R50, "int[] r = s.row(n); int t = s.sumOf(r); return r;");
        refused("promise-group", Rule.R50, "return s.kept(s.kept(n));");
        refused("promise-over-barrier", Rule.R10, "int a = s.f(n); s.sync(1); return s.g(a);");
        refused("promise-over-lock", Rule.R10, "int a = s.f(n); synchronized (s) { return s.g(a); }");
        refused(
                "promise-two-sources",
                Rule.R30,
                "int x = s.w(n); int a; if (n > 2) a = s.f(1); else a = s.f(2); return s.g(a) + x;");
        refused("promise-to-other-style", Rule.R16, "s.linkPut(s.f(n)); return n;");
        refused("promise-changed-on-the-way", Rule.R8, "int a = s.f(n); if (n > 1) a++; return s.g(a);");
    }
}
