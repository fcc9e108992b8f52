package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.rule.Rule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Programs written to be computed wrongly: each once was, or looks as if it should be. */
@Tag("one-jdk")
class AdversaryTest extends ProgramTests {

    @TestFactory
    Stream<DynamicTest> patterns() {
        objects();
        collections();
        calledBack();
        control();
        return tests();
    }

    /** A class is initialised once, so these cannot be run twice. */
    @Test
    void refusesInitialisersThatWriteElsewhereOrThrow() {
        refusesInitialiser("class-initialiser-writes-consumer", """
key = 1; int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.f(key); if (i == 3) t += Reg.v; } return t; }
static int key; static class Reg { static int v = 3; static { key = 50; }
""");
        refusesInitialiser("class-initialiser-writes-slice", """
key = 1; int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + key; t += s.f(i < 2 ? 1 : Reg.v); } return t; }
static int key; static class Reg { static int v = 3; static { key = 50; }
""");
        refusesInitialiser("class-initialiser-throws", """
int t = 0; try { for (int i = 0; i < n; i++) { t = t * 3 + i; t += s.f(i < 2 ? 1 : Reg.v + i); } } catch (LinkageError e) { return "caught" + (e.getCause() == null) + t; } return t; }
static class Reg { static int v = div(); static int div() { int z = 0; for (int i = 0; i < 3; i++) z += i; return 5 / (z - 3); }
""");
    }

    @Test
    void refusesInitialisersThatReadWhatChanges() {
        keepsBehindInitialiser("class-initialiser-reads", """
key = 1; int t = s.f(1); key = 2; t += s.g(Reg.v); return t; }
static int key; static class Reg { static int v = key;
""");
        keepsBehindInitialiser("class-initialiser-reads-through-method", """
key = 1; int t = s.f(1); key = 2; t += s.g(Reg.v); return t; }
static int key; static int look() { return key; } static class Reg { static int v = look();
""");
        keepsBehindInitialiser("class-initialiser-reads-array", """
Keys.K[0] = 1; int t = s.f(1); Keys.K[0] = 2; t += s.g(Reg.v); return t; }
static class Keys { static final int[] K = new int[1]; } static class Reg { static int v = Arrays.hashCode(Keys.K);
""");
        keepsBehindInitialiser("class-initialiser-reads-inherited", """
Base.key = 1; int t = s.f(1); Base.key = 2; t += s.g(Reg.v); return t; }
static class Base { static int key; } static class Reg extends Base { static int v = key;
""");
        keepsBehindInitialiser("class-initialiser-writes-namesake", """
int t = s.f(1); Reg.w = 3; t += s.g(Reg.w + Other.v); return t; }
static class Other { static int v = 1; } static class Reg { static int v = 2; static int w = 5; static { Other.v = 50; }
""");
    }

    private void keepsBehindInitialiser(String name, String body) {
        Conformance one = new Conformance();
        one.addBody(name, body);
        assertThat(one.verdicts(name)).hasSize(2).anySatisfy(verdict -> {
            assertThat(verdict.refusal()).isNotNull();
            assertThat(verdict.refusal().rule()).isEqualTo(Rule.R14);
        });
    }

    private void refusesInitialiser(String name, String body) {
        Conformance one = new Conformance();
        one.addBody(name, body);
        assertThat(one.verdicts(name)).allSatisfy(verdict -> {
            assertThat(verdict.refusal()).isNotNull();
            assertThat(verdict.refusal().rule()).isEqualTo(Rule.R14);
        });
    }

    private void objects() {
        same("helper-fills-new-array", """
int t = 0; for (int i = 0; i < n; i++) { int[] x = new int[2]; fill(x, i); t = t * 3 + s.sumOf(x); } return t; }
static void fill(int[] x, int i) { x[0] = i; x[1] = i * 7;
""");
        same("arraycopy-into-new", """
int[] k = new int[n + 2]; for (int i = 0; i < k.length; i++) k[i] = i * i; int t = 0; for (int i = 0; i < n; i++) { int[] x = new int[2]; System.arraycopy(k, i, x, 0, 2); t = t * 3 + s.sumOf(x); } return t;
""");
        same("nested-array-alias", """
int t = 0; for (int i = 0; i < n; i++) { int[] x = new int[2]; int[][] y = {x}; y[0][1] = i; t = t * 3 + s.sumOf(x); } return t;
""");
        same("box-in-holder", """
int t = 0; for (int i = 0; i < n; i++) { Svc.Box b = new Svc.Box(1); H h = new H(); h.b = b; h.b.value = i + 5; t = t * 3 + s.weigh(b); } return t; }
static final class H { Svc.Box b;
""");
        same("box-set-by-helper", """
int t = 0; for (int i = 0; i < n; i++) { Svc.Box b = new Svc.Box(1); set(b, i); t = t * 3 + s.weigh(b); } return t; }
static void set(Svc.Box b, int v) { b.value = v;
""");
        same("straight-box-set-by-helper", """
int t = s.f(1); Svc.Box b = new Svc.Box(1); set(b, n); t = t * 3 + s.weigh(b); return t; }
static void set(Svc.Box b, int v) { b.value = v;
""");
        same("leader-in-constructor-argument", """
Svc.Box b = new Svc.Box(s.f(n)); int x = s.weigh(b); return x;
""");
        same("leader-in-constructor-argument-field", """
Svc.Box b = new Svc.Box(s.f(n)); int x = s.g(b.value); return x;
""");
        same("helper-param-or-new", """
int[] k = new int[n + 1]; return go(s, k, n); }
static Object go(Svc s, int[] k, int n) { int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.f(k[0]); fill(k, i < 0, i); } return t; }
static void fill(int[] p, boolean c, int i) { if (c) p = new int[3]; p[0] = i * 5;
""");
        same("field-of-shared-object", """
Svc.Box a = new Svc.Box(1); return go(s, a, a, n); }
static Object go(Svc s, Svc.Box a, Svc.Box b, int n) { int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.f(a.value); b.value = i; } return t;
""");
        same("array-of-arrays-swap", """
int[][] m = {{1}, {2}}; int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.f(m[0][0]); int[] x = m[0]; m[0] = m[1]; m[1] = x; m[1][0] = i; } return t;
""");
        same("own-array-through-phi", """
int[] a = new int[2]; int[] b = new int[2]; int t = 0; for (int i = 0; i < n; i++) { int[] c = i % 2 == 0 ? a : b; c[0] = i; t = t * 3 + s.f(a[0] + b[0]); } return t;
""");
        same("own-array-swapped", """
int[] a = new int[2]; int[] b = new int[2]; int t = 0; for (int i = 0; i < n; i++) { b[0] = i; t = t * 3 + s.f(a[0]); int[] c = a; a = b; b = c; } return t;
""");
        same("string-builder-aliased", """
StringBuilder b = new StringBuilder(); return go(s, b, b, n % 20); }
static Object go(Svc s, StringBuilder b, StringBuilder c, int n) { for (int i = 0; i < n; i++) b.append(s.f(c.length())); return b.toString();
""");
    }

    private void collections() {
        same("as-list-backed", """
Integer[] a = new Integer[n]; for (int i = 0; i < n; i++) a[i] = i; return go(s, a, Arrays.asList(a), n); }
static Object go(Svc s, Integer[] a, List<Integer> l, int n) { for (int i = 0; i < n; i++) a[n - 1 - i] = s.f(l.get(i)) % 1000; return Arrays.toString(a);
""");
        same("as-list-set", """
Integer[] a = new Integer[n]; for (int i = 0; i < n; i++) a[i] = i; return go(s, a, Arrays.asList(a), n); }
static Object go(Svc s, Integer[] a, List<Integer> l, int n) { for (int i = 0; i < n; i++) l.set(n - 1 - i, s.f(a[i]) % 1000); return Arrays.toString(a);
""");
        same("entry-of-map", """
Map<String, Integer> m = new HashMap<>(); m.put("k", 1); Map.Entry<String, Integer> e = m.entrySet().iterator().next(); return go(s, m, e, n); }
static Object go(Svc s, Map<String, Integer> m, Map.Entry<String, Integer> e, int n) { for (int i = 0; i < n; i++) m.put("k", s.f(e.getValue()) % 1000); return m.get("k");
""");
        same("new-list-of-user-class", """
cnt = 0; int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.f(h(i)) + cnt; } return t + "," + cnt; }
static int cnt; static final class Noisy extends ArrayList<Integer> { public boolean add(Integer x) { cnt++; return super.add(x); } }
private static int h(int x) { List<Integer> l = new Noisy(); l.add(x); return x;
""");
        same("new-list-of-user-class-consumer", """
cnt = 0; int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.f(cnt); h(i); } return t + "," + cnt; }
static int cnt; static final class Noisy extends ArrayList<Integer> { public boolean add(Integer x) { cnt++; return super.add(x); } }
private static int h(int x) { List<Integer> l = new Noisy(); l.add(x); return x;
""");
        same("iterator-reentered", """
List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i * 2); Iterator<Integer> it = xs.iterator(); int t = 0; int f = 0;
for (int k = 0; k < 4; k++) { try { while (it.hasNext()) t = t * 3 + s.f(it.next()); } catch (RuntimeException e) { f++; } } return "caught" + t + "," + f;
""");
        same("iterator-reentered-counted", """
List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i * 2); Iterator<Integer> it = xs.iterator(); int t = 0;
for (int k = 0; k < 4; k++) { int c = 0; while (it.hasNext() && c++ < 5) t = t * 3 + s.f(it.next()); } return t;
""");
        same("iterator-next-in-handler", """
List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i * 2); Iterator<Integer> it = xs.iterator(); int t = 0;
while (it.hasNext()) { try { int x = it.next(); t = t * 3 + s.f(x); } catch (RuntimeException e) { if (it.hasNext()) it.next(); t++; } } return "caught" + t;
""");
        same("treemap-key-set-comparator", """
cnt = 0; Set<String> ks = new TreeMap<String, Integer>((a, b) -> { cnt++; return a.compareTo(b); }) {{ put("a", 1); put("k3", 2); }}.keySet(); return go(s, ks, n); }
static int cnt; static Object go(Svc s, Set<String> ks, int n) { int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.f(ks.contains("k" + i) ? 1 : 0) + cnt; } return t;
""");
        same("set-of-two-equals", """
cnt = 0; Set<Object> ks = Set.of(new U(), new U()); return go(s, ks, n); }
static int cnt; static class U { public boolean equals(Object o) { cnt++; return false; } public int hashCode() { return System.identityHashCode(this); } }
static Object go(Svc s, Set<Object> ks, int n) { int t = 0; cnt = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.f(ks.contains("k" + i) ? 1 : 0) + (cnt > 0 ? 1 : 0) * cnt / (i + 1); } return t % 2 * 0 + cnt;
""");
        same("map-of-lists", """
Map<String, List<Integer>> m = new HashMap<>(); m.put("a", new ArrayList<>()); List<Integer> l = m.get("a"); int t = 0; for (int i = 0; i < n; i++) { l.add(s.f(m.get("a").size())); } return l;
""");
        same("linked-hash-map-access-order", """
LinkedHashMap<String, Integer> m = new LinkedHashMap<>(16, .75f, true); for (int i = 0; i < 5; i++) m.put("k" + i, i); return go(s, m, n); }
static Object go(Svc s, Map<String, Integer> m, int n) { int t = 0; try { for (String k : m.keySet()) { t = t * 3 + s.f(k.length()) + m.get("k1"); } } catch (ConcurrentModificationException e) { return "caught" + t; } return t;
""");
        same("list-size-bound", """
List<Integer> xs = new ArrayList<>(); xs.add(1); for (int i = 0; i < xs.size() && i < n; i++) { xs.add(s.f(i)); } return xs;
""");
    }

    private void calledBack() {
        same("or-else-throw-supplier", """
cnt = 0; Optional<Integer>[] o = new Optional[n]; for (int i = 0; i < n; i++) o[i] = i == 11 ? Optional.empty() : Optional.of(i); return go(s, o, n); }
static int cnt; static Object go(Svc s, Optional<Integer>[] o, int n) { int t = 0; try { for (int i = 0; i < n; i++) t = t * 3 + s.f(o[i].orElseThrow(() -> { cnt++; return new IllegalStateException("x" + cnt); })); } catch (IllegalStateException e) { return "caught" + t + e.getMessage() + cnt; } return t;
""");
        same("number-subclass", """
cnt = 0; Number[] k = new Number[n]; for (int i = 0; i < n; i++) k[i] = new N(); int t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.f(k[i].intValue()) + cnt; return t; }
static int cnt; static class N extends Number { public int intValue() { return cnt++; } public long longValue() { return 0; } public float floatValue() { return 0; } public double doubleValue() { return 0; }
""");
        same("value-of-chars", """
char[] c = {'a', 'b'}; String t = ""; for (int i = 0; i < n; i++) { t = s.s(String.valueOf(c)); c[0] = (char) ('a' + t.length() + i % 7); } return t;
""");
        same("value-of-chars-param", """
return go(s, new char[] {'a', 'b'}, n); }
static Object go(Svc s, char[] c, int n) { String t = ""; for (int i = 0; i < n; i++) { t = s.s(String.valueOf(c)); c[0] = (char) ('a' + t.length() + i % 7); } return t;
""");
        same("append-chars-param", """
return go(s, new char[] {'a', 'b'}, n); }
static Object go(Svc s, char[] c, int n) { String t = ""; for (int i = 0; i < n; i++) { t = s.s(new StringBuilder().append(c).toString()); c[0] = (char) ('a' + t.length() + i % 7); } return t;
""");
        same("append-builder-param", """
return go(s, new StringBuilder("q"), n); }
static Object go(Svc s, StringBuilder c, int n) { String t = ""; for (int i = 0; i < n; i++) { StringBuilder d = new StringBuilder(); d.append(c); t = s.s(d.toString()); c.setLength(0); c.append(t.length() + i); } return t;
""");
        same("overridable-helper", """
return new S2().go(s, n); }
static class S1 { int c; int key(int i) { return i; } Object go(Svc s, int n) { int t = 0; for (int i = 0; i < n; i++) t = t * 3 + s.f(key(i)); return t + "," + c; } }
static class S2 extends S1 { int key(int i) { c++; return c; }
""");
    }

    private void control() {
        same("null-receiver-of-conditional-argument", """
Svc x = n > 3 ? null : s; int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + x.f((i & 1) == 0 ? i : t); } return t;
""");
        same("extra-code-after-exception", """
int[] d = new int[4]; int t = 0; int k = 0; for (int i = 0; i < n; i++) { try { if (i % 2 == 0) { t += d[i]; continue; } } catch (ArrayIndexOutOfBoundsException e) { t++; } k += i; t = t * 3 + s.f(k); } return "caught" + t;
""");
        same("extra-code-after-exception-2", """
int[] d = new int[4]; int t = 0; int k = 0; for (int i = 0; i < n; i++) { try { t += d[i]; if (i % 3 == 1) continue; } catch (ArrayIndexOutOfBoundsException e) { t++; } k += i; t = t * 3 + s.f(k); } return "caught" + t;
""");
        same("skipped-code-after-exception", """
int[] d = new int[4]; int t = 0; int k = 0; for (int i = 0; i < n; i++) { try { t += d[i]; k = i; } catch (ArrayIndexOutOfBoundsException e) { t++; } t = t * 3 + s.f(k); } return "caught" + t;
""");
        same("switch-expression-with-loop", """
int t = 5; for (int k = 0; k < 3; k++) { t = t * 3 + switch (n % 3) { case 0 -> { int u = 0; for (int i = 0; i < n; i++) u = u * 3 + s.f(i); yield u; } case 1 -> s.f(k) + s.g(k); default -> 4; }; } return t;
""");
        same("finally-return-in-body", """
StringBuilder l = new StringBuilder(); for (int i = 0; i < n; i++) { try { l.append(s.f(i)); } finally { if (i == 7) return "caught" + l; } } return l.toString();
""");
        same("finally-continue", """
StringBuilder l = new StringBuilder(); for (int i = 0; i < n; i++) { try { l.append(s.f(i)); } finally { if (i % 2 == 0) continue; } l.append(s.g(i)); } return "caught" + l;
""");
        same("labelled", """
int t = 0; a: for (int i = 0; i < n; i++) { for (int k = 0; k < 4; k++) { if (i % 3 == k) continue a; if (i == 40) break a; t = t * 3 + s.f(i * 4 + k); } t += s.g(i); } return t;
""");
        same("same-header-loops", """
int t = 0; int i = 0; do { do { t = t * 3 + s.f(i); i++; } while (i % 4 != 0 && i < n); } while (i < n); return t;
""");
        same("nested-catch-rethrow", """
StringBuilder l = new StringBuilder(); try { for (int i = 0; i < n; i++) { try { l.append(s.f(i)); try { l.append(s.g(i)); } finally { l.append('f'); } } catch (RuntimeException e) { if (i == 3) throw e; l.append('!'); } } } catch (RuntimeException e) { return "caught" + l + e.getMessage(); } return "caught" + l;
""");
        same("conditional-three-sites-caught", """
int t = 0; for (int i = 0; i < n; i++) { try { t = t * 3 + s.f(i); t = t * 3 + s.g(i); t = t * 3 + s.w(i); } catch (RuntimeException e) { t += 7; } t = t * 5 + s.pure(i); } return "caught" + t;
""");
        same("recursion", """
return rec(s, n % 20, 3); }
static int rec(Svc s, int n, int d) { int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + s.f(i + d); if (i == 2 && d > 0) t += rec(s, n, d - 1); } int a = s.f(d); int b = s.g(n); return t + a * b;
""");
        same("receiver-from-helper", """
Svc[] c = {s, z}; int t = 0; for (int i = 0; i < n; i++) { t = t * 3 + pick(c, i).f(i); } return t; }
static Svc pick(Svc[] c, int i) { return c[i & 1];
""");
        same("reused-slots", """
int t = 0; { long a = n; for (int i = 0; i < n; i++) { double q = i; t += (int) (s.df(q) * 2); } t += (int) a; } { String a = "x"; for (int i = 0; i < n; i++) { long q = i; t = t * 3 + (int) s.lf(q); } t += a.length(); } return t;
""");
        same("exceptional-exit-only", """
int[] a = new int[n]; int t = 0; try { for (int i = 0; ; i++) t = t * 3 + s.f(a[i] + i); } catch (ArrayIndexOutOfBoundsException e) { return "caught" + t; }
""");
    }
}
