package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.testing.Seed;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Random loops whose calls change arrays that passes make or come to, several of which may be one (R75), do as they are written. */
@Tag("one-jdk")
class RandomRestoringTest extends ProgramTests {

    private static final int PROGRAMS = Boolean.getBoolean("cleave.full") ? 3_000 : 150;

    private static final String HEAD = """
            static int[] kept = {5, 6, 7};
            static int sum(int[] a) { int t = 0; for (int i = 0; i < a.length; i++) { t = t * 3 + a[i]; } return t; }
            public static Object run(Svc s, Svc z, int n) throws Exception {
              kept = new int[] {n, 6, 7}; int[] shared = {n, 1, 2}; int t = n;
            """;

    private static final List<String> ROWS = List.of(
            "new int[] {n, 1}",
            "new int[] {2, n, 3}",
            "new int[] {4}",
            "new int[3]",
            "shared",
            "kept",
            "new int[] {7, 8}");

    private static final List<String> PASSES = List.of(
            "for (int i = 0; i < rows.length; i++) { int[] row = rows[i];",
            "int i = -1; for (int[] row : rows) { i++;",
            "int i = -1; for (int[] row : list) { i++;",
            "for (int i = 0; i < list.size(); i++) { int[] row = list.get(i);",
            "for (int i = 0; i < 5; i++) { int[] row = {i, n, 3};",
            "for (int i = 0; i < 5; i++) { int[] row = new int[i % 3 + 1];",
            "for (int i = 0; i < rows.length; i++) { int[] row = new int[2]; row[1] = i;",
            "for (int i = 0; i < rows.length; i++) { int[] row = i % 3 == 0 ? new int[] {i, n} : rows[i];");

    private static final List<String> LINES = List.of(
            "t = t * 3 + s.turn(row);",
            "t = t * 3 + s.turn(row);",
            "t = t * 3 + z.fill(i + n, row);",
            "t = t * 3 + z.fill(t, row);",
            "s.turn(row);",
            "s.blend(shared, row);",
            "s.blend(row, shared);",
            "int[] own = {i, t}; s.blend(row, own); t += own[0];",
            "int[] own = {i, n}; s.blend(rows[i % rows.length], own); t = t * 3 + own[1];",
            "t += z.f(i);",
            "t = t * 3 + z.sumOf(row);",
            "t = t * 3 + z.f(row[0]);",
            "t += sum(row);",
            "t += row[row.length - 1];",
            "row[0] = t;",
            "row[0] = i + 3;",
            "shared[1] = t;",
            "t += shared[0] + kept[0];",
            "rows[(i + 1) % rows.length] = new int[] {i, 2};",
            "all.add(row);",
            "int[] other = rows[(i + 1) % rows.length]; t = t * 3 + s.turn(other);",
            "int[] mine = {i, 9}; t = t * 3 + z.turn(mine) + mine[0];",
            "if (t % 7 == 0) { continue; }",
            "if (t % 11 == 0) { break; }",
            "try { t = t * 3 + s.turn(row); } catch (RuntimeException e) { t += 7; }",
            "kept = row;");

    private final int seed = (int) (Seed.of(RandomRestoringTest.class) & 0xfff_ffff);

    private static String any(List<String> of, Random random) {
        return of.get(random.nextInt(of.size()));
    }

    private static String program(Random random) {
        StringBuilder text = new StringBuilder(HEAD).append("int[][] rows = {");
        for (int i = 0; i < 6; i++) {
            text.append(any(ROWS, random)).append(", ");
        }
        text.append(
                        "};\nList<int[]> list = new ArrayList<>(Arrays.asList(rows)); List<int[]> all = new ArrayList<>();\n")
                .append(any(PASSES, random))
                .append('\n');
        boolean hasOther = false;
        boolean hasMine = false;
        boolean hasOwn = false;
        boolean changes = false;
        for (int left = 2 + random.nextInt(3); left > 0 || !changes; left--) {
            String line = any(LINES, random);
            if (line.startsWith("int[] other") && hasOther
                    || line.startsWith("int[] mine") && hasMine
                    || line.startsWith("int[] own") && hasOwn) {
                continue;
            }
            hasOther |= line.startsWith("int[] other");
            hasMine |= line.startsWith("int[] mine");
            hasOwn |= line.startsWith("int[] own");
            changes |= line.contains(".turn(") || line.contains(".fill(") || line.contains(".blend(");
            text.append("  ").append(line).append('\n');
        }
        return text.append("}\nfor (int[] row : rows) { t = t * 5 + sum(row); }\n")
                .append("for (int[] row : all) { t = t * 5 + sum(row); }\nreturn t + sum(shared) * 7 + sum(kept); }")
                .toString();
    }

    @TestFactory
    Stream<DynamicTest> loops() {
        for (int i = 0; i < PROGRAMS; i++) {
            String name = "loop-" + (seed + i);
            conformance.add(name, program(new Random(seed + i)));
            test(name, () -> conformance.check(name));
        }
        test("some-are-sent-ahead", () -> assertThat(Stream.iterate(seed, i -> i + 1)
                        .limit(PROGRAMS)
                        .flatMap(i -> conformance.verdicts("loop-" + i).stream())
                        .filter(verdict -> verdict.outcome() == Verdict.Outcome.PIPELINED
                                && (verdict.call().endsWith("turn")
                                        || verdict.call().endsWith("fill")
                                        || verdict.call().endsWith("blend"))))
                .hasSizeGreaterThan(PROGRAMS / 20));
        return tests();
    }
}
