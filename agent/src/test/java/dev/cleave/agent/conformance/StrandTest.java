package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.rule.Rule;
import dev.cleave.rt.Strands;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Nests in which a bound, a condition or an argument is the result of a call: strands wait for it, and go on (R71). */
@Tag("one-jdk")
class StrandTest extends StrandPrograms {

    /** The same, no strand sends anything, and calls overlap all the same. */
    private void queues(String name, String body) {
        add(name, body);
        test(name, () -> {
            long sent = Strands.sent();
            conformance.overlaps(name);
            assertThat(Strands.sent() - sent).as("calls sent by strands").isZero();
        });
    }

    StrandTest() {
        super(100);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        bounds();
        forks();
        searches();
        helpers();
        traps();
        places();
        handlers();
        queues("strand-that-the-jit-would-not-compile", manyKept(24));
        return tests();
    }

    private void bounds() {
        strands(
                "bound-is-an-array",
                20,
                "long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) t = t * 3 + s.f(id); t += y; } return t;");
        strands(
                "bound-is-a-number",
                20,
                "long t = 0; for (int y = 0; y < n; y++) { int m = s.f(y) % 4; for (int x = 0; x < m; x++) t = t * 3 + s.g(x + y); } return t;");
        strands(
                "bound-behind-arithmetic",
                20,
                "long t = 0; for (int y = 0; y < n; y++) { int m = (int) (s.lf(y) & 3) + 1; for (int x = 0; x < m; x++) t = t * 3 + s.g(x * m); } return t;");
        strands(
                "three-levels-of-results",
                30,
                "long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y)) for (int sku : s.row(id + 7)) { int p = s.f(sku); t += p < 0 ? 0 : p; } return t;");
        strands(
                "report",
                30,
                "StringBuilder out = new StringBuilder(); double grand = 0;\n"
                        + "for (int c = 0; c < n; c++) { String name = s.s(\"n\" + c), region = s.s(\"r\" + c); double rate = z.df(region.length()); double sum = 0;\n"
                        + "for (int id : s.row(c)) { double o = 0; for (int sku : s.row(id)) { double p = s.df(sku); o += p < 0 ? 0 : p; } sum += o; }\n"
                        + "double with = sum * (1 + rate); out.append(name).append(' ').append(with).append('\\n'); grand += with; }\n"
                        + "return out.append(\"all \").append(grand).toString();");
        strands(
                "behind-the-inner-loop-too",
                20,
                "long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) t = t * 3 + s.f(id); t = t * 5 + s.g(y); } return t;");
        strands(
                "sometimes-a-bound",
                20,
                "long t = 0; for (int y = 0; y < n; y++) if (y % 3 != 0) { for (int id : s.row(y)) if (id % 2 == 0) t = t * 3 + s.f(id); } else t += s.g(y); return t;");
        strands(
                "over-a-list",
                20,
                "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i); long t = 0; for (int y : xs) { for (int id : s.row(y)) t = t * 3 + s.f(id); } return t;");
        same(
                "condition-is-a-result",
                "long t = 0; for (int y = 0; y < n; y++) { boolean b = s.ok(y); for (int x = 0; x < 2; x++) if (b) t = t * 3 + s.f(y + x); else t += s.g(x); } return t;");
        strands(
                "continue-on-a-result",
                20,
                "long t = 0; for (int y = 0; y < n; y++) { if (s.ok(y)) continue; for (int id : s.row(y)) { if (s.ok(id)) continue; t = t * 3 + s.f(id); } } return t;");
        strands(
                "void-calls-inside",
                20,
                "long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) { s.put(id); t = t * 3 + s.f(id); } } return t;");
        strands(
                "carried-in-the-slice",
                20,
                "long t = 0; int k = 1; for (int y = 0; y < n; y++) { k = k * 31 + y; for (int id : s.row(k & 63)) t = t * 3 + s.f(id ^ k); } return t;");
        strands(
                "values-behind-the-nest",
                20,
                "int y = 0; long t = 0; for (; y < n; y++) { for (int id : s.row(y)) t = t * 3 + s.f(id); } return y + \" \" + t;");
        strands(
                "private-methods-in-the-slice",
                20,
                "long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(half(y))) t = t * 3 + s.f(half(id) + 1); } return t; }\n"
                        + "private static int half(int x) { return x / 2;");
        strands(
                "fields-in-the-slice",
                20,
                "return new P" + "FieldsInTheSlice().go(s, n); }\n"
                        + "private int k = 3; long go(Svc s, int n) { long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y + k)) t = t * 3 + s.f(id * k); } return t;");
        strands(
                "all-types-kept",
                30,
                "long t = 0; for (int y = 0; y < n; y++) { long a = y * 3L; float b = y / 2f; double c = y / 3.0; String d = \"x\" + y; for (int id : s.row(y)) t = t * 3 + s.both(id, d, a, b + c); } return t;");
    }

    private void forks() {
        strands(
                "two-that-need-one-each",
                12,
                "long t = 0; for (int y = 0; y < n; y++) { int a = s.f(y); int b = s.g(y); t += s.f(a) ^ s.g(b); for (int id : s.row(y)) t += s.f(id); } return t;");
        strands(
                "a-result-that-is-both",
                20,
                "long t = 0; for (int y = 0; y < n; y++) { int[] r = s.row(y); t = t * 3 + s.sumOf(r); for (int id : r) t = t * 3 + s.f(id + r.length); } return t;");
    }

    /** One call that cannot be written in its place holds up the nest around it alone. */
    private void searches() {
        String helpers = "private static int one(Svc s, int id) { int p = s.f(id); return p < 0 ? 0 : p; }\n"
                + "private static boolean finds(Svc s, int x, int d) { if (s.g(x & 31) % 5 == 2) return true; if (d > 0) for (int l : s.row(x & 31)) if (finds(s, l + 1, d - 1)) return true; return false;";
        strands(
                "beside-a-search",
                40,
                "long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y)) t = t * 3 + one(s, id); return t + \" \" + finds(s, n, 1); }\n"
                        + helpers);
        strands(
                "beside-a-loop-of-searches",
                60,
                "long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y)) t = t * 3 + one(s, id); for (int y = 0; y < 3; y++) if (finds(s, y, 0)) t++; return t; }\n"
                        + helpers);
        strands(
                "beside-a-deep-helper",
                40,
                "long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y)) t = t * 3 + one(s, id); return t + \" \" + a(s, n); }\n"
                        + "private static int a(Svc s, int x) { return b(s, x) + 1; } private static int b(Svc s, int x) { return c(s, x) + 2; } private static int c(Svc s, int x) { return d(s, x) + 3; }\n"
                        + "private static int d(Svc s, int x) { return e(s, x) + 4; } private static int e(Svc s, int x) { return s.g(x) + 5; }\n"
                        + helpers);
        strands(
                "search-in-the-nest",
                10,
                "long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y)) { t = t * 3 + one(s, id); if (finds(s, id, 1)) t++; } return t; }\n"
                        + helpers);
        strands(
                "windows-of-their-own",
                40,
                "long t = 0; for (int y = 0; y < n; y++) { t = t * 3 + s.w(y); for (int x = 0; x < 3; x++) t = t * 5 + s.f(x + y); } return t;");
        strands(
                "nest-beside-a-cache-that-calls-itself",
                20,
                "return new PNestBesideACacheThatCallsItself(s).go(n); }\n"
                        + "private final Svc s; private final Map<Integer, Integer> cache = new HashMap<>(); PNestBesideACacheThatCallsItself(Svc s) { this.s = s; }\n"
                        + "private long go(int n) { long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y)) t = t * 3 + s.f(id); return t; }\n"
                        + "final int down(int d) { return d <= 0 ? 0 : cache.computeIfAbsent(d, s::f) + down(d - 1);");
        strands(
                "nest-beside-a-cache-that-comes-back",
                20,
                "return new PNestBesideACacheThatComesBack(s).go(n); }\n"
                        + "private final Svc s; private final Map<Integer, Integer> cache = new HashMap<>(); PNestBesideACacheThatComesBack(Svc s) { this.s = s; }\n"
                        + "private long go(int n) { long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y)) t = t * 3 + s.f(id); return t; }\n"
                        + "private static int call(java.util.function.Supplier<Integer> op) { return op.get(); } final int down(int d) { return d <= 0 ? 0 : cache.computeIfAbsent(d, s::f) + call(() -> s.g(d) + down(d - 1));");
        same(
                "search-through-a-function",
                "long t = 0; for (int y = 0; y < n; y++) t = t * 3 + again(s, y & 3); return t; }\n"
                        + "private static int call(java.util.function.Supplier<Integer> op) { return op.get(); }\n"
                        + "private static int again(Svc s, int d) { return d <= 0 ? 0 : call(() -> s.f(d) + again(s, d - 1));");
    }

    private void helpers() {
        strands(
                "report-with-helpers",
                30,
                "StringBuilder out = new StringBuilder(); double grand = 0;\n"
                        + "for (int c = 0; c < n; c++) { String name = s.s(\"n\" + c), region = s.s(\"r\" + c); double rate = z.df(region.length()); double sum = 0;\n"
                        + "for (int id : s.row(c)) sum += order(s, id);\n"
                        + "double with = sum * (1 + rate); out.append(name).append(' ').append(with).append('\\n'); grand += with; }\n"
                        + "return out.append(\"all \").append(grand).toString(); }\n"
                        + "private static double order(Svc s, int id) { double o = 0; for (int sku : s.row(id)) o += price(s, sku); return o; }\n"
                        + "private static double price(Svc s, int sku) { double p = s.df(sku); return p < 0 ? 0 : p;");
        strands(
                "helper-of-an-object",
                20,
                "return new PHelperOfAnObject(s).go(n); }\n"
                        + "private final Svc s; PHelperOfAnObject(Svc s) { this.s = s; } private int k = 3;\n"
                        + "long go(int n) { long t = 0; for (int y = 0; y < n; y++) t = t * 3 + sum(y + k); return t; }\n"
                        + "private long sum(int y) { long t = 0; for (int id : s.row(y)) t = t * 5 + s.f(id); return t;");
        strands(
                "helper-called-twice",
                20,
                "long t = 0; for (int y = 0; y < n; y++) { t = t * 3 + sum(s, y); t = t * 7 + sum(s, y + 50); } return t; }\n"
                        + "private static long sum(Svc s, int y) { long t = 0; for (int id : s.row(y)) t = t * 5 + s.f(id); return t;");
        strands(
                "helper-without-a-loop",
                20,
                "long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y)) t = t * 3 + both(s, id); return t; }\n"
                        + "private static int both(Svc s, int id) { int a = s.f(id); if (a % 2 == 0) return s.g(a); return a;");
        strands(
                "helper-with-a-pair",
                20,
                "long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y)) t = t * 3 + both(s, id); return t; }\n"
                        + "private static int both(Svc s, int id) { return s.g(s.f(id)); ");
        strands(
                "helper-used-elsewhere-too",
                240,
                "long t = sum(s, 1); for (int y = 0; y < n; y++) t = t * 3 + sum(s, y); return t * 31 + sum(s, 2); }\n"
                        + "private static long sum(Svc s, int y) { long t = 0; for (int id : s.row(y)) { t = t * 5 + s.f(id); t += s.g(id); } for (int i = 0; i < 3; i++) t += s.f(i); return t;");
        strands(
                "helper-that-returns-what-decides",
                20,
                "long t = 0; for (int y = 0; y < n; y++) for (int id : ids(s, y)) t = t * 3 + s.f(id); return t; }\n"
                        + "private static int[] ids(Svc s, int y) { if (y % 3 == 0) return new int[0]; return s.row(y);");
        strands(
                "helper-with-its-own-nest",
                40,
                "long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y)) t = t * 3 + nest(s, id % 5); return t + nest(s, 3); }\n"
                        + "private static long nest(Svc s, int n) { long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y)) t = t * 3 + s.f(id); return t;");
        same(
                "helper-that-throws",
                "long t = 0; for (int y = 0; y < n; y++) t = t * 3 + sum(s, y); return t; }\n"
                        + "private static long sum(Svc s, int y) { long t = 0; for (int id : s.row(y)) { if (y == 9) throw new IllegalStateException(\"y\" + id); t = t * 5 + s.f(id); } return t;");
        same(
                "helper-that-is-null",
                "PHelperThatIsNull p = new PHelperThatIsNull(); long t = 0; for (int y = 0; y < n; y++) { if (y == 7) p = null; t = t * 3 + p.sum(s, y); } return t; }\n"
                        + "private long sum(Svc s, int y) { long t = 0; for (int id : s.row(y)) t = t * 5 + s.f(id); return t;");
        same(
                "helper-that-writes-what-decides",
                "int[] k = {1}; long t = 0; for (int y = 0; y < n; y++) t = t * 3 + sum(s, y + k[0], k); return t; }\n"
                        + "private static long sum(Svc s, int y, int[] k) { long t = 0; for (int id : s.row(y)) { t = t * 5 + s.f(id); k[0] = (int) (t & 7); } return t;");
        same(
                "helper-that-handles",
                "StringBuilder l = new StringBuilder(); for (int y = 0; y < n && y < 6; y++) l.append(sum(s, y)); return \"caught\" + l; }\n"
                        + "private static long sum(Svc s, int y) { long t = 0; for (int id : s.row(y)) try { t = t * 5 + s.f(id); } catch (RuntimeException e) { t++; } return t;");
        same(
                "helper-that-calls-itself",
                "long t = 0; for (int y = 0; y < n; y++) t = t * 3 + down(s, y % 4); return t; }\n"
                        + "private static long down(Svc s, int d) { long t = s.f(d); if (d > 0) for (int id : s.row(d)) t = t * 3 + down(s, d - 1) + id; return t;");
        same(
                "helper-in-a-handler",
                "StringBuilder l = new StringBuilder(); try { for (int y = 0; y < n && y < 6; y++) l.append(sum(s, y)); } catch (RuntimeException e) { l.append('!').append(sum(s, 40)); } return \"caught\" + l; }\n"
                        + "private static long sum(Svc s, int y) { long t = 0; for (int id : s.row(y)) t = t * 5 + s.f(id); return t;");
    }

    private void traps() {
        strands(
                "break-on-a-result",
                66,
                "long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) t += s.f(id); if (t > 3000) break; } return t;");
        strands(
                "return-on-a-result",
                96,
                "long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) { t += s.f(id); if (t > 3000) return t; } } return t;");
        same(
                "write-through-a-result",
                "long t = 0; for (int y = 0; y < n; y++) { int[] r = s.row(y); r[0]++; for (int id : r) t = t * 3 + s.f(id); } return t;");
        same(
                "write-through-a-result-behind",
                "long t = 0; for (int y = 0; y < n; y++) { int[] r = s.row(y); for (int i = 0; i < r.length; i++) { t = t * 3 + s.f(r[i]); r[1] = 5; } } return t;");
        same(
                "guard-that-the-pass-overwrites",
                "int[] a = new int[n]; for (int i = 0; i < n; i++) a[i] = i % 3; long t = 0; for (int y = 0; y < n; y++) { int v = a[y]; if (v > 0) for (int id : s.row(v)) t = t * 3 + s.f(id); a[y] = 5; } return t;");
        same(
                "argument-that-the-pass-overwrites",
                "int[] a = new int[n]; long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(a[y])) t = t * 3 + s.f(id); a[y] = 5; if (y + 1 < n) a[y + 1] = y; } return t + Arrays.hashCode(a);");
        same(
                "handled-inside",
                "StringBuilder l = new StringBuilder(); for (int y = 0; y < n && y < 6; y++) try { for (int id : s.row(y)) l.append(s.f(id)); } catch (RuntimeException e) { l.append('!'); } return \"caught\" + l;");
        same(
                "handled-outside",
                "StringBuilder l = new StringBuilder(); try { for (int y = 0; y < n && y < 6; y++) for (int id : s.row(y)) l.append(s.f(id)); } catch (RuntimeException e) { l.append('!'); } return \"caught\" + l;");
        same(
                "throws-between",
                "long t = 0; for (int y = 0; y < n; y++) { if (y == 11) throw new IllegalStateException(\"t\" + t); for (int id : s.row(y)) t = t * 3 + s.f(id); } return t;");
        same(
                "throws-in-the-slice",
                "int[] a = new int[12]; long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(a[y] + y)) t = t * 3 + s.f(id); } return t;");
        same(
                "throws-behind-a-result",
                "int[] a = new int[12]; long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) t = t * 3 + s.f(a[id]); } return t;");
        same(
                "calls-of-a-group",
                "long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) t = t * 3 + s.kept(id); } return t;");
        same(
                "reads-beside-changes",
                "long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) { t += s.set(id, y); t = t * 3 + s.load(id + 1); } } return t;");
        same(
                "unknown-receiver",
                "long t = 0; Svc[] of = {s, z, new LocalSvc()}; for (int y = 0; y < n; y++) { Svc x = of[y % 3]; for (int id : x.row(y)) t = t * 3 + x.f(id); } return t;");
        same(
                "local-receiver",
                "long t = 0; Svc x = new LocalSvc(); for (int y = 0; y < n; y++) { for (int id : s.row(y)) t = t * 3 + x.f(id); } return t;");
        same(
                "a-call-without-a-style",
                "long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) t = t * 3 + s.plain(id); } return t;");
        without(
                "inner-loop-that-may-not-end",
                Rule.R11,
                "long t = 0; for (int y = 0; y < n; y++) { int x = s.f(y); while (x > 1) { t += s.g(x); x = x % 2 == 0 ? x / 2 : x - 1; } } return t;");
        same(
                "own-objects-as-arguments",
                "long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) { Svc.Box b = new Svc.Box(id); t = t * 3 + s.weigh(b); b.value = 9; } } return t;");
        same(
                "object-under-construction",
                "List<Object> r = new ArrayList<>(); for (int y = 0; y < n; y++) { for (int id : s.row(y)) r.add(new Svc.Box(s.f(id)).value); } return r;");
        same(
                "recursion",
                "return go(s, n % 6); }\n"
                        + "static long go(Svc s, int d) { long t = d; if (d == 0) return s.f(1); for (int y = 0; y < 2; y++) for (int id : s.row(y)) t = t * 3 + s.f(id) + go(s, d - 1); return t;");
    }

    /** Where a nest may stand. */
    private void places() {
        strands(
                "in-a-monitor",
                20,
                "long t = 0; Object lock = new Object(); synchronized (lock) { for (int y = 0; y < n; y++) for (int id : s.row(y)) t = t * 3 + s.f(id); } return t + \" \" + Thread.holdsLock(lock);");
        strands(
                "in-a-synchronized-method",
                20,
                "return new PInASynchronizedMethod().go(s, n); }\n"
                        + "private int k = 3; synchronized long go(Svc s, int n) { long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y + k)) t = t * 3 + s.f(id); return t;");
        same(
                "around-a-monitor",
                "long t = 0; Object lock = new Object(); for (int y = 0; y < n; y++) synchronized (lock) { for (int id : s.row(y)) t = t * 3 + s.f(id); } return t + \" \" + Thread.holdsLock(lock);");
        strands(
                "in-a-lambda",
                20,
                "int k = n / 2; java.util.function.LongSupplier sum = () -> { long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y + k)) t = t * 3 + s.f(id ^ k); return t; }; return sum.getAsLong();");
        same(
                "around-a-lambda",
                "long[] t = {0}; for (int y = 0; y < n; y++) { int k = y; java.util.function.IntUnaryOperator add = x -> x + k; for (int id : s.row(y)) t[0] = t[0] * 3 + add.applyAsInt(s.f(id)); } return t[0];");
        same(
                "argument-of-a-lambda",
                "long t = 0; for (int y = 0; y < n; y++) { int k = y; java.util.function.IntUnaryOperator add = x -> x + k; for (int id : s.row(y)) t = t * 3 + s.f(add.applyAsInt(id)); } return t;");
        strands(
                "in-a-constructor",
                20,
                "return new PInAConstructor(s, n).t; }\n"
                        + "private long t; PInAConstructor(Svc s, int n) { long sum = 0; for (int y = 0; y < n; y++) for (int id : s.row(y)) sum = sum * 3 + s.f(id); t = sum;");
        same(
                "in-a-constructor-that-writes-what-it-reads",
                "PInAConstructorThatWritesWhatItReads p = new PInAConstructorThatWritesWhatItReads(s, n); return p.t + \" \" + p.k; }\n"
                        + "private long t; final int k; PInAConstructorThatWritesWhatItReads(Svc s, int n) { k = n + 5; for (int y = 0; y < n; y++) for (int id : s.row(y + k)) t = t * 3 + s.f(id * k);");
        same(
                "in-a-constructor-by-a-helper",
                "return new PInAConstructorByAHelper(s, n).t; }\n"
                        + "private long t; private int k; private final int j; PInAConstructorByAHelper(Svc s, int n) { k = 2; j = n; for (int y = 0; y < n; y++) { t += sum(s, y); k++; } }\n"
                        + "private long sum(Svc s, int y) { long r = 0; for (int id : s.row(y + k)) r = r * 5 + s.f(id + j); return r;");
        strands(
                "in-a-default-method",
                20,
                "return new Walk() {}.go(s, n); }\n"
                        + "interface Walk { default long go(Svc s, int n) { long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(from(y))) t = t * 3 + s.f(id); return t; }\n"
                        + "private int from(int y) { return y + 3; } }\n"
                        + "static long unused() { return 0;");
        strands(
                "in-a-default-method-with-a-helper",
                20,
                "return new Walk() {}.go(s, n); }\n"
                        + "interface Walk { default long go(Svc s, int n) { long t = 0; for (int y = 0; y < n; y++) t = t * 3 + sum(s, y); return t; }\n"
                        + "private long sum(Svc s, int y) { long t = 0; for (int id : s.row(y)) t = t * 5 + s.f(id); return t; } }\n"
                        + "static long unused() { return 0;");
        strands(
                "in-a-static-method-of-an-interface",
                20,
                "return Walk.go(s, n); }\n"
                        + "interface Walk { static long go(Svc s, int n) { long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y)) t = t * 3 + s.f(id); return t; } }\n"
                        + "static long unused() { return 0;");
        strands(
                "in-an-inner-class",
                20,
                "return new PInAnInnerClass().new Inner().go(s, n); }\n"
                        + "private int k = 3; private int shifted(int y) { return y + k; }\n"
                        + "class Inner { long go(Svc s, int n) { long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(shifted(y))) t = t * 3 + s.f(id * k); return t; } }\n"
                        + "static long unused() { return 0;");
        same(
                "super-in-the-slice",
                "return new Sub().go(s, n); }\n"
                        + "static class Base { int from(int y) { return y + 2; } }\n"
                        + "static class Sub extends Base { @Override int from(int y) { return y; }\n"
                        + "long go(Svc s, int n) { long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(super.from(y))) t = t * 3 + s.f(id); return t; } }\n"
                        + "static long unused() { return 0;");
        queues(
                "protected-of-another-package-in-the-slice",
                "return new Sub().go(s, n); }\n"
                        + "static class Sub extends ArrayList<Integer> {\n"
                        + "long go(Svc s, int n) { long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y + modCount)) t = t * 3 + s.f(id + modCount); return t; } }\n"
                        + "static long unused() { return 0;");
        strands(
                "in-a-loop-of-nests",
                240,
                "long t = 0; for (int w = 0; w < 2; w++) { long u = w; for (int y = 0; y < n; y++) for (int id : s.row(y)) u = u * 3 + s.f(id); t += u; } return t;");
        strands(
                "one-behind-the-other",
                40,
                "long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y)) t = t * 3 + s.f(id); for (int y = 0; y < n; y++) for (int id : s.row(y + 1)) t = t * 5 + s.g(id); return t;");
    }

    /** Handlers in and around nests. */
    private void handlers() {
        same(
                "handled-within-a-pass",
                "StringBuilder l = new StringBuilder(\"caught\"); for (int y = 0; y < n && y < 4; y++) for (int x = 0; x < 3; x++) try { for (int id : s.row(y + x)) l.append(s.f(id)).append(' '); } catch (RuntimeException e) { l.append('!'); } return l.toString();");
        same(
                "handled-outside-and-again",
                "StringBuilder l = new StringBuilder(\"caught\"); for (int w = 0; w < 2; w++) try { for (int y = 0; y < n && y < 6; y++) for (int id : s.row(y)) l.append(s.f(id)); } catch (RuntimeException e) { l.append('!').append(s.f(w)); } return l.toString();");
        same(
                "finally-outside",
                "StringBuilder l = new StringBuilder(\"caught\"); int y = 0; try { for (; y < n && y < 6; y++) for (int id : s.row(y)) l.append(s.f(id)); } finally { l.append(y); } return l.toString();");
        same(
                "finally-inside",
                "StringBuilder l = new StringBuilder(\"caught\"); for (int y = 0; y < n && y < 6; y++) try { for (int id : s.row(y)) l.append(s.f(id)); } finally { l.append('f'); } return l.toString();");
        same(
                "handled-outside-what-the-slice-throws",
                "int[] a = new int[12]; StringBuilder l = new StringBuilder(); try { for (int y = 0; y < n; y++) for (int id : s.row(a[y] + y)) l.append(s.f(id)); } catch (ArrayIndexOutOfBoundsException e) { l.append(e.getMessage()); } return \"caught\" + l;");
        same(
                "monitor-whose-nest-throws",
                "Object lock = new Object(); long t = 0; try { synchronized (lock) { for (int y = 0; y < n; y++) { if (y == 11) throw new IllegalStateException(\"t\" + t); for (int id : s.row(y)) t = t * 3 + s.f(id); } } } catch (RuntimeException e) { return \"caught\" + Thread.holdsLock(lock) + e.getMessage(); } return t;");
    }

    /** A nest of as many calls, at each of which a strand would keep as many variables. */
    private static String manyKept(int many) {
        StringBuilder text = new StringBuilder("long t = 0; for (int y = 0; y < n && y < 3; y++) { ");
        for (int i = 0; i < many; i++) {
            text.append("int v").append(i).append(" = y * ").append(i + 3).append("; ");
        }
        text.append("for (int id : s.row(y)) { ");
        for (int i = 0; i < many; i++) {
            text.append("t = t * 3 + s.f(id + v").append(i).append("); ");
        }
        return text.append("} } return t;").toString();
    }
}
