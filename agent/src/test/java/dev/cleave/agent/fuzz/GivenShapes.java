package dev.cleave.agent.fuzz;

import java.util.List;
import java.util.Random;

/**
 * Lambda expressions with remote calls that are given to methods: of the program, as a retry is, and of the JDK. The holes are those
 * of {@link ProgramShapes}.
 */
final class GivenShapes {

    /** Methods that are given functions. */
    static final String MEMBERS = """
              interface Asked { int ask(int x) throws FuzzFailure; }
              private static int retriedOp(Supplier<Integer> op) { RuntimeException last = null; for (int i = 0; i < 3; i++) try { return op.get(); } catch (IllegalStateException e) { last = e; } throw last; }
              private static int triedOp(int most, Asked op) { int r = -1; for (int i = 0; i < most; i++) try { r = op.ask(i); break; } catch (FuzzFailure e) { r--; } return r; }
              private static int calledOp(Supplier<Integer> op) { return op.get() * 2 + 1; }
              private int notedOp(Supplier<Integer> op) { sb.append('['); int r = op.get(); sb.append(']'); return r; }
              private int countedOp(Supplier<Integer> op) { f++; return op.get() + f; }
              private static int chosenOp(Supplier<Integer> one, Supplier<Integer> other) { int r = one.get(); return r % 3 == 0 ? r : other.get(); }
              private static int onFailureOp(Supplier<Integer> one, Supplier<Integer> other) { try { return one.get(); } catch (IllegalStateException e) { return other.get(); } }
              private static int withOp(int x, IntUnaryOperator op) { return x % 5 == 4 ? x : op.applyAsInt(x & 15); }
              private static int throughOp(int many, Supplier<Integer> op) { return retriedOp(op) + many; }
              private static int bothOp(Supplier<Integer> op) { return op.get() - op.get(); }
              private Supplier<Integer> keptOp = null;
              private int keepsOp(Supplier<Integer> op) { Supplier<Integer> before = keptOp; keptOp = op; return before == null ? op.get() : before.get(); }
              static final class Tries { static int of(Supplier<Integer> op) { for (int i = 0; i < 2; i++) try { return op.get(); } catch (RuntimeException e) { if (i == 1) throw e; } return 0; } }
              private int loadsOp(FuzzService s, int x) { return retriedOp(() -> s.get(x & 31)) + 1; }
            """;

    private static final List<String> BODIES = List.of(
            "@s.get($ & 31)",
            "@s.get(@s.get($ & 15) & 31)",
            "@s.get($ & 31) + @s.get($ + 1 & 31)",
            "@s.get(f + $ & 31)",
            "@s.get(arr[$ % 3 & 1] & 31)",
            "60 / ($ & 3) + @s.get($ & 31)",
            "@s.name($ & 31).length()",
            "calledOp(() -> @s.get($ & 15))",
            "loadsOp(@s, $)",
            "$ % 3 == 0 ? $ : @s.get($ & 31)");

    private static final List<String> CALLS = List.of(
            "retriedOp(() -> ~)",
            "retriedOp(() -> ~)",
            "triedOp(3, y -> @s.checked($ + y & 31))",
            "triedOp(2, y -> ~ + y)",
            "calledOp(() -> ~)",
            "notedOp(() -> ~)",
            "countedOp(() -> ~)",
            "calledOp(() -> { f = f * 3 + $; return ~; })",
            "calledOp(() -> { try { return ~; } catch (IllegalStateException e) { return -1; } })",
            "chosenOp(() -> ~, () -> @s.get($ + 2 & 31))",
            "onFailureOp(() -> ~, () -> @s.get($ + 2 & 31))",
            "withOp($, y -> @s.get(y + 3 & 31) + y)",
            "throughOp($, () -> ~)",
            "bothOp(() -> ~)",
            "keepsOp(() -> ~)",
            "Tries.of(() -> ~)",
            "loadsOp(@s, $)");

    private static final List<String> USES = List.of(
            "@v = @v * 3 + ^;",
            "f = f * 3 + ^;",
            "arr[$ & 1] = ^;",
            "if (^ % 7 == 3) break;",
            "try { v0 += ^; } catch (IllegalStateException | ArithmeticException e) { caught++; }",
            "v1 = v1 * 3 + ^ - ^;",
            "sb.append(^);");

    private static final List<String> JDK = List.of(
            "{ int[] z# = new int[n]; Arrays.setAll(z#, i -> @s.get(i & 31) + i); @v = @s.sum(z#); }",
            "{ int[] z# = new int[3]; Arrays.setAll(z#, i -> @s.get(arr[i] & 31)); @v = @s.sum(z#); }",
            "{ int[] z# = @a; Arrays.setAll(arr, i -> i < z#.length ? @s.get(z#[i] & 31) : i); }",
            "{ int[] y# = @s.row(@x & 31); int[] z# = new int[y#.length]; Arrays.setAll(z#, i -> @s.get(y#[i] & 31)); @v = @s.sum(z#); }",
            "{ List<Integer> z# = new ArrayList<>(xs); z#.replaceAll(y -> @s.get(y & 31)); sb.append(z#); }",
            "{ List<Integer> z# = new ArrayList<>(xs); z#.removeIf(y -> @s.flag(y)); sb.append(z#); }",
            "{ List<Integer> z# = new ArrayList<>(xs); z#.replaceAll(y -> @s.get(z#.get(0) + y & 31)); sb.append(z#); }",
            "{ Map<Integer, Integer> z# = new TreeMap<>(Map.of(1, 2, 5, @x, 9, 4)); z#.replaceAll((y, v) -> @s.get(y + v & 31)); sb.append(z#); }",
            "{ Map<Integer, Integer> z# = new TreeMap<>(Map.of(1, 2, 5, @x, 9, 4)); z#.replaceAll((y, v) -> @s.get(z#.get(1) + v & 31)); sb.append(z#); }",
            "{ Map<Integer, Integer> z# = new TreeMap<>(Map.of(1, 2, 5, @x)); z#.forEach((y, v) -> f = f * 3 + @s.get(y + v & 31)); }",
            "sb.append(\"\" + xs.stream().distinct().collect(Collectors.toMap(Function.identity(), @s::get)).size());",
            "sb.append(new TreeMap<>(xs.stream().collect(Collectors.toMap(y -> y & 7, y -> @s.get(y & 31), (y, z) -> y * 3 + z))));",
            "try { sb.append(new TreeMap<>(xs.stream().collect(Collectors.toMap(y -> 60 / (y & 3), y -> @s.get(y & 31), Integer::sum)))); } catch (ArithmeticException e) { caught++; }",
            "sb.append(new TreeMap<>(xs.stream().collect(Collectors.groupingBy(y -> @s.get(y & 31) & 3, Collectors.toList()))));",
            "sb.append(\"\" + xs.stream().collect(Collectors.groupingBy(y -> y & 3, TreeMap::new, Collectors.mapping(y -> @s.get(y & 31), Collectors.toList()))));",
            "sb.append(\"\" + xs.stream().collect(Collectors.partitioningBy(y -> @s.flag(y), Collectors.counting())));",
            "sb.append(\"\" + xs.stream().filter(y -> (y & 1) == 0).collect(Collectors.summingInt(y -> @s.get(y & 31))));",
            "sb.append(\"\" + xs.stream().collect(Collectors.filtering(y -> (y & 1) == 0, Collectors.summingInt(y -> @s.get(y & 31)))));",
            "sb.append(\"\" + xs.stream().map(y -> @s.get(y & 15)).collect(Collectors.toMap(y -> y, y -> @s.get(y & 31), Integer::sum, TreeMap::new)));",
            "{ Map<String, Integer> z# = new TreeMap<>(); for (int j# : xs) { Integer y# = z#.get(j# % 3 + \"/\" + n); if (y# == null) { y# = @s.get(j# & 31); z#.put(j# % 3 + \"/\" + n, y#); } @v = @v * 3 + y#; } sb.append(z#); }",
            "{ Map<Integer, Integer> z# = new HashMap<>(); for (int j# = 0; j# < n; j#++) @v = @v * 3 + z#.computeIfAbsent(j# * 7 % 5, @s::get); }");

    private GivenShapes() {}

    private static String of(Random random, List<String> parts) {
        return parts.get(random.nextInt(parts.size()));
    }

    private static String call(Random random, String x) {
        return of(random, CALLS).replace("~", of(random, BODIES)).replace("$", x);
    }

    private static String use(Random random, String x) {
        String text = of(random, USES);
        for (int at = text.indexOf('^'); at >= 0; at = text.indexOf('^')) {
            text = text.substring(0, at) + call(random, x) + text.substring(at + 1);
        }
        return text.replace("$", x);
    }

    /** A statement. */
    static String any(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> of(random, JDK);
            case 1 ->
                "{ int k# = @x; int h# = @v; do { " + use(random, "k#") + " " + use(random, "h#") + " "
                        + use(random, "k#") + " } while (false); }";
            case 2 -> "for (int j# : @s.row(@x & 31)) { int k# = j#; " + use(random, "k#") + " }";
            default ->
                "for (int j# = 0; j# < n; j#++) { int k# = j#; " + use(random, "k#")
                        + (random.nextBoolean() ? " " + use(random, "k#") : "") + " }";
        };
    }
}
