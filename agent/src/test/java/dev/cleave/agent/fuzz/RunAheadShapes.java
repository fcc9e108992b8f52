package dev.cleave.agent.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Loops whose run-ahead has stages, levels or assumptions, with the holes of {@link ProgramShapes}. They are put together
 * from heads, bodies and bodies of inner loops.
 */
final class RunAheadShapes {

    private static final List<String> HEADS = List.of(
            "for (int o# = 0; o# < n; o#++) {",
            "for (int o# = 0; o# < 4 && o# < n; o#++) {",
            "for (int o# : a) {",
            "for (int o# : xs) {",
            "for (int o# = n; o# > 0; o#--) {",
            "int o# = -1; while (++o# < n) {",
            "int o# = 0; do { o#++;",
            "int[][] m# = {{1, 2}, {}, {n}, {3, v2, 5}}; int o# = 0; for (int[] r# : m#) { o#++;");

    private static final List<String> ENDS = List.of("}", "}", "}", "}", "}", "}", "} while (o# < n);", "}");

    private static final List<String> INNER_HEADS = List.of(
            "for (int i# = 0; i# < 3; i#++) {",
            "for (int i# = 0; i# < (o# & 3); i#++) {",
            "for (int i# = 0; i# < o#; i#++) {",
            "for (int i# = o#; i# < n; i#++) {",
            "for (int i# : arr) {",
            "for (int i# : xs) {",
            "int i# = 0; while (i# < 2) { i#++;",
            "if ((o# & 1) == 0) for (int i# = 0; i# < 2; i#++) {");

    /** Statements of a loop whose counter is {@code $}; {@code ~} makes names new. */
    private static final List<String> BODIES = List.of(
            "v0 = v0 * 3 + @s.get($);",
            "v0 = v0 * 3 + @s.get(@s.get($) & 15);",
            "int p~ = @s.get($ * 2); v1 = v1 * 5 + @s.get(p~ & 31) - @s.get((p~ + 1) & 31);",
            "int[] p~ = @s.row($); v0 = v0 * 3 + @s.sum(p~); v1 += p~[0];",
            "int[] p~ = @s.row($); p~[0] = 9; v0 = v0 * 3 + @s.sum(p~);",
            "if (@s.flag($)) v0 = v0 * 3 + @s.get($); else v1++;",
            "if (@s.flag($)) { w += @s.num($); } else { w += @s.num($ + 1) * 3; }",
            "v2 += @s.get($) & 7; v0 = v0 * 3 + @s.get(v2 & 31);",
            "long p~ = @s.num($); w = w * 7 + @s.num(p~ & 31);",
            "String p~ = @s.name($); sb.append(@s.name(p~.length()));",
            "@s.put($, @s.get($ & 7) & 7);",
            "try { int p~ = @s.get($); v0 = v0 * 3 + @s.get(p~ & 31); } catch (IllegalStateException e) { caught++; v1 += 7; }",
            "int p~; try { p~ = @s.get($); } catch (IllegalStateException e) { caught++; p~ = -4; } v0 = v0 * 3 + @s.get(p~);",
            "try { v3 = @s.get($); } catch (IllegalStateException e) { caught++; } v0 = v0 * 3 + @s.get(v3 & 31);",
            "v0 = v0 * 3 + @s.get(v3 & 31); try { v3 = @s.checked($); } catch (FuzzFailure e) { caught++; sb.append('c'); }",
            "try { v0 += @s.checked($); if (v0 % 5 == 1) continue; v1++; } catch (FuzzFailure e) { caught++; v1 += 3; } finally { v2++; } v1 = v1 * 3 + @s.get($);",
            "if (@s.perhaps($) && @s.spec($) > 70) break;",
            "int p~ = @s.spec($); v0 = v0 * 3 + p~; if (p~ > 80) break;",
            "int p~ = @s.spec($); if (p~ > 90) return \"found \" + $ + v0 + v1; v1 = v1 * 3 + p~;",
            "if (@s.perhaps($)) { v0 = v0 * 3 + @s.get($); if (v0 % 7 == 2) break; }",
            "int p~ = @s.spec($); if (p~ > 85) break; v0 = v0 * 3 + @s.get(p~ & 31);",
            "if (p) { p = @s.perhaps($); v0 = v0 * 3 + v1; } else { p = true; v1++; }",
            "if (p) { v3++; p = @s.perhaps(v3 & 31); } else { p = true; }",
            "if ((v2 & 3) == 1) { v2 = 2; v1++; continue; } v2 = @s.spec($); v0 = v0 * 3 + v2;",
            "try { int p~ = @s.spec($); v0 = v0 * 3 + p~; if (p~ > 80) break; } catch (IllegalStateException e) { caught++; v1 += 5; }",
            "if (@s.spec($) % 3 == 0) { v0 = v0 * 3 + @s.spec($ + 1); } else { v1 = v1 * 3 + @s.spec($ + 2); }",
            "@a[Math.floorMod($, 3)] = @s.get(@a[Math.floorMod($, 3)] & 31);",
            "if ($ == 3) continue; v0 = v0 * 3 + @s.get($);",
            "if ($ == 4) break; v0 = v0 * 3 + @s.get($);",
            "list.add(@s.get($));",
            "this.f += @s.get($);",
            "v1 = v1 * 3 + @a[$];",
            "v3 += $;",
            "if (v0 % 11 == 3) v1++;");

    private RunAheadShapes() {}

    /** A loop, or a nest. */
    static String any(Random random) {
        int head = random.nextInt(HEADS.size());
        StringBuilder text = new StringBuilder("{ ").append(HEADS.get(head)).append(' ');
        boolean isNest = random.nextInt(3) > 0;
        int names = 0;
        for (String part : parts(random, isNest)) {
            text.append(part.replace("~", "#" + (char) ('a' + names++))).append(' ');
        }
        return text.append(ENDS.get(head)).append(" }").toString();
    }

    private static List<String> parts(Random random, boolean isNest) {
        List<String> parts = new ArrayList<>();
        for (int i = random.nextInt(2); i >= (isNest ? 1 : 0); i--) {
            parts.add(body(random, "o#"));
        }
        if (isNest) {
            boolean isHandled = random.nextInt(5) == 0;
            boolean isBlock = random.nextBoolean();
            StringBuilder inner = new StringBuilder(isHandled ? "try { " : isBlock ? "{ " : "{ v2++; ");
            inner.append(INNER_HEADS.get(random.nextInt(INNER_HEADS.size()))).append(' ');
            for (int i = random.nextInt(2); i >= 0; i--) {
                inner.append(body(random, "i#").replace("~", (char) ('p' + i) + "~"))
                        .append(' ');
            }
            inner.append("} }");
            if (isHandled) {
                inner.append(" catch (IllegalStateException e) { caught++; v1 += 11; }");
            }
            parts.add(inner.toString());
            if (random.nextInt(3) == 0) {
                parts.add(body(random, "o#"));
            }
        }
        return parts;
    }

    private static String body(Random random, String counter) {
        return "{ " + BODIES.get(random.nextInt(BODIES.size())).replace("$", counter) + " }";
    }
}
