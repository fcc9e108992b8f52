package dev.cleave.agent.conformance;

import dev.cleave.agent.rule.Rule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Methods that call themselves, as walks through trees do: strands of later activations send before earlier ones end (R71). */
@Tag("one-jdk")
class RecursionTest extends StrandPrograms {

    RecursionTest() {
        super(100);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        trees();
        values();
        traps();
        inNests();
        givenValues();
        return tests();
    }

    private void trees() {
        strands(
                "walk",
                10,
                "return walk(s, 0, n) + 1; }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        strands(
                "walk-of-an-object",
                10,
                "PWalkOfAnObject p = new PWalkOfAnObject(s, n); long t = p.walk(0, 0); return t + \" \" + p.deepest; }\n"
                        + "final Svc s; final int n; int deepest; PWalkOfAnObject(Svc s, int n) { this.s = s; this.n = n; }\n"
                        + "private long walk(int x, int depth) { deepest = Math.max(deepest, depth); long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t += walk(c, depth + 1); return t;");
        strands(
                "walk-that-prints",
                10,
                "StringBuilder out = new StringBuilder(); walk(s, 0, n, out, \"\"); return out.toString(); }\n"
                        + "private static void walk(Svc s, int x, int n, StringBuilder out, String indent) { out.append(indent).append(s.s(\"n\" + x)).append('\\n'); for (int c : s.row(2 * x + 1)) if (c < n) walk(s, c, n, out, indent + \" \");");
        strands(
                "two-branches",
                10,
                "return walk(s, 0, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { if (x >= n) return 0; long t = s.f(x); return t * 7 + walk(s, 2 * x + 1, n) * 3 + walk(s, 2 * x + 2, n);");
        strands(
                "children-are-fetched-first",
                20,
                "return walk(s, 0, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = 0; for (int c : s.row(2 * x + 1)) { int w = s.f(c); t = t * 3 + w; if (c < n && w % 7 != 3) t += walk(s, c, n); } return t;");
        strands(
                "list-of-names",
                10,
                "List<String> all = new ArrayList<>(); walk(s, 0, n, all); return all.toString(); }\n"
                        + "private static void walk(Svc s, int x, int n, List<String> all) { all.add(s.s(\"n\" + x)); for (int c : s.row(2 * x + 1)) if (c < n) walk(s, c, n, all);");
        strands(
                "empty-list-that-is-returned",
                10,
                "return walk(s, 0, n).toString(); }\n"
                        + "private static List<Integer> walk(Svc s, int x, int n) { if (x >= n) return List.of(); List<Integer> all = new ArrayList<>(); all.add(s.f(x)); for (int c : s.row(2 * x + 1)) all.addAll(walk(s, c, n)); return all;");
        same(
                "list-of-the-program-that-is-returned",
                "asked = 0; return walk(s, 0, n) + \" \" + asked; }\nstatic int asked;\n"
                        + "private static List<Integer> walk(Svc s, int x, int n) { List<Integer> all = new ArrayList<>() { @Override public Object[] toArray() { asked++; return super.toArray(); } }; all.add(s.f(x + asked)); for (int c : s.row(2 * x + 1)) if (c < n) all.addAll(walk(s, c, n)); return all;");
        strands(
                "list-that-is-returned",
                10,
                "return walk(s, 0, n).toString(); }\n"
                        + "private static List<Integer> walk(Svc s, int x, int n) { List<Integer> all = new ArrayList<>(); all.add(s.f(x)); for (int c : s.row(2 * x + 1)) if (c < n) all.addAll(walk(s, c, n)); return all;");
        strands(
                "depth-of-a-tree",
                10,
                "return walk(s, 0, n); }\n"
                        + "private static int walk(Svc s, int x, int n) { int d = 0; for (int c : s.row(2 * x + 1)) if (c < n) d = Math.max(d, walk(s, c, n)); return d + 1;");
        strands(
                "chain",
                110,
                "return walk(s, 0, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { if (x >= n) return 0; int[] r = s.row(x); return s.f(x) + 3 * walk(s, r[1], n);");
        strands(
                "path-of-strings",
                10,
                "return walk(s, \"0\", 0, n); }\n"
                        + "private static String walk(Svc s, String path, int x, int n) { StringBuilder t = new StringBuilder(s.s(path)); for (int c : s.row(2 * x + 1)) if (c < n) t.append(walk(s, path + \"/\" + c, c, n)); return t.toString();");
        strands(
                "bounded-depth",
                10,
                "return walk(s, 0, 0, n); }\n"
                        + "private static long walk(Svc s, int x, int depth, int n) { long t = s.f(x); if (depth == 4 || x >= n) return t; for (int c : s.row(2 * x + 1)) t = t * 3 + walk(s, c, depth + 1, n); return t;");
        strands(
                "walked-twice",
                20,
                "return walk(s, 0, n) * 31 + walk(s, 1, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        strands(
                "records",
                10,
                "Node root = tree(0, n); return walk(s, root); }\n"
                        + "record Node(int id, Node left, Node right) {} static Node tree(int x, int n) { return x >= n ? null : new Node(x, tree(2 * x + 1, n), tree(2 * x + 2, n)); }\n"
                        + "private static long walk(Svc s, Node x) { if (x == null) return 1; return s.f(x.id()) + 3 * walk(s, x.left()) + 5 * walk(s, x.right());");
        strands(
                "result-decides-about-depth",
                20,
                "return walk(s, 0, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { int w = s.f(x); if (w % 5 == 2) return w; long t = w; for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
    }

    private void values() {
        strands(
                "all-types",
                10,
                "return walk(s, 0, 1L, 2f, 3.0, \"x\", true, 'c', (short) 4, n); }\n"
                        + "private static double walk(Svc s, int x, long a, float b, double c, String d, boolean e, char f, short g, int n) { double t = s.both(x, d + f, a + g, b + c); for (int k : s.row(2 * x + 1)) if (k < n && e) t = t / 3 + walk(s, k, a + k, b / 2, c * 2, d, !e || k > 0, (char) (f + 1), (short) (g + 1), n); return t;");
        strands(
                "array-of-the-caller",
                10,
                "int[] w = new int[n + 2]; for (int i = 0; i < w.length; i++) w[i] = i * 7; return walk(s, w, 0, n); }\n"
                        + "private static long walk(Svc s, int[] w, int x, int n) { long t = s.f(w[x]); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, w, c, n); return t;");
        strands(
                "parameter-that-is-changed",
                10,
                "return walk(s, 0, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); x = 2 * x + 1; for (int c : s.row(x)) if (c < n) t = t * 3 + walk(s, c, n); return t + x;");
    }

    private void traps() {
        same(
                "found",
                "return String.valueOf(find(s, 0, n)); }\n"
                        + "private static boolean find(Svc s, int x, int n) { if (s.f(x) % 13 == 5) return true; for (int c : s.row(2 * x + 1)) if (c < n && find(s, c, n)) return true; return false;");
        same(
                "budget-in-a-field",
                "PBudgetInAField p = new PBudgetInAField(); p.left = 20; return p.walk(s, 0, n) + p.left; }\n"
                        + "int left; private long walk(Svc s, int x, int n) { if (--left < 0) return 0; long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        same(
                "budget-in-an-array",
                "int[] left = {20}; return walk(s, left, 0, n) + left[0]; }\n"
                        + "private static long walk(Svc s, int[] left, int x, int n) { if (left[0]-- <= 0) return 0; long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, left, c, n); return t;");
        same(
                "seen-in-a-set",
                "return walk(s, new HashSet<>(), 0, n); }\n"
                        + "private static long walk(Svc s, Set<Integer> seen, int x, int n) { if (!seen.add(x % 20)) return 1; long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, seen, c, n); return t;");
        same(
                "children-of-a-value",
                "return walk(s, 0, n); }\n"
                        + "private static int walk(Svc s, int x, int n) { if (x >= n) return x; int l = walk(s, 2 * x + 1, n); return s.f(l) + walk(s, 2 * x + 2 + (l & 1), n) % 50;");
        same(
                "result-is-changed",
                "return walk(s, 0, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { int[] r = s.row(2 * x + 1); r[0]++; long t = s.f(x); for (int c : r) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        same(
                "result-is-changed-below",
                "return walk(s, new int[] {0}, n); }\n"
                        + "private static long walk(Svc s, int[] xs, int n) { long t = 1; for (int x : xs) { t = t * 3 + s.f(x); if (x < n / 2) t += walk(s, s.row(2 * x + 1), n); xs[xs.length - 1]++; } return t;");
        same(
                "array-handed-down-and-changed",
                "return walk(s, new int[] {0, 3}, 0, n); }\n"
                        + "private static long walk(Svc s, int[] p, int x, int n) { long t = s.f(p[0]); p[0] = x; for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, p, c, n); return t;");
        same(
                "array-made-and-handed-down",
                "return walk(s, new int[] {0}, n); }\n"
                        + "private static long walk(Svc s, int[] p, int n) { long t = s.f(p[0]); for (int c : s.row(2 * p[0] + 1)) if (c < n) { int[] q = {c}; t = t * 3 + walk(s, q, n); q[0] = 9; t += q[0]; } return t;");
        same(
                "array-changed-before-it-is-handed-down",
                "return walk(s, new int[] {0}, n); }\n"
                        + "private static long walk(Svc s, int[] p, int n) { long t = s.f(p[0]); int[] q = {0}; for (int c : s.row(2 * p[0] + 1)) if (c < n) { q[0] = c; t = t * 3 + walk(s, q, n); } return t;");
        same(
                "array-in-an-array-changed-behind",
                "return walk(s, new int[][] {{0}}, n); }\n"
                        + "private static long walk(Svc s, int[][] p, int n) { long t = s.f(p[0][0]); for (int c : s.row(2 * p[0][0] + 1)) if (c < n) { int[] r = {c}; int[][] q = {r}; t = t * 3 + walk(s, q, n); r[0] = 3; } return t;");
        same(
                "builder-handed-down",
                "return walk(s, new StringBuilder(\"a\"), 0, n); }\n"
                        + "private static long walk(Svc s, StringBuilder p, int x, int n) { long t = s.s(p.toString()).length(); for (int c : s.row(2 * x + 1)) if (c < n) { StringBuilder q = new StringBuilder(\"b\"); q.append(c); t = t * 3 + walk(s, q, c, n); q.append('!'); t += q.length(); } return t;");
        same(
                "array-made-for-each",
                "return walk(s, new int[] {0}, n); }\n"
                        + "private static long walk(Svc s, int[] p, int n) { long t = s.f(p[0]); for (int c : s.row(2 * p[0] + 1)) if (c < n) { int[] q = {c, 3}; t = t * 3 + walk(s, q, n); } return t;");
        without(
                "handles",
                Rule.R72,
                "return \"caught\" + walk(s, 0, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = 0; try { t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); } catch (RuntimeException e) { t--; } return t;");
        same(
                "handled-outside",
                "try { return walk(s, 0, n); } catch (RuntimeException e) { return \"caught\" + e.getMessage() + s.f(3); } }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        same(
                "throws-below",
                "try { return walk(s, 0, n); } catch (IllegalStateException e) { return \"caught\" + e.getMessage() + walk(s, 40, n); } }\n"
                        + "private static long walk(Svc s, int x, int n) { if (x == 11) throw new IllegalStateException(\"x\"); long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        strands(
                "may-be-overridden",
                7,
                "return new PMayBeOverridden().walk(s, 0, n); }\n"
                        + "long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        same(
                "is-overridden",
                "Sub.f = 0; return (n % 2 == 0 ? new PIsOverridden() : new Sub()).walk(s, 0, n) + \" \" + Sub.f; }\n"
                        + "static class Sub extends PIsOverridden { static int f; @Override long walk(Svc s, int x, int n) { f = f * 3 + x; return x % 3 == 0 ? f : super.walk(s, x, n); } }\n"
                        + "long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        without(
                "of-other-objects",
                Rule.R72,
                "Sub.f = 0; POfOtherObjects p = new POfOtherObjects(); p.next = new Sub(); p.next.next = p; return p.walk(s, 0, n) + \" \" + Sub.f; }\n"
                        + "POfOtherObjects next; static class Sub extends POfOtherObjects { static int f; @Override long walk(Svc s, int x, int n) { f = f * 3 + x; return x % 3 == 0 ? f : super.walk(s, x, n); } }\n"
                        + "long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + next.walk(s, c, n); return t;");
        without(
                "mutual",
                Rule.R72,
                "return even(s, 0, n); }\n"
                        + "private static long even(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + odd(s, c, n); return t; }\n"
                        + "private static long odd(Svc s, int x, int n) { long t = s.g(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 5 + even(s, c, n); return t;");
        without(
                "helper-with-a-call",
                Rule.R72,
                "return walk(s, 0, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = size(s, x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t; }\n"
                        + "private static int size(Svc s, int x) { return s.f(x) + 1;");
        same(
                "group",
                "return walk(s, 0, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.kept(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        without(
                "not-async",
                Rule.R72,
                "return walk(s, 0, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.sync(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        without(
                "may-not-end",
                Rule.R72,
                "return walk(s, 0, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); int k = x; while (k % 7 != 0) k += 3; for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t + k;");
        same(
                "other-stub-below",
                "return walk(s, z, 0, n); }\n"
                        + "private static long walk(Svc s, Svc z, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(z, s, c, n); return t;");
        same(
                "local-object-below",
                "K = 1; Svc l = new LocalSvc() { public int f(int x) { K++; return x; } }; return walk(s, l, s, 0, n); }\n"
                        + "static int K; private static long walk(Svc s, Svc z, Svc r, int x, int n) { long t = s.f(x); for (int c : r.row(2 * x + 1)) if (c < n) t = t * 3 + walk(z, s, r, c, n); return t + r.f(x + K);");
        same(
                "other-object-below",
                "return new POtherObjectBelow(s).walk(0, n); }\n"
                        + "final Svc s; int k = 2; POtherObjectBelow(Svc s) { this.s = s; }\n"
                        + "private long walk(int x, int n) { long t = s.f(x * k); for (int c : s.row(2 * x + 1)) if (c < n) { POtherObjectBelow p = new POtherObjectBelow(s); p.k = k + 1; t = t * 3 + p.walk(c, n); } return t;");
        same(
                "field-that-is-changed",
                "return new PFieldThatIsChanged().walk(s, 0, n); }\n"
                        + "int k = 2; private long walk(Svc s, int x, int n) { long t = s.f(x * k); k++; for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        same(
                "void-calls",
                "walk(s, 0, n); return 1; }\n"
                        + "private static void walk(Svc s, int x, int n) { s.put(x); for (int c : s.row(2 * x + 1)) if (c < n) walk(s, c, n);");
        same(
                "null-children",
                "return walk(s, 0, n); }\n"
                        + "private static long walk(Svc s, Integer x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c == 12 ? null : Integer.valueOf(c), n); return t;");
        same(
                "writes-behind",
                "return walk(s, 0, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); s.put((int) t); return t;");
        same(
                "calls-itself-in-a-condition",
                "return walk(s, 0, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n && walk(s, c, n) % 3 == 1) t = t * 3 + s.g(c); return t;");
        same(
                "in-a-loop",
                "long t = 0; for (int y = 0; y < n && y < 8; y++) t = t * 3 + walk(s, y, n); return t; }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        same(
                "local-below",
                "return walk(new LocalSvc(), 0, n) + walk(s, 0, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c != 0 && c < n) t = t * 3 + walk(s, c, n); return t;");
        same(
                "as-a-lambda",
                "java.util.function.ToLongFunction<Integer> walk = x -> walk(s, x, n); return walk.applyAsLong(0); }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        same(
                "locked",
                "return walk(s, 0, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { long t; synchronized (s) { t = s.f(x); } for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
    }

    private void inNests() {
        strands(
                "walks-in-a-loop",
                10,
                "long t = 0; for (int i = 0; i < 4; i++) t = t * 7 + walk(s, i, n); return t; }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        strands(
                "walks-of-results",
                10,
                "long t = 0; for (int i = 0; i < 4; i++) for (int r : s.row(i)) t = t * 7 + walk(s, r, n); return t; }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        strands(
                "walks-beside-calls",
                10,
                "long t = 0; for (int i = 0; i < 4; i++) { int w = s.f(i + 50); if (w % 3 != 1) t = t * 7 + walk(s, i, n) + s.f(w); } return t; }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        strands(
                "walks-of-a-field",
                10,
                "PWalksOfAField p = new PWalksOfAField(s, n); long t = p.all(); return t + \" \" + p.deepest; }\n"
                        + "final Svc s; final int n; int deepest; PWalksOfAField(Svc s, int n) { this.s = s; this.n = n; }\n"
                        + "long all() { long t = 0; List<Long> each = new ArrayList<>(); for (int i = 0; i < 4; i++) { each.add(walk(i, 0)); t += deepest; } return t + each.hashCode(); }\n"
                        + "private long walk(int x, int depth) { deepest = Math.max(deepest, depth); long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t += walk(c, depth + 1); return t;");
        strands(
                "walks-in-a-helper",
                10,
                "long t = 0; for (int i = 0; i < 4; i++) t = t * 7 + one(s, i, n); return t; }\n"
                        + "private static long one(Svc s, int i, int n) { return s.f(i + 20) + walk(s, i, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        strands(
                "walks-in-straight-line",
                12,
                "int w = s.f(40); long t = walk(s, 1, n) * 31; if (w % 2 == 0) t += s.g(w); t -= walk(s, 2, n) * 7; return t + walk(s, 0, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        strands(
                "walks-of-helpers-in-straight-line",
                12,
                "long t = one(s, 1, n) * 31; t -= one(s, 2, n) * 7; return t + one(s, 0, n); }\n"
                        + "private static long one(Svc s, int i, int n) { return s.f(i + 20) - walk(s, i, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        nestTraps();
        strands(
                "lists-of-walks",
                10,
                "List<Integer> t = new ArrayList<>(); for (int i = 0; i < 4; i++) t.addAll(walk(s, i, n)); return t.toString(); }\n"
                        + "private static List<Integer> walk(Svc s, int x, int n) { List<Integer> all = new ArrayList<>(); all.add(s.f(x)); for (int c : s.row(2 * x + 1)) if (c < n) all.addAll(walk(s, c, n)); return all;");
    }

    private void nestTraps() {
        same(
                "walk-writes-what-the-nest-reads",
                "PWalkWritesWhatTheNestReads p = new PWalkWritesWhatTheNestReads(s, n); return p.all(); }\n"
                        + "final Svc s; final int n; int next; PWalkWritesWhatTheNestReads(Svc s, int n) { this.s = s; this.n = n; }\n"
                        + "long all() { long t = 0; for (int i = 0; i < 4; i++) t = t * 3 + walk(i) + s.f(next); return t; }\n"
                        + "private long walk(int x) { next += x; long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t += walk(c); return t;");
        same(
                "nest-writes-what-the-walk-reads",
                "PNestWritesWhatTheWalkReads p = new PNestWritesWhatTheWalkReads(s, n); return p.all(); }\n"
                        + "final Svc s; final int n; int add; PNestWritesWhatTheWalkReads(Svc s, int n) { this.s = s; this.n = n; }\n"
                        + "long all() { long t = 0; for (int i = 0; i < 4; i++) { t = t * 3 + walk(i); add = (int) (t & 7); } return t; }\n"
                        + "private long walk(int x) { long t = s.f(x + add); for (int c : s.row(2 * x + 1)) if (c < n) t += walk(c); return t;");
        same(
                "walk-of-a-local-service-between",
                "K = 1; return go(new LocalSvc() { public int f(int x) { K++; return x; } }, s, n); }\nstatic int K; static long go(Svc l, Svc s, int n) { long t = 0; for (int i = 0; i < 4; i++) { t = t * 3 + again(l, i); t += s.f(K); } return t; }\n"
                        + "private static long again(Svc s, int x) { return x > 2 ? again(s, 1) : s.f(x);");
        same(
                "class-of-a-sibling",
                "K = 1; B[] bs = {new B(), new C(), new B()}; return walk(s, bs, 0, n); }\nstatic int K; static class B { int id() { return 2; } } static class C extends B { int id() { K++; return 1; } }\n"
                        + "private static long walk(Svc s, B[] bs, int x, int n) { int k = bs[x % 3].id(); long t = s.f(k + K); for (int j = 1; j < 3; j++) if (2 * x + j < n) t = t * 3 + walk(s, bs, 2 * x + j + (k & 4), n); return t;");
        same(
                "arguments-that-run-code-in-a-sibling",
                "K = 1; B[] bs = {new B(), new C(), new B()}; return walk(s, bs, 0, n); }\nstatic int K; static class B { int id() { return 2; } } static class C extends B { int id() { K++; return 1; } }\n"
                        + "private static long walk(Svc s, B[] bs, int x, int n) { int w = s.f(x); if (w % 5 == 2) return w; long t = s.g(bs[x % 3].id() + K); for (int k = 1; k < 3; k++) if (2 * x + k < n) t = t * 3 + walk(s, bs, 2 * x + k, n); return t;");
        same(
                "lists-that-run-code-in-a-sibling",
                "K = 1; List<List<Integer>> bs = List.of(List.of(1, 2), new ArrayList<>(List.of(1, 2)) { public Iterator<Integer> iterator() { K++; return super.iterator(); } }, List.of(2, 1)); return walk(s, bs, 0, n); }\n"
                        + "static int K; private static long walk(Svc s, List<List<Integer>> bs, int x, int n) { int w = s.f(x); if (w % 5 == 2) return w; long t = s.g(K); for (int k : bs.get(x % 3)) if (2 * x + k < n) t = t * 3 + walk(s, bs, 2 * x + k, n); return t;");
        same(
                "walk-whose-arguments-run-code",
                "K = 1; B[] bs = {new B(), new C()}; long t = 0; for (int i = 0; i < 4; i++) { t = t * 3 + again(s, bs[i % 2], i); t += s.f(K); } return t; }\nstatic int K; static class B { int id() { return 2; } } static class C extends B { int id() { K++; return 1; } }\n"
                        + "private static long again(Svc s, B b, int x) { return x > 2 ? again(s, b, 1) : s.f(b.id());");
        same(
                "service-of-a-walk-changes",
                "K = 1; PServiceOfAWalkChanges p = new PServiceOfAWalkChanges(); p.s = s; return p.go(s, new LocalSvc() { public int f(int x) { K++; return x; } }, n); }\nstatic int K; Svc s;\n"
                        + "long go(Svc r, Svc l, int n) { long t = 0; for (int i = 0; i < 4; i++) { t = t * 3 + again(i); t += r.f(K); s = i == 1 ? l : r; } return t; }\n"
                        + "private long again(int x) { return x > 2 ? again(1) : s.f(x);");
        same(
                "walks-of-other-stubs",
                "K = 1; Svc l = new LocalSvc() { public int f(int x) { K++; return x; } }; Svc[] q = {s, l, s, s}; long t = 0; for (int i = 0; i < 4; i++) { t = t * 3 + walk(q[i], s, i, n); t += s.f(K); } return t; }\n"
                        + "static int K; private static long walk(Svc s, Svc r, int x, int n) { long t = s.f(x); for (int c : r.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, r, c, n); return t;");
        same(
                "walk-of-a-local-object",
                "long t = 0; for (int i = 0; i < 4; i++) t = t * 3 + walk(s, i, n); return t; }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        same(
                "arrays-that-the-nest-fills",
                "int[] w = new int[n + 4]; long t = 0; for (int i = 0; i < 4; i++) { w[i] = (int) (t & 15); t = t * 3 + walk(s, w, i, n); } return t; }\n"
                        + "private static long walk(Svc s, int[] w, int x, int n) { long t = s.f(w[x % 4]); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, w, c, n); return t;");
        same(
                "collector-of-the-nest",
                "List<Integer> all = new ArrayList<>(); long t = 0; for (int i = 0; i < 4; i++) { walk(s, i, n, all); t = t * 3 + s.f(all.size()); for (int k = 0; k < 2; k++) t += s.g(all.get(k)); } return t + all.toString(); }\n"
                        + "private static void walk(Svc s, int x, int n, List<Integer> all) { all.add(s.f(x)); for (int c : s.row(2 * x + 1)) if (c < n) walk(s, c, n, all);");
        same(
                "list-that-grows-by-itself",
                "List<Integer> all = new ArrayList<>() { @Override public boolean add(Integer x) { Probe.otherClient.accept(1); return super.add(x); } }; long t = 0; for (int i = 0; i < 4; i++) { t = t * 3 + s.load(1); walk(s, i, n, all); } return t + all.toString(); }\n"
                        + "private static void walk(Svc s, int x, int n, List<Integer> all) { all.add(s.f(x)); for (int c : s.row(2 * x + 1)) if (c < n) walk(s, c, n, all);");
        same(
                "value-of-a-walk-decides",
                "long t = 0; for (int i = 0; i < 5; i++) { long w = walk(s, i, n); t = t * 3 + w; if (w % 5 == 2) t += s.g((int) (w & 7)); if (w % 11 == 3) break; } return t; }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        same(
                "walks-that-fail",
                "long t = 0; for (int i = 0; i < 5; i++) try { t = t * 3 + walk(s, i, n); } catch (RuntimeException e) { t -= s.g(i); } return t; }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        same(
                "walk-throws-in-the-nest",
                "long t = 0; for (int i = 0; i < 5; i++) { t = t * 3 + s.f(i + 30); t += walk(s, i, n); } return t; }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); if (t % 7 == 3 && x > 2) throw new IllegalStateException(\"at \" + x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        same(
                "writes-beside-reads-of-a-walk",
                "long t = 0; for (int i = 0; i < 4; i++) { t = t * 3 + walk(s, i, n); t += s.set(i, (int) (t & 3)); } return t; }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.load(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        same(
                "two-walks-in-a-pass",
                "long t = 0; for (int i = 0; i < 4; i++) { t = t * 3 + walk(s, i, n); t -= other(s, i + 1, n); } return t; }\n"
                        + "private static long other(Svc s, int x, int n) { long t = s.g(x); for (int c : s.row(3 * x + 1)) if (c < n / 2) t = t * 5 - other(s, c, n); return t; }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        same(
                "walk-of-no-one",
                "long t = 0; PWalkOfNoOne p = n > 3 ? new PWalkOfNoOne() : null; for (int i = 0; i < 4; i++) { t += s.f(i); t = t * 3 + p.walk(s, i, n); } return t; }\n"
                        + "private long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        same(
                "walks-as-bounds",
                "long t = 0; for (int i = 0; i < 4; i++) { long m = walk(s, i, n) & 3; for (int k = 0; k < m; k++) t = t * 3 + s.g(k + i); } return t; }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        same(
                "left-in-the-middle",
                "long t = 0; for (int i = 0; i < 9; i++) { t = t * 3 + walk(s, i, n); if (i == 2) return t; } return -t; }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); return t;");
        same(
                "handed-to-other-code",
                "List<Object> held = new ArrayList<>(); for (int i = 0; i < 4; i++) { List<Integer> mine = new ArrayList<>(); held.add(mine); walk(s, i, n, mine); ((List<Integer>) held.get(i / 2)).add(7); } return held.toString(); }\n"
                        + "private static void walk(Svc s, int x, int n, List<Integer> all) { all.add(s.f(x + all.size())); for (int c : s.row(2 * x + 1)) if (c < n) walk(s, c, n, all);");
    }

    /** The value of one activation decides about calls of others. */
    private void givenValues() {
        String find =
                "private static boolean find(Svc s, int x, int n) { if (s.f(x) % 31 == 30) return true; for (int c : s.row(2 * x + 1)) if (c < n && find(s, c, n)) return true; return false;";
        strands(
                "searches",
                90,
                "int t = 0; for (int i = 0; i < 8; i++) { if (find(s, i, n)) t += i; } return t; }\n" + find);
        strands(
                "search-that-fails",
                70,
                "int t = 0; for (int i = 3; i < 9; i++) { t = t * 3 + (find(s, i, n) ? 1 : 0); t += s.f(i); } return t; }\n"
                        + "private static boolean find(Svc s, int x, int n) { if (s.f(x) == -7) return true; for (int c : s.row(2 * x + 1)) if (c < n && find(s, c, n)) return true; return false;");
        strands(
                "value-into-the-next-activation",
                60,
                "long t = 0; for (int i = 3; i < 9; i++) t = t * 3 + fold(s, i, n); return t; }\n"
                        + "private static int fold(Svc s, int x, int n) { int r = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) r = r * 3 - fold(s, c + (r & 1), n); return r;");
        strands(
                "value-decides-about-a-call",
                90,
                "return walk(s, 0, n); }\n"
                        + "private static long walk(Svc s, int x, int n) { long t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) t = t * 3 + walk(s, c, n); if (t % 3 == 1) t += s.f(x + 1000); return t;");
        strands(
                "greatest-string",
                90,
                "return walk(s, 0, n); }\n"
                        + "private static String walk(Svc s, int x, int n) { String best = s.s(\"n\" + x); for (int c : s.row(2 * x + 1)) if (c < n) { String w = walk(s, c, n); if (w.compareTo(best) > 0) best = w + s.f(c); } return best;");
        same(
                "list-that-decides",
                "return walk(s, 0, n).toString(); }\n"
                        + "private static List<Integer> walk(Svc s, int x, int n) { List<Integer> all = new ArrayList<>(); all.add(s.f(x)); for (int c : s.row(2 * x + 1)) if (c < n) { List<Integer> w = walk(s, c, n); if (w.size() % 2 == 1) all.add(s.f(c + 1000)); w.add(3); all.addAll(w); } return all;");
        strands(
                "search-that-returns-what-it-finds",
                90,
                "int t = 0; for (int i = 0; i < 8; i++) { Item x = find(s, i, n); if (x != null) t = t * 3 + x.id() + s.f(i); } return t; }\nrecord Item(int id, String name) {}\n"
                        + "private static Item find(Svc s, int x, int n) { int v = s.f(x); if (v % 31 == 30) return new Item(v, \"i\" + x); for (int c : s.row(2 * x + 1)) if (c < n) { Item found = find(s, c, n); if (found != null) return found; } return null;");
        same(
                "array-below-is-changed",
                "return walk(s, 0, n)[0]; }\n"
                        + "private static int[] walk(Svc s, int x, int n) { int[] r = s.row(2 * x + 1); int t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) { int[] w = walk(s, c, n); w[0] += t; if (w[0] % 3 == 1) t += s.f(c + w[0] % 100); w[0] = t; } r[0] += t; return r;");
        same(
                "object-below-is-changed",
                "return walk(s, 0, n).t; }\nstatic class Sum { int t; }\n"
                        + "private static Sum walk(Svc s, int x, int n) { Sum r = new Sum(); r.t = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) { Sum w = walk(s, c, n); if (w.t % 3 == 1) r.t += s.f(c + w.t % 100); w.t = 0; r.t += w.t; } return r;");
        same(
                "object-of-the-caller-comes-back",
                "Sum a = new Sum(); return walk(s, a, 0, n).t + a.t; }\nstatic class Sum { int t; }\n"
                        + "private static Sum walk(Svc s, Sum a, int x, int n) { int v = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) { Sum w = walk(s, a, c, n); if (w.t % 3 == 1) v += s.f(c + w.t % 100); w.t += v; } return a;");
        same(
                "list-below-grows",
                "return walk(s, 0, n).toString(); }\n"
                        + "private static ArrayList<Integer> walk(Svc s, int x, int n) { ArrayList<Integer> all = new ArrayList<>(); all.add(s.f(x)); for (int c : s.row(2 * x + 1)) if (c < n) { ArrayList<Integer> w = walk(s, c, n); w.add(c); if (w.size() % 3 == 2) all.add(s.f(c + w.size())); all.addAll(w); } return all;");
        same(
                "object-below-runs-code",
                "K = 1; return \"\" + walk(s, 0, n).id(); }\nstatic int K; static class B { int id() { return 2; } } static class C extends B { int id() { return K++; } }\n"
                        + "private static B walk(Svc s, int x, int n) { int v = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n && walk(s, c, n).id() % 3 == 2) v += s.f(c + K); return v % 2 == 0 ? new B() : new C();");
        same(
                "same-object-below",
                "Object a = new Object(); return \"\" + (walk(s, a, 0, n) == a); }\n"
                        + "private static Object walk(Svc s, Object a, int x, int n) { int v = s.f(x); Object r = v % 5 == 2 ? a : new Object(); for (int c : s.row(2 * x + 1)) if (c < n && walk(s, a, c, n) == a) { v += s.f(c + 500); r = a; } return v % 3 == 0 ? r : new Object();");
        same(
                "field-of-an-object-of-the-caller",
                "Sum[] all = {new Sum(), new Sum()}; return walk(s, all, 0, n).t + all[0].t * 31 + all[1].t; }\nstatic class Sum { int t; }\n"
                        + "private static Sum walk(Svc s, Sum[] all, int x, int n) { int v = s.f(x); for (int c : s.row(2 * x + 1)) if (c < n) { Sum w = walk(s, all, c, n); if (w.t % 3 != 1) v += s.f(c + w.t % 100); all[v & 1].t++; } return all[(v >> 1) & 1];");
        same(
                "exception-below",
                "int t = 0; for (int i = 3; i < 9; i++) try { if (find(s, i, n)) t += i; } catch (ArithmeticException e) { t += 1000; } return t; }\n"
                        + "private static boolean find(Svc s, int x, int n) { int v = s.f(x); if (100 / (v % 13) == 5) return true; for (int c : s.row(2 * x + 1)) if (c < n && find(s, c, n)) return true; return false;");
        same(
                "exception-that-no-value-needs",
                "int t = 0; for (int i = 3; i < 9; i++) if (find(s, i, n)) t += i; return t + K; }\nstatic int K;\n"
                        + "private static boolean find(Svc s, int x, int n) { int v = s.f(x); K = 100 / (v % 13); if (v % 17 == 5) return true; for (int c : s.row(2 * x + 1)) if (c < n && find(s, c, n)) return true; return false;");
        same(
                "field-that-activations-count-in",
                "K = 0; int t = 0; for (int i = 3; i < 9; i++) if (find(s, i, n)) t += i; return t + K; }\nstatic int K;\n"
                        + "private static boolean find(Svc s, int x, int n) { K++; if (s.f(x + K) % 31 == 30) return true; for (int c : s.row(2 * x + 1)) if (c < n && find(s, c, n)) return true; return false;");
        same(
                "writes-between",
                "int t = 0; for (int i = 3; i < 9; i++) if (find(s, i, n)) t += i; return t; }\n"
                        + "private static boolean find(Svc s, int x, int n) { if (s.f(x) % 31 == 30) return true; for (int c : s.row(2 * x + 1)) { if (c < n && find(s, c, n)) return true; s.put(c); } return false;");
    }
}
