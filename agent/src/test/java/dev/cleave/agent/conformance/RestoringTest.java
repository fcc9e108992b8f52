package dev.cleave.agent.conformance;

import static dev.cleave.agent.rule.Rule.R24;
import static dev.cleave.agent.rule.Rule.R33;
import static dev.cleave.agent.rule.Rule.R75;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Calls that change arrays of their caller overlap others, whose arguments do not come from these arrays (R75). */
@Tag("one-jdk")
class RestoringTest extends ProgramTests {

    private static final String RUN = "public static Object run(Svc s, Svc z, int n) throws Exception {\n";
    private static final String SUM =
            "static int sum(int[] a) { int t = 0; for (int i = 0; i < a.length; i++) { t = t * 3 + a[i]; } return t; }\n";

    @Override
    void add(String name, String body) {
        conformance.add(
                name,
                "static int[] kept = {5, 6, 7};\nstatic int[] other;\n" + SUM + RUN
                        + "kept = new int[] {n, 6, 7}; other = kept;\n" + body + "\n}");
    }

    /** The same, in this many round trips. */
    private void takes(String name, int atMost, String body) {
        add(name, body);
        test(name, () -> conformance.takes(name, 3, atMost));
    }

    @TestFactory
    Stream<DynamicTest> straightLine() {
        takes("out-beside-a-call", 1, "int[] x = new int[4]; s.fill(n, x); int y = z.f(n); return y * 31 + sum(x);");
        takes("call-beside-an-out", 1, "int[] x = new int[4]; int y = z.f(n); s.fill(n, x); return y * 31 + sum(x);");
        takes(
                "in-out-beside-a-call",
                1,
                "int[] x = {n, 2, 3}; int k = s.turn(x); int y = z.f(n); return y * 31 + k + sum(x);");
        takes(
                "two-outs",
                1,
                "int[] x = new int[4]; int[] y = new int[3]; int a = s.fill(n, x); int b = z.fill(n + 1, y);\n"
                        + "return a + b * 7 + sum(x) * 31 + sum(y);");
        takes(
                "parameter-and-own",
                1,
                "int[] in = {n, 3}; int[] x = {1, n}; s.blend(in, x); int y = z.sumOf(in); return y + sum(x);");
        takes(
                "grid-beside-a-call",
                1,
                "int[][] x = new int[2][3]; s.grid(n, x); int y = z.f(n); return y * 31 + sum(x[1]);");
        takes(
                "field-that-is-apart",
                1,
                "int[] x = new int[4]; int[] in = kept; s.fill(n, x); int y = z.f(n); return y + sum(x) + sum(in);");
        overlaps("array-of-a-field", "s.fill(n, kept); int y = z.f(n); return y * 31 + sum(kept);");
        overlaps(
                "three-in-a-row",
                "int[] x = new int[3]; int a = s.f(1); int b = s.fill(n, x); int c = z.f(2); return a + b * 3 + c * 5 + sum(x);");
        overlaps(
                "failure-keeps-the-array",
                "int[] x = {n, 8}; int y = 0; try { s.turn(x); y = z.f(n); } catch (RuntimeException e) { y = sum(x); } return y + sum(x);");
        overlaps(
                "failure-behind-changes-it",
                "int[] x = {n, 8}; int y = 0; try { s.turn(x); y = z.f(n) / (n - n / 2 * 2); } catch (RuntimeException e) { y = sum(x); }\n"
                        + "return y + sum(x);");
        overlaps(
                "in-each-pass",
                "int[] x = new int[3]; int t = 0; for (int i = 0; i < 4; i++) { s.fill(i, x); int y = z.f(i); t = t * 3 + y + sum(x); } return t;");
        overlaps(
                "no-new-array-while-in-flight",
                "int[] x = new int[3]; int[] y = x; s.fill(n, x); int a = z.f(n); x = new int[2]; return a + sum(y) + sum(x);");
        overlaps(
                "one-of-two-branches",
                "int[] x = new int[3]; if (n % 2 == 0) { x = new int[5]; } s.fill(n, x); int a = z.f(n); return a + sum(x);");
        return tests();
    }

    @TestFactory
    Stream<DynamicTest> uses() {
        sequential(
                "same-array-twice",
                "int[] x = {n, 3}; int a = s.turn(x); int b = z.turn(x); return a + b * 31 + sum(x);");
        sequential("argument-of-the-next", "int[] x = {n, 3}; s.turn(x); int b = z.sumOf(x); return b * 31 + sum(x);");
        sequential("element-as-argument", "int[] x = {n, 3}; s.turn(x); int b = z.f(x[0]); return b * 31 + sum(x);");
        sequential(
                "element-computed-with",
                "int[] x = {n, 3}; s.turn(x); int k = x[1] + n; int b = z.f(k); return b * 31 + sum(x);");
        sequential(
                "alias-of-a-local",
                "int[] x = {n, 3}; int[] y = x; s.turn(x); int b = z.f(y[0]); return b * 31 + sum(x);");
        sequential(
                "row-of-a-grid",
                "int[][] x = new int[2][3]; s.grid(n, x); int b = z.f(x[1][2]); return b * 31 + sum(x[1]);");
        sequential(
                "row-as-argument",
                "int[][] x = new int[2][3]; int[] row = x[1]; s.grid(n, x); int b = z.sumOf(row); return b * 31;");
        same("alias-of-a-field", "int[] x = other; s.turn(x); int b = z.sumOf(kept); return b * 31 + sum(x);");
        same(
                "alias-in-a-field",
                "int[] x = {n, 3}; kept = x; s.turn(x); int b = z.sumOf(kept); return b * 31 + sum(x);");
        same("element-of-a-field", "int[] x = other; s.turn(x); int b = z.f(kept[0]); return b * 31 + sum(x);");
        sequential(
                "made-between",
                "int a = s.f(n); int[] x = new int[] {a, 2}; int b = z.turn(x); int c = s.f(x[0]); return a + b + c;");
        overlaps(
                "restorer-between",
                "int[] x = {n, 3}; int a = s.f(1); int c = s.turn(x); int b = z.f(x[0]); return a + b * 7 + c * 31 + sum(x);");
        add(
                "made-behind-the-first",
                "int a = s.f(n); int[] x = new int[] {n, 2}; int b = z.turn(x); return a + b * 31 + sum(x);");
        test("made-behind-the-first", () -> {
            conformance.check("made-behind-the-first");
            refusedBy("made-behind-the-first", R75);
        });
        same(
                "parameters-that-are-one",
                "return both(s, z, kept, other); }\nstatic int both(Svc s, Svc z, int[] x, int[] y) { s.turn(x); int b = z.sumOf(y); return b * 31 + sum(x);");
        sequential(
                "new-array-for-each",
                R75,
                "int t = 0; int[] x = {n}; t += s.turn(x); x = new int[] {n, 4}; t += z.turn(x); return t + sum(x);");
        sequential(
                "written-before-the-second",
                "int[] x = {n, 3}; int[] y = {1, 2}; int a = s.f(1); y[0] = a; int b = z.turn(y); return b + sum(y);");
        same(
                "written-between",
                "int[] y = {1, n}; int a = s.f(1); y[0] = 9; int b = z.turn(y); return a + b + sum(y);");
        same(
                "lambda-has-it",
                "int[] x = {n, 3}; java.util.function.IntSupplier at = () -> x[0]; s.turn(x); int b = z.f(at.getAsInt()); return b + sum(x);");
        same(
                "collection-has-it",
                "String[] t = {\"a\"}; java.util.List<String> v = Arrays.asList(t); int[] x = {n}; s.turn(x); String b = z.s(v.get(0)); return b + sum(x);");
        return tests();
    }

    @TestFactory
    Stream<DynamicTest> awaits() {
        String heavy = "int t = 0; for (int i = 0; i < 300; i++) { t = t * 5 + i; }\n";
        overlaps(
                "awaited-at-the-use",
                "int[] x = {n, 3}; int k = s.turn(x); int t = z.f(n); t = t * 3 + 1; int u = z.g(t); return u + sum(x) + k;");
        same("computed-meanwhile", "int[] x = {n, 3}; s.turn(x);\n" + heavy + "return t + sum(x);");
        same(
                "read-while-computing",
                "int[] x = {n, 3}; s.turn(x); int t = 0; for (int i = 0; i < 300; i++) { t = t * 5 + x[i % 2]; } return t + sum(x);");
        same(
                "alias-read-while-computing",
                "int[] x = other; s.turn(x); int t = 0; for (int i = 0; i < 300; i++) { t = t * 5 + kept[i % 3]; } return t + sum(x);");
        same(
                "written-while-computing",
                "int[] x = {n, 3}; s.turn(x); int t = 0; for (int i = 0; i < 300; i++) { t = t * 5 + i; x[0] = t; } return t + sum(x);");
        same(
                "own-array-while-computing",
                "int[] x = {n, 3}; s.turn(x); int[] y = new int[2]; int t = 0; for (int i = 0; i < 300; i++) { t = t * 5 + i; y[0] = t; } return t + y[0] + sum(x);");
        same("row-while-computing", "int[][] x = new int[2][3]; s.grid(n, x);\n" + heavy + "return t + sum(x[0]);");
        same(
                "second-while-the-first",
                "int[] x = {n, 3}; s.turn(x);\n" + heavy + "int b = z.turn(x); return t + b + sum(x);");
        same(
                "other-call-is-not-passed",
                "int[] x = {n, 3}; int a = z.f(n);\n" + heavy + "s.turn(x); return a + t + sum(x);");
        same(
                "strands-behind-it",
                "int[] x = {n, 3}; s.turn(x); int t = n * 3; for (int i = 0; i < 9; i++) { t += i; }\n"
                        + "int a = z.f(t); int b = s.g(t + 1); int c = z.f(a + x[0]); int d = s.g(b + x[1]); int e = z.f(c + d); return e + sum(x);");
        same(
                "nest-behind-it",
                "int[] x = {n, 3}; s.turn(x); int t = n * 3; for (int i = 0; i < 3; i++) { for (int r : s.row(i)) { t = t * 3 + z.f(r + x[1]); } }\n"
                        + "return t + sum(x);");
        same(
                "loop-behind-it",
                "int[] x = {n, 3, 4}; s.turn(x); int t = 0; for (int i = 0; i < 3; i++) { t = t * 3 + z.f(x[i]); } return t + sum(x);");
        same(
                "prefetched-behind-it",
                "int[] x = {n, 3, 4}; s.turn(x); int t = 0; for (int i = 0; i < 3; i++) { t = t * 3 + z.pure(x[i]); System.getProperty(\"a\"); }\n"
                        + "return t + sum(x) + z.pure(x[1]);");
        same(
                "handler-sees-it",
                "int[] x = {n, 3}; int t = 0; try { s.turn(x); for (int i = 0; i < 300; i++) { t = t * 5 + i; } t /= n % 2; }\n"
                        + "catch (ArithmeticException e) { return sum(x); } return t + sum(x);");
        return tests();
    }

    @TestFactory
    Stream<DynamicTest> orders() {
        sequential(
                "reader-behind-a-writer",
                R24,
                "int[] x = new int[2]; s.set(1, n); int a = s.snap(1, x); return a + sum(x);");
        same(
                "loop-keeps-its-place",
                "int[] x = new int[3]; int t = 0; for (int i = 0; i < 5; i++) { s.fill(i, x); t = t * 3 + sum(x); } return t;");
        same(
                "result-is-an-argument",
                "int[] x = new int[2]; int a = s.f(n); int b = z.fill(a, x); int c = s.f(b); return a + b + c + sum(x);");
        same("result-goes-to-a-restorer", "int[] r = s.row(n); int a = z.turn(r); int c = s.f(a); return c + sum(r);");
        same(
                "helper-that-restores",
                "int[] x = {n, 1}; int a = s.f(1); int b = z.turn(x); int c = s.g(2); return a + b + c + sum(x);");
        return tests();
    }

    @TestFactory
    Stream<DynamicTest> loops() {
        String rows = "int[][] rows = {{n, 1}, {2, n, 3}, {}, {4, 5}, {n}, {6, n}};\nint t = 0;\n";
        overlaps(
                "rows-of-an-array",
                rows + "for (int[] row : rows) { t = t * 3 + s.turn(row); } return t + sum(rows[3]);");
        overlaps(
                "rows-by-index",
                rows
                        + "for (int i = 0; i < rows.length; i++) { t = t * 3 + s.fill(i + n, rows[i]) + sum(rows[i]); } return t;");
        overlaps(
                "rows-of-a-parameter",
                "return each(s, new int[][] {{n, 1}, {2, n, 3}, {4, 5}}); }\n"
                        + "static int each(Svc s, int[][] rows) { int t = 0; for (int[] row : rows) { t = t * 3 + s.turn(row); } return t + sum(rows[1]);");
        overlaps(
                "rows-of-a-list",
                "List<int[]> rows = List.of(new int[] {n, 1}, new int[] {2, n}, new int[] {3}); int t = 0;\n"
                        + "for (int[] row : rows) { t = t * 3 + s.turn(row) + sum(row); } return t + sum(rows.get(0));");
        overlaps(
                "rows-of-a-list-by-index",
                "List<int[]> rows = new ArrayList<>(List.of(new int[] {n, 1}, new int[] {2, n}, new int[] {3})); int t = 0;\n"
                        + "for (int i = 0; i < rows.size(); i++) { t = t * 3 + s.turn(rows.get(i)); } return t + sum(rows.get(2));");
        overlaps(
                "rows-beside-another-call",
                rows
                        + "for (int[] row : rows) { t = t * 3 + s.turn(row); t += z.f(row.length); } return t + sum(rows[3]);");
        overlaps(
                "rows-and-a-result",
                rows
                        + "for (int i = 0; i < rows.length; i++) { int k = z.f(i); t = t * 3 + s.fill(k, rows[i]); } return t + sum(rows[3]);");
        overlaps(
                "out-of-its-own-in-each-pass",
                "int t = 0; for (int i = 0; i < 5; i++) { int[] x = new int[i % 3 + 1]; t = t * 3 + s.fill(i + n, x) + sum(x); } return t;");
        overlaps(
                "in-out-of-its-own-in-each-pass",
                "int t = 0; for (int i = 0; i < 5; i++) { int[] x = {i, n, 3}; t = t * 3 + s.turn(x) + sum(x); } return t;");
        overlaps(
                "own-ones-are-kept",
                "int[][] all = new int[5][]; int t = 0; for (int i = 0; i < 5; i++) { int[] x = {i, n}; s.turn(x); all[i] = x; }\n"
                        + "for (int[] x : all) { t = t * 3 + sum(x); } return t;");
        overlaps(
                "own-ones-filled-before",
                "int t = 0; for (int i = 0; i < 5; i++) { int[] x = new int[3]; x[0] = i; x[2] = n; t = t * 3 + s.turn(x) + x[0]; } return t;");
        overlaps(
                "field-of-its-own-row",
                "List<Box> boxes = List.of(new Box(n), new Box(n + 1), new Box(7)); int t = 0;\n"
                        + "for (Box box : boxes) { t = t * 3 + s.turn(box.values) + sum(box.values); } return t;\n}\n"
                        + "static final class Box { final int[] values; Box(int n) { values = new int[] {n, 2}; }");
        overlaps(
                "own-and-another",
                "int t = 0; for (int i = 0; i < 5; i++) { int[] x = {i, n}; int[] y = {n, i}; t = t * 3 + s.turn(x) + z.turn(y) + sum(x) + sum(y) * 5; } return t;");
        overlaps(
                "element-of-the-row-before",
                rows
                        + "for (int i = 1; i < rows.length; i++) { t = t * 3 + z.f(rows[i - 1][0]); t = t * 3 + s.turn(rows[i]); } return t;");
        overlaps(
                "own-ones-made-of-rows",
                rows
                        + "for (int i = 0; i < rows.length; i++) { int[] x = {i, n}; s.blend(rows[i], x); t = t * 3 + x[0] + x[1] * 5; } return t;");
        same(
                "own-ones-made-of-rows-and-told",
                rows
                        + "for (int i = 0; i < rows.length; i++) { int[] x = {i, n}; s.blend(rows[i], x); t = t * 3 + sum(x); } return t;");
        same(
                "own-ones-go-round",
                "int[] last = {n, 1}; int t = 0; for (int i = 0; i < 5; i++) { int[] x = {i, n}; s.blend(last, x); t = t * 3 + x[0]; last = x; } return t;");
        overlaps(
                "own-ones-made-of-a-parameter",
                "return each(s, kept, n); }\n"
                        + "static int each(Svc s, int[] w, int n) { int t = 0; for (int i = 0; i < 5; i++) { int[] x = {i, n}; s.blend(w, x); t = t * 3 + sum(x); } return t;");
        overlaps(
                "own-ones-made-of-a-field",
                "int t = 0; for (int i = 0; i < 5; i++) { int[] x = {i, n}; s.blend(kept, x); t = t * 3 + sum(x); } return t;");
        same(
                "own-ones-become-rows",
                rows
                        + "for (int i = 0; i < rows.length; i++) { int[] x = {i, n}; s.blend(rows[i], x); t = t * 3 + sum(x); if (i + 1 < rows.length) { rows[i + 1] = x; } } return t;");
        same(
                "own-ones-become-the-field",
                "int t = 0; for (int i = 0; i < 5; i++) { int[] x = {i, n}; s.blend(kept, x); t = t * 3 + sum(x); kept = x; } return t;");
        same(
                "one-array-several-times",
                "int[] x = {n, 1}; int[][] rows = {x, {2, n}, x, x, {7, 8}, x}; int t = 0;\n"
                        + "for (int[] row : rows) { t = t * 3 + s.turn(row) + sum(x); } return t + sum(x);");
        same(
                "one-array-at-the-end",
                "int[] x = {n, 1}; int[][] rows = {x, {2, n}, {3}, {4}, {7, 8}, {9}, x}; int t = 0;\n"
                        + "for (int[] row : rows) { t = t * 3 + s.turn(row); } return t + sum(x);");
        same(
                "failure-in-a-pass",
                rows
                        + "for (int[] row : rows) { try { t = t * 3 + s.turn(row); } catch (RuntimeException e) { t += 7; } t += sum(row); } return t;");
        same(
                "own-ones-and-a-failure",
                "int t = 0; for (int i = 0; i < 5; i++) { int[] x = {i, n}; try { t = t * 3 + s.turn(x); } catch (RuntimeException e) { t += 7; } t += sum(x); } return t;");
        same(
                "left-in-the-middle",
                rows
                        + "for (int[] row : rows) { t = t * 3 + s.turn(row); if (t > 200) { break; } } for (int[] row : rows) { t = t * 5 + sum(row); } return t;");
        same(
                "own-one-goes-to-a-second-call",
                "int t = 0; for (int i = 0; i < 5; i++) { int[] x = {i, n}; t = t * 3 + s.turn(x); t = t * 3 + z.sumOf(x); } return t;");
        same(
                "own-one-goes-to-a-second-restorer",
                "int t = 0; for (int i = 0; i < 5; i++) { int[] x = {i, n}; t = t * 3 + s.turn(x); t = t * 3 + z.turn(x); t += sum(x); } return t;");
        same(
                "own-one-goes-to-a-call-before",
                "int t = 0; for (int i = 0; i < 5; i++) { int[] x = {i, n}; t = t * 3 + z.sumOf(x); t = t * 3 + s.turn(x); t += sum(x); } return t;");
        same(
                "element-of-its-own-is-an-argument",
                "int t = 0; for (int i = 0; i < 5; i++) { int[] x = {i, n}; t = t * 3 + s.turn(x); t = t * 3 + z.f(x[1]); } return t;");
        same(
                "grids-of-their-own",
                "int t = 0; for (int i = 0; i < 4; i++) { int[][] g = new int[2][3]; t = t * 3 + s.grid(i + n, g) + sum(g[1]); } return t;");
        same(
                "rows-in-a-nest",
                rows
                        + "for (int[] row : rows) { for (int k = 0; k < 2; k++) { t = t * 3 + s.turn(row); } } return t + sum(rows[3]);");
        same(
                "own-ones-in-a-nest",
                "int t = 0; for (int i = 0; i < 3; i++) { for (int k = 0; k < 3; k++) { int[] x = {i, k, n}; t = t * 3 + s.turn(x) + x[2]; } } return t;");
        return tests();
    }

    @TestFactory
    Stream<DynamicTest> loopsThatStay() {
        String rows = "int[][] rows = {{n, 1}, {2, n, 3}, {5}, {4, 5}, {n}, {6, n}};\nint t = 0;\n";
        sequential(
                "one-array-for-all",
                R75,
                "int[] x = new int[3]; int t = 0; for (int i = 0; i < 5; i++) { t = t * 3 + s.fill(i + n, x) + sum(x); } return t;");
        sequential(
                "field-in-each-pass",
                R75,
                "int t = 0; for (int i = 0; i < 5; i++) { t = t * 3 + s.turn(kept); } return t;");
        sequential(
                "first-row-alone",
                R75,
                rows + "for (int i = 0; i < 5; i++) { t = t * 3 + s.turn(rows[0]); } return t;");
        sequential(
                "own-or-a-row",
                R75,
                rows
                        + "for (int i = 0; i < 5; i++) { int[] x = i % 2 == 0 ? new int[] {i, n} : rows[i]; t = t * 3 + s.turn(x) + sum(x); } return t;");
        sequential(
                "made-when-needed",
                R75,
                "int[] x = null; int t = 0; for (int i = 0; i < 5; i++) { if (i % 2 == 0) { x = new int[] {i, n}; } t = t * 3 + s.turn(x) + sum(x); } return t;");
        sequential(
                "neighbour-is-read",
                R33,
                rows
                        + "for (int i = 0; i + 1 < rows.length; i++) { s.blend(rows[i], rows[i + 1]); t = t * 3 + sum(rows[i + 1]); } return t;");
        sequential(
                "row-is-written-before",
                rows
                        + "for (int i = 0; i < rows.length; i++) { rows[i][0] = t; t = t * 3 + s.turn(rows[i]); } return t;");
        sequential(
                "next-row-is-replaced",
                rows
                        + "for (int i = 0; i < rows.length; i++) { t = t * 3 + s.turn(rows[i]); if (i + 1 < rows.length) { rows[i + 1] = new int[] {t, 2}; } } return t;");
        sequential(
                "two-rows-that-may-be-one",
                R33,
                rows
                        + "for (int i = 0; i < rows.length; i++) { t = t * 3 + s.turn(rows[i]) + z.turn(rows[rows.length - 1 - i]); } return t;");
        sequential(
                "shared-weights",
                R33,
                "return each(s, new int[][] {{n, 1}, {2, n, 3}, {4, 5}}, kept); }\n"
                        + "static int each(Svc s, int[][] rows, int[] w) { int t = 0; for (int i = 0; i < rows.length; i++) { s.blend(w, rows[i]); t = t * 3 + sum(rows[i]); } return t;");
        return tests();
    }

    @TestFactory
    Stream<DynamicTest> local() {
        same(
                "local-object-first",
                "Svc here = new LocalSvc(); int[] x = {n, 3}; here.turn(x); int b = z.f(n); return b + sum(x);");
        same(
                "local-object-behind",
                "Svc here = new LocalSvc(); int[] x = {n, 3}; int b = z.f(n); here.turn(x); int c = z.f(2); return b + c + sum(x);");
        same(
                "null-array",
                "int[] x = n > 3 ? null : new int[2]; int a = s.f(1); int b = 0; if (x != null) { b = z.fill(2, x); } return a + b;");
        return tests();
    }
}
