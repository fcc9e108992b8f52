package dev.cleave.agent.conformance;

import dev.cleave.agent.rule.Rule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Lambda expressions with remote calls that are given to methods of the program, which call them, as a retry does (R71). */
@Tag("one-jdk")
class GivenFunctionTest extends StrandPrograms {

    private static final String SUPPLIER = "java.util.function.Supplier<Integer>";
    private static final String RETRY = "private static int retry(" + SUPPLIER
            + " op) { RuntimeException last = null; for (int i = 0; i < 3; i++) try { return op.get(); } catch (RuntimeException e) { last = e; } throw last;";
    private static final String CALL = "private static int call(" + SUPPLIER + " op) { return op.get();";
    private static final String SUM =
            "long t = 0; for (int i = 0; i < n; i++) { int k = i; t = t * 3 + %s; } return t; }\n";

    private static final String DESK =
            " static class Desk { final Svc s; int asked; Desk(Svc s) { this.s = s; } long total(int n) { long t = 0; for (int i = 0; i < n; i++) { int k = i; t = t * 3 + once(() -> s.f(k)); } return t; } int once("
                    + SUPPLIER
                    + " op) { int a = op.get(); return a % 3 == 0 ? a : a + 1; } long other(Desk d, int i) { long t = 0; for (int j = 0; j < 3; j++) { int k = i + j; t = t * 3 + d.once(() -> s.f(k)) + asked; } return t; } } static int none() { return 1;";

    GivenFunctionTest() {
        super(40);
    }

    private static String sum(String value) {
        return SUM.formatted(value);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        given();
        elsewhere();
        order();
        notGiven();
        optional();
        optionalAsWritten();
        return tests();
    }

    private void given() {
        strands("retried", 1, sum("retry(() -> s.f(k))") + RETRY);
        strands("retried-chain", 2, sum("retry(() -> s.g(s.f(k)))") + RETRY);
        strands("called", 1, sum("call(() -> s.f(k))") + CALL);
        strands(
                "in-straight-line",
                1,
                "int a = call(() -> s.f(n)); int b = call(() -> s.g(n)); int c = call(() -> s.f(n + 1)); return a + b * 3 + c * 5; }\n"
                        + CALL);
        without(
                "retried-in-straight-line",
                Rule.R30,
                "int a = retry(() -> s.f(n)); int b = call(() -> s.g(n)); int c = retry(() -> s.f(n + 1)); return a + b * 3 + c * 5; }\n"
                        + CALL + "}\n" + RETRY);
        strands("given-to-an-open-method", 1, "return new Desk(s).total(n); }" + DESK);
        same(
                "given-to-an-overridden-method",
                "Desk d = n % 2 == 0 ? new Desk(s) : new Odd(s); return d.total(n) + \" \" + new Odd(s).total(n); }"
                        + " static class Odd extends Desk { Odd(Svc s) { super(s); } @Override int once("
                        + SUPPLIER
                        + " op) { asked++; return asked % 3 == 0 ? 7 : asked % 3 == 1 ? op.get() : op.get() + op.get() * 3; } }"
                        + DESK);
        same(
                "given-to-an-open-method-of-others",
                "Desk[] all = {new Desk(s), new Odd(s)}; long t = 0; for (int i = 0; i < n; i++) t = t * 3 + all[i % 2].other(all[(i + 1) % 2], i); return t; }"
                        + " static class Odd extends Desk { Odd(Svc s) { super(s); } @Override int once("
                        + SUPPLIER
                        + " op) { asked++; return asked % 3 == 0 ? 7 : asked % 3 == 1 ? op.get() : op.get() + op.get() * 3; } }"
                        + DESK);
        strands(
                "in-a-helper",
                2,
                sum("load(s, s.g(k))")
                        + "private static int load(Svc s, int k) { return 1 + retry(() -> s.f(k)) * 2; }\n" + RETRY);
        strands("in-another-function", 1, sum("call(() -> retry(() -> s.f(k)) + 1)") + CALL + "}\n" + RETRY);
        strands(
                "handed-on",
                1,
                sum("twice(() -> s.f(k))") + "private static int twice(" + SUPPLIER
                        + " op) { Objects.requireNonNull(op); return again(2, op) * 2; }\nprivate static int again(long many, "
                        + SUPPLIER + " op) { return op == null ? 0 : op.get() + (int) many;");
        strands(
                "two-functions",
                2,
                sum("orElse(() -> s.f(k), () -> s.g(k))") + "private static int orElse(" + SUPPLIER + " a, " + SUPPLIER
                        + " b) { int x = a.get(); return x % 2 == 0 ? x : b.get();");
        strands(
                "fallback",
                1,
                sum("orElse(() -> s.f(k), () -> s.g(k))") + "private static int orElse(" + SUPPLIER + " a, " + SUPPLIER
                        + " b) { try { return a.get(); } catch (RuntimeException e) { return b.get(); }");
        strands(
                "with-arguments",
                1,
                sum("with(k, x -> s.f(x + k))")
                        + "private static int with(int k, java.util.function.IntUnaryOperator f) { return f.applyAsInt(k * 2);");
        strands(
                "with-objects",
                1,
                sum("with(\"k\" + k, (x, y) -> s.s(x + y)).length()")
                        + "private static String with(String k, java.util.function.BiFunction<String, Long, String> f) { return f.apply(k, 7L);");
        strands(
                "own-interface",
                1,
                "long t = 0; for (int i = 0; i < n; i++) { long k = i; double d = i; t = t * 3 + run(x -> (int) (s.lf(k + x) + d)); } return t; }\n"
                        + "interface Op { int run(long x) throws Exception; }\nprivate static int run(Op op) { try { return op.run(5); } catch (Exception e) { throw new IllegalStateException(\"caught\"); }");
        strands(
                "of-an-object",
                1,
                "return new @@(s).go(n); }\nprivate final Svc own; private final int base = 3; @@(Svc own) { this.own = own; }\n"
                                .replace("@@", "POfAnObject")
                        + "long go(int n) { long t = 0; for (int i = 0; i < n; i++) { int k = i; t = t * 3 + retry(() -> own.f(k + base)); } return t; }\n"
                        + RETRY.replace("static ", ""));
        strands(
                "handles-in-the-function",
                1,
                sum("call(() -> { try { return s.f(k); } catch (RuntimeException e) { return -1; } })") + CALL);
        strands(
                "runs-nothing-back",
                1,
                "int[] t = {0}; for (int i = 0; i < n; i++) { int k = i; run(() -> t[0] = t[0] * 3 + s.f(k)); } return t[0]; }\n"
                        + "private static void run(Runnable op) { op.run();");
        strands(
                "in-a-stream",
                1,
                "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i); return xs.stream().map(x -> call(() -> s.f(x))).toList(); }\n"
                        + CALL);
        same(
                "retried-in-a-stream",
                "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i); return xs.stream().map(x -> retry(() -> s.f(x))).toList(); }\n"
                        + RETRY);
        strands(
                "elements-of-a-list",
                1,
                "List<Integer> xs = new ArrayList<>(), out = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i); for (Integer x : xs) {\n out.add(retry(() -> s.f(x)));\n } return out.toString(); }\n"
                        + RETRY);
        strands(
                "until-attempts-are-used-up",
                1,
                sum("until(() -> s.f(k))") + "private static int until(" + SUPPLIER
                        + " op) { int attempt = 0; while (true) { try { return op.get(); } catch (RuntimeException e) { if (++attempt >= 3) throw e; } }");
        without(
                "sleeps-between-attempts",
                sum("slow(() -> s.f(k))") + "private static int slow(" + SUPPLIER
                        + " op) { for (int i = 0; i < 3; i++) { try { return op.get(); } catch (RuntimeException e) { try { Thread.sleep(0); } catch (InterruptedException x) { return -1; } } } return 0;");
        strands(
                "nest-in-a-helper",
                40,
                "long t = all(s, 3); for (int i = 0; i < n; i++) t = t * 3 + all(s, s.g(i) & 3); return t + all(s, 2); }\n"
                        + "private static int all(Svc s, int n) { int t = 0; for (int i = 0; i < n; i++) { int k = i; t = t * 3 + call(() -> s.f(k)) + retry(() -> s.g(k)); } return t; }\n"
                        + CALL + "}\n" + RETRY);
    }

    private void elsewhere() {
        strands(
                "static-elsewhere",
                1,
                sum("R.retry(() -> s.f(k))")
                        + "static class R { static <T> T retry(java.util.concurrent.Callable<T> op) { Exception last = null; for (int i = 0; i < 3; i++) try { return op.call(); } catch (Exception e) { last = e; } throw new IllegalStateException(last.getMessage()); }");
        without(
                "initialised-elsewhere",
                Rule.R71,
                sum("R.call(() -> s.f(k + key))")
                        + "static int key = 1; static class R { static { key++; } static <T> T call(java.util.function.Supplier<T> op) { return op.get(); }");
        without(
                "object-elsewhere",
                Rule.R71,
                "R r = new R(); " + sum("r.call(() -> s.f(k))")
                        + "static class R { <T> T call(java.util.function.Supplier<T> op) { return op.get(); }");
    }

    private void order() {
        without(
                "function-writes-what-it-reads",
                "key = 0; " + sum("call(() -> { key = key * 3 % 50 + k; return s.f(key); })") + "static int key;\n"
                        + CALL);
        without(
                "method-writes-what-the-function-reads",
                "key = 0; " + sum("call(() -> s.f(key + k))") + "static int key;\nprivate static int call(" + SUPPLIER
                        + " op) { key++; return op.get();");
        same(
                "function-throws-first",
                "StringBuilder l = new StringBuilder(\"caught\"); for (int i = 0; i < n; i++) { int k = i; try { l.append(retry(() -> { if (k % 4 == 3) throw new IllegalStateException(\"own\" + k); return s.f(k); })); } catch (IllegalStateException e) { l.append(e.getMessage()); } } return l.toString(); }\n"
                        + RETRY);
        same(
                "left-on-a-value",
                "long t = 0; for (int i = 0; i < n; i++) { int k = i; int v = call(() -> s.f(k)); if (v % 7 == 3) break; t = t * 3 + v; } return t; }\n"
                        + CALL);
        same(
                "counts-attempts",
                "tries = 0; " + sum("retry(() -> { tries++; return s.f(k); }) + tries") + "static int tries;\n"
                        + RETRY);
        same("prints-between", sum("call(() -> { System.out.print(\"\"); return s.f(k); })") + CALL);
        same(
                "null-is-unboxed",
                "StringBuilder l = new StringBuilder(); for (int i = 0; i < n; i++) { int k = i; try { l.append(call(() -> s.maybe(k))); } catch (NullPointerException e) { l.append(\"caught\"); } } return l.toString(); }\n"
                        + CALL);
        same(
                "captured-object-changes",
                "int[] k = {0}; long t = 0; for (int i = 0; i < n; i++) { k[0] = i * 2; t = t * 3 + call(() -> s.f(k[0])); k[0] = -1; } return t; }\n"
                        + CALL);
        same(
                "calls-itself-through-the-function",
                "return go(s, n % 6); }\nprivate static int go(Svc s, int n) { if (n == 0) return 1; int a = call(() -> s.f(n)); return a + call(() -> go(s, n - 1)) * 3; }\n"
                        + CALL);
        same(
                "enters-the-same-function-below",
                "return go(s, n % 6, 0); }\nprivate static int go(Svc s, int n, int d) { int t = 0; for (int i = 0; i < n; i++) { int k = i; t = t * 3 + retry(() -> d < 2 && k % 3 == 1 ? go(s, n, d + 1) : s.f(k + d)); } return t; }\n"
                        + RETRY);
        same(
                "thrown-through",
                "StringBuilder l = new StringBuilder(); for (int i = 0; i < n && i < 9; i++) { int k = i; try { l.append(call(() -> s.f(k) + s.g(k))); } catch (RuntimeException e) { l.append(\"caught\").append(call(() -> s.g(k + 1))); } } return l.toString(); }\n"
                        + CALL);
    }

    private void notGiven() {
        without(
                "called-twice",
                Rule.R71,
                sum("both(() -> s.f(k))") + "private static int both(" + SUPPLIER
                        + " op) { return op.get() + op.get();");
        without(
                "kept",
                Rule.R71,
                "last = null; " + sum("keep(() -> s.f(k))") + "static " + SUPPLIER + " last;\nprivate static int keep("
                        + SUPPLIER + " op) { " + SUPPLIER
                        + " before = last; last = op; return before == null ? 0 : before.get();");
        without(
                "compared",
                Rule.R71,
                sum("compare(() -> s.f(k))") + "static Object last;\nprivate static int compare(" + SUPPLIER
                        + " op) { return op == last ? 0 : op.get();");
        without(
                "replaced",
                Rule.R71,
                sum("replace(() -> s.f(k), n)") + "private static int replace(" + SUPPLIER
                        + " op, int n) { if (n % 2 == 0) op = () -> 7; return op.get();");
        strands(
                "may-be-overridden",
                1,
                "return new PMayBeOverridden().go(s, n); }\nlong go(Svc s, int n) { " + sum("call(() -> s.f(k))")
                        + "int call(" + SUPPLIER + " op) { return op.get();");
        without("given-to-unknown-code", sum("Objects.requireNonNullElseGet((Integer) null, () -> s.f(k))") + CALL);
        without(
                "locked",
                sum("call(() -> s.f(k))") + "private static synchronized int call(" + SUPPLIER
                        + " op) { return op.get();");
        same("chosen", sum("k % 2 == 0 ? call(() -> s.f(k)) : call(k % 3 == 0 ? () -> s.g(k) : () -> 5)") + CALL);
        same(
                "of-a-variable",
                "long t = 0; for (int i = 0; i < n; i++) { int k = i; " + SUPPLIER
                        + " op = () -> s.f(k); t = t * 3 + call(op) + op.get(); } return t; }\n" + CALL);
    }

    private void optional() {
        strands(
                "optional-mapped",
                2,
                sum("Optional.ofNullable(s.maybe(k)).map(x -> s.f(x)).orElse(-1)")
                        + " private static int none() { return 1;");
        strands(
                "optional-reference",
                2,
                sum("Optional.ofNullable(s.maybe(k)).map(s::f).orElse(-1)") + " private static int none() { return 1;");
        same(
                "optional-mapped-between",
                sum(
                                "Optional.ofNullable(s.maybe(k)).map(x -> x + 1).map(s::f).filter(x -> x % 2 == 0).map(x -> s.g(x)).orElse(-1)")
                        + " private static int none() { return 1;");
        strands(
                "optional-filtered-by-a-call",
                2,
                sum("Optional.ofNullable(s.maybe(k)).filter(x -> s.ok(x)).orElse(-1)")
                        + " private static int none() { return 1;");
        strands(
                "optional-or-else-get",
                2,
                sum("Optional.ofNullable(s.maybe(k)).orElseGet(() -> s.g(k))")
                        + " private static int none() { return 1;");
        strands(
                "optional-flat-mapped",
                2,
                sum("Optional.ofNullable(s.maybe(k)).flatMap(x -> Optional.of(s.f(x) + 1)).orElse(-1)")
                        + " private static int none() { return 1;");
        strands(
                "optional-in-a-helper",
                2,
                sum("load(s, k).orElse(-1)")
                        + "private static Optional<Integer> load(Svc s, int k) { return Optional.ofNullable(s.maybe(k)).map(x -> s.f(x));");
        strands(
                "optional-if-present",
                2,
                "List<Integer> out = new ArrayList<>(); for (int i = 0; i < n; i++) Optional.ofNullable(s.maybe(i)).ifPresent(x -> out.add(s.f(x))); return out; } private static int none() { return 1;");
    }

    private void optionalAsWritten() {
        same(
                "optional-function-throws",
                sum(
                                "Optional.ofNullable(s.maybe(k)).map(x -> { if (x == 2) throw new IllegalStateException(\"x\" + x); return s.f(x); }).orElse(-1)")
                        + " private static int none() { return 1;");
        same(
                "optional-maps-to-null",
                sum(
                                "Optional.ofNullable(s.maybe(k)).map(x -> x == 1 ? (Integer) null : (Integer) s.f(x)).map(y -> s.g(y)).orElse(-5)")
                        + " private static int none() { return 1;");
        same(
                "optional-flat-maps-to-null",
                sum(
                                "Optional.ofNullable(s.maybe(k)).flatMap(x -> x == 3 ? null : Optional.of(s.f(x))).map(y -> s.g(y)).orElse(-5)")
                        + " private static int none() { return 1;");
        same(
                "optional-of-two-services",
                sum("Optional.ofNullable(s.maybe(k)).map(x -> z.f(x)).map(s::g).map(z::f).orElse(-5)")
                        + " private static int none() { return 1;");
        same(
                "optional-or-another",
                sum("Optional.ofNullable(s.maybe(k)).or(() -> Optional.of(s.g(k))).map(x -> s.f(x)).get()")
                        + " private static int none() { return 1;");
        same(
                "optional-that-is-null",
                sum("load(s, k)")
                        + " private static int load(Svc s, int k) { Optional<Integer> o = Optional.ofNullable(s.maybe(k)); if (k == 3) o = null; return o.map(x -> s.f(x)).hashCode();");
        same(
                "optional-function-of-a-variable",
                sum("map(s, Optional.ofNullable(s.maybe(k)), k).orElse(-5)")
                        + "private static Optional<Integer> map(Svc s, Optional<Integer> o, int k) { java.util.function.Function<Integer, Integer> f = k % 2 == 0 ? x -> s.f(x) : x -> s.g(x); return o.map(f);");
        same(
                "optional-function-counts",
                "int[] c = {0}; long t = 0; for (int i = 0; i < n; i++) t = t * 3 + Optional.ofNullable(s.maybe(i)).map(x -> { c[0]++; return s.f(x + c[0]); }).orElse(-1); return t + c[0]; } private static int none() { return 1;");
        same(
                "optional-tried",
                "long t = 0; for (int i = 0; i < n; i++) try { t = t * 3 + Optional.ofNullable(s.maybe(i)).map(s::f).map(x -> s.g(x)).orElseThrow(); } catch (RuntimeException e) { t += 5; } return t; } private static int none() { return 1;");
        same(
                "optional-in-straight-line",
                "int a = Optional.ofNullable(s.maybe(n)).map(s::f).orElse(1); int b = Optional.ofNullable(s.maybe(n + 1)).map(x -> s.g(x)).orElse(2); return a * 3 + b + Optional.of(s.f(a)).map(Integer::doubleValue).map(Double::intValue).map(s::g).get(); } private static int none() { return 1;");
    }
}
