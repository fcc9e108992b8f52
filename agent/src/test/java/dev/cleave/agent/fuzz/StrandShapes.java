package dev.cleave.agent.fuzz;

import java.util.List;
import java.util.Random;

/** Nests whose bounds, conditions and arguments are results, also in methods that they call; the holes are those of {@link ProgramShapes}. */
final class StrandShapes {

    /** Methods with loops and several calls. */
    static final String MEMBERS = """
              private static int lines(FuzzService s, int x) { int r = x; for (int l : s.row(x & 31)) r = r * 3 + s.get(l & 31); return r; }
              private int priced(FuzzService s, int x) { int r = f; for (int l : s.row(x & 15)) { int c = s.get(l & 31); if ((c & 1) == 0) r += s.get(c & 15); else r -= l; } return r; }
              private static int counted(FuzzService s, int x) { int m = s.get(x & 31) & 3; int r = 0; for (int i = 0; i < m; i++) r = r * 3 + s.get(i + x & 31); return r; }
              private static int deeper(FuzzService s, int x) { int r = 0; for (int l : s.row(x & 31)) r += lines(s, l) - s.get(l & 7); return r; }
              private static int[] rowOf(FuzzService s, int x) { if ((x & 3) == 0) return new int[] {x}; return s.row(x & 31); }
              private int noted(FuzzService s, int x) { int r = 0; for (int l : s.row(x & 31)) { f += l; r += s.get(f & 31); } return r; }
              private static int lineThrower(FuzzService s, int x) { int r = 0; for (int l : s.row(x & 31)) { if ((x & 7) == 5) throw new IllegalStateException("line " + l); r += s.get(l & 31); } return r; }
              private static int leaves(FuzzService s, int x) { for (int l : s.row(x & 31)) if (s.get(l & 31) % 3 == 0) return l; return -x; }
              private static int tree(FuzzService s, int x, int d) { int r = s.get(x & 31); if (d <= 0) return r; for (int l : s.row(x & 31)) r = r * 3 + tree(s, l + d, d - 1); return r; }
              private int treeOf(FuzzService s, int x, int d) { if (d <= 0 || s.flag(x)) return x; f += d; int r = s.get(x & 15); for (int i = 0; i < 2; i++) r = r * 5 - treeOf(s, r + i, d - 1); return r; }
              private static int treeThrower(FuzzService s, int x, int d) { if ((x & 15) == 9) throw new IllegalStateException("tree " + x); int r = s.get(x & 31); if (d > 0) for (int l : s.row(x & 31)) r += treeThrower(s, l, d - 1); return r; }
              private static boolean treeFinds(FuzzService s, int x, int d) { if (s.get(x & 31) % 5 == 2) return true; if (d > 0) for (int l : s.row(x & 31)) if (treeFinds(s, l + 1, d - 1)) return true; return false; }
              private static int search(FuzzService s, int x) { java.util.Set<Integer> seen = new java.util.HashSet<>(); java.util.Queue<Integer> open = new java.util.ArrayDeque<>(); open.add(x & 31); int r = 0; while (!open.isEmpty()) { int p = open.remove(); r = r * 3 + p; for (int l : s.row(p)) if (seen.add(l & 15)) open.add(l & 15); } return r; }
              private static int handles(FuzzService s, int x) { int r = 0; for (int l : s.row(x & 31)) try { r += s.get(l & 31); } catch (IllegalStateException e) { r--; } return r; }
            """;

    private static final List<String> HEADS = List.of(
            "for (int o# = 0; o# < n; o#++) {",
            "for (int o# : a) {",
            "for (int o# : xs) {",
            "for (int o# : arr) {",
            "int o# = -1; while (++o# < n) {",
            "for (int o# = 0; o# < n; o#++) if ((o# & 3) != 2) {",
            "for (int o# = 0; o# < n && o# < 5; o#++) {");

    private static final List<String> INNER_HEADS = List.of(
            "for (int i# : @s.row(o# & 31)) {",
            "int[] r# = @s.row(o# & 15); for (int i# : r#) {",
            "int m# = @s.get(o# & 31) & 3; for (int i# = 0; i# < m#; i#++) {",
            "boolean g# = @s.flag(o#); if (g#) for (int i# = 0; i# < 2; i#++) {",
            "long m# = @s.num(o#) & 3; for (int i# = 0; i# < m#; i#++) {",
            "int[] r# = rowOf(@s, o#); for (int i# = 0; i# < r#.length; i#++) {",
            "int[] r# = @s.row(o# & 31); for (int i# : @s.row(r#.length + o# & 31)) {");

    private static final List<String> BODIES = List.of(
            "v0 = v0 * 3 + @s.get($ & 31);",
            "int p~ = @s.get($ & 31); if (p~ % 3 != 0) v0 = v0 * 3 + @s.get(p~ & 31);",
            "w = w * 3 + @s.num($ & 31);",
            "sb.append(@s.name($ & 31)).append(@s.get($ & 15));",
            "if (@s.flag($)) continue; v0 = v0 * 5 + @s.get($ + 1 & 31);",
            "v1 = v1 * 3 + lines(@s, $);",
            "v1 = v1 * 3 + counted(@s, $);",
            "v1 += priced(@s, $);",
            "v1 += deeper(@s, $);",
            "v1 += noted(@s, $);",
            "v1 += lineThrower(@s, $);",
            "v1 += leaves(@s, $);",
            "v1 += tree(@s, $, 2);",
            "v1 += treeOf(@s, $, 2);",
            "v1 += treeThrower(@s, $, 2);",
            "if (treeFinds(@s, $, 2)) v2++;",
            "v1 += search(@s, $);",
            "v1 += handles(@s, $);",
            "for (int k~ : @s.row($ & 31)) v2 = v2 * 3 + @s.get(k~ & 31);",
            "list.add(@s.get($ & 31));",
            "@s.put($, v3 & 7);",
            "arr[Math.floorMod($, 3)] = @s.get($ & 31);",
            "this.f += @s.get(f & 15);",
            "if (v0 % 17 == 3) break; v0 = v0 * 3 + @s.get($ & 31);",
            "v3 = v3 * 3 + @s.sum(@s.row($ & 31));",
            "int[] q~ = @s.row($ & 31); q~[0] += 3; v3 = v3 * 3 + @s.sum(q~);",
            "int[] q~ = {$, v2}; v3 = v3 * 3 + @s.sum(q~); q~[0] = 7;",
            "v2 = v2 + (60 / ($ & 7)); v0 = v0 * 3 + @s.get($ & 31);",
            "v2 = @s.look($ & 3);",
            "v2 = v2 * 3 + @s.calc($ & 31);",
            "if (v1 % 23 == 5) throw new IllegalStateException(\"nest\" + v1);",
            "v2++;");

    private StrandShapes() {}

    /** A nest. */
    static String any(Random random) {
        StringBuilder text = new StringBuilder("{ ")
                .append(HEADS.get(random.nextInt(HEADS.size())))
                .append(' ');
        boolean isHandled = random.nextInt(8) == 0;
        text.append(random.nextInt(4) == 0 ? body(random, "o#", 'a') : "");
        text.append(isHandled ? "try { " : "{ ");
        text.append(INNER_HEADS.get(random.nextInt(INNER_HEADS.size()))).append(' ');
        for (int i = random.nextInt(2); i >= 0; i--) {
            text.append(body(random, "i#", (char) ('p' + i)));
        }
        text.append(isHandled ? "} } catch (IllegalStateException e) { caught++; } " : "} } ");
        text.append(random.nextInt(3) == 0 ? body(random, "o#", 'b') : "");
        return text.append("} }").toString();
    }

    private static String body(Random random, String counter, char name) {
        String body = BODIES.get(random.nextInt(BODIES.size()));
        return "{ " + body.replace("$", counter).replace("~", "#" + name) + " } ";
    }
}
