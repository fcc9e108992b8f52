package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Calls in helpers of other classes (R63, R68): asked once they have shown themselves, and what is never sent before. */
@Tag("one-jdk")
class HelperElsewhereTest extends ProgramTests {

    private static final String RUN = "public static Object run(Svc s, Svc z, int n) throws Exception {\n";
    private static final String SUM =
            RUN + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + H.score(s, i); return t; }\n";
    private static final String H = "static class H { static int score(Svc s, int x) ";

    private static final String READS_BEFORE = RUN
            + "keys = new int[] {1, 2, 3}; int t = 0;\n"
            + "for (int i = 0; i < n; i++) { t = t * 3 + s.g(keys[i % 3]); t += H.score(s, i); } return t; }\n"
            + "static int[] keys;\nstatic class H { static { keys[0] = 7; keys[1] = 8; keys[2] = 9; }\n"
            + "static int score(Svc s, int x) { return s.f(x) * 2; } }";

    @Override
    void add(String name, String members) {
        conformance.add(name, members.replace("@@", Conformance.className(name)));
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        split();
        lines();
        prefetched();
        streams();
        objects();
        initialisers();
        refused();
        return tests();
    }

    private void split() {
        overlaps("loop", SUM + H + "{ return s.f(x) * 2; } }");
        overlaps(
                "loop-of-private-member",
                RUN + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + H.score(s, i); return t; }\n"
                        + "static class H { private static int score(Svc s, int x) { return s.f(x) * 2; } }");
        overlaps(
                "loop-and-call",
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + H.score(s, i) + s.g(i); return t; }\n" + H
                        + "{ return s.f(x) * 2; } }");
        overlaps(
                "loop-of-elements",
                RUN + "List<String> q = new ArrayList<>(); for (int i = 0; i < n; i++) q.add(\"q\" + i);\n"
                        + "String t = \"\"; for (String x : q) t += H.score(s, x); return t; }\n"
                        + "static class H { static String score(Svc s, String x) { return s.s(x + \"!\").trim(); } }");
        overlaps(
                "loop-through-own-helper",
                RUN + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + own(s, i); return t; }\n"
                        + "private static int own(Svc s, int x) { return H.score(s, x + 1) - 1; }\n" + H
                        + "{ return s.f(x) * 2; } }");
        overlaps(
                "loop-through-two-classes",
                SUM + H + "{ return G.score(s, x) * 2; } }\n"
                        + "static class G { static int score(Svc s, int x) { return s.f(x + 2) - 1; } }");
        overlaps(
                "loop-and-back",
                SUM + "static int back(Svc s, int x) { return s.f(x) + 5; }\n" + H + "{ return @@.back(s, x) * 2; } }");
        overlaps(
                "loop-of-two-helpers",
                RUN + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + H.score(s, i) * G.score(z, i); return t; }\n"
                        + H + "{ return s.f(x) * 2; } }\n"
                        + "static class G { static int score(Svc s, int x) { return s.g(x) + 1; } }");
        overlaps(
                "loop-conditional",
                RUN + "int t = 0; for (int i = 0; i < n; i++) if (i % 3 != 0) t = t * 3 + H.score(s, i); return t; }\n"
                        + H + "{ return s.f(x) * 2; } }");
        overlaps(
                "loop-late-first",
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) { t += s.g(i); if (i > 2) t = t * 3 + H.score(s, i); } return t; }\n"
                        + H + "{ return s.f(x) * 2; } }");
        overlaps(
                "nest",
                RUN
                        + "int t = 0; for (int i = 0; i < 4; i++) for (int k = 0; k < n; k++) t = t * 3 + H.score(s, i + k); return t; }\n"
                        + H + "{ return s.f(x) * 2; } }");
        overlaps(
                "stages",
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) { t += H.score(s, i); t += s.g(s.f(i) + 1); } return t; }\n"
                        + H + "{ return s.f(x) * 2; } }");
        overlaps("several", SUM + H + "{ return s.f(x) * 2 + s.g(x + 1); } }");
        overlaps(
                "throws-behind",
                RUN
                        + "int t = 0; try { for (int i = 0; i < n; i++) t += H.score(s, i); } catch (IllegalStateException e) { return \"caught \" + t; } return t; }\n"
                        + H + "{ int y = s.f(x); if (x == 3) throw new IllegalStateException(); return y; } }");
        overlaps(
                "local-among-stubs",
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + H.score(i == 4 ? new LocalSvc() : s, i); return t; }\n"
                        + H + "{ return s.f(x) * 2; } }");
    }

    private void lines() {
        overlaps(
                "pair",
                RUN + "int a = 0; for (int i = 0; i < 2; i++) a = once(s, n); return a; }\n"
                        + "private static int once(Svc s, int n) { int a = H.score(s, n); int b = H.score(s, n + 1); return a * 3 + b; }\n"
                        + H + "{ return s.f(x) * 2; } }");
        overlaps(
                "behind-call",
                RUN + "int a = 0; for (int i = 0; i < 2; i++) a = once(s, n); return a; }\n"
                        + "private static int once(Svc s, int n) { int a = s.g(n); int b = H.score(s, n + 1); int c = s.g(n + 2); return a * 3 + b + c; }\n"
                        + H + "{ return s.f(x) * 2; } }");
    }

    private void prefetched() {
        String lib = "static Object last; static void lib(Object o) { last = o; Thread.onSpinWait(); }\n";
        overlaps(
                "prefetched",
                RUN + "int t = 0; for (int i = 0; i < n; i++) { lib(t); t += H.score(s, i); } return t; }\n" + lib + H
                        + "{ @@.lib(x); return s.pure(x) * 2; } }");
        overlaps(
                "prefetched-through-own",
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) { lib(t); t += own(s, i); } return t; }\n"
                        + "private static int own(Svc s, int x) { lib(x); return H.score(s, x + 1); }\n" + lib + H
                        + "{ @@.lib(x); return s.pure(x) * 2; } }");
        overlaps(
                "prefetched-elements",
                RUN
                        + "List<Integer> q = new ArrayList<>(); for (int i = 0; i < n; i++) q.add(i);\n"
                        + "int t = 0; for (int x : q) { lib(t); t += H.score(s, x); } return t; }\n" + lib + H
                        + "{ @@.lib(x); return s.pure(x) * 2; } }");
        overlaps(
                "prefetched-two-classes",
                RUN
                        + "int t = 0; for (int i = 0; i < n; i++) { lib(t); t += H.score(s, i); } return t; }\n" + lib
                        + H
                        + "{ @@.lib(x); return G.score(s, x + 1) * 2; } }\n"
                        + "static class G { static int score(Svc s, int x) { @@.lib(x); return s.pure(x) * 2; } }");
    }

    private void streams() {
        String list = "List<Integer> q = new ArrayList<>(); for (int i = 0; i < n; i++) q.add(i);\n";
        overlaps(
                "stream",
                RUN + list + "return q.stream().map(x -> H.score(s, x)).toList(); }\n" + H
                        + "{ return s.f(x) * 2; } }");
        overlaps(
                "stream-filtered",
                RUN + list
                        + "return q.stream().filter(x -> x % 3 != 0).map(x -> H.score(s, x)).toList(); }\n" + H
                        + "{ return s.f(x) * 2; } }");
        overlaps(
                "stream-two-functions",
                RUN + list
                        + "return q.stream().map(x -> H.score(s, x)).map(y -> s.g(y + 1)).toList(); }\n" + H
                        + "{ return s.f(x) * 2; } }");
        overlaps(
                "stream-prefetched",
                RUN + list
                        + "int[] c = {0}; q.stream().filter(x -> lib(x)).forEach(x -> { c[0] += H.score(s, x); }); return c[0]; }\n"
                        + "static Object last; static boolean lib(int o) { last = o; Thread.onSpinWait(); return o % 5 != 0; }\n"
                        + H
                        + "{ return s.pure(x) * 2; } }");
        references(list);
        same(
                "reference",
                RUN + list + "return q.stream().map(new H(s)::score).toList(); }\n"
                        + "static class H { final Svc s; H(Svc s) { this.s = s; } int score(int x) { return s.f(x) * 2; } }");
    }

    /** Functions of streams that are methods of other classes. */
    private void references(String list) {
        String scores =
                "static final class H { final Svc s; H(Svc s) { this.s = s; } int score(int x) { return s.f(x) * 2; } }";
        overlaps("stream-reference", RUN + list + "return q.stream().map(new H(s)::score).toList(); }\n" + scores);
        overlaps(
                "stream-reference-to-static",
                RUN + list + "svc = s; return q.stream().filter(x -> x % 3 != 1).map(H::score).toList(); }\n"
                        + "static Svc svc; static class H { static int score(int x) { return @@.svc.f(x) * 2; } }");
        overlaps(
                "stream-reference-then-call",
                RUN + list + "H h = new H(s); return q.stream().map(h::score).map(y -> z.g(y + 1)).toList(); }\n"
                        + scores);
        same(
                "stream-two-references",
                RUN + list + "return q.stream().map(new H(s)::score).map(new H(z)::score).toList(); }\n" + scores);
        overlaps(
                "for-each-reference",
                RUN + list + "int[] c = {0}; H h = new H(s, c); q.forEach(h::add); return c[0]; }\n"
                        + "static final class H { final Svc s; final int[] c; H(Svc s, int[] c) { this.s = s; this.c = c; }\n"
                        + "void add(int x) { c[0] += s.f(x) * 2; } }");
        overlaps(
                "stream-reference-prefetched",
                RUN + list + "return q.stream().filter(x -> lib(x)).map(new H(s)::score).toList(); }\n"
                        + "static Object last; static boolean lib(int o) { last = o; Thread.onSpinWait(); return o % 5 != 0; }\n"
                        + "static final class H { final Svc s; H(Svc s) { this.s = s; } int score(int x) { return s.pure(x) * 2; } }");
        sequential(
                "stream-reference-feeds-itself",
                RUN + list + "return q.stream().map(new H(s)::score).toList(); }\n"
                        + "static final class H { final Svc s; int k; H(Svc s) { this.s = s; } int score(int x) { k = k * 3 + x; return s.f(k); } }");
        same(
                "stream-reference-initialiser",
                RUN + list
                        + "keys = new int[] {1, 2, 3}; return q.stream().map(x -> s.g(keys[x % 3])).map(H::score).toList(); }\n"
                        + "static int[] keys; static Svc svc;\n"
                        + "static class H { static { keys[0] = 7; keys[1] = 8; } static int score(int x) { return x * 2; } }");
    }

    private void objects() {
        String loop =
                RUN + "H h = new H(s); int t = 0; for (int i = 0; i < n; i++) t = t * 3 + h.score(i); return t; }\n";
        overlaps(
                "final-class",
                loop
                        + "static final class H { private final Svc s; H(Svc s) { this.s = s; } int score(int x) { return s.f(x) * 2; } }");
        overlaps(
                "final-method",
                loop
                        + "static class H { final Svc s; H(Svc s) { this.s = s; } final int score(int x) { return s.f(x) * 2; } }");
        overlaps(
                "of-exactly-its-class",
                loop
                        + "static class H { final Svc s; H(Svc s) { this.s = s; } int score(int x) { return s.f(x) * 2; } }");
        sequential(
                "overridden",
                RUN + "H h = new G(s); int t = 0; for (int i = 0; i < n; i++) t = t * 3 + h.score(i); return t; }\n"
                        + "static class H { final Svc s; H(Svc s) { this.s = s; } int score(int x) { return s.f(x) * 2; } }\n"
                        + "static class G extends H { G(Svc s) { super(s); } @Override int score(int x) { return super.score(x) + 1; } }");
        overlaps(
                "inherited",
                RUN + "return new G(s).go(n); }\n"
                        + "static class H { final Svc s; H(Svc s) { this.s = s; } final int score(int x) { return s.f(x) * 2; } }\n"
                        + "static class G extends H { G(Svc s) { super(s); } int go(int n) { int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; } }");
        overlaps(
                "inner-class-calls-outer",
                "final Svc s; @@(Svc s) { this.s = s; }\n" + RUN + "return new @@(s).new G().go(n); }\n"
                        + "private int score(int x) { return s.f(x) * 2; }\n"
                        + "class G { int go(int n) { int t = 0; for (int i = 0; i < n; i++) t = t * 3 + score(i); return t; } }");
        same(
                "null-object",
                RUN
                        + "H h = n > 3 ? null : new H(s); int t = 0; for (int i = 0; i < n; i++) t += h.score(i); return t; }\n"
                        + "static final class H { private final Svc s; H(Svc s) { this.s = s; } int score(int x) { return s.f(x) * 2; } }");
    }

    private void initialisers() {
        String log = "static final StringBuilder LOG = new StringBuilder();\n";
        overlaps(
                "initialiser",
                RUN
                        + "LOG.append('['); int t = 0; for (int i = 0; i < n; i++) { LOG.append(i); t = t * 3 + H.score(s, i); } return t; }\n"
                        + log
                        + "static class H { static { LOG.append('!'); } static int score(Svc s, int x) { return s.f(x) * 2; } }");
        overlaps("initialiser-changes-what-is-read", READS_BEFORE);
        same(
                "initialiser-in-a-row",
                RUN
                        + "if (keys == null) keys = new int[] {1, 2, 3}; int a = s.g(1); int b = H.score(s, a); int c = s.g(keys[0]); return a + b * 3 + c * 7; }\n"
                        + "static int[] keys;\nstatic class H { static { keys[0] = 7; } static int score(Svc s, int x) { return s.f(x) * 2; } }");
    }

    /** The first run of a program, in which classes are initialised, has to be right, too. */
    @Test
    void firstRunsAreAsWritten() {
        for (int n : new int[] {1, 5}) {
            Conformance fresh = new Conformance();
            fresh.add("fresh-loop", READS_BEFORE);
            fresh.add(
                    "fresh-elements",
                    READS_BEFORE.replace("int i = 0; i < n; i++", "int i : new int[] {0, 1, 2, 3, 4}"));
            for (String name : List.of("p.PFreshLoop", "p.PFreshElements")) {
                Outcome expected = Outcome.of(fresh.programs().written(name), Schedule.ok(3), n);
                Outcome actual = Outcome.of(fresh.programs().rewritten(name), Schedule.ok(3), n);
                assertThat(actual.result()).as(name + n).isEqualTo(expected.result());
                assertThat(actual.log()).as(name + n).containsExactlyInAnyOrderElementsOf(expected.log());
                Outcome second = Outcome.of(fresh.programs().rewritten(name), Schedule.ok(3), 5);
                assertThat(second.maxInFlight()).as(name).isGreaterThan(1);
            }
        }
    }

    private void refused() {
        sequential(
                "synchronized",
                RUN + "int t = 0; for (int i = 0; i < n; i++) t += H.score(s, i); return t; }\n"
                        + "static class H { static synchronized int score(Svc s, int x) { return s.f(x); } }");
        sequential(
                "writes-what-it-reads",
                RUN + "H.k = 0; int t = 0; for (int i = 0; i < n; i++) t = t * 3 + H.score(s, i); return t; }\n"
                        + "static class H { static int k; static int score(Svc s, int x) { k = k * 3 + x; return s.f(k); } }");
        sequential(
                "feeds-itself",
                RUN + "int t = 0; for (int i = 0; i < n; i++) t = H.score(s, t); return t; }\n" + H
                        + "{ return s.f(x) * 2; } }");
    }
}
