package dev.cleave.agent.fuzz;

import java.util.List;
import java.util.Random;

/** Statements whose calls need results of calls before them (R50). The holes are those of {@link ProgramShapes}. */
final class PromiseShapes {

    private static final List<String> SHAPES = List.of(
            "@v = s.get(s.get(@x));",
            "@v = t.get(t.calc(t.get(s.get(s.get(@x)))));",
            "{ int z# = s.get(@x); int y# = s.get(z#); @v = z# + y#; }",
            "{ int z# = s.get(@x); f += z#; @v = s.get(z#); }",
            "{ int z# = s.get(@x); @a[z# & 3] = @v; @v = s.get(z#); }",
            "{ int z# = s.get(@x); int k# = 100 / (z# - 30); @v = s.get(z#) + k#; }",
            "{ int z# = s.get(@x); if (z# > @v) @v = s.get(z#); else @v += s.calc(z#); }",
            "{ int z# = s.get(@x); int y# = s.get(@v); int m# = s.get(z#); int o# = s.get(y#); @v = m# - o#; }",
            "{ int z# = s.get(@x); int y# = t.get(@v); s.put(z#, z#); t.put(y#, z#); @v = s.get(z#); }",
            "{ int z# = s.get(@x); z# += @v & 1; @v = s.get(z#); }",
            "{ int z# = s.get(@x); if (@v > 3) z# = s.get(z#); @v = s.get(z#); }",
            "{ FuzzService r# = s; int z# = r#.get(@x); if (@v > 2) r# = t; @v = r#.get(z#); }",
            "{ long z# = s.num(@x); w += s.num(z#) - z#; }",
            "w = s.num(s.num(s.num(@x)));",
            "{ int[] z# = s.row(@x); @v = s.sum(z#); }",
            "@v = s.sum(s.row(s.get(@x)));",
            "{ int[] z# = s.row(@x); @v = s.sum(z#); z#[0] = 5; b = z#; }",
            "{ int[] z# = s.row(@x); z#[1] = @v; @v = s.sum(z#); }",
            "{ int z# = @s.get(@x); @v = @s.get(z#); }",
            "{ int z# = @c; int y# = s.get(z#); @v = s.get(y#) + @c; }",
            "s.put(s.get(@x), s.get(@v));",
            "{ int z# = s.spec(@x); if (z# > 50) @v = s.spec(z#); }",
            "try { @v = s.get(s.checked(s.get(@x))); } catch (FuzzFailure e) { caught++; sb.append(@v); }",
            "try { int z# = s.get(@x); v1 = z#; v2 = s.get(z#); } catch (IllegalStateException e) { caught++; sb.append(v1).append(v2); } finally { f += 3; }",
            "{ int z# = 4; try { z# = s.get(@x); } catch (IllegalStateException e) { caught++; } @v = s.get(z#); }",
            "{ int z# = s.get(@x); try { @v = s.get(z#); } catch (IllegalStateException e) { caught += z#; } }",
            "for (int j# = 0; j# < 4; j#++) { s.barrier(j#); @v = s.get(s.get(j# + @v)); }",
            "for (int j# = 0; j# < 4; j#++) @v = s.get(s.get(@v));",
            "for (int j# = 0; j# < n; j#++) v1 = s.get(v1);",
            "for (int j# = 0; j# < n; j#++) v1 = s.pull(v1);",
            "for (int j# = 0; j# < n; j#++) { v1 = s.get(v1); list.add(v1); if (j# == 3) @v = 7; }",
            "for (int j# = 0; j# < n; j#++) { v1 = s.get(v1); v2 += s.get(j#) - v1; }",
            "for (int j# = 0; j# < n; j#++) { v1 = s.pull(v1); if (v3 == 4) v1 = 7; }",
            "for (int j# = 0; j# < n; j#++) { int z# = s.pull(j#); s.push(z#, j#); v2 += z#; }",
            "{ int z# = @v; for (int j# = 0; j# < n; j#++) { s.push(z#, j#); z# = s.pull(j#); } @v = z#; }",
            "{ int y# = 3; for (int j# = 0; j# < n; j#++) { y# = s.pull(v1 + j#); if ((j# & 1) == 0) v1 = y#; s.push(v1, y#); } }",
            "for (int j# = 0; j# < n; j#++) { if ((j# & 1) == 0) v1 = s.pull(v1); s.push(v1, j#); }",
            "for (int j# = 0; j# < n; j#++) { try { v1 = s.pull(v1); } catch (IllegalStateException e) { caught++; } }",
            "for (int j# = 0; j# < n; j#++) { v1 = s.pull(v1); try { s.push(j#, v1); } catch (IllegalStateException e) { caught++; } }",
            "try { for (int j# = 0; j# < n; j#++) { v1 = s.pull(v2); v2 = s.pull(v1); } } catch (IllegalStateException e) { caught++; sb.append(v1).append(v2); }",
            "for (int j# = 0; j# < n; j#++) { for (int k# = 0; k# < 2; k#++) v1 = s.pull(v1); s.push(v1, j#); }",
            "{ int[] z# = new int[n < 0 ? 0 : n]; for (int j# = 0; j# < z#.length; j#++) z#[j#] = s.pull(j#); v2 += z#.length > 0 ? z#[0] : 1; }",
            "{ int[] z# = new int[7]; for (int j# = 0; j# < n; j#++) z#[j#] = s.pull(j#); b = z#; }",
            "w = s.num(w); for (int j# = 0; j# < n; j#++) w = s.num(w);",
            "synchronized (this) { int z# = s.get(@x); f = s.get(z#) - z#; }",
            "s.push(s.pull(@x), @v);",
            "{ int z# = s.pull(@x); int y# = s.pull(z#); s.push(y#, z#); @v = y#; }",
            "{ int z# = s.pull(@x); s.push(z#, 100 / (z# - 40)); }",
            "try { int z# = s.pull(@x); s.push(z#, 1); s.push(2, z#); v1 = s.pull(z#); } catch (IllegalStateException e) { caught++; sb.append(v1); }",
            "{ int z# = s.pull(@x); if (@v > 4) s.push(z#, @v); else @v = s.pull(z#); }",
            "s.push(@x, 1); t.push(@v, 2); s.push(@v, 3); t.push(@x, 4);",
            "{ int z# = s.pull(@x); t.push(@v, 2); int y# = s.pull(3); @v = z# * 3 - y#; }",
            "{ int z# = t.pull(@x); s.push(1, @v); try { t.push(z#, 2); s.push(z#, 3); } catch (IllegalStateException e) { caught++; } }",
            "for (int j# = 0; j# < n; j#++) { s.push(j#, 1); v2 = v2 * 3 + t.pull(j#); }",
            "for (int j# = 0; j# < 4; j#++) { try { s.push(j#, 1); t.push(j#, @v); } catch (IllegalStateException e) { v3++; caught++; } }");

    private PromiseShapes() {}

    static String any(Random random) {
        return SHAPES.get(random.nextInt(SHAPES.size()));
    }
}
