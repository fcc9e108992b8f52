package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Nests that handle exceptions of their calls: strands follow the handlers, and passes do not wait for each other (R71). */
@Tag("one-jdk")
class StrandHandlerTest extends StrandPrograms {

    private static final int N = 60;
    private static final int SEEDS = Boolean.getBoolean("cleave.full") ? 6 : 2;

    /** Of ten attempts for an article, as many fail as the article says: none, one, two. */
    private static final Predicate<String> BUSY = call -> {
        if (!call.startsWith("f[") && !call.startsWith("checked[")) {
            return false;
        }
        int x = Integer.parseInt(call.replaceAll("[^0-9]", ""));
        return x % 10 < x / 10 % 3;
    };

    /** Every third call of whatever kind fails. */
    private static final Predicate<String> OFTEN = call -> Math.floorMod(call.hashCode(), 3) == 0;

    private static final Predicate<String> NEVER = call -> false;

    StrandHandlerTest() {
        super(N);
    }

    @Override
    void check(String name) {
        super.check(name);
        exact(name);
    }

    /** Runs it while suppliers are busy. */
    @Override
    int roundTrips(Class<?> rewritten) {
        return TimedService.run(rewritten, N, new Schedule(1, BUSY));
    }

    /** The same under all schedules, however it is placed. */
    private void exactly(String name, String body) {
        add(name, body);
        test(name, () -> check(name));
    }

    /** The same value or exception; and where none leaves the program, the very calls of the program as written. */
    private void exact(String name) {
        String className = "p." + Conformance.className(name);
        Class<?> written = conformance.programs().written(className);
        Class<?> rewritten = conformance.programs().rewritten(className);
        for (Predicate<String> fails : List.of(BUSY, OFTEN, NEVER)) {
            for (int n : new int[] {0, 1, 2, 7, 40}) {
                for (long seed = 1; seed <= SEEDS; seed++) {
                    Schedule schedule = new Schedule(seed, fails);
                    Outcome expected = Outcome.of(written, schedule, n);
                    Outcome actual = Outcome.of(rewritten, schedule, n);
                    String where = name + " n=" + n + " seed=" + seed + " " + conformance.verdicts(name);
                    assertThat(actual.result()).as(where).isEqualTo(expected.result());
                    assertThat(actual.open()).as("open calls: " + where).isZero();
                    assertThat(actual.violation()).as(where).isEmpty();
                    if (!expected.result().startsWith("threw")) {
                        assertThat(sorted(actual.log())).as(where).isEqualTo(sorted(expected.log()));
                    }
                }
            }
        }
    }

    private static List<String> sorted(List<String> log) {
        List<String> calls = new ArrayList<>(log);
        Collections.sort(calls);
        return calls;
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        retries();
        exits();
        traps();
        more();
        collected();
        helpers();
        return tests();
    }

    private void retries() {
        strands(
                "three-attempts",
                12,
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) { for (int i = 0; i < 3; i++) { try { int p = s.f(a * 10 + i); l.append(a).append(' ').append(p); t += p; break; } catch (RuntimeException e) { l.append('!').append(i); } } } return l.append(t).toString();");
        strands(
                "for-ever-with-a-limit",
                12,
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) { int k = 0; while (true) { try { t += s.f(a * 10 + k); break; } catch (RuntimeException e) { if (++k > 3) throw e; l.append('!'); } } } return l.append(t).toString();");
        strands(
                "declared-exception",
                12,
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) { for (int i = 0; i < 3; i++) { try { s.checked(a * 10 + i); t += i; break; } catch (Svc.Failure e) { l.append('!').append(i); } } } return l.append(t).toString();");
        strands(
                "labelled-continue",
                12,
                "StringBuilder l = new StringBuilder(); long t = 0; outer: for (int a = 0; a < n; a++) { for (int i = 0; i < 3; i++) { try { t += s.f(a * 10 + i); continue outer; } catch (RuntimeException e) { l.append('!').append(i); } } l.append('-'); } return l.append(t).toString();");
        strands(
                "result-is-used-behind",
                16,
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) { int p = -1; for (int i = 0; i < 3 && p < 0; i++) { try { p = s.f(a * 10 + i); } catch (RuntimeException e) { l.append('!'); } } if (p % 2 == 0) t += s.g(p); else t -= s.g(a); } return l.append(t).toString();");
        strands(
                "another-service-as-fallback",
                12,
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 2; i++) { int p; try { p = s.f(a * 10 + i); } catch (RuntimeException e) { p = s.g(a); } t = t * 3 + p; } return l.append(t).toString();");
        strands(
                "two-calls-in-a-try",
                16,
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { int p = s.f(a * 10 + i); t += s.g(p); break; } catch (RuntimeException e) { l.append('!'); } return l.append(t).toString();");
        strands(
                "over-a-list",
                12,
                "StringBuilder l = new StringBuilder(); long t = 0; List<Integer> xs = new ArrayList<>(); for (int a = 0; a < n; a++) xs.add(a); for (int a : xs) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); break; } catch (RuntimeException e) { l.append('!'); } return l.append(t).toString();");
        strands(
                "over-an-array",
                12,
                "StringBuilder l = new StringBuilder(); long t = 0; int[] xs = new int[n]; for (int a = 0; a < n; a++) xs[a] = a; for (int a : xs) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); break; } catch (RuntimeException e) { l.append('!'); } return l.append(t).toString();");
        strands(
                "order-of-handlers",
                12,
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { s.checked(a * 10 + i); t += s.f(a * 10 + i); break; } catch (Svc.Failure e) { l.append('?'); } catch (RuntimeException e) { l.append('!'); break; } return l.append(t).toString();");
        strands(
                "carried-by-the-guide",
                12,
                "StringBuilder l = new StringBuilder(); long t = 0; int k = 0; for (int a = 0; a < n; a++) { k = k * 31 + a; for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i) + s.g(k & 15); break; } catch (RuntimeException e) { l.append('!'); } } return l.append(t).toString();");
        strands(
                "with-a-finally",
                12,
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); break; } catch (RuntimeException e) { l.append('!'); } finally { l.append('.'); } return l.append(t).toString();");
        strands(
                "bound-of-attempts-is-a-result",
                16,
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) { int m = s.g(a) % 3 + 3; for (int i = 0; i < m; i++) try { t += s.f(a * 10 + i); break; } catch (RuntimeException e) { l.append('!'); } } return l.append(t).toString();");
        strands(
                "rows-with-retries",
                20,
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int id : s.row(a)) for (int i = 0; i < 3; i++) try { t = t * 3 + s.f(id * 10 + i); break; } catch (RuntimeException e) { l.append('!'); } return l.append(t).toString();");
        strands(
                "exception-is-asked",
                12,
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { s.checked(a * 10 + i); t += s.g(a); break; } catch (Svc.Failure e) { l.append(e.getMessage()); } return l.append(t).toString();");
        strands(
                "do-while-failed",
                12,
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) { int i = 0; boolean ok = false; do { try { t += s.f(a * 10 + i); ok = true; } catch (RuntimeException e) { l.append('!'); } i++; } while (!ok && i < 3); } return l.append(t).toString();");
        strands(
                "a-hundred-attempts",
                12,
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 100; i++) try { t += s.f(a * 10 + i); break; } catch (RuntimeException e) { l.append('!'); } return l.append(t).toString();");
    }

    private void exits() {
        exactly(
                "exception-of-an-open-class-is-asked",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); break; } catch (RuntimeException e) { l.append(e.getMessage()); } return l.append(t).toString();");
        exactly(
                "break-of-the-outer-loop",
                "StringBuilder l = new StringBuilder(); long t = 0; outer: for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); break; } catch (RuntimeException e) { l.append('!'); if (i == 1) break outer; } return l.append(t).toString();");
        exactly(
                "return-from-a-handler",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); break; } catch (RuntimeException e) { l.append('!'); if (i == 1) return l.toString(); } return l.append(t).toString();");
        same(
                "return-in-the-first-handler",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); break; } catch (RuntimeException e) { return l.append(a).toString(); } return l.append(t).toString();");
        exactly(
                "throws-out-of-the-nest",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); break; } catch (RuntimeException e) { l.append('!'); if (i == 1) throw new IllegalStateException(l.toString()); } return l.append(t).toString();");
        exactly(
                "caught-behind-the-nest",
                "StringBuilder l = new StringBuilder(); long t = 0; try { for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); break; } catch (RuntimeException e) { l.append('!'); if (i == 1) throw e; } } catch (RuntimeException e) { l.append(\"caught\").append(e.getMessage()); } return l.append(t).toString();");
    }

    private void traps() {
        exactly(
                "handler-writes-what-decides",
                "StringBuilder l = new StringBuilder(); long t = 0; int[] k = {0}; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i + k[0]); break; } catch (RuntimeException e) { k[0]++; } return l.append(t).toString();");
        exactly(
                "handler-changes-a-variable",
                "StringBuilder l = new StringBuilder(); long t = 0; int k = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i + k); break; } catch (RuntimeException e) { k++; } return l.append(t).toString();");
        exactly(
                "handler-changes-the-counter",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); break; } catch (RuntimeException e) { i++; a++; } return l.append(t).toString();");
        exactly(
                "parses-in-the-try",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += Integer.parseInt((a + i) % 3 == 0 ? \"x\" : \"7\") + s.f(a * 10 + i); break; } catch (RuntimeException e) { l.append('!'); } return l.append(t).toString();");
        exactly(
                "parses-behind-the-call",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { int p = s.f(a * 10 + i); t += Integer.parseInt(p % 3 == 0 ? \"x\" : \"7\"); break; } catch (RuntimeException e) { l.append('!'); } return l.append(t).toString();");
        exactly(
                "array-behind-the-call",
                "StringBuilder l = new StringBuilder(); long t = 0; int[] q = new int[40]; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { int p = s.f(a * 10 + i); q[p % 64] += p; break; } catch (RuntimeException e) { l.append('!'); } t += Arrays.hashCode(q); return l.append(t).toString();");
        exactly(
                "array-in-front-of-the-call",
                "StringBuilder l = new StringBuilder(); long t = 0; int[] q = new int[40]; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += q[a * 3 + i] + s.f(a * 10 + i); break; } catch (RuntimeException e) { l.append('!'); } return l.append(t).toString();");
        exactly(
                "divides-behind-the-call",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { int p = s.f(a * 10 + i); t += 100 / (p % 4); break; } catch (ArithmeticException e) { l.append('/'); } catch (RuntimeException e) { l.append('!'); } return l.append(t).toString();");
        exactly(
                "appends-to-a-null",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) { StringBuilder q = a % 3 == 0 ? null : l; for (int i = 0; i < 3; i++) try { int p = s.f(a * 10 + i); q.append(p); break; } catch (RuntimeException e) { l.append('!'); } } return l.append(t).toString();");
        exactly(
                "appends-an-object",
                "StringBuilder l = new StringBuilder(); long t = 0; Object o = new Object() { int c; public String toString() { if (++c % 3 == 0) throw new IllegalStateException(); return \"o\"; } }; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { int p = s.f(a * 10 + i); l.append(o); break; } catch (RuntimeException e) { l.append('!'); } return l.append(t).toString();");
        exactly(
                "own-exception-thrown-in-the-try",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { int p = s.f(a * 10 + i); if (p % 5 == 0) throw new IllegalStateException(); t += p; break; } catch (RuntimeException e) { l.append('!'); } return l.append(t).toString();");
        exactly(
                "exception-kept",
                "StringBuilder l = new StringBuilder(); long t = 0; List<Throwable> es = new ArrayList<>(); for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); break; } catch (RuntimeException e) { es.add(e); } for (Throwable e : es) l.append(e.getMessage()); return l.append(t).toString();");
        exactly(
                "suppressed-is-added",
                "StringBuilder l = new StringBuilder(); long t = 0; RuntimeException all = new RuntimeException(); for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); break; } catch (RuntimeException e) { all.addSuppressed(e); } for (Throwable e : all.getSuppressed()) l.append(e.getMessage()); return l.append(t).toString();");
        exactly(
                "message-decides",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); break; } catch (RuntimeException e) { if (e.getMessage().length() % 2 == 0) break; l.append('!'); } return l.append(t).toString();");
        exactly(
                "type-decides",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { s.checked(a * 10 + i); t += s.f(a * 10 + i); break; } catch (Exception e) { if (e instanceof Svc.Failure) continue; break; } return l.append(t).toString();");
        same(
                "multi-catch",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { s.checked(a * 10 + i); t += s.f(a * 10 + i); break; } catch (Svc.Failure | RuntimeException e) { l.append(e.getMessage()); } return l.append(t).toString();");
        exactly(
                "nested-handlers",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { try { s.checked(a * 10 + i); t += i; } catch (Svc.Failure e) { t += s.f(a * 10 + i); } break; } catch (RuntimeException e) { l.append('!'); } return l.append(t).toString();");
        exactly(
                "call-in-a-finally",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 2; i++) try { t += s.f(a * 10 + i); } catch (RuntimeException e) { l.append('!'); } finally { t += s.g(a); } return l.append(t).toString();");
        exactly(
                "finally-breaks",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); } finally { if (i > 1 || a % 2 == 0) break; } return l.append(t).toString();");
        exactly(
                "never-ends-unless-it-succeeds",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) { int i = 0; while (true) try { t += s.f(a * 10 + i % 10); break; } catch (RuntimeException e) { i++; if (i > 30) return l.toString(); } } return l.append(t).toString();");
        exactly(
                "result-carried-to-the-next-pass",
                "StringBuilder l = new StringBuilder(); long t = 0; int last = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { last = s.f(a * 10 + i + last % 2); t += last; break; } catch (RuntimeException e) { l.append('!'); } return l.append(t).toString();");
        exactly(
                "written-in-the-pass",
                "StringBuilder l = new StringBuilder(); long t = 0; int[] q = new int[n + 1]; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { int p = s.f(a * 10 + i + q[a]); q[a + 1] = p % 2; t += p; break; } catch (RuntimeException e) { l.append('!'); } return l.append(t).toString();");
        exactly(
                "handled-within-a-pass",
                "StringBuilder l = new StringBuilder(\"caught\"); for (int y = 0; y < n && y < 4; y++) for (int x = 0; x < 3; x++) try { for (int id : s.row(y + x)) l.append(s.f(id)).append(' '); } catch (RuntimeException e) { l.append('!'); } return l.toString();");
        exactly(
                "iterator-of-the-outer-loop-taken-twice",
                "StringBuilder l = new StringBuilder(); long t = 0; List<Integer> xs = new ArrayList<>(); for (int a = 0; a < 2 * n; a++) xs.add(a); Iterator<Integer> it = xs.iterator(); while (it.hasNext()) { int a = it.next(); for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); break; } catch (RuntimeException e) { l.append('!'); if (it.hasNext()) it.next(); } } return l.append(t).toString();");
        exactly(
                "exits-on-later-results",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) { for (int id : s.row(a)) t += s.f(id); if (t > 1000) break; } return l.append(t).toString();");
        exactly(
                "window-of-four",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.w(a * 10 + i); if (t % 3 == 0) break; } catch (RuntimeException e) { l.append('!'); } return l.append(t).toString();");
        same(
                "group-inside",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i) + s.kept(a); break; } catch (RuntimeException e) { l.append('!'); } return l.append(t).toString();");
        exactly(
                "sync-inside",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); s.sync(a); break; } catch (RuntimeException e) { l.append('!'); } return l.append(t).toString();");
        exactly(
                "reads-what-changes",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.load(a) + s.set(a, i); break; } catch (RuntimeException e) { l.append('!'); } return l.append(t).toString();");
        exactly(
                "objects-kept",
                "StringBuilder l = new StringBuilder(); long t = 0; String q = null; for (int a = 0; a < n; a++) { String p = null; for (int i = 0; i < 3; i++) try { p = s.s(\"x\" + a + i); break; } catch (RuntimeException e) { p = \"no\"; } q = p; t += s.g(p.length()); } l.append(q); return l.append(t).toString();");
    }

    /** Flat loops, and exits that depend on results. */
    private void more() {
        strands(
                "fallback-in-a-flat-loop",
                6,
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) { int p; try { p = s.f(a * 10); } catch (RuntimeException e) { p = s.g(a); } t = t * 3 + p; } return l.append(t).toString();");
        exactly(
                "flat-loop-with-a-chain-of-fallbacks",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) { int p; try { p = s.f(a * 10); } catch (RuntimeException e) { try { p = s.f(a * 10 + 1); } catch (RuntimeException e2) { p = -1; } } t = t * 3 + p; } return l.append(t).toString();");
        exactly(
                "flat-loop-that-ends-on-a-failure",
                "StringBuilder l = new StringBuilder(); long t = 0; boolean go = true; for (int a = 0; a < n && go; a++) { try { t += s.f(a * 10); } catch (RuntimeException e) { t += s.g(a); if (a > 4) go = false; } } return l.append(t).toString();");
        exactly(
                "exit-on-the-number-of-failures",
                "StringBuilder l = new StringBuilder(); long t = 0; int bad = 0; for (int a = 0; a < n; a++) { for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); break; } catch (RuntimeException e) { bad++; } if (bad > 7) break; } return l.append(t).toString();");
        exactly(
                "exit-in-the-middle-of-a-pass",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) { int p = s.f(a * 10 + 3); if (p > 900) break; for (int id : s.row(a)) t += s.g(id); if (t > 4000) return l.append(p).toString(); } return l.append(t).toString();");
        exactly(
                "exit-of-an-inner-loop-and-the-outer",
                "StringBuilder l = new StringBuilder(); long t = 0; outer: for (int a = 0; a < n; a++) { for (int id : s.row(a)) { int p = s.g(id); if (p % 7 == 0) break; if (p > 140) break outer; t += p; } } return l.append(t).toString();");
        exactly(
                "exit-on-a-list-that-grows",
                "StringBuilder l = new StringBuilder(); long t = 0; List<Integer> found = new ArrayList<>(); for (int a = 0; a < n; a++) { for (int id : s.row(a)) if (s.g(id) % 2 == 0) found.add(id); if (found.size() > 9) break; } return found.toString();");
        exactly(
                "exit-on-the-best-so-far",
                "StringBuilder l = new StringBuilder(); long t = 0; int best = 1000; for (int a = 0; a < n; a++) { for (int id : s.row(a)) { int p = s.g(id ^ 21); if (p < best) best = p; } if (best < 20) break; } return best;");
        exactly(
                "exit-by-an-exception-on-a-result",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) { for (int id : s.row(a)) { int p = s.g(id); if (p > 140) throw new IllegalStateException(l.toString() + p); t += p; } } return l.append(t).toString();");
        exactly(
                "while-on-a-result-carried",
                "StringBuilder l = new StringBuilder(); long t = 0; int p = 0; int a = 0; while (p < 150) { p = 0; for (int id : s.row(a)) p += s.g(id); t += p; a++; if (a > n) break; } return l.append(t).toString();");
        exactly(
                "skips-on-the-pass-before",
                "StringBuilder l = new StringBuilder(); long t = 0; boolean skip = false; for (int a = 0; a < n; a++) { if (skip) { skip = false; continue; } for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); break; } catch (RuntimeException e) { skip = i == 1; } } return l.append(t).toString();");
        exactly(
                "retries-left-of-all",
                "StringBuilder l = new StringBuilder(); long t = 0; int left = 10; for (int a = 0; a < n; a++) { while (left > 0) try { t += s.f(a * 10 + left % 10); break; } catch (RuntimeException e) { left--; } } return l.append(t).toString();");
        exactly(
                "own-objects-in-a-pass",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) { int[] q = {a, 0}; for (int i = 0; i < 3; i++) try { t += s.sumOf(q) + s.f(a * 10 + i); break; } catch (RuntimeException e) { q[1] = i; } } return l.append(t).toString();");
        exactly(
                "stub-changes-after-a-failure",
                "StringBuilder l = new StringBuilder(); long t = 0; Svc x = s; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += x.f(a * 10 + i); break; } catch (RuntimeException e) { x = x == s ? z : s; } return l.append(t).toString();");
        exactly(
                "local-object-after-a-failure",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) { Svc x = s; for (int i = 0; i < 3; i++) try { t += x.f(a * 10 + i); break; } catch (RuntimeException e) { x = new LocalSvc(); } } return l.append(t).toString();");
        exactly(
                "catches-errors",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); if (a == 5 && i == 0) throw new AssertionError(); break; } catch (RuntimeException | Error e) { l.append('!'); } return l.append(t).toString();");
        exactly(
                "reads-a-field-in-the-handler",
                "k = 0; StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i + k); break; } catch (RuntimeException e) { k = (k + 1) % 2; } return l.append(t).toString(); } static int k; static void nothing() {");
        exactly(
                "prints-in-the-handler",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i); break; } catch (RuntimeException e) { Probe.otherClient.accept(a); } return l.append(t).toString();");
        exactly(
                "synchronized-in-the-try",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { synchronized (l) { t += s.f(a * 10 + i); } break; } catch (RuntimeException e) { l.append('!'); } return l.append(t).toString();");
        exactly(
                "slots-of-two-types",
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) { { String q = \"q\" + a; t += s.s(q).length(); } { int[] q = s.row(a); t += q[0]; } for (int i = 0; i < 3; i++) try { Object q = s.boxed(a); t += s.f(a * 10 + i) + q.hashCode(); break; } catch (RuntimeException e) { l.append('!'); } } return l.append(t).toString();");
        exactly(
                "longs-and-doubles-handed-on",
                "StringBuilder l = new StringBuilder(); long t = 0; long k = 1; double d = 0; for (int a = 0; a < n; a++) { k = k * 31 + a; d = d / 2 + a; for (int i = 0; i < 3; i++) try { t += s.f(a * 10 + i) + s.lf(k) + (long) s.df(d); break; } catch (RuntimeException e) { l.append('!'); } } return l.append(t).toString();");
    }

    /** What the tries do with results. */
    private void collected() {
        strands(
                "results-in-an-array",
                12,
                "int[] q = new int[n]; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { q[a] = s.f(a * 10 + i); break; } catch (RuntimeException e) { } return q;");
        strands(
                "results-in-a-list",
                12,
                "List<Integer> q = new ArrayList<>(); for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { q.add(s.f(a * 10 + i)); break; } catch (RuntimeException e) { } return q;");
        strands(
                "results-in-a-map",
                12,
                "Map<Integer, Integer> q = new HashMap<>(); for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { q.put(a, s.f(a * 10 + i)); break; } catch (RuntimeException e) { } return q;");
        exactly(
                "results-in-an-array-too-short",
                "int[] q = new int[n / 2]; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { q[a] = s.f(a * 10 + i); break; } catch (RuntimeException e) { } return q;");
        exactly(
                "results-in-an-array-that-may-be-null",
                "int[] q = n % 2 == 0 ? null : new int[n]; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { q[a] = s.f(a * 10 + i); break; } catch (RuntimeException e) { } return q;");
        exactly(
                "results-in-a-list-of-the-program",
                "List<Integer> q = new ArrayList<>() { public boolean add(Integer x) { if (x % 2 == 0) throw new IllegalStateException(); return super.add(x); } }; for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { q.add(s.f(a * 10 + i)); break; } catch (RuntimeException e) { } return q;");
        same(
                "results-in-a-sorted-map",
                "Map<Object, Integer> q = new TreeMap<>(); for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { q.put(s.get(a), s.f(a * 10 + i)); break; } catch (RuntimeException e) { } return q;");
        same(
                "results-as-keys-of-a-map",
                "Map<Object, Integer> q = new HashMap<>(); for (int a = 0; a < n; a++) for (int i = 0; i < 3; i++) try { q.put(s.get(a), s.f(a * 10 + i)); break; } catch (RuntimeException e) { } return new TreeMap<>(q.values().isEmpty() ? Map.of() : Map.of(1, q.values().iterator().next()));");
    }

    /** Helpers that handle what their calls throw. */
    private void helpers() {
        strands(
                "result-for-the-next-pass",
                210,
                "long t = 0; int v = 1; for (int a = 0; a < n; a++) { t = t * 3 + s.g(v & 31); try { v = s.f(a * 10); } catch (RuntimeException e) { t++; } if (s.g(a) < -5) break; } return t + v;");
        strands(
                "retry-in-a-helper",
                12,
                "long t = 0; for (int a = 0; a < n; a++) t = t * 3 + quote(s, a); return t; }\nprivate static int quote(Svc s, int a) { for (int i = 0; i < 3; i++) try { return s.f(a * 10 + i); } catch (RuntimeException e) { a += 0; } return -1;");
        strands(
                "retry-in-a-helper-that-throws-at-last",
                12,
                "long t = 0; for (int a = 0; a < n; a++) t = t * 3 + quote(s, a); return t; }\nprivate static int quote(Svc s, int a) { int i = 0; while (true) try { return s.f(a * 10 + i); } catch (RuntimeException e) { if (++i > 2) throw e; }");
        strands(
                "retry-of-an-order-in-a-helper",
                20,
                "long t = 0; for (int a = 0; a < n; a++) for (int id : s.row(a)) t += 5L * quote(s, id) + a; return t; }\nprivate static int quote(Svc s, int a) { for (int i = 0; i < 3; i++) { try { return s.f(a * 10 + i); } catch (RuntimeException e) { continue; } } throw new IllegalStateException(\"none\");");
        exactly(
                "helper-that-handles-with-much-on-the-stack",
                "String t = \"\"; for (int a = 0; a < n; a++) t = (a % 2 == 0 ? \"x\" : t) + a + (1L + quote(s, a) * 2.0) + t.length(); return t; }\nprivate static int quote(Svc s, int a) { try { return s.f(a * 10); } catch (RuntimeException e) { return s.g(a); }");
        exactly(
                "helper-that-handles-in-a-helper",
                "long t = 0; for (int a = 0; a < n; a++) try { t = t * 3 + outer(s, a); } catch (IllegalStateException e) { t--; } return t; }\nprivate static int outer(Svc s, int a) { try { return quote(s, a) + quote(s, a + 3); } catch (IllegalArgumentException e) { return quote(s, a + 1); } } private static int quote(Svc s, int a) { for (int i = 0; i < 2; i++) try { return s.f(a * 10 + i); } catch (RuntimeException e) { if (a % 5 == 0) throw new IllegalArgumentException(); if (a % 7 == 0) throw new IllegalStateException(); } return -1;");
        exactly(
                "helper-with-a-finally",
                "c = 0; long t = 0; for (int a = 0; a < n; a++) t = t * 3 + quote(s, a); return t + c; } static int c;\nprivate static int quote(Svc s, int a) { for (int i = 0; i < 3; i++) try { return s.f(a * 10 + i); } catch (RuntimeException e) { a += 0; } finally { c++; } return -1;");
        exactly(
                "helper-in-a-constructor-call",
                "long t = 0; for (int a = 0; a < n; a++) t += new Svc.Box(quote(s, a)).value; return t; }\nprivate static int quote(Svc s, int a) { for (int i = 0; i < 3; i++) try { return s.f(a * 10 + i); } catch (RuntimeException e) { a += 0; } return -1;");
        exactly(
                "helper-of-an-object-that-retries",
                "PHelperOfAnObjectThatRetries p = new PHelperOfAnObjectThatRetries(s); long t = 0; for (int a = 0; a < n; a++) t = t * 3 + p.quote(a); return t + p.bad; }\nprivate final Svc s; private int bad; PHelperOfAnObjectThatRetries(Svc s) { this.s = s; }\nprivate int quote(int a) { for (int i = 0; i < 3; i++) try { return s.f(a * 10 + i); } catch (RuntimeException e) { bad++; } return -1;");
    }
}
