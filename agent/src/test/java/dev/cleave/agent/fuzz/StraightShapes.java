package dev.cleave.agent.fuzz;

import java.util.List;
import java.util.Random;

/**
 * Statements in which it pays to await late or to send on an assumption: code that may take long behind a call, code that
 * throws while calls are in flight, calls that only some results lead to. The holes are those of {@link ProgramShapes}.
 */
final class StraightShapes {

    /** What all programs have beside their method. */
    static final String MEMBERS = """
              private static int heavy(int x) { int t = x; for (int i = 0; i < 20; i++) t = t * 31 + i; return t & 1023; }
              private static int risky(int x) { int t = 0; for (int i = 0; i < 20; i++) t += 100 / (x - i); return t; }
              private int reading(int x) { int t = x; for (int y : arr) t = t * 31 + y + f; return t & 63; }
              private static int pick3(int a, int b, int c) { return a * 3 + b * 5 + c * 7; }
              private static final class Pair { final int a; int b; Pair(int a, int b) { this.a = a; this.b = b; } }
            """;

    private static final List<String> SHAPES = List.of(
            "{ int z# = @c; int k# = heavy(@x); @v = z# + k#; }",
            "{ int z# = @c; int k# = risky(@x); @v = z# + k#; }",
            "{ int z# = @c; int k# = reading(@x); @v = z# - k#; }",
            "{ int z# = @c; int k# = heavy(@x); int y# = @s.get(k#); @v = z# + y# * 3; }",
            "{ int z# = @c; int k# = risky(@x) + 1; int y# = @s.get(k#); int m# = heavy(y#); @v = z# + y# * 3 + m#; }",
            "{ int z# = @s.get(@x); int y# = @s.get(z#); int m# = @s.get(@v); int o# = @s.get(m#); @v = y# - o#; }",
            "{ int z# = @c; if (heavy(@x) > 500) @v = z#; else @v = reading(@v); }",
            "{ int z# = @c; for (int j# = 0; j# < 5; j#++) @v += j# * n; f += z#; }",
            "{ int z# = @c; int[] y# = new int[4]; for (int j# = 0; j# < 4; j#++) y#[j#] = j# * @x; @v = z# + y#[@v & 3]; }",
            "{ int z# = @c; StringBuilder y# = new StringBuilder(); for (int j# = 0; j# < 4; j#++) y#.append(@x).append(@v); @v = z# + y#.length(); }",
            "{ int z# = @c; int k# = 0; for (int y# : xs) k# += y#; @v = z# * k#; }",
            "{ int z# = @c; Pair y# = new Pair(heavy(@x), @v); y#.b = heavy(y#.a); @v = z# + y#.b; }",
            "@s.put(@x, @v); @v = heavy(@x); f = @v;",
            "@v = pick3(@v, @c, heavy(@x));",
            "{ long z# = @s.num(@x); int k# = heavy(@x); w += z# * k#; }",
            "{ String z# = @s.name(@x); int k# = heavy(@v); sb.append(z#).append(k#); }",
            "{ boolean z# = @s.flag(@x); int k# = heavy(@v); if (z#) @v = k#; }",
            "{ int[] z# = @s.row(@x); int k# = heavy(@v); @v = z#[k# & 1]; }",
            "try { int z# = @c; int k# = risky(@x); @v = z# + k#; } catch (ArithmeticException e) { caught++; sb.append(v0); }",
            "try { int z# = @c; @v = heavy(@x); @v += z#; } catch (IllegalStateException e) { caught++; sb.append(@v); }",
            "try { @v = @c; int k# = risky(@x); @v += k#; } catch (ArithmeticException e) { caught++; sb.append(v0).append(v1).append(v2).append(v3); }",
            "try { int z# = @c; int k# = heavy(@x) / Math.floorMod(@v, 3); int y# = @s.get(k#); f = z# + y#; } finally { f += 7; }",
            "synchronized (this) { int z# = @c; int k# = heavy(@x); f = z# - k#; }",
            "{ int z#; if (@v > 3) z# = @c; else z# = @x; int k# = heavy(@v); @v = z# + k#; }",
            "{ int z#; if (@v > 3) z# = @c; else z# = @c; int k# = risky(@v); @v = z# + k#; }",
            "{ int z# = @c; @v = z#; z# = @s.get(@v); int k# = heavy(@v); z# += @s.get(k#); @v = z#; }",
            "{ int z# = 3; try { z# = @c; int k# = heavy(@x); z# += k#; } catch (RuntimeException e) { caught++; } @v = z#; }",
            "{ Integer z# = @c; int k# = heavy(@x); @v = z# + k#; }",
            "if (@s.perhaps(@x)) @v = @s.spec(@v);",
            "if (@s.perhaps(@x) && @s.perhaps(@v)) @v = @s.spec(@x); else @v += 3;",
            "@v = @s.perhaps(@x) || @s.perhaps(@v) ? @s.spec(@x) : @s.spec(@v);",
            "{ int z# = @c; if (z# > @v) { @v = @s.spec(@x) + @s.spec(@v); } else if (z# > 20) { f += @s.spec(@v); } else f--; }",
            "{ int z# = @c; int k# = @x; if (z# > 50) k# = @v; if (z# > 30) @v = @s.spec(k#); }",
            "{ int z# = @c; if (z# > 50) { int k# = @a[@v & 3]; @v = @s.spec(k#); } @v += heavy(z#); }",
            "switch (@c & 3) { case 0: @v = @s.spec(@x); case 1: f = @s.spec(@v); break; case 2: @v++; default: @v = @s.spec(f); }",
            "{ int z# = @c; if (z# > 40) { f++; @v = @s.spec(f); } else { @v = @s.barrier(@x); } }",
            "try { int z# = @c; if (z# > 40) throw new IllegalStateException(\"forty\"); @v = @s.spec(@x); } catch (IllegalStateException e) { caught++; @v = @s.barrier(7); }",
            "{ int z# = @c; int y# = z# > 50 ? @s.spec(@x) : heavy(@v); int m# = @s.get(@v); @v = y# + m#; }");

    private StraightShapes() {}

    static String any(Random random) {
        return SHAPES.get(random.nextInt(SHAPES.size()));
    }
}
