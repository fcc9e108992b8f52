package dev.cleave.agent.fuzz;

import java.util.List;
import java.util.Random;

/**
 * Statements in which order shows: groups, callbacks, one-way calls, monitors, collections of several kinds, exits through
 * handlers. The holes are those of {@link ProgramShapes}.
 */
final class OrderShapes {

    private static final List<String> SHAPES = List.of(
            "@s.note(@x); @s.note(@v);",
            "@v = @s.tick(@x); @v += @s.tick(@v);",
            "{ int z# = @s.tick(@x); @s.note(3); int y# = @s.tick(@v); @v = z# - y#; }",
            "{ int z# = @s.tick(@x); int y# = @s.get(z#); @s.note(5); @v = y# + @s.tick(@v); }",
            "for (int j# = 0; j# < n; j#++) @s.note(j#);",
            "for (int j# = 0; j# < n; j#++) { v1 += @s.tick(j#); if ((j# & 1) == 0) @s.note(j# + 1); }",
            "for (int y# : xs) { v2 += @s.get(y#); @s.note(y#); }",
            "for (int j# = 0; j# < 4; j#++) { int z# = @s.tick(j#); @s.note(z#); }",
            "for (int j# = 0; j# < 5; j#++) try { @s.note(j#); v1 += @s.tick(@v); } catch (IllegalStateException e) { caught++; }",
            "@v = @s.tell(y# -> f += y#, @x);",
            "{ int z# = @c; int y# = @c; @v = @s.tell(m# -> sb.append(m#), z#) + y#; }",
            "for (int j# = 0; j# < 3; j#++) { v0 += @s.get(j#); v1 += @s.tell(y# -> list.add(y#), j#); }",
            "@v = @s.tell(y# -> arr[0] += y#, @x) + @s.sum(arr);",
            "{ int z# = @s.sum(arr); @v = @s.tell(y# -> arr[0] += y#, @x) + @s.sum(arr) - z#; }",
            "@s.tip(@x); @v = @c + @c;",
            "{ int z# = @c; @s.tip(z#); int y# = @c; @v = z# - y#; }",
            "for (int j# = 0; j# < n; j#++) { v0 += @s.get(j#); @s.tip(j#); }",
            "synchronized (sb) { v0 = @c; v1 = @c; sb.append(v0); }",
            "for (int j# = 0; j# < n; j#++) synchronized (list) { list.add(@s.get(j#)); }",
            "synchronized (list) { for (int j# = 0; j# < n; j#++) list.add(@s.get(j# + @v)); }",
            "{ int z# = @c; synchronized (sb) { f = f * 3 + 1; } int y# = @c; @v = z# - y#; }",
            "{ Deque<Integer> z# = new ArrayDeque<>(List.of(3, n, 1)); while (!z#.isEmpty()) v0 += @s.get(z#.poll()); }",
            "{ Set<Integer> z# = new TreeSet<>(xs); for (int y# : z#) v1 = v1 * 3 + @s.get(y#); }",
            "{ Set<Integer> z# = new HashSet<>(list); for (int y# : z#) { v1 = v1 * 3 + @s.get(y#); list.add(y#); } }",
            "{ List<Integer> z# = new LinkedList<>(xs); for (int y# : z#) { int k# = @s.get(y#); if (k# > 80) z#.add(k#); v0 += k#; } }",
            "{ List<Integer> z# = Collections.unmodifiableList(xs); for (int y# : z#) v0 = v0 * 3 + @s.get(y#); }",
            "{ List<Integer> z# = xs.subList(0, 2); for (int y# : z#) v0 = v0 * 3 + @s.get(y#); }",
            "{ Map<Integer, Integer> z# = new TreeMap<>(); for (int y# : xs) z#.merge(y#, @s.get(y#), Integer::sum); sb.append(z#); }",
            "{ Map<Integer, Integer> z# = new LinkedHashMap<>(8, 0.75f, true); z#.put(1, 2); z#.put(3, n); for (int y# : xs) { Integer k# = z#.get(y#); v0 += @s.get(k# == null ? y# : k#); } sb.append(z#); }",
            "{ int[][] z# = new int[3][2]; for (int j# = 0; j# < 3; j#++) for (int k# = 0; k# < 2; k#++) z#[j#][k#] = @s.get(j# * 3 + k#); sb.append(Arrays.deepToString(z#)); }",
            "{ int[] z# = @a; int[] y# = arr; for (int j# = 0; j# < 3; j#++) z#[j#] = @s.get(y#[j#]); }",
            "{ int[] z# = @a; int[] y# = arr; for (int j# = 0; j# < 2; j#++) z#[j# + 1] = @s.get(y#[j#]); }",
            "switch (@s.name(@x)) { case \"n3\": v0++; break; case \"n7\": v2++; default: v1 += @c; }",
            "outer#: for (int j# = 0; j# < n; j#++) { for (int k# = 0; k# < 3; k#++) { if (k# == 2 && j# == 1) continue outer#; if (j# == 3) break outer#; v0 = v0 * 3 + @s.get(j# + k#); } }",
            "try { try { v0 = @c; v1 = @c; } finally { f += v1; v2 = @c; } } catch (RuntimeException e) { caught++; sb.append(e.getMessage()); }",
            "try (AutoCloseable z# = () -> sb.append('x')) { v0 += @c; v1 += @c; }",
            "for (int j# = 0; j# < n; j#++) try { if (v0 % 7 == 3) return v0; v0 += @s.get(j#); } finally { sb.append('g'); }",
            "for (int j# = 0; j# < n; j#++) try { v0 += @s.get(j#); } catch (IllegalStateException e) { caught++; break; }",
            "for (int j# = 0; j# < n; j#++) try { v0 += @s.get(j# + v3); } catch (IllegalStateException e) { caught++; v3++; }",
            "{ int z# = @c; Runnable y# = () -> f += z#; int k# = @c; y#.run(); @v = k#; }",
            "{ Object z# = @s.name(@x); String y# = @s.name(@v); sb.append((String) z#).append(y#); }",
            "{ Object z# = @s.row(@x); @v = @c; q = (String) z#; }",
            "{ List<int[]> z# = new ArrayList<>(); for (int j# = 0; j# < 3; j#++) z#.add(@s.row(j#)); for (int[] y# : z#) v1 = v1 * 3 + y#[1]; }",
            "{ int z# = @c; assert z# >= 0; int y# = @c; @v = z# - y#; }",
            "{ String z# = \"\"; for (int j# = 0; j# < n; j#++) z# += @s.name(j#) + @v; q = z#; }",
            "{ int z# = n; while (z# > 0) { z#--; if ((z# & 1) == 0) continue; v0 = v0 * 3 + @s.get(z#); } }",
            "@s.set(1#, @x); @v = @s.look(1#);",
            "{ int z# = @s.set(2#, @x); int y# = @s.peek(2#); int k# = @s.set(2#, 7); @v = z# + y# * 3 + k# + @s.look(2#); }",
            "@s.set(3#, @x); @v = @s.look(3#); @s.set(3#, @v + 1); @v += @c + @s.peek(3#);",
            "for (int j# = 0; j# < n; j#++) { @s.set(4#, j# + @v); v0 = v0 * 3 + @s.look(4#); }",
            "for (int j# = 0; j# < n; j#++) { v1 += @s.get(j#); @s.set(5#, v1); v0 = v0 * 3 + @s.peek(5#) + @s.calc(j#); }",
            "{ for (int j# = 0; j# < n; j#++) @s.set(60# + j#, j# * 3); for (int j# = 0; j# < n; j#++) v0 = v0 * 3 + @s.look(60# + j#); }",
            "{ int z# = @c; @s.set(7#, z#); int y# = @c; @v = y# + @s.look(7#); }",
            "{ int z# = @c; int j# = 0, k# = 0; boolean y# = (@v & 1) == 0; while (j# < n) { if (y#) j#++; v0 = v0 * 3 + j#; if (++k# > 6) break; } @v = z# + @c; }",
            "{ int z# = @c; int j# = 0, k# = 0; while (j# < n) { if ((v1 & 1) == 0) j#++; v1 = v1 * 5 + 3 + j#; k# = k# + 1; if (k# > 6) break; } @v = z# + @c; }",
            "{ int z# = @c; int k# = n; for (int j# = 0; j# < k#; j#++) { if (k# < 7 && (v2 & 1) == 0) k#++; v2 = v2 * 3 + j#; } @v = z# + @c; }",
            "{ int z# = @c; for (int j# = 0; j# <= n; j#++) v2 = v2 * 3 + j#; @v = z# + @c; }",
            "{ int z# = @c; Iterator<Integer> y# = xs.iterator(); int k# = 5; while (k# != 0) { if (y#.hasNext() && (v0 & 1) == 0) v0 += y#.next(); k# = k# - 1; v0 = v0 * 3 + 1; } @v = z# + @c; }",
            "for (int j# = 0; j# < n; j#++) { int z# = 0, y# = 0, k# = 0; while (y# < j#) { if ((v3 & 1) == 0) y#++; z# += y# + 1; if (++k# > 4) break; } v0 = v0 * 3 + @s.get(z#); }",
            "for (int j# = 0; j# < n; j#++) { int z# = 0, k# = j#; for (int y# = 0; y# < k#; y#++) { if (k# < 4 && (v3 & 1) == 0) k#++; z# += y# + 1; } v0 = v0 * 3 + @s.get(z#); }",
            "do { v2 = v2 * 3 + @s.get(v1++ & 7); } while (v1 % 3 != 0);");

    private OrderShapes() {}

    static String any(Random random) {
        return SHAPES.get(random.nextInt(SHAPES.size()));
    }
}
