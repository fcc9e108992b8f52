package dev.cleave.agent.fuzz;

import java.util.List;
import java.util.Random;

/**
 * Statements that are hard to see through, as texts with holes: {@code @v} a variable, {@code @x} an int expression,
 * {@code @c} a remote call, {@code @s} a service, {@code @a} an array, {@code @i} the counter of the loop around, or a
 * variable, {@code #} what makes a name new.
 */
final class ProgramShapes {

    /** What all programs have beside their method. */
    static final String MEMBERS = """
              static final class Box { int v; Box next; Box(int v) { this.v = v; } void set(int w) { v = w; } }
              static class Open { int v = 3; int key(int x) { return v + x; } }
              static final class Sub extends Open { int key(int x) { v++; return x; } }
              enum Kind { ONE, TWO, THREE }
              static int steps = 0;
              private static void fill(int[] x, int i) { x[0] = i; x[x.length - 1] += i * 3; }
              private static void maybe(int[] x, boolean own, int i) { if (own) x = new int[3]; x[0] = i; }
              private static int[] same(int[] x) { return x; }
              private static int sumOf(int... x) { int r = 0; for (int y : x) r = r * 3 + y; return r; }
              private static int depth(int x) { return x <= 0 ? 0 : 1 + depth(Math.min(x, 20) / 2); }
              private int next() { f = f + 1; return f; }
              private final IntConsumer hook = x -> { sb.append('h').append(x); f += x & 1; };
              private static int inner(FuzzService s, int x) { return twice(s, x + 1) - 3; }
              private static int some(FuzzService s, int x) { if ((x & 3) == 1) return x; return s.get(x * 3) + 1; }
              private static int other(FuzzService s, int x) { return x > 6 ? s.get(x) : (int) s.num(x) + 2; }
              private static int thrower(FuzzService s, int x) { int k = 60 / Math.floorMod(x, 5); return s.get(k) + x; }
              private static int late(FuzzService s, int x) { int v = s.get(x); return 60 / Math.floorMod(x, 4) + v; }
              private static int again(FuzzService s, int x) { return x > 3 ? again(s, x / 2) + 1 : s.get(x); }
              private static int looped(FuzzService s, int x) { int k = 0; for (int i = 0; i < (x & 3); i++) k += i + x; return s.get(k); }
              private static int dies(FuzzService s, int x) throws FuzzFailure { return s.checked(x + 1) * 5; }
              private static int filled(FuzzService s, int x) { int[] z = new int[3]; z[1] = x; return s.sum(z); }
              private int keeps(FuzzService s, int x) { int v = s.get(x); f = f * 3 + v; return v; }
              private int feeds(FuzzService s, int x) { f = f + x; return s.get(f); }
              private int reads(FuzzService s, int x) { return s.get(f + x + arr[Math.floorMod(x, 3)]); }
              private int writes(FuzzService s, int x) { int v = s.get(x + 2); arr[Math.floorMod(x, 3)] = v; return v; }
              private int notes(FuzzService s, int x) { sb.append('<').append(x); int v = s.get(x); sb.append('>'); return v; }
              private int boxed(FuzzService s, int x) { box.v += x; int v = s.get(box.v); box.v ^= v; return v; }
              final int lists(FuzzService s, int x) { int v = s.get(list.size() + x); list.add(v); return v; }
              int open(FuzzService s, int x) { return s.get(x) + 9; }
              private final Box box = new Box(1);
              private final Open open = new Open();
              private final Open sub = new Sub();
              private final Map<String, Integer> map = new HashMap<>(Map.of("k1", 1, "k2", 2));
            """;

    private static final List<String> ANYWHERE = List.of(
            "{ int[] z# = new int[2]; fill(z#, @x); @v = @s.sum(z#); }",
            "{ int[] z# = {@x, @v}; @v = @s.sum(z#); z#[0] = @x; @v += @s.sum(z#); }",
            "{ int[] z# = new int[3]; System.arraycopy(arr, 0, z#, 0, 3); @v = @s.sum(z#); }",
            "{ int[] z# = same(@a); z#[0] = @x; @v = @s.sum(@a); }",
            "{ int[] z# = @a.clone(); @a[0] += 5; @v = @s.sum(z#) + @c; }",
            "maybe(@a, @v > 3, @x);",
            "fill(@a, @x);",
            "@a[Math.floorMod(@v++, 3)] = @s.get(@v);",
            "@v = @s.get(@v++) + @s.get(@v);",
            "@v = @v + (@v = @c) * 3;",
            "@v = @s.get(next());",
            "@v = next() + @c - next();",
            "box.set(@x);",
            "box.v += @c;",
            "@v = @s.get(box.v) + @c;",
            "{ Box b# = new Box(@x); Box d# = new Box(@v); b#.next = d#; b#.next.v = @c; @v = @s.get(d#.v); }",
            "{ Box b# = @v > 4 ? box : new Box(2); b#.v = @x; @v = @s.get(box.v); }",
            "{ Box b# = new Box(@c); @v = @s.get(b#.v) + @c; }",
            "@v = @s.get(open.key(@x));",
            "@v = @s.get(sub.key(@x)) + @c;",
            "{ Open o# = @v > 2 ? open : sub; @v += o#.key(@c); }",
            "@v = @s.get(sumOf(@x, @v, @x));",
            "@v = @s.get(depth(@x));",
            "@v = @s.get(Math.addExact(@x, 2147483600));",
            "@v = @s.get(100 / Math.floorMod(@x, 5));",
            "map.put(\"k\" + (@x & 3), @c);",
            "@v = @s.get(map.getOrDefault(\"k\" + (@x & 3), 4));",
            "for (Map.Entry<String, Integer> e# : map.entrySet()) sb.append(e#.getKey()).append(@s.get(e#.getValue()));",
            "for (String k# : map.keySet()) { @v += @s.get(k#.length() + @x); }",
            "@v = switch (@x & 3) { case 0 -> @c; case 1 -> { int y# = @c; yield y# + @c; } default -> @x; };",
            "switch (Kind.values()[@x & 1]) { case ONE: @v = @c; case TWO: @v += @c; break; default: f--; }",
            "{ long l# = @s.num(@x); double d# = l# / 3.0; @v = (int) (d# * 7) + @c; }",
            "{ String t# = @s.name(@x); q = t# + @v; } { long t# = @s.num(@v); w += t#; }",
            "steps = @x; @v = @s.get(steps) + @c;",
            "steps += @c;",
            "{ Integer z# = @c; Long y# = @s.num(@x); @v = z# + (int) (y# % 7); }",
            "{ IntUnaryOperator g# = y -> y + @N; @v = g#.applyAsInt(@c); }".replace("@N", "3"),
            "{ List<Integer> m# = list; m#.add(@x); @v = @s.get(list.size()); }",
            "{ StringBuilder z# = new StringBuilder(); z#.append(@x).append(@v); @v = @s.get(z#.length()) + @c; sb.append(z#.length()); }",
            "if (@s.flag(@x) && @s.flag(@v) || @c > 50) @v++;",
            "@v = @x > 3 ? @c : @s.get(@v) + @c;",
            "try { @v = @c; f = @c; } finally { @v++; sb.append('f'); }",
            "try { @a[@v] = @c; @v = @x; } catch (ArrayIndexOutOfBoundsException e) { caught++; @v = 1; }",
            "try { @v = 7 / @x; @v += @c; } catch (ArithmeticException e) { caught++; sb.append('a'); }");

    private static final List<String> CHAINS = List.of(
            "@s.push(@x, @v); @s.push(@v, @x);",
            "@v = @s.pull(@x); @v += @s.pull(3);",
            "{ int x# = @s.pull(@x); int y# = @s.pull(@v); @v = x# - y#; }",
            "{ int x# = @s.pull(@x); @s.push(1, @v); sb.append(@s.label(x#)).append(@s.label(2)); }",
            "{ int x# = @s.pull(1); if (@x > 4) @s.push(@v, 2); @v += x# + @s.pull(3); }",
            "{ int x# = @s.pull(@x); int y# = 7 / @v; @v += @s.pull(y#) + x#; }",
            "try { @s.push(@x, 1); @v = @s.pull(@a[@v]); @s.push(@v, 2); } catch (RuntimeException e) { caught++; sb.append(e.getMessage()); }",
            "for (int j# = 0; j# < 4; j#++) s.push(j#, @v);",
            "for (int j# = 0; j# < n; j#++) { v1 += s.pull(j# * 3); }",
            "{ List<Integer> m# = new ArrayList<>(); for (int j# = 0; j# < 5; j#++) m#.add(@s.pull(j#)); @v = m#.size(); list.addAll(m#); }",
            "{ String t# = \"\"; for (int z : xs) { s.push(z, v2); t# = s.label(z); } q = t#; }",
            "for (int j# = 0; j# < 6; j#++) { if (j# == @v) break; v2 = v2 * 3 + s.pull(100 / (3 - j#)); }",
            "for (int j# = 0; j# < 5; j#++) try { v2 += s.pull(j# + @v); } catch (IllegalStateException e) { v3++; caught++; }",
            "for (int j# = 0; j# < 4; j#++) { s.push(j#, 1); if (j# > 1) t.push(j#, 2); }",
            "for (int j# = 0; j# < 4; j#++) { s.push(arr[Math.floorMod(j#, 3)], 1); v1 += 3; this.f += @N; }"
                    .replace("@N", "2"),
            "for (int j# = 0; j# < 4; j#++) { v0 = v0 * 3 + s.pull(j#); @v = v0 / (v1 & 3); }",
            "for (int j# = 0; j# < 4; j#++) { v0 = v0 * 3 + s.pull(j#) + @c; }",
            "for (int j# = 0; j# < 9; j#++) { v2 = v2 * 5 + s.pull(j#); v3 = v2 / 7; }",
            "for (FuzzService r# : new FuzzService[] {s, t, s}) r#.push(@x, 3);",
            "for (int j# = 0; j# < 3; j#++) arr[j#] = s.pull(j#);");

    private static final List<String> IN_LOOPS = List.of(
            "int z# = @v; @a[Math.floorMod(@i, 3)] = @s.get(@a[Math.floorMod(@i, 3)]) + z#;",
            "@a[Math.floorMod(@i + 1, 3)] = @s.get(@a[Math.floorMod(@i, 3)]);",
            "try { @v += @a[@i]; if (@v > 9) continue; } catch (ArrayIndexOutOfBoundsException e) { caught++; } v3 += @i; @v += @s.get(v3);",
            "try { @v += @a[@i]; v3 = @i; } catch (ArrayIndexOutOfBoundsException e) { caught++; } @v += @s.get(v3);",
            "try { v0 += @s.get(@i); v1 += @s.checked(@i + 1); } catch (FuzzFailure e) { caught++; continue; } v2 += @s.get(@i);",
            "try { v0 += @s.get(@i); } catch (IllegalStateException e) { caught++; } finally { v1 += 3; } v2 = @s.get(@i + v1);",
            "int[] z# = new int[2]; fill(z#, @i); v0 = v0 * 3 + @s.sum(z#);",
            "Box b# = new Box(@i); b#.next = box; box.v = @i; v0 = v0 * 3 + @s.get(b#.next.v);",
            "for (int j# = 0; j# < 3; j#++) { if (j# == 2) v0 += @s.get(@i * 3 + j#); }",
            "int j# = 0; do { j#++; v1 += j#; } while (j# < (@i & 3)); v0 += @s.get(@i + j#);",
            "v0 = v0 * 3 + @s.get((@i & 1) == 0 ? @i : v3); v3++;",
            "if ((@i & 1) == 0) v0 += @s.get(@i); if (@i % 3 == 0) { v1 += @s.get(@i + 9); continue; } v2 += @s.get(@i + 1);",
            "try { if (@i == 3) throw new IllegalStateException(\"three\"); v0 += @s.get(@i); } catch (IllegalStateException e) { caught++; v1++; }",
            "FuzzService r# = (@i & 1) == 0 ? s : t; v0 = v0 * 3 + r#.get(@i);",
            "switch (Kind.values()[@i & 1]) { case ONE: v0 += @s.get(@i); break; case TWO: v1 += @s.get(@i * 2); default: v2++; }",
            "v0 = v0 * 3 + @h(@s, @i);",
            "v0 = v0 * 3 + @h(@s, @i + v3) - @h(@s, @i); v3++;",
            "if ((@i & 1) == 0) v0 += @h(@s, @i); else v1 = @h(@s, @i + 1) + @s.get(@i);",
            "list.add(@h(@s, @i * 5));",
            "try { v0 += @h(@s, @i); } catch (ArithmeticException e) { caught++; v1 += @i; }");

    private static final List<String> HELPERS = List.of(
            "twice", "inner", "some", "other", "thrower", "late", "again", "looped", "dies", "filled", "keeps", "feeds",
            "reads", "writes", "notes", "boxed", "lists", "open", "twice", "inner", "some", "keeps", "late");

    /** Calls that change nothing among code that nobody knows, writes, and exits that depend on results. */
    private static final List<String> READING = List.of(
            "hook.accept(@i); v0 = v0 * 3 + @s.calc(@i);",
            "v0 = v0 * 3 + @s.calc(@i); hook.accept(v0); if (v0 % 7 == 3) break;",
            "v1 += @s.peek(@i & 3); @s.store(@i & 3, v1); v2 += @s.look(@i & 3);",
            "v1 += @s.look(@i & 3); if ((@i & 1) == 0) @s.store(@i & 3, v1);",
            "v1 = v1 * 3 + @s.look(@i & 3); if ((@i & 3) == 1) hook.accept(@s.store(@i & 3, v1));",
            "int u# = @s.calc(@i); v0 += @s.calc(u#); hook.accept(u#);",
            "synchronized (this) { v0 += @s.calc(@a[Math.floorMod(@i, 3)]); } hook.accept(v0);",
            "@a[Math.floorMod(@i, 3)] = @s.calc(@a[Math.floorMod(@i, 3)]); hook.accept(@i);",
            "v0 += @s.calcSum(@a); hook.accept(v0); @a[Math.floorMod(@i, 3)]++;",
            "if (@s.calc(@i) > 50) { hook.accept(1); continue; } v2 += @s.calc(@i + 1);",
            "try { v0 += @s.calc(@i); hook.accept(v0); if (v0 % 5 == 1) throw new IllegalStateException(\"five\"); } catch (IllegalStateException e) { caught++; }",
            "try { v0 += @s.calc(@i); hook.accept(v0); } finally { sb.append('f'); }",
            "int[] z# = new int[(@i & 3) + 1]; fill(z#, @i); hook.accept(@i); v0 += @s.calcSum(z#);",
            "for (int j# = 0; j# < 4; j#++) { hook.accept(j#); for (int k# = 0; k# <= j#; k#++) { v1 += @s.calc(k# * j# + @i); hook.accept(k#); } v0 += @s.calc(j#); }",
            "for (Iterator<Integer> e# = xs.iterator(); e#.hasNext(); ) { int y# = e#.next(); if (@s.calc(y#) > 80) e#.remove(); }",
            "for (int y# : xs) { hook.accept(y#); v0 += @s.calc(y#); if (v0 % 11 == 5 && xs.size() < 9) xs.add(y#); }",
            "for (int j# = 0; j# < xs.size(); j#++) { v0 += @s.calc(xs.get(j#)); if (v0 % 3 == 0 && xs.size() > 2) xs.remove(j#); hook.accept(v0); }",
            "int j# = 0; while (true) { int g# = @s.calc(f + j#); hook.accept(g#); if (++j# > 4 || g# > 60) break; }",
            "for (Map.Entry<String, Integer> e# : map.entrySet()) { hook.accept(e#.getValue()); v1 += @s.peek(e#.getValue() & 3); }",
            "int j# = 0; do { v2 += @s.calc(j#); if (v2 % 4 == 0) { hook.accept(v2); continue; } v1 ^= @s.peek(j# & 3); } while (++j# < n);",
            "for (Integer y# : xs) { FuzzService r# = (y# & 1) == 0 ? s : t; hook.accept(y#); v0 = v0 * 3 + r#.calc(y#) + r#.look(y# & 3); }",
            "Box p# = new Box(@i); p#.next = box; for (Box q# = p#; q# != null; q# = q#.next) { hook.accept(q#.v); v1 += @s.calc(q#.v); q#.v = v1 & 7; }",
            "for (int j# = 0; j# < n; j#++) { int d# = 0; for (Box q# = box; q# != null; q# = q#.next) d#++; hook.accept(d#); v1 += @s.calc(d# + j#); }",
            "long l# = 0; for (int j# = 0; j# < n; j#++) { String o# = @s.name(j#); hook.accept(o#.length()); l# += o#.hashCode(); if (l# % 5 == 2) return o#; }");

    private ProgramShapes() {}

    /** Chooses a statement; it may stand anywhere. */
    static String any(Random random) {
        if (random.nextInt(4) == 0) {
            return "for (int i# = 0; i# < n; i#++) { " + reading(random).replace("@i", "i#") + " }";
        }
        if (random.nextInt(4) == 0) {
            return StreamShapes.any(random);
        }
        return ANYWHERE.get(random.nextInt(ANYWHERE.size()));
    }

    /** Chooses statements with chained calls; they may stand anywhere. */
    static String chain(Random random) {
        return CHAINS.get(random.nextInt(CHAINS.size()));
    }

    /** Chooses a call of a method that calls. */
    static String helper(Random random, String service, String argument) {
        return helper(random) + "(" + service + ", " + argument + ")";
    }

    /** Chooses a method that calls. */
    static String helper(Random random) {
        if (random.nextBoolean()) {
            return HelperShapes.helper(random);
        }
        return HELPERS.get(random.nextInt(HELPERS.size()));
    }

    /** Chooses a statement for the body of a loop. */
    static String inLoop(Random random) {
        if (random.nextInt(3) == 0) {
            return reading(random);
        }
        return IN_LOOPS.get(random.nextInt(IN_LOOPS.size()));
    }

    private static String reading(Random random) {
        return READING.get(random.nextInt(READING.size()));
    }
}
