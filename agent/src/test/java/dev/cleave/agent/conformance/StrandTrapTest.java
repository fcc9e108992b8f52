package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Nests that strands must leave alone in part: what decides about a call is written, shared, or of an unknown class (R71, R61). */
@Tag("one-jdk")
class StrandTrapTest extends ProgramTests {

    private static final String LIST = "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i);\n";

    @TestFactory
    Stream<DynamicTest> programs() {
        results();
        exits();
        state();
        helpers();
        others();
        between();
        return tests();
    }

    /** What a program's own class does between two readings may tell of a change (R61). */
    private void between() {
        same(
                "loops-that-end-where-the-next-begins",
                "long t = 0; int k = 0; int q = 0; do t += s.g(k++); while (k < 20); for (int i = 0; i < n; i++) { for (int l : s.row(i & 15)) t = t * 3 + s.f(l); }\ndo { int j = s.f(q); q += (j & 1) + 1; t += s.g(j); } while (q < 9); return t;");
        same(
                "loop-left-to-one-without-end",
                "int[] r = s.row(1); long t = 0; while (t < 20) { for (int l : r) t += (l & 3) + 1; r = s.row(1); t++; }\ndo t += s.g(1) | 1; while (t < 90); return t;");
        same(
                "loop-that-goes-on-to-the-outer-header",
                "long t = 0; int i = 0;\nwhile (i++ < n) { int b = s.w(i);\nfor (int l : s.row(i & 7)) { if (l % 5 == 3) break; t = t * 3 + s.f(l); } }\ndo t += s.g(i++); while (i < n * 2); return t;");
        same(
                "class-of-another-pass",
                "K = 1; B[] bs = {new B(), new C()}; return go(s, bs, n); }\nstatic int K; static class B { int id() { return 2; } } static class C extends B { int id() { K++; return 1; } }\n"
                        + "static Object go(Svc s, B[] bs, int n) { long t = 0; for (int i = 0; i < n; i++) { int at = bs[i % 2].id() + K; int w = s.f(at); if (w == 12345) break; for (int k = 0; k < 2; k++) if (w % 2 == k) t = t * 3 + s.g(at + k); } return t;");
        same(
                "code-of-a-pass-behind-its-result",
                "K = 1; B[] bs = {new B(), new C()}; return go(s, bs, n); }\nstatic int K; static class B { int id() { return 2; } } static class C extends B { int id() { K++; return 1; } }\n"
                        + "static Object go(Svc s, B[] bs, int n) { long t = 0; for (int i = 0; i < n; i++) { int w = s.f(i + K); if (w == 12345) break; for (int k = 0; k < 2; k++) if (w % 2 == k) t = t * 3 + s.g(bs[i % 2].id()); } return t;");
        same(
                "code-of-a-pass-with-an-exit",
                "return go(s, new C(), n); }\nstatic Object go(Svc s, B b, int n) { long t = 0; for (int i = 0; i < n; i++) { t += b.id(); for (int k = 0; k < 2; k++) t = t * 3 + s.load(k); if (t % 1000 == 999) break; } return t; }\n"
                        + "static class B { int id() { return 2; } } static class C extends B { int id() { Probe.otherClient.accept(1); return 1; } ");
        String own =
                " }\nstatic class L extends ArrayList<Integer> { public int size() { Probe.otherClient.accept(1); return 3; } public Integer get(int i) { Probe.otherClient.accept(1); return 3; } "
                        + "public boolean add(Integer i) { Probe.otherClient.accept(1); return true; } public boolean contains(Object o) { Probe.otherClient.accept(1); return true; } }\n"
                        + "static class B { int id = 2; int id() { return id; } void set(int x) { id = x; } } static class C extends B { int id() { Probe.otherClient.accept(1); return 1; } void set(int x) { Probe.otherClient.accept(1); }";
        for (String[] shape : new String[][] {
            {"loop", "for (int i = 0; i < n; i++) { t = t * 3 + s.load(1); %s if (t %% 1000 == 999) break; }"},
            {
                "loop-of-keys",
                "for (int i = 0; i < n; i++) { t = t * 3 + s.load(i %% 3); %s if (t %% 1000 == 999) break; }"
            },
            {
                "guarded",
                "for (int i = 0; i < n; i++) { %s if (i %% 2 == 0) t = t * 3 + s.load(1); else t--; if (t %% 1000 == 999) break; }"
            },
            {"line", "t += s.load(0); %s if (t != 5) t = t * 3 + s.load(1);"},
            {"line-twice", "%s if (n > 0) t = t * 3 + s.load(1); %s if (t != 7) t = t * 3 + s.load(1);"},
            {
                "nest-with-an-exit",
                "for (int i = 0; i < n; i++) { %s for (int k = 0; k < 2; k++) t = t * 3 + s.load(k); if (t %% 1000 == 999) break; }"
            },
            {"nest", "for (int i = 0; i < n; i++) for (int id : s.row(1)) { t = t * 3 + s.load(id); %s }"},
        }) {
            String[] between = {
                "t += xs.size();",
                "t += xs.get(0);",
                "xs.add(3);",
                "if (xs.contains(3)) t++;",
                "t += b.id();",
                "b.set(4);",
                "t += p(b);"
            };
            for (int i = 0; i < between.length; i++) {
                String body = shape[1].replace("%s", between[i]).replace("%%", "%");
                same(
                        "read-between-" + shape[0] + i,
                        "return go(s, new L(), new C(), n); }\nstatic int p(B b) { return b.id(); }\nstatic Object go(Svc s, List<Integer> xs, B b, int n) { long t = 0; "
                                + body + " return t;" + own);
            }
        }
    }

    private void results() {
        same(
                "sorted-result",
                "long t = 0; for (int y = 0; y < n; y++) { int[] r = s.row(y); Arrays.sort(r); for (int id : r) t = t * 3 + s.f(id); } return t;");
        same(
                "sorted-while-it-is-read",
                "long t = 0; for (int y = 0; y < n; y++) { int[] r = s.row(y); for (int i = 0; i < r.length; i++) { t = t * 3 + s.f(r[i]); Arrays.sort(r); } } return t;");
        same(
                "result-kept-in-a-list",
                "List<int[]> kept = new ArrayList<>(); long t = 0; for (int y = 0; y < n; y++) { int[] r = s.row(y); kept.add(r); kept.get(y / 2)[0] += 2; for (int id : r) t = t * 3 + s.f(id); } return t;");
        same(
                "result-kept-in-a-field",
                "return new PResultKeptInAField().go(s, n); } int[] last = {1, 2};\n"
                        + "long go(Svc s, int n) { long t = 0; for (int y = 0; y < n; y++) { int[] r = s.row(y); last = r; for (int id : r) { t = t * 3 + s.f(id); last[r.length - 1] = 3; } } return t;");
        same(
                "result-of-the-pass-before",
                "int[] before = {1, 2}; long t = 0; for (int y = 0; y < n; y++) { int[] r = s.row(y); for (int id : before) t = t * 3 + s.f(id); before[0]++; before = r; } return t;");
        same(
                "written-after-the-inner-loop",
                "int[] before = {1, 2}; long t = 0; for (int y = 0; y < n; y++) { for (int id : before) t = t * 3 + s.f(id); before = s.row(y); before[0] = 7; } return t;");
        same(
                "result-as-an-argument-and-written",
                "long t = 0; for (int y = 0; y < n; y++) { int[] r = s.row(y); t = t * 3 + s.sumOf(r); r[0] = y; for (int i = 0; i < 2; i++) t = t * 3 + s.f(i) + r[0]; } return t;");
        same(
                "result-in-an-array",
                "int[][] rs = new int[n][]; long t = 0; for (int y = 0; y < n; y++) { rs[y] = s.row(y); for (int id : rs[y]) t = t * 3 + s.f(id); } for (int[] r : rs) t += r.length; return t;");
        same(
                "result-in-an-array-written",
                "int[][] rs = new int[n][]; long t = 0; for (int y = 0; y < n; y++) { rs[y] = s.row(y); rs[y / 2][0] = y; for (int id : rs[y]) t = t * 3 + s.f(id); } return t;");
        same(
                "two-results-in-one-variable",
                "long t = 0; for (int y = 0; y < n; y++) { int[] a = s.row(y), b = s.row(y + 1); int[] c = y % 2 == 0 ? a : b; for (int id : c) t = t * 3 + s.f(id); b[0] = 1; t += a[0]; } return t;");
        same(
                "list-result-changed",
                "long t = 0; for (int y = 0; y < n; y++) { List<String> r = new ArrayList<>(s.names(y)); for (String id : r) t = t * 3 + s.s(id).length(); r.clear(); } return t;");
        same(
                "list-result-sorted",
                "String t = \"\"; for (int y = 0; y < n && y < 9; y++) { List<String> r = s.names(y); try { Collections.reverse(r); } catch (UnsupportedOperationException e) { t += '!'; } for (String id : r) t += s.s(id); } return t;");
        same(
                "list-result-iterated",
                "String t = \"\"; for (int y = 0; y < n && y < 9; y++) { for (String id : s.names(y)) t += s.s(id); } return t;");
        same(
                "object-result-cast",
                "String t = \"\"; for (int y = 0; y < n && y < 9; y++) { Object o = s.get(y); for (int i = 0; i < 2; i++) t += s.s(\"\" + o); } return t;");
        same(
                "boxed-bound",
                "long t = 0; for (int y = 0; y < n; y++) { Integer m = s.boxed(y % 4); for (int x = 0; x < m; x++) t = t * 3 + s.g(x + y); } return t;");
        same(
                "bound-called-each-pass",
                "long t = 0; for (int y = 0; y < n; y++) { for (int x = 0; x < s.f(y) % 5; x++) t = t * 3 + s.g(x + y); } return t;");
        same(
                "bound-that-shrinks",
                "long t = 0; for (int y = 0; y < n; y++) { int m = s.f(y) % 9; for (int x = 0; x < m; x++) { t = t * 3 + s.g(x + y); m--; } } return t;");
        same(
                "bound-that-a-result-shrinks",
                "long t = 0; for (int y = 0; y < n; y++) { int m = s.f(y) % 9; for (int x = 0; x < m; x++) { int v = s.g(x + y); t = t * 3 + v; if (v % 2 == 0) m--; } } return t;");
        same(
                "division-by-a-result",
                "long t = 0; for (int y = 0; y < n; y++) { int m = s.f(y) % 7; for (int x = 0; x < 12 / m; x++) t = t * 3 + s.g(x + y); } return t;");
        same(
                "step-is-a-result",
                "long t = 0; for (int y = 0; y < n; y++) { int m = s.f(y) % 5 + 1; for (int x = 0; x < 12; x += m) t = t * 3 + s.g(x + y); } return t;");
        same(
                "result-is-null-checked",
                "long t = 0; for (int y = 0; y < n; y++) { int[] r = s.row(y); if (r == null) continue; for (int x = 0; x < r.length; x++) { if (r[x] == 2) break; t = t * 3 + s.g(r[x]); } } return t;");
    }

    private void exits() {
        same(
                "labelled-break",
                "long t = 0; out: for (int y = 0; y < n; y++) { for (int id : s.row(y)) { if (id > 6) break out; t = t * 3 + s.f(id); } t += s.g(y); } return t;");
        same(
                "labelled-continue",
                "long t = 0; out: for (int y = 0; y < n; y++) { for (int id : s.row(y)) { if (id > 6) continue out; t = t * 3 + s.f(id); } t += s.g(y); } return t;");
        same(
                "labelled-break-on-a-later-result",
                "long t = 0; out: for (int y = 0; y < n; y++) { for (int id : s.row(y)) { int v = s.f(id); if (v % 11 == 10) break out; t = t * 3 + s.g(v); } } return t;");
        same(
                "labelled-continue-on-a-later-result",
                "long t = 0; out: for (int y = 0; y < n; y++) { for (int id : s.row(y)) { int v = s.f(id); if (v % 3 == 1) continue out; t = t * 3 + s.g(v); } } return t;");
        same(
                "break-of-the-inner-loop-on-its-result",
                "long t = 0; for (int y = 0; y < n; y++) { for (int x = 0; x < 5; x++) { int v = s.f(y + x); t = t * 3 + v; if (v % 4 == 0) break; } t += s.g(y); } return t;");
        same(
                "return-on-the-first-result",
                "long t = 0; for (int y = 0; y < n; y++) { int[] r = s.row(y); if (r.length > 0 && r[0] == 13) return \"caught\" + t; for (int id : r) t = t * 3 + s.f(id); } return t;");
        same(
                "throw-on-a-result-caught-outside",
                "long t = 0; try { for (int y = 0; y < n; y++) { int[] r = s.row(y); for (int id : r) { t = t * 3 + s.f(id); if (id == 9) throw new IllegalStateException(); } } } catch (IllegalStateException e) { t = -t; } return \"caught\" + t;");
        same(
                "finally-around",
                "StringBuilder l = new StringBuilder(); try { for (int y = 0; y < n; y++) for (int id : s.row(y)) l.append(s.f(id)); } finally { l.append('f'); Probe.otherClient.accept(l.length()); } return l.toString();");
        same(
                "nest-in-a-nest-in-a-handler",
                "StringBuilder l = new StringBuilder(); for (int k = 0; k < 2; k++) try { for (int y = 0; y < n; y++) for (int id : s.row(y + k)) l.append(s.f(id)).append(k); } catch (RuntimeException e) { l.append('!'); } return \"caught\" + l;");
        same(
                "inner-handled",
                "StringBuilder l = new StringBuilder(); for (int y = 0; y < n; y++) { int[] r = s.row(y); try { for (int id : r) l.append(s.f(id)); } catch (RuntimeException e) { l.append('!').append(s.g(y)); } } return \"caught\" + l;");
        same(
                "two-nests-in-a-row",
                "long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y)) t = t * 3 + s.f(id); for (int y = 0; y < n; y++) for (int id : s.row(y)) { if (t > 0) t = t * 5 + s.g(id); else t--; } return t;");
        same(
                "do-while",
                "long t = 0; int y = 0; do { int x = 0; int m = s.f(y) % 5; do { t = t * 3 + s.g(x + y); x++; } while (x < m); y++; } while (y < n); return t;");
        same(
                "while-over-an-iterator",
                LIST
                        + "long t = 0; Iterator<Integer> it = xs.iterator(); while (it.hasNext()) { int y = it.next(); for (int id : s.row(y)) t = t * 3 + s.f(id); if (y == 4 && it.hasNext()) it.next(); } return t;");
    }

    private void state() {
        same(
                "collection-changes-under-its-iterator",
                LIST
                        + "String t = \"\"; try { for (int y : xs) for (int id : s.row(y)) { t += s.f(id); if (y == 3) xs.add(77); } } catch (ConcurrentModificationException e) { t += \"caught\"; } return t;");
        same(
                "collection-changes-behind-the-calls",
                LIST
                        + "String t = \"\"; try { for (int y : xs) { for (int id : s.row(y)) t += s.f(id); if (t.length() > 30) xs.remove(0); } } catch (ConcurrentModificationException e) { t += \"caught\"; } return t;");
        same(
                "iterator-shared-by-two-loops",
                LIST
                        + "long t = 0; Iterator<Integer> it = xs.iterator(); while (it.hasNext()) { int y = it.next(); for (int id : s.row(y)) { t = t * 3 + s.f(id); if (it.hasNext() && id % 2 == 0) it.next(); } } return t;");
        same(
                "iterator-shared-inner-outer",
                LIST
                        + "long t = 0; Iterator<Integer> it = xs.iterator(); while (it.hasNext()) { int m = s.f(it.next()) % 3; for (int x = 0; x < m && it.hasNext(); x++) t = t * 3 + s.g(it.next()); } return t;");
        same(
                "iterator-removes",
                LIST
                        + "long t = 0; for (Iterator<Integer> it = xs.iterator(); it.hasNext(); ) { int y = it.next(); for (int id : s.row(y)) t = t * 3 + s.f(id); if (t % 2 == 0) it.remove(); } return t + \" \" + xs;");
        same(
                "static-decides-the-bound",
                "K = 2; long t = 0; for (int y = 0; y < n; y++) { int m = s.f(y) % K + 1; for (int x = 0; x < m; x++) t = t * 3 + s.g(x); K = (int) (t & 3) + 1; } return t; } static int K; static void k() {");
        same(
                "field-decides-the-bound",
                "return new PFieldDecidesTheBound().go(s, n); } int k = 2;\n"
                        + "long go(Svc s, int n) { long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) for (int x = 0; x < k; x++) { t = t * 3 + s.f(id); } k = 1 + y % 3; } return t;");
        same(
                "volatile-decides",
                "K = 2; long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) for (int x = 0; x < K; x++) t = t * 3 + s.f(id); } return t; } static volatile int K; static void k() {");
        same(
                "map-decides-and-is-changed",
                "Map<Integer, Integer> m = new HashMap<>(); long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) { if (m.containsKey(id)) continue; int v = s.f(id); m.put(id, v); t = t * 3 + v; } } return t;");
        same(
                "compute-if-absent-that-calls",
                "Map<Integer, Integer> m = new HashMap<>(); long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) t = t * 3 + m.computeIfAbsent(id, k -> s.f(k)); } return t;");
        same(
                "compute-if-absent-that-touches-the-map",
                "Map<Integer, Integer> m = new HashMap<>(); String t = \"\"; try { for (int y = 0; y < n; y++) { for (int id : s.row(y)) { t += m.computeIfAbsent(id, k -> { m.put(k + 1000, 1); return k; }); t += s.f(id); } } } catch (ConcurrentModificationException e) { t += \"caught\"; } return t;");
        same(
                "queue-of-work",
                "ArrayDeque<Integer> q = new ArrayDeque<>(); for (int i = 0; i < n; i++) q.add(i); long t = 0; int k = 0; while (!q.isEmpty() && k++ < 60) { int y = q.poll(); for (int id : s.row(y)) { t = t * 3 + s.f(id); if (id % 4 == 1) q.add(id); } } return t;");
        same(
                "printed-inside",
                "long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) { t = t * 3 + s.f(id); Probe.otherClient.accept(y); } } return t;");
        same(
                "overridden-getter-decides",
                "B[] xs = new B[n]; for (int i = 0; i < n; i++) xs[i] = i % 3 == 1 ? new C() : new B(); C.c = 0; long t = 0; for (int y = 0; y < n; y++) { B b = xs[y]; for (int id : s.row(b.id() + y % 5)) t = t * 3 + s.f(id + b.id()); } return t + C.c; }\n"
                        + "static class B { int id = 2; int id() { return id; } } static class C extends B { static int c; int id() { return ++c % 3; }");
        same(
                "own-list-of-the-program",
                "L xs = new L(); for (int i = 0; i < n; i++) xs.add(i); List<Integer> ys = xs; L.c = 0; long t = 0; for (int y = 0; y < ys.size(); y++) for (int id : s.row(ys.get(y))) t = t * 3 + s.f(id) + L.c; return t; }\n"
                        + "static class L extends ArrayList<Integer> { static int c; public Integer get(int i) { c++; return super.get(i); }");
        same(
                "entries-set-while-values-are-read",
                "Map<Integer, Integer> m = new HashMap<>(); for (int i = 0; i < 3; i++) m.put(i, i); Map.Entry<Integer, Integer> e = m.entrySet().iterator().next(); return go(s, m.values(), e, n); }\n"
                        + "static Object go(Svc s, Collection<Integer> vs, Map.Entry<Integer, Integer> e, int n) { long t = 0; for (int i = 0; i < n; i++) { for (int v : vs) t = t * 3 + s.f(v); e.setValue(i + 10); } return t;");
    }

    private void helpers() {
        same(
                "helper-that-prints",
                "long t = 0; for (int y = 0; y < n; y++) t = t * 3 + sum(s, y); return t; }\n"
                        + "private static long sum(Svc s, int y) { long t = 0; for (int id : s.row(y)) { t = t * 5 + s.f(id); Probe.otherClient.accept(id); } return t;");
        same(
                "helper-that-counts",
                "c = 0; long t = 0; for (int y = 0; y < n; y++) t = t * 3 + sum(s, y + c % 3); return t + c; } static int c;\n"
                        + "private static long sum(Svc s, int y) { long t = 0; for (int id : s.row(y)) { t = t * 5 + s.f(id + c); c++; } return t;");
        same(
                "helper-that-sorts-what-it-returns",
                "long t = 0; for (int y = 0; y < n; y++) for (int id : ids(s, y)) t = t * 3 + s.f(id); return t; }\n"
                        + "private static int[] ids(Svc s, int y) { int[] r = s.row(y); Arrays.sort(r); r[0] = -r[0]; return r;");
        same(
                "helper-with-an-early-return",
                "long t = 0; for (int y = 0; y < n; y++) t = t * 3 + sum(s, y); return t; }\n"
                        + "private static long sum(Svc s, int y) { long t = 0; for (int id : s.row(y)) { if (id == 5) return t; t = t * 5 + s.f(id); } t += s.g(y); return t;");
        same(
                "helper-with-an-early-return-on-a-late-result",
                "long t = 0; for (int y = 0; y < n; y++) t = t * 3 + sum(s, y); return t; }\n"
                        + "private static long sum(Svc s, int y) { long t = 0; for (int id : s.row(y)) { int v = s.f(id); if (v % 3 == 1) return t; t = t * 5 + v; } t += s.g(y); return t;");
        same(
                "helper-of-a-changed-object",
                "PHelperOfAChangedObject p = new PHelperOfAChangedObject(); long t = 0; for (int y = 0; y < n; y++) { t = t * 3 + p.sum(s, y); if (y % 3 == 2) { p = new PHelperOfAChangedObject(); p.k = y; } } return t; } int k;\n"
                        + "private long sum(Svc s, int y) { long t = 0; for (int id : s.row(y + k)) t = t * 5 + s.f(id); return t;");
        same(
                "helper-writes-its-parameter",
                "long t = 0; for (int y = 0; y < n; y++) { int z2 = y; t = t * 3 + sum(s, z2); t += z2; } return t; }\n"
                        + "private static long sum(Svc s, int y) { long t = 0; for (int id : s.row(y)) { y += id; t = t * 5 + s.f(y); } return t + y;");
        same(
                "helper-passed-a-result",
                "long t = 0; for (int y = 0; y < n; y++) { int[] r = s.row(y); t = t * 3 + sum(s, r); r[0] = 1; } return t; }\n"
                        + "private static long sum(Svc s, int[] r) { long t = 0; for (int id : r) t = t * 5 + s.f(id); return t;");
        same(
                "helper-in-an-argument",
                "long t = 0; for (int y = 0; y < n; y++) for (int id : s.row(y)) t = t * 3 + s.f(s.g(id) + two(s, id)); return t; }\n"
                        + "private static int two(Svc s, int y) { return s.f(y) + s.g(y);");
        same(
                "helper-with-locals-in-other-types",
                "long t = 0; for (int y = 0; y < n; y++) { t = t * 3 + a(s, y); t += b(s, y); } return t; }\n"
                        + "private static long a(Svc s, int y) { long t = 0; double d = y; String q = \"a\" + y; for (int id : s.row(y)) t = t * 5 + s.both(id, q, t0(y), d); return t; } static long t0(int y) { return y * 2L; }\n"
                        + "private static long b(Svc s, int y) { String q = s.s(\"b\" + y); long t = 0; for (int i = 0; i < q.length() % 4; i++) { t += s.f(i); } return t;");
        same(
                "deep-helpers",
                "long t = 0; for (int y = 0; y < n; y++) t = t * 3 + a(s, y); return t; }\n"
                        + "private static long a(Svc s, int y) { long t = 0; for (int id : s.row(y)) t = t * 5 + b(s, id); return t + b(s, y); } private static long b(Svc s, int y) { return c(s, y) + c(s, y + 1); }\n"
                        + "private static long c(Svc s, int y) { int v = s.f(y); return v % 2 == 0 ? s.g(v) : v;");
        same(
                "helper-nulls",
                "PHelperNulls p = null; long t = 0; try { for (int y = 0; y < n; y++) { for (int id : s.row(y)) t += p.go(s, id); } } catch (NullPointerException e) { t = -1; } p = new PHelperNulls(); return \"caught\" + t + p.go(s, 3) + p.go(s, 4); }\n"
                        + "private int go(Svc s, int id) { return s.f(id) + s.g(id);");
    }

    private void others() {
        same(
                "stub-changes",
                "Svc x = s; long t = 0; for (int y = 0; y < n; y++) { for (int id : x.row(y)) { t = t * 3 + x.f(id); x = x == s ? z : s; } } return t;");
        same(
                "stub-is-null-later",
                "Svc x = s; String t = \"\"; try { for (int y = 0; y < n; y++) { for (int id : s.row(y)) { t += x.f(id); if (y == 3) x = null; } } } catch (NullPointerException e) { t += \"caught\"; } return t;");
        same(
                "null-stub",
                "Svc x = null; String t = \"\"; try { for (int y = 0; y < n; y++) { for (int id : s.row(y)) { if (y > 3) t += x.f(id); else t += s.g(id); } } } catch (NullPointerException e) { t += \"caught\"; } return t;");
        same(
                "stub-in-a-field-changes",
                "PStubInAFieldChanges p = new PStubInAFieldChanges(); p.x = s; p.y = z; return p.go(n); } Svc x, y;\n"
                        + "long go(int n) { long t = 0; for (int i = 0; i < n; i++) { for (int id : x.row(i)) t = t * 3 + x.f(id); if (i % 3 == 2) { Svc q = x; x = y; y = q; } } return t;");
        same(
                "local-and-remote",
                "Svc x = n > 4 ? new LocalSvc() : s; long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) t = t * 3 + x.f(id) + z.g(id); } return t;");
        same(
                "one-way-inside",
                "long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) { t = t * 3 + s.f(id); s.shout(id); } } return t;");
        same(
                "chained-inside",
                "long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) { t = t * 3 + s.f(id); t += s.linkNum(id); } } return t;");
        same(
                "sync-inside",
                "long t = 0; for (int y = 0; y < n; y++) { int[] r = s.row(y); t += s.sync(y); for (int id : r) t = t * 3 + s.f(id); } return t;");
        same(
                "reads-inside",
                "long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) { t = t * 3 + s.load(id); } t += s.store(y, y); } return t;");
        same(
                "reads-and-sets",
                "long t = 0; for (int y = 0; y < n; y++) { int m = s.load(y) % 3 + 1; for (int x = 0; x < m; x++) { s.set(y + 1, x + 5); t = t * 3 + s.f(x); } } return t;");
        same(
                "peeks-and-sets",
                "long t = 0; for (int y = 0; y < n; y++) { int m = s.peek(y) % 3 + 1; for (int x = 0; x < m; x++) { t = t * 3 + s.set(y + 1, x + 5); } } return t;");
        same(
                "pure-inside",
                "long t = 0; for (int y = 0; y < n; y++) { int m = s.pure(y) % 3 + 1; for (int x = 0; x < m; x++) { t = t * 3 + s.f(x); Probe.otherClient.accept(x); } } return t;");
        same(
                "speculative-inside",
                "long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) if (s.tryFlag(id)) t = t * 3 + s.tryInt(id); } return t;");
        same(
                "calls-with-own-objects",
                "Svc.Box b = new Svc.Box(0); long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) { b.value = id; t = t * 3 + s.weigh(b); } } return t;");
        same(
                "own-array-as-argument",
                "int[] a = new int[3]; long t = 0; for (int y = 0; y < n; y++) { for (int id : s.row(y)) { a[id % 3] = id; t = t * 3 + s.sumOf(a); } } return t + Arrays.hashCode(a);");
        same(
                "own-array-made-inside",
                "long t = 0; for (int y = 0; y < n; y++) { int[] a = new int[3]; for (int id : s.row(y)) { a[id % 3] = id; t = t * 3 + s.sumOf(a); } } return t;");
        same(
                "collected-inside-then-called",
                "long t = 0; for (int y = 0; y < n; y++) { List<Integer> a = new ArrayList<>(); for (int id : s.row(y)) a.add(s.f(id) % 50); for (int v : a) t = t * 3 + s.g(v); } return t;");
        same(
                "collected-over-all-then-called",
                "List<Integer> a = new ArrayList<>(); long t = 0; for (int y = 0; y < n && y < 8; y++) { for (int id : s.row(y)) a.add(s.f(id) % 50); for (int v : a) t = t * 3 + s.g(v); } return t;");
        same(
                "switch-on-a-result",
                "long t = 0; for (int y = 0; y < n; y++) { switch (s.f(y) % 4) { case 0: for (int id : s.row(y)) t = t * 3 + s.g(id); break; case 1: t++; case 2: t = t * 3 + s.f(y + 2); break; default: continue; } t += s.g(y); } return t;");
        same(
                "string-switch-on-a-result",
                "long t = 0; for (int y = 0; y < n; y++) { String q = s.s(\"k\" + y % 3); for (int i = 0; i < q.length() % 5; i++) switch (q.charAt(i % q.length())) { case 'k': t = t * 3 + s.f(i); break; default: t += s.g(i); } } return t;");
    }
}
