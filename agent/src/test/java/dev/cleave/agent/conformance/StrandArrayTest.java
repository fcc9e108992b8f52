package dev.cleave.agent.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Nests within a loop that as a whole decides too late: each pass of that loop runs its nest with strands. And arrays of arrays
 * that the program makes for itself, which no call can read (R33, R71).
 */
@Tag("one-jdk")
class StrandArrayTest extends StrandPrograms {

    StrandArrayTest() {
        super(60);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        rounds();
        inner();
        return tests();
    }

    private static String means(String sums, String behind) {
        return "int[][] points = new int[n][]; for (int i = 0; i < n; i++) points[i] = new int[] {i, i * 3 % 7};\n"
                + "int[][] centres = Arrays.copyOf(points, 3);\n"
                + "for (int round = 0; round < 4; round++) { int[][] sums = " + sums + "; int[] counts = new int[3];\n"
                + "for (int[] p : points) { int nearest = nearest(s, p, centres); counts[nearest]++; for (int d = 0; d < p.length; d++) sums[nearest][d] += p[d]; }\n"
                + behind + " } return Arrays.deepToString(centres); }\n"
                + "private static int nearest(Svc s, int[] p, int[][] centres) { int nearest = 0; int least = Integer.MAX_VALUE; for (int k = 0; k < centres.length; k++) { int far = s.sumOf(p) - s.sumOf(centres[k]); if (far < least) { least = far; nearest = k; } } return nearest;";
    }

    private static final String MOVE =
            "for (int k = 0; k < 3; k++) if (counts[k] > 0) { for (int d = 0; d < 2; d++) sums[k][d] /= counts[k]; centres[k] = sums[k]; }";

    private void rounds() {
        strands("means", 24, means("new int[3][2]", MOVE));
        strands(
                "means-of-an-object",
                24,
                "return new PMeansOfAnObject(s, n).go(n); }\n"
                        + "private final Svc s; private final int[][] points; PMeansOfAnObject(Svc s, int n) { this.s = s; points = new int[n][]; for (int i = 0; i < n; i++) points[i] = new int[] {i, i * 3 % 7}; }\n"
                        + "String go(int n) { int[][] centres = Arrays.copyOf(points, 3);\n"
                        + "for (int round = 0; round < 4; round++) { int[][] sums = new int[3][points[0].length]; int[] counts = new int[3];\n"
                        + "for (int[] p : points) { int nearest = nearest(p, centres); counts[nearest]++; for (int d = 0; d < p.length; d++) sums[nearest][d] += p[d]; }\n"
                        + MOVE + " } return Arrays.deepToString(centres); }\n"
                        + "private int nearest(int[] p, int[][] centres) { int nearest = 0; int least = Integer.MAX_VALUE; for (int k = 0; k < centres.length; k++) { int far = s.pureSum(p) - s.pureSum(centres[k]); if (far < least) { least = far; nearest = k; } } return nearest;");
        strands(
                "cube-of-one-method",
                24,
                "int[] all = {5, 3, 1}; long t = 0; for (int round = 0; round < 4; round++) { int[][][] cube = new int[2][3][4];\n"
                        + "for (int y = 0; y < n; y++) { for (int id : s.row(y)) { cube[y % 2][id % 3][y % 4] += s.sumOf(all) + s.f(id); } }\n"
                        + "for (int i = 0; i < 3; i++) t = t * 31 + cube[round % 2][i][1]; } return t;");
        same(
                "means-that-were-known-before",
                means("sumsOf(centres, round)", MOVE)
                        + " }\nprivate static int[][] sumsOf(int[][] centres, int round) { return round == 0 ? new int[3][2] : centres;");
        // what the program makes once, and gives away in the first round
        same(
                "means-made-once",
                means("known", MOVE).replace("int[][] centres =", "int[][] known = new int[3][2]; int[][] centres ="));
        same(
                "means-given-away-first",
                means("first(centres, new int[3][2])", MOVE)
                        + " }\nprivate static int[][] first(int[][] centres, int[][] sums) { centres[0] = sums[0]; return sums;");
        same(
                "means-given-away-in-the-round",
                means("new int[3][2]", MOVE)
                        .replace("int[] counts = new int[3];", "int[] counts = new int[3]; centres[1] = sums[2];"));
        same(
                "means-given-away-by-the-nest",
                means("new int[3][2]", MOVE)
                        .replace("counts[nearest]++;", "counts[nearest]++; centres[nearest] = sums[nearest];"));
        same(
                "means-of-foreign-rows",
                means("new int[3][2]", MOVE)
                        .replace("int[] counts = new int[3];", "int[] counts = new int[3]; sums[1] = centres[2];"));
        same(
                "means-with-foreign-rows-in-the-nest",
                means("new int[3][2]", MOVE).replace("counts[nearest]++;", "counts[nearest]++; sums[nearest] = p;"));
        same(
                "means-renewed-now-and-then",
                means("last", MOVE)
                        .replace("int[][] centres =", "int[][] last = new int[3][2]; int[][] centres =")
                        .replace(
                                "int[][] sums = last;",
                                "if (round % 2 == 0) last = new int[3][2]; int[][] sums = last;"));
        same(
                "means-one-round-late",
                means("last", MOVE + " last = next;")
                        .replace("int[][] centres =", "int[][] last = new int[3][2]; int[][] centres =")
                        .replace(
                                "int[][] sums = last;",
                                "int[][] next = new int[3][2]; int[][] sums = last; centres[0] = next[0];"));
        same(
                "means-whose-rows-are-cloned",
                means("new int[3][2]", MOVE)
                        .replace(
                                "int[] counts = new int[3];",
                                "int[] counts = new int[3]; int[][] same = sums.clone(); centres[1] = same[1];"));
        same(
                "means-that-are-filled",
                means("new int[3][2]", MOVE)
                        .replace(
                                "int[] counts = new int[3];",
                                "int[] counts = new int[3]; Arrays.fill(sums, centres[0]);"));
        same(
                "means-in-a-list",
                means("new int[3][2]", MOVE)
                        .replace(
                                "int[] counts = new int[3];",
                                "int[] counts = new int[3]; List<int[]> l = Arrays.asList(sums); centres[2] = l.get(1);"));
        same(
                "means-in-a-lambda",
                means("new int[3][2]", MOVE)
                        .replace(
                                "int[] counts = new int[3];",
                                "int[] counts = new int[3]; final int[][] held = sums; java.util.function.IntFunction<int[]> row = i -> held[i]; centres[2] = row.apply(1);"));
        same(
                "means-that-are-points",
                means("new int[3][2]", MOVE)
                        .replace("int[] counts = new int[3];", "int[] counts = new int[3]; points[5] = sums[0];"));
        same(
                "means-of-a-matrix-of-objects",
                "int[][] all = {{1, 2}, {3, 4}}; long t = 0; for (int round = 0; round < 3; round++) { Object[][] m = new Object[2][2]; m[0] = all;\n"
                        + "for (int y = 0; y < n; y++) { for (int id : s.row(y)) { t = t * 3 + s.sumOf(all[id % 2]); m[0][id % 2] = new int[] {id, y}; } } } return t;");
        same(
                "means-in-a-row-of-arrays",
                "int[][][] m = new int[2][2][2]; int[][] all = {{1, 2}, {3, 4}}; long t = 0; for (int round = 0; round < 3; round++) {\n"
                        + "for (int y = 0; y < n; y++) { for (int id : s.row(y)) { t = t * 3 + s.sumOf(all[id % 2]); m[0][1][0] += id; m[1] = all; } } } return t;");
    }

    /** Nests in a loop that is none itself: what its calls need is written from round to round. */
    private void inner() {
        String open = "int[] at = {1, 2, 3}; long t = 0; for (int w = 0; w < 4; w++) { ";
        String close = " at[w % 3] += (int) (t & 7); } return t;";
        String nest = "for (int y = 0; y < n; y++) for (int id : s.row(at[1] + y)) t = t * 3 + s.f(id + at[0]);";
        strands("inner-nest", 16, open + nest + close);
        strands("inner-nests-one-behind-the-other", 32, open + nest + nest.replace("s.f", "s.g") + close);
        strands(
                "inner-nest-behind-a-loop",
                28,
                open + "for (int y = 0; y < n; y++) t += s.g(y ^ at[2]);" + nest + close);
        strands(
                "inner-nest-before-a-loop",
                28,
                open + nest + "for (int y = 0; y < n; y++) t += s.g(y ^ at[2]);" + close);
        strands("inner-nest-behind-a-call", 24, open + "at[2] = s.g(w);" + nest + close);
        strands(
                "inner-nest-of-three",
                20,
                open
                        + "for (int k = 0; k < 2; k++) for (int y = 0; y < n; y++) for (int id : s.row(y + k)) t = t * 3 + s.f(id + at[0]);"
                        + close);
        strands(
                "inner-nest-deep",
                40,
                "int[] at = {1, 2, 3}; long t = 0; for (int v = 0; v < 2; v++) { for (int w = 0; w < 3; w++) { " + nest
                        + " at[w % 3] += (int) (t & 7); } at[v] = 5; } return t;");
        strands(
                "inner-nest-in-a-do",
                16,
                "int[] at = {1, 2, 3}; long t = 0; int w = 0; do { " + nest
                        + " at[w % 3] += (int) (t & 7); } while (++w < 4); return t;");
        strands(
                "inner-nest-in-a-while-true",
                16,
                "int[] at = {1, 2, 3}; long t = 0; int w = 0; while (true) { " + nest
                        + " at[w % 3] += (int) (t & 7); if (++w == 4) return t; }");
        strands("inner-nest-if", 16, open + "if (w != 2) { " + nest + " } else t++;" + close);
        strands(
                "inner-nest-of-a-switch",
                16,
                open + "switch (w) { case 1: t++; break; case 2: " + nest + " default: t += 2; }" + close);
        same("inner-nest-left-for-good", open + nest.replace("t = t", "{ if (id == 40) return t; t = t") + "}" + close);
        same(
                "inner-nest-left-with-the-loop",
                open.replace("for (int w", "out: for (int w")
                        + nest.replace("t = t", "{ if (y > 3 && w == 2) break out; t = t") + "}" + close);
        same(
                "inner-nest-whose-loop-goes-on",
                open.replace("for (int w", "out: for (int w")
                        + nest.replace("t = t", "{ if (y > 3 && w == 2) continue out; t = t") + "}" + close);
        same(
                "inner-nest-handled",
                "StringBuilder l = new StringBuilder(\"caught\"); int[] at = {1, 2, 3}; long t = 0; for (int w = 0; w < 3; w++) { try { "
                        + nest.replace("y < n", "y < n && y < 4")
                        + " } catch (RuntimeException e) { l.append('!'); } at[w % 3] += 2; } return l.append(t).toString();");
        same(
                "inner-nest-finally",
                "StringBuilder l = new StringBuilder(\"caught\"); int[] at = {1, 2, 3}; long t = 0; for (int w = 0; w < 3; w++) { try { "
                        + nest.replace("y < n", "y < n && y < 4")
                        + " } finally { l.append(w); at[w % 3] += 2; } } return l.append(t).toString();");
        same("inner-nest-synchronized", open + "synchronized (at) { " + nest + " }" + close);
        same(
                "inner-nest-that-throws",
                open
                        + "for (int y = 0; y < n; y++) { if (y == 7 && w == 1) throw new IllegalStateException(\"y\" + t); for (int id : s.row(at[1] + y)) t = t * 3 + s.f(id + at[0]); }"
                        + close);
        same(
                "inner-nest-over-an-iterator-from-outside",
                "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i); java.util.Iterator<Integer> it = xs.iterator(); long t = 0; int[] at = {1, 2, 3}; for (int w = 0; w < 3; w++) { while (it.hasNext()) { int y = it.next(); if (y % 10 == 9) break; for (int id : s.row(at[1] + y)) t = t * 3 + s.f(id + at[0]); } at[w] = 5; } return t;");
        same(
                "inner-nest-over-a-list-that-grows",
                "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < 5; i++) xs.add(i); long t = 0; for (int w = 0; w < 3; w++) { for (int y : xs) for (int id : s.row(y)) t = t * 3 + s.f(id); xs.add((int) (t & 15)); } return t;");
        same(
                "inner-nest-of-changing-receivers",
                "Svc[] of = {s, z, new LocalSvc()}; long t = 0; for (int w = 0; w < 3; w++) { Svc x = of[w]; of[0] = x; for (int y = 0; y < n; y++) for (int id : x.row(y)) t = t * 3 + x.f(id); } return t;");
        same(
                "inner-nest-with-a-helper",
                "int[] at = {1, 2, 3}; long t = 0; for (int w = 0; w < 4; w++) { for (int y = 0; y < n; y++) t = t * 7 + sum(s, y + at[0]); at[w % 3] += (int) (t & 7); t += sum(s, w); } return t; }\n"
                        + "private static long sum(Svc s, int y) { long t = 0; for (int id : s.row(y)) t = t * 5 + s.f(id); return t;");
        same(
                "inner-nest-that-writes-behind",
                open
                        + "for (int y = 0; y < n; y++) { for (int id : s.row(at[1] + y)) t = t * 3 + s.f(id + at[0]); at[0]++; }"
                        + close);
    }
}
