package dev.cleave.agent.fuzz;

import java.util.List;
import java.util.Random;

/**
 * Loops over methods that make the call, and methods whose calls only read, with locks, handlers, changes and code that nobody
 * knows around them. The holes are those of {@link ProgramShapes}.
 */
final class HelperShapes {

    /** Methods that call: prefetched in part, or in no way. */
    static final String MEMBERS = """
              private int locked(FuzzService s, int x) { synchronized (this) { f = f * 3 + 1; return s.calc(x) + f; } }
              private int tries(FuzzService s, int x) { try { return s.calc(x); } catch (IllegalStateException e) { caught++; return -x; } finally { f++; } }
              private static int twoReads(FuzzService s, int x) { return s.calc(x) * 3 + s.calc(x + 1); }
              private int unknown(FuzzService s, int x) { hook.accept(x); int v = s.calc(x); hook.accept(v); return v; }
              private int peeks(FuzzService s, int x) { int v = s.peek(x & 3); if ((x & 3) == 1) s.store(x + 1 & 3, v + x); return v; }
              private int looks(FuzzService s, int x) { int v = s.look(x & 3); if ((x & 7) == 5) hook.accept(v); return v; }
              private static int decides(FuzzService s, int x) { int v = s.calc(x); if (v % 3 == 0) return v; return v + s.calc(v & 15) + s.name(x).length(); }
              private int outer(FuzzService s, int x) { int v = unknown(s, x + 1) + twoReads(s, x); return v - s.peek(x & 7); }
              private static int loops(FuzzService s, int x) { int v = s.calc(x); for (int i = 0; i < 2; i++) v += s.calc(x * i); return v; }
              private int moves(FuzzService s, int x) { return s.calc(f++ + x); }
              private int makes(FuzzService s, int x) { int[] z = {x, f, arr[Math.floorMod(x, 3)]}; int v = s.calcSum(z); z[0] = v; arr[1] = v & 7; return s.calcSum(z); }
              private static int fails(FuzzService s, int x) { int v = s.calc(x); steps++; return 60 / Math.floorMod(x, 4) + v; }
              private static int simple(FuzzService s, int x) { return s.calc(x * 2) + 1; }
              private int mixed(FuzzService s, int x) { int v = s.calc(x); f += s.get(v & 31); return v + f; }
              private static int pair(FuzzService s, int x) { return s.get(x) * 3 + s.get(x + 1); }
              private static int between(FuzzService s, int x) { int a = s.get(x); if ((x & 3) == 2) throw new IllegalStateException("between"); return a * 3 + s.get(x + 1); }
              private int divides(FuzzService s, int x) { int a = s.get(x); int k = 60 / Math.floorMod(x, 4); f += k; return a - s.get(k + x); }
              private static int middle(FuzzService s, int x) { int a = s.get(x); int k = 60 / Math.floorMod(x, 4); return a * k - s.get(x + 1); }
              private static int sinks(FuzzService s, int x) { int a = s.get(1); int[] y = {x, 2}; int b = s.sum(y); y[0] = heavy(x); int c = s.sum(y); return a + b * 100 + c; }
              private static int sinksTwo(FuzzService s, int x) { int a = s.get(x); int b = s.get(x + 1); int k = heavy(a); int c = s.get(x + 2); return a + b * k + c; }
              private static int sinksOne(FuzzService s, int x) { int a = s.get(x); int k = 60 / Math.floorMod(x, 4) + heavy(x); int b = s.get(k); return a * 3 + b; }
              private static int within(FuzzService s, int x) { int a = s.get(x); int k = TABLE[x - 1]; return a + (int) s.num(k + x) * 3; }
              private int indexes(FuzzService s, int x) { int a = s.get(x); int b = s.get(x + 1); int k = arr[x & 3]; return a + b * k - s.get(k); }
              private static int three(FuzzService s, int x) { int a = s.get(x); int b = (int) s.num(x); return a - b; }
              static final class Scores { static int count; static int twice(FuzzService s, int x) { return s.get(x) * 2; } private static int pairOf(FuzzService s, int x) { return s.get(x) * 3 + s.get(x + 1); } static int counts(FuzzService s, int x) { int v = s.get(x); count += v & 3; return v + count; } static int between(FuzzService s, int x) { int a = s.get(x); int b = s.get(x + 1); if ((x & 3) == 2) throw new IllegalStateException("between"); return a * 3 + b - s.get(x + 2); } static int middle(FuzzService s, int x) { int a = s.get(x); int k = 60 / Math.floorMod(x, 3); return a + k * s.get(x + 2); } static int sums(FuzzService s, int x) { int v = s.calc(x); for (int i = 0; i < 3; i++) v = v * 3 + s.get(x + i); return v; } static int readsAll(FuzzService s, int x) { int v = s.calc(x); for (int i = 0; i < 3; i++) v = v * 3 + s.calc(x + i); return v - s.calc(x + 5); } static int reads(FuzzService s, int x) { return s.calc(x) + 1; } static int readsTwice(FuzzService s, int x) { int v = s.calc(x); try { return v + s.calc(v & 15); } catch (IllegalStateException e) { count++; return -v; } } static int through(FuzzService s, int x) { return twice(s, x + 1) - 1; } static int farther(FuzzService s, int x) { return Farther.twice(s, x) + 1; } static int readsFarther(FuzzService s, int x) { count++; return Farther.reads(s, x) + s.calc(x + 2); } }
              static class Farther { static int twice(FuzzService s, int x) { return (int) s.num(x) * 2; } static int reads(FuzzService s, int x) { return s.calc(x * 3) - 1; } int of(FuzzService s, int x) { return s.get(x + 2) ^ 5; } int readOf(FuzzService s, int x) { return s.calc(x + 2) ^ 5; } }
              private final Farther far = new Farther();
              static final class Keeper { private final FuzzService s; private final int k; Keeper(FuzzService s, int k) { this.s = s; this.k = k; } int twice(int x) { return s.get(x + k) * 2; } int dies(int x) { int v = s.get(x); return 60 / Math.floorMod(x, 4) + v; } int reads(int x) { return s.calc(x + k) - k; } }
              private int toScores(FuzzService s, int x) { return Scores.twice(s, x + 2) + 3; }
              private int readsScores(FuzzService s, int x) { hook.accept(x); return Scores.reads(s, x + 2) + 3; }
            """;

    private static final List<String> HELPERS = List.of(
            "locked",
            "tries",
            "twoReads",
            "unknown",
            "peeks",
            "looks",
            "decides",
            "outer",
            "loops",
            "moves",
            "makes",
            "fails",
            "simple",
            "mixed",
            "pair",
            "three",
            "between",
            "divides",
            "middle",
            "middle",
            "within",
            "sinks",
            "sinksTwo",
            "sinksOne",
            "indexes",
            "Scores.between",
            "Scores.middle",
            "Scores.sums",
            "Scores.readsAll",
            "Scores.twice",
            "Scores.pairOf",
            "Scores.counts",
            "Scores.reads",
            "Scores.readsTwice",
            "Scores.through",
            "Scores.farther",
            "Scores.readsFarther",
            "far.of",
            "far.readOf",
            "toScores",
            "readsScores");

    private static final List<String> BODIES = List.of(
            "@v = @v * 3 + @h(@s, i#);",
            "@v = @v * 3 + @h(@s, i#); @v += @h(@s, i# + 3);",
            "int y# = @h(@s, i#); hook.accept(y#); if (y# % 7 == 3) break; @v += y#;",
            "try { @v += @h(@s, i#); } catch (IllegalStateException e) { caught++; @v += 3; }",
            "try { @v += @h(@s, i#); f += @v; } catch (ArithmeticException e) { caught++; continue; } @v ^= @s.calc(i#);",
            "synchronized (this) { f += @h(@s, arr[i# % 3]); }",
            "@v = @h(@s, @v & 15); hook.accept(@v);",
            "if ((i# & 1) == 0) hook.accept(@h(@s, i#)); @v += @h(@s, i# + 1);",
            "if (@h(@s, i#) > 60) { @v++; continue; } @v = @v * 5 + @h(@s, @v & 7);",
            "@v += @h(@s, i#) + @s.get(i#); f += i#;",
            "for (int k# = 0; k# < (i# & 3); k#++) { @v = @v * 3 + @h(@s, k# + i#); hook.accept(k#); }");

    /** Each with one method, {@code @k}, that is handed calls at one place and none at another. */
    private static final List<String> BOTH_WAYS = List.of(
            "try { for (int i# = 0; i# < n; i#++) @v = @v * 3 + @k(@s, i#); } catch (RuntimeException e) { caught++; sb.append(e.getMessage()); } try { f += @k(@s, @v & 3); } catch (RuntimeException e) { caught++; sb.append(e.getMessage()); }",
            "try { @v += @k(@s, 2); } catch (RuntimeException e) { caught++; } for (int i# : xs) { try { @v += @k(@s, i#); } catch (RuntimeException e) { caught++; sb.append(@v); } }",
            "for (int i# = 0; i# < n; i#++) { try { f += @k(@s, i#) - @k(@s, i# + 1); } catch (IllegalStateException | ArithmeticException | ArrayIndexOutOfBoundsException e) { caught++; @v = @k(@s, i# & 1); } }",
            "IntUnaryOperator o# = y -> @k(s, y); try { for (int i# = 0; i# < n; i#++) { @v += @k(@s, i#); } f += o#.applyAsInt(2); } catch (RuntimeException e) { caught++; sb.append(e.getMessage()); @v -= o#.applyAsInt(1); }");

    private HelperShapes() {}

    /** Chooses a loop over methods that call. */
    static String any(Random random) {
        if (random.nextInt(4) == 0) {
            return BOTH_WAYS
                    .get(random.nextInt(BOTH_WAYS.size()))
                    .replace("@k", HELPERS.get(random.nextInt(HELPERS.size())));
        }
        String head = random.nextBoolean() ? "for (int i# = 0; i# < n; i#++)" : "for (int i# : xs)";
        return head + " { " + BODIES.get(random.nextInt(BODIES.size())) + " }";
    }

    /** Chooses a method that calls. */
    static String helper(Random random) {
        return HELPERS.get(random.nextInt(HELPERS.size()));
    }
}
