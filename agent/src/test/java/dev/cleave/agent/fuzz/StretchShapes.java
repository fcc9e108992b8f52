package dev.cleave.agent.fuzz;

import java.util.List;
import java.util.Random;

/**
 * Calls in a row that only read, with code between them that nobody knows, locks, handlers, other calls, branches on
 * results and loops: what is prefetched in straight line. The holes are those of {@link ProgramShapes}; two or three of
 * these parts stand in one block and share its names.
 */
final class StretchShapes {

    private static final List<String> STARTS = List.of(
            "int z# = @s.calc(@x);",
            "int z# = @s.peek(@x & 3);",
            "int z# = @s.look(@x & 3);",
            "int z# = @s.barrier(@x);",
            "int z# = @c;",
            "hook.accept(@v); int z# = @x;",
            "int z# = 0; for (int y# : xs) { z# += y#; hook.accept(y#); }",
            "int z# = n > 2 ? @s.calc(@x) : @v;",
            "Iterator<Integer> y# = xs.iterator(); int z# = y#.hasNext() ? y#.next() : 3;");

    private static final List<String> MIDDLES = List.of(
            "hook.accept(z#);",
            "hook.accept(@v); v1 += @s.calc(z#);",
            "hook.accept(z#); v2 += @s.calc(@x) * 3;",
            "hook.accept(z#); @v = @s.calcSum(arr); hook.accept(@v);",
            "hook.accept(z#); @v = @s.calcSum(new int[] {z#, @x});",
            "if (z# % 3 == 0) { hook.accept(1); v1 += @s.calc(@x); } else v2 += @s.calc(z#);",
            "if (z# % 3 == 0) { hook.accept(1); z# = @x; }",
            "synchronized (this) { v1 = v1 * 3 + @s.calc(@x); hook.accept(f); }",
            "try { hook.accept(z#); v1 += @s.calc(@x); v2 = 60 / (z# % 5); } catch (ArithmeticException e) { caught++; v3 = v1; }",
            "try { v2 += @s.calc(@v); hook.accept(@v); v1 += @s.checked(@x); } catch (FuzzFailure e) { caught++; v3 += @s.calc(@x); } finally { f++; }",
            "try { hook.accept(z#); v1 += @s.calc(@x); if (v1 % 5 == 1) throw new IllegalStateException(\"five\"); v2 += @s.calc(v1 & 31); } catch (IllegalStateException e) { caught++; sb.append(v1); }",
            "@s.store(@x & 3, z#); v1 += @s.peek(@x & 3);",
            "v1 += @s.peek(@x & 3); if (v1 % 3 == 1) @s.store(@x & 3, v1); v2 += @s.peek(@x & 3);",
            "v1 += @s.look(@x & 3); sb.append(v1); v2 += @s.look((@x + 1) & 3);",
            "for (int k# = 0; k# < 3; k#++) { hook.accept(k#); int m# = (int) @s.num(k#); v1 += @s.calc(m# & 31); hook.accept(m#); v2 = v2 * 3 + @s.calc((m# + 1) & 31); }",
            "for (int k# : xs) { int m# = @s.calc(k#); hook.accept(m#); v1 = v1 * 3 + @s.calc(m# & 31); if (v1 % 13 == 5) break; if (v1 % 7 == 2) continue; v2 += @s.calc((m# + 2) & 31); }",
            "int[] o# = {@x, z#}; hook.accept(o#[0]); o#[1] = @v; v1 += @s.calcSum(o#); hook.accept(o#[1]); v2 += @s.calcSum(o#);",
            "v1 = v1 * 3 + Math.max(@s.calc(@x), @s.calc(z#)); hook.accept(v1); list.add(@s.calc(v1 & 31));",
            "switch (z# & 3) { case 0: v1 += @s.calc(@x); case 1: hook.accept(v1); v2 += @s.calc(@v); break; case 2: v1++; default: v3 += @s.calc(z#); }",
            "if (@v == 12345) return \"out\" + @s.calc(z#);",
            "f += @s.calc(@x) & 15;");

    private StretchShapes() {}

    static String any(Random random) {
        StringBuilder text = new StringBuilder("{ ").append(STARTS.get(random.nextInt(STARTS.size())));
        int parts = 2 + random.nextInt(2);
        for (int i = 0; i < parts; i++) {
            text.append(" { ")
                    .append(MIDDLES.get(random.nextInt(MIDDLES.size())))
                    .append(" }");
        }
        return text.append(" v0 = v0 * 3 + @s.calc(z#); }").toString();
    }
}
