package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.rule.Rule;
import dev.cleave.call.Chain;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Chained calls (R49): the server executes the same calls in the same order, whatever fails. */
@Tag("one-jdk")
class ChainTest extends ProgramTests {

    /** Sent one behind the other. */
    private void chained(String name, String body) {
        conformance.addBody(name, body);
        test(name, () -> {
            conformance.overlaps(name);
            assertThat(conformance.verdicts(name)).anyMatch(v -> v.outcome() == Verdict.Outcome.CHAINED);
        });
    }

    /** Left as written, with this rule as the reason. */
    private void refused(String name, Rule rule, String body) {
        conformance.addBody(name, body);
        test(name, () -> {
            conformance.staysSequential(name);
            assertThat(conformance.verdicts(name))
                    .anyMatch(v -> v.refusal() != null && v.refusal().rule().equals(rule));
        });
    }

    @TestFactory
    Stream<DynamicTest> patterns() {
        loops();
        straightLines();
        refusedLoops();
        refusedLines();
        return tests();
    }

    private void loops() {
        chained("chain-void-loop", "for (int i = 0; i < n; i++) s.linkPut(i); return 0;");
        chained(
                "chain-items",
                "record Item(int k, int v) {} List<Item> items = new ArrayList<>(); for (int i = 0; i < n; i++) items.add(new Item(i, 2 * i));\n"
                        + "for (Item x : items) s.linkPut(x.k() + x.v()); return items.size();");
        chained("chain-sum", "int t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.linkNum(i); return t;");
        chained(
                "chain-best",
                "int best = -1; int at = -1; for (int i = 0; i < n; i++) { int v = s.linkNum(i); if (v > best) { best = v; at = i; } } return best + \"@\" + at;");
        chained(
                "chain-own-list",
                "List<Object> r = new ArrayList<>(); for (int i = 0; i < n; i++) r.add(s.linkNum(i)); return r;");
        chained(
                "chain-own-builder",
                "StringBuilder b = new StringBuilder(); for (int i = 0; i < n; i++) b.append(s.linkNum(i)).append(','); return b.toString();");
        chained("chain-array-fill", "int[] d = new int[n]; for (int i = 0; i < n; i++) d[i] = s.linkNum(i); return d;");
        chained(
                "chain-array-fill-by-length",
                "int[] d = new int[2 * n]; for (int i = 1; i < d.length; i += 2) d[i] = s.linkNum(i); return d;");
        chained(
                "chain-array-fill-as-long",
                "int[] k = new int[n]; for (int i = 0; i < n; i++) k[i] = 2 * i; long[] d = new long[k.length]; for (int i = 0; i < k.length; i++) d[i] = s.linkNum(k[i]); return Arrays.toString(d);");
        chained(
                "chain-texts",
                "String[] d = new String[n]; for (int i = 0; n > i; i++) d[i] = s.linkText(\"k\" + i); return d;");
        chained(
                "chain-constant-length",
                "int[] d = new int[20]; for (int i = 0; i < 20; i++) d[i] = s.linkNum(i + n); return d;");
        chained(
                "chain-boxes",
                "List<Object> r = new ArrayList<>(); for (int i = 0; i < n; i++) r.add(s.linkBox(i)); return r;");
        chained(
                "chain-small-window",
                "List<String> r = new ArrayList<>(); for (int i = 0; i < n; i++) r.add(s.linkText(\"k\" + i)); return r;");
        chained(
                "chain-two-sites",
                "int t = 0; for (int i = 0; i < n; i++) { s.linkPut(i); t += s.linkNum(i); } return t;");
        chained(
                "chain-conditional",
                "int t = 0; for (int i = 0; i < n; i++) if (i % 3 != 1) t = t * 5 + s.linkNum(i); return t;");
        chained(
                "chain-exit-by-slice",
                "int t = 0; for (int i = 0; i < n; i++) { if (i == 7) break; t = t * 5 + s.linkNum(i); } return t;");
        chained(
                "chain-slice-throws",
                "int[] k = new int[] {5, 4, 3, 2, 1, 0, 1}; int t = 0; try { for (int i = 0; i < n; i++) t = t * 5 + s.linkNum(100 / k[i]); }\n"
                        + "catch (ArithmeticException e) { return \"caught \" + t; } return t;");
        chained(
                "chain-caught-inside",
                "int bad = 0; int t = 0; for (int i = 0; i < n; i++) { try { t = t * 5 + s.linkNum(i); } catch (RuntimeException e) { bad++; } } return t + \"caught\" + bad;");
        chained(
                "chain-checked-inside",
                "int bad = 0; for (int i = 0; i < n; i++) { try { s.linkChecked(i); } catch (Svc.Failure e) { bad += i; } } return \"caught\" + bad;");
        chained(
                "chain-caught-outside",
                "int i = 0; try { for (i = 0; i < n; i++) s.linkPut(i); } catch (RuntimeException e) { return \"caught\" + i; } return i;");
        chained(
                "chain-then-again",
                "for (int k = 0; k < 3; k++) { for (int i = 0; i < n; i++) s.linkPut(100 * k + i); } return 0;");
        chained("chain-then-sync", "for (int i = 0; i < n; i++) s.linkPut(i); return s.sync(3);");
        chained(
                "chain-array-argument",
                "int t = 0; for (int i = 0; i < n; i++) t += s.linkSum(new int[] {i, i + 1}); return t;");
        chained(
                "chain-divided-by-seven",
                "int t = 0; for (int i = 0; i < n; i++) t = (t + s.linkNum(i)) / 7; return t;");
        same(
                "chain-two-stubs",
                "int t = 0; for (int i = 0; i < n; i++) { t += s.linkNum(i); t = t * 3 + z.linkNum(i); } return t;");
        same(
                "chain-local-receiver",
                "Svc l = new LocalSvc(); int t = 0; for (int i = 0; i < n; i++) t = t * 3 + l.linkNum(i) + n; s.linkPut(t); return t;");
        chained(
                "chain-two-stubs-loop",
                "int t = 0; for (int i = 0; i < n; i++) { s.linkPut(i); t = t * 3 + z.linkNum(i); } return t;");
        chained(
                "chain-two-stubs-caught-inside",
                "int bad = 0; for (int i = 0; i < n; i++) { try { s.linkChecked(i); z.linkPut(i); } catch (Svc.Failure e) { bad += i; } } return \"caught\" + bad;");
        same(
                "chain-two-stubs-one-local",
                "Svc l = n % 2 == 0 ? new LocalSvc() : z; int t = 0; for (int i = 0; i < n; i++) { s.linkPut(i); t = t * 3 + l.linkNum(i); } return t;");
        same("chain-null", "Svc l = n > 3 ? null : s; for (int i = 0; i < n; i++) l.linkPut(i); return n;");
        same(
                "chain-unsafe-iterator",
                "List<Integer> xs = new ArrayList<>(List.of(1, 2, 3)); for (Integer x : xs) { s.linkPut(x); if (n == 5) xs.add(4); } return xs;");
    }

    private void straightLines() {
        chained("chain-line", "s.linkPut(1); s.linkPut(2); s.linkPut(n); return 0;");
        chained(
                "chain-line-results",
                "int a = s.linkNum(1); int b = s.linkNum(n); int c = s.linkNum(3); return a * 100 + b * 10 + c;");
        chained("chain-line-expression", "return s.linkNum(1) + s.linkNum(2) * s.linkNum(n);");
        chained(
                "chain-line-caught",
                "int st = 0; try { s.linkPut(1); st = 1; s.linkPut(2); st = 2; s.linkPut(3); } catch (RuntimeException e) { return \"caught\" + st; } return st;");
        chained(
                "chain-line-branch",
                "int a = s.linkNum(1); if (n > 2) { a += s.linkNum(2); } return a + s.linkNum(3);");
        chained("chain-line-two-stubs", "s.linkPut(1); z.linkPut(2); s.linkPut(n); z.linkPut(3); return 0;");
        chained(
                "chain-line-two-stubs-results",
                "int a = s.linkNum(1); int b = z.linkNum(n); int c = s.linkNum(3); return a * 100 + b * 10 + c;");
        chained(
                "chain-line-two-stubs-caught",
                "int st = 0; try { s.linkPut(1); st = 1; z.linkChecked(n); st = 2; s.linkPut(3); } catch (Svc.Failure e) { return \"caught\" + st; } return st;");
        chained("chain-line-two-stubs-throwing-argument", "s.linkPut(1); z.linkPut(100 / n); s.linkPut(2); return 0;");
        same(
                "chain-line-two-stubs-one-local",
                "Svc l = new LocalSvc(); s.linkPut(1); l.linkPut(n); z.linkPut(2); s.linkPut(3); return n;");
        same(
                "chain-line-two-stubs-first-local",
                "Svc l = n % 2 == 0 ? new LocalSvc() : s; l.linkPut(1); z.linkPut(n); l.linkPut(2); return n;");
        chained("chain-line-throwing-argument", "s.linkPut(1); s.linkPut(100 / n); return 0;");
    }

    private void refusedLoops() {
        refused(
                "chain-prints",
                Rule.R49,
                "for (int i = 0; i < n; i++) { s.linkPut(i); System.out.print(\"\"); } return 0;");
        refused(
                "chain-field",
                Rule.R49,
                "PChainField p = new PChainField(); p.go(s, n); return p.t; }\n int t; void go(Svc s, int n) { for (int i = 0; i < n; i++) t += s.linkNum(i);");
        refused(
                "chain-throws-between",
                Rule.R49,
                "int t = 0; for (int i = 0; i < n; i++) { t += 10 / (s.linkNum(i) - 6); } return t;");
        refused(
                "chain-throws-beside",
                Rule.R49,
                "int[] d = new int[5]; int t = 0; for (int i = 0; i < n; i++) { s.linkPut(i); t += d[i]; } return t;");
        refused(
                "chain-array-store",
                Rule.R49,
                "int[] d = new int[5]; for (int i = 0; i < n; i++) d[i] = s.linkNum(i); return d;");
        refused(
                "chain-array-past-end",
                Rule.R49,
                "int[] d = new int[n]; try { for (int i = 0; i <= n; i++) d[i] = s.linkNum(i); } catch (ArrayIndexOutOfBoundsException e) { return \"caught\"; } return d;");
        refused(
                "chain-array-next",
                Rule.R49,
                "int[] d = new int[n]; try { for (int i = 0; i < n; i++) d[i + 1] = s.linkNum(i); } catch (ArrayIndexOutOfBoundsException e) { return \"caught\"; } return d;");
        refused(
                "chain-array-before-start",
                Rule.R49,
                "int[] d = new int[n]; try { for (int i = -1; i < n; i++) d[i] = s.linkNum(i); } catch (ArrayIndexOutOfBoundsException e) { return \"caught\"; } return d;");
        refused(
                "chain-array-moved-on",
                Rule.R49,
                "int[] d = new int[n]; try { for (int i = 0; i < n; i++) { int v = s.linkNum(i); if (i == 3) i += 9; d[i] = v; } } catch (ArrayIndexOutOfBoundsException e) { return \"caught\"; } return d;");
        refused(
                "chain-array-other-length",
                Rule.R49,
                "int m = n; int[] d = new int[m]; m = m + 2; try { for (int i = 0; i < m; i++) d[i] = s.linkNum(i); } catch (ArrayIndexOutOfBoundsException e) { return \"caught\"; } return d;");
        refused(
                "chain-array-replaced",
                Rule.R49,
                "int[] d = new int[n]; try { for (int i = 0; i < n; i++) { if (i == 2) d = new int[1]; d[i] = s.linkNum(i); } } catch (ArrayIndexOutOfBoundsException e) { return \"caught\"; } return d;");
        refused(
                "chain-array-known",
                Rule.R49,
                "int[] d = new int[n]; go(s, d); return d; }\n static void go(Svc s, int[] d) { for (int i = 0; i < d.length; i++) d[i] = s.linkNum(i);");
        refused(
                "chain-texts-into-objects",
                Rule.R49,
                "Object[] d = new Integer[n]; try { for (int i = 0; i < n; i++) d[i] = s.linkText(\"k\" + i); } catch (ArrayStoreException e) { return \"caught\"; } return d;");
        refused("chain-unboxed", Rule.R49, "int t = 0; for (int i = 0; i < n; i++) t += s.linkBox(i); return t;");
        refused(
                "chain-their-list",
                Rule.R49,
                "List<Object> r = new ArrayList<>(); go(s, r, n); return r; }\n static void go(Svc s, List<Object> r, int n) { for (int i = 0; i < n; i++) r.add(s.linkNum(i));");
        refused(
                "chain-exit-by-result",
                Rule.R37,
                "int t = 0; for (int i = 0; i < n; i++) { if (s.linkNum(i) == 12) break; t++; } return t;");
        refused(
                "chain-guard-by-result",
                Rule.R30,
                "int t = 0; for (int i = 0; i < n; i++) { if (s.linkNum(i) > 3) s.linkPut(t++); } return t;");
        refused(
                "chain-argument-by-result",
                Rule.R30,
                "int t = 1; for (int i = 0; i < n; i++) t = s.linkNum(t + i); return t;");
        refused(
                "chain-with-sync",
                Rule.R10,
                "int t = 0; for (int i = 0; i < n; i++) { s.linkPut(i); t += s.sync(i); } return t;");
        refused(
                "chain-with-async",
                Rule.R3,
                "int t = 0; for (int i = 0; i < n; i++) { s.linkPut(i); t += s.f(i); } return t;");
        refused("chain-with-one-way", Rule.R70, "for (int i = 0; i < n; i++) { s.linkPut(i); s.shout(i); } return 0;");
        refused(
                "chain-object",
                Rule.R49,
                "List<Object> r = new ArrayList<>(); for (int i = 0; i < n; i++) r.add(s.linkObject(i)); return r;");
        refused(
                "chain-changing-stub",
                Rule.R49,
                "Svc[] both = {s, s}; int t = 0; for (int i = 0; i < n; i++) { t += both[i & 1].linkNum(i); } return t;");
        refused(
                "chain-own-builder-read",
                Rule.R49,
                "StringBuilder b = new StringBuilder(); int t = 0; for (int i = 0; i < n; i++) { t += s.linkNum(i); b.append('a'); t += b.charAt(t % 3); } return t;");
        refused(
                "chain-helper-between",
                Rule.R49,
                "int t = 0; for (int i = 0; i < n; i++) t = mix(t, s.linkNum(i)); return t; }\n private static int mix(int a, int b) { return a / (b - 100);");
        refused(
                "chain-unboxes",
                Rule.R49,
                "Integer t = 0; for (int i = 0; i < n; i++) { Integer v = i == 4 ? null : i; s.linkPut(i); t += v; } return t;");
    }

    private void refusedLines() {
        refused("chain-line-prints", Rule.R49, "s.linkPut(1); System.out.print(\"\"); s.linkPut(2); return 0;");
        refused("chain-line-throws", Rule.R49, "int a = s.linkNum(1); int q = 10 / (a - 3); s.linkPut(2); return q;");
        refused(
                "chain-line-field",
                Rule.R49,
                "PChainLineField p = new PChainLineField(); p.go(s); return p.t; }\n int t; void go(Svc s) { t = s.linkNum(1); s.linkPut(2);");
        refused(
                "chain-line-two-stubs-prints",
                Rule.R49,
                "s.linkPut(1); System.out.print(\"\"); z.linkPut(2); return 0;");
        refused(
                "chain-line-two-stubs-throws",
                Rule.R49,
                "int a = s.linkNum(1); int q = 10 / (a - 3); z.linkPut(2); return q;");
        refused("chain-line-two-stubs-object", Rule.R49, "Object o = s.linkObject(1); z.linkPut(2); return o;");
        refused("chain-line-async", Rule.R3, "s.linkPut(1); int a = s.f(n); s.linkPut(2); return a;");
        refused("chain-line-object", Rule.R49, "Object o = s.linkObject(1); s.linkPut(2); return o;");
        String pair = "s.shout(1); int a = s.f(n); int b = s.f(n + 1); return a + b;";
        conformance.addBody("one-way-then-pair", pair);
        test("one-way-then-pair", () -> conformance.overlaps("one-way-then-pair"));
        refused("one-way-alone", Rule.R70, "s.shout(1); s.shout(2); return 0;");
        refused("one-way-barrier", Rule.R70, "int a = s.f(1); s.shout(2); int b = s.f(3); return a + b;");
    }

    /** The plan cannot tell whether two stubs are one: where it takes them for one, the calls of another one stay. */
    @Test
    void takesCallsOfOneStubOnly() {
        Chain chain = Chain.stopping();
        Object stub = new Object();

        assertThat(chain.accepts(stub)).isTrue();
        assertThat(chain.accepts(new Object())).isFalse();
        assertThat(chain.accepts(stub)).isTrue();
        assertThat(Chain.dependent().accepts(stub)).isTrue();
    }
}
