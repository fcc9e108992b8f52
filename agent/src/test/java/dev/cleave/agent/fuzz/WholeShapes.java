package dev.cleave.agent.fuzz;

import java.util.List;
import java.util.Random;

/**
 * Small programs of the kinds that people write, put together at random: walks through trees, searches, caches, retries, cursors,
 * local services, streams of several calls. The holes are those of {@link ProgramShapes}.
 */
final class WholeShapes {

    private static final List<String> WALK_ENDS =
            List.of("", "if ((x & 7) == 3) return x; ", "if (s.flag(x & 31)) return -x; ", "f += x; ");

    private static final List<String> WALK_CALLS = List.of(
            "int r = s.get(x & 31); ",
            "int r = x; ",
            "int r = (int) s.num(x) + s.get(x & 15); ",
            "int r = s.name(x & 31).length(); ");

    private static final List<String> WALK_CHILDREN = List.of(
            "for (int l : s.row(x & 31)) ",
            "int m = s.get(x + 1 & 31) & 1; for (int l = m; l < 2; l++) ",
            "int[] c = s.row(x & 15); for (int l : c) if ((l & 1) == 0) ",
            "for (int i = 0, l = x; i < 2; l = s.get(l & 31), i++) ");

    private static final List<String> WALK_STEPS = List.of(
            "r = r * 3 + ~(s, l & 31, d - 1); ",
            "{ f += l; r -= ~(s, l & 31, d - 1); } ",
            "{ r += s.get(l & 15); r ^= ~(s, l + d & 31, d - 1); } ",
            "{ int q = ~(s, l & 31, d - 1); if (q % 5 == 2) return q; r += q; } ",
            "try { r += ~(s, l & 31, d - 1); } catch (IllegalStateException e) { r--; } ");

    private static final int WALKS = WALK_ENDS.size() * WALK_CALLS.size() * WALK_CHILDREN.size() * WALK_STEPS.size();

    /** Walks, and services of the program's own that call remote ones. */
    static final String MEMBERS = walks() + """
              private static void gather(FuzzService s, int x, int d, List<Integer> to) { to.add(s.get(x & 31)); if (d > 0) for (int l : s.row(x & 31)) gather(s, l & 31, d - 1, to); }
              private static List<Integer> gathered(FuzzService s, int x, int d) { List<Integer> r = new ArrayList<>(); r.add(s.get(x & 31)); if (d > 0) for (int l : s.row(x & 31)) r.addAll(gathered(s, l & 31, d - 1)); return r; }
              private void visit(FuzzService s, String path, int d) { sb.append(path).append(s.get(path.length())); if (d > 0) for (int l : s.row(path.length())) visit(s, path + "/" + (l & 3), d - 1); }
              interface Fees { int of(int x); }
              static final class CachedFees implements Fees { private final Map<Integer, Integer> m = new HashMap<>(); private final FuzzService s; CachedFees(FuzzService s) { this.s = s; } @Override public int of(int x) { return m.computeIfAbsent(x & 3, s::get); } }
              interface Costs { int of(int x); }
              static final class LiveCosts implements Costs { private final FuzzService s; LiveCosts(FuzzService s) { this.s = s; } @Override public int of(int x) { int r = s.get(x & 31); return r % 3 == 0 ? 0 : r; } }
              interface Sizes { int of(int x); }
              static final class Rows implements Sizes { private final FuzzService s; Rows(FuzzService s) { this.s = s; } @Override public int of(int x) { int r = 0; for (int l : s.row(x & 31)) r = r * 3 + s.get(l & 15); return r; } }
              interface Tally { int of(int x); }
              static final class Counted implements Tally { private int asked; private final FuzzService s; Counted(FuzzService s) { this.s = s; } @Override public int of(int x) { asked++; return s.get(x & 31) * 3 + asked; } }
              interface Kept { int of(int x); }
              static final class KeptByHand implements Kept { private final Map<Integer, Integer> m = new TreeMap<>(); private final FuzzService s; KeptByHand(FuzzService s) { this.s = s; } @Override public int of(int x) { Integer k = m.get(x & 3); if (k == null) { k = s.get(x & 3); m.put(x & 3, k); } return k; } }
              interface Held { int of(int x); }
              static final class HeldByKey implements Held { private final Map<Integer, Integer> m = new HashMap<>(); private final FuzzService s; HeldByKey(FuzzService s) { this.s = s; } @Override public int of(int x) { int y = x & 7; Integer k = m.get(y); if (k == null) { k = s.get(y); m.put(y, k); } return k; } }
              interface Listed { int of(int x); }
              static final class ListedByKey implements Listed { private final Map<Integer, Integer> m = new TreeMap<>(Map.of(3, 9)); private final FuzzService s; ListedByKey(FuzzService s) { this.s = s; } @Override public int of(int x) { int y = x & 7; if (!m.containsKey(y)) { m.put(y, s.get(y)); } return m.get(y) + x; } }
              interface Stale { int of(int x); }
              static final class Forgets implements Stale { private final Map<Integer, Integer> m = new LinkedHashMap<>(); private final FuzzService s; Forgets(FuzzService s) { this.s = s; } @Override public int of(int x) { if (m.size() > 2) m.clear(); return m.computeIfAbsent(x & 7, y -> s.get(y & 31)); } }
            """;

    private static final List<String> LOOPS = List.of(
            "for (int j# = 0; j# < n; j#++)",
            "for (int j# : xs)",
            "for (int j# : a)",
            "for (int o# = 0; o# < n; o#++) for (int j# : @s.row(o# & 31))",
            "for (int o# : xs) for (int j# = @s.get(o#) & 1; j# < 3; j#++)");

    private static final List<String> MAPS = List.of(
            "HashMap<>()",
            "LinkedHashMap<>()",
            "TreeMap<>()",
            "java.util.concurrent.ConcurrentHashMap<>()",
            "HashMap<>(Map.of(1, 5, 2, 7))");

    private static final List<String> KEYS = List.of("j# & 3", "j# * 7 % 5", "@s.get(j# & 31) & 7", "j#");

    private static final List<String> FILLS = List.of(
            "int z# = m#.computeIfAbsent(k#, @s::get);",
            "int z# = m#.computeIfAbsent(k#, y -> @s.get(y));",
            "int z# = m#.computeIfAbsent(k#, y -> @s.get(y & 3) + y);",
            "int z# = m#.computeIfAbsent(k#, @s::look);",
            "Integer z# = m#.get(k#); if (z# == null) { z# = @s.get(k#); m#.put(k#, z#); }",
            "if (!m#.containsKey(k#)) m#.put(k#, @s.get(k#)); int z# = m#.get(k#);",
            "Integer z# = m#.get(k#); if (z# == null) { z# = @s.get(k# & 15); m#.put(k#, z#); } v1 += z#;",
            "Integer z# = m#.get(k#); if (z# == null) { z# = @s.get(k#); m#.put(k#, z#); f += z#; }",
            "int z# = m#.getOrDefault(k#, -1); if (z# < 0) m#.put(k#, @s.get(k#)); z# += m#.get(k#);");

    private static final List<String> BEHIND = List.of(
            "",
            "",
            "m#.remove(j# - 1);",
            "m#.put(9, z#);",
            "if (z# % 7 == 3) break;",
            "v1 += m#.size();",
            "v2 = v2 * 3 + @s.get(z# & 31);",
            "try { v3 += @s.checked(z#); } catch (FuzzFailure e) { caught++; }");

    private static final List<String> QUEUES = List.of(
            "Queue<Integer> e# = new ArrayDeque<>(); ~ while (!e#.isEmpty() && u#++ < 8) { int p# = e#.remove();",
            "Deque<Integer> e# = new ArrayDeque<>(); ~ while (!e#.isEmpty() && u#++ < 8) { int p# = e#.pollFirst();",
            "LinkedList<Integer> e# = new LinkedList<>(); ~ while (!e#.isEmpty() && u#++ < 8) { int p# = e#.removeFirst();",
            "Queue<Integer> e# = new LinkedList<>(); ~ for (Integer p# = e#.poll(); p# != null && u#++ < 8; p# = e#.poll()) {",
            "Deque<Integer> e# = new ArrayDeque<>(); ~ while (!e#.isEmpty() && u#++ < 8) { int p# = e#.removeLast();",
            "Queue<Integer> e# = new PriorityQueue<>(); ~ while (!e#.isEmpty() && u#++ < 8) { int p# = e#.remove();",
            "List<Integer> e# = new ArrayList<>(); ~ for (int q# = 0; q# < e#.size() && u#++ < 8; q#++) { int p# = e#.get(q#);");

    private static final List<String> SETS = List.of("HashSet<>()", "LinkedHashSet<>()", "TreeSet<>()");

    private static final List<String> FOUND = List.of(
            "v0 = v0 * 3 + p#;",
            "v0 += @s.get(p#);",
            "if (p# == 7) break;",
            "if ((p# & 3) == 1) continue;",
            "sb.append(@s.name(p#));",
            "v1 = v1 * 3 + e#.size();",
            "v2 += 60 / (p# & 7);");

    private static final List<String> LINKS = List.of(
            "",
            "",
            "v1 = v1 * 3 + @s.get(l# & 31);",
            "if (l# % 5 == 2) continue;",
            "if (l# % 11 == 7) { v2 = l#; break; }",
            "if (@s.flag(l#)) continue;",
            "if (l# % 7 == 1) e#.clear();",
            "if (l# % 7 == 2) g#.clear();");

    private static final List<String> ATTEMPTS = List.of(
            "v0 = v0 * 3 + @s.checked(j# * 10 + i#); break; ",
            "v0 += @s.get(j# & 31); v1 = v1 * 3 + @s.checked(j# + i# & 31); if (v1 % 3 == 0) break; ",
            "list.add(@s.checked(j# & 31)); break; ",
            "v2 = v2 * 3 + @s.checked(@s.get(j# + i# & 31) & 31); break; ",
            "if (@s.flag(j# + i#)) break; v0 += @s.checked(j#); ");

    private static final List<String> FAILURES = List.of(
            "catch (FuzzFailure e) { caught++; } ",
            "catch (FuzzFailure e) { caught++; sb.append(e.getMessage()); } ",
            "catch (FuzzFailure e) { caught++; v3 += @s.get(i#); } ",
            "catch (FuzzFailure e) { caught++; if (i# == 1) throw new IllegalStateException(\"tried \" + j#); } ",
            "catch (FuzzFailure | IllegalStateException e) { caught++; f += i#; } ",
            "catch (FuzzFailure e) { caught++; continue; } finally { v3++; } ");

    private static final List<String> PAGES = List.of(
            "int c# = @x & 31; for (int g# = 0; c# >= 0 && g# < 5; g#++) { int[] r# = @s.row(c#); for (int l# : r#) { ~ } c# = r#.length > 0 ? r#[0] % 17 : -1; }",
            "int c# = @x & 31; int g# = 0; do { for (int l# : @s.row(c#)) { ~ } c# = @s.get(c#) & 31; } while (c# % 7 != 3 && g#++ < 5);",
            "int[] r# = @s.row(@x & 31); int g# = 0; while (r# != null && g#++ < 5) { for (int l# : r#) { ~ } r# = r#[0] % 5 == 0 ? null : @s.row(r#[1] & 31); }",
            "for (int g# = 0, c# = @x & 31; g# < 5; g#++, c# = @s.get(c#) & 31) { int l# = c#; ~ }");

    private static final List<String> ITEMS = List.of(
            "v0 = v0 * 3 + @s.get(l# & 31);",
            "int p# = @s.get(l# & 31); if (p# % 3 != 0) v1 = v1 * 3 + @s.get(p# & 31);",
            "sb.append(@s.name(l# & 31));",
            "v1 += lines(@s, l#);",
            "if (@s.flag(l#)) continue; v2 += @s.get(l# & 15);",
            "if (l# % 13 == 5) break; v2 = v2 * 3 + @s.get(l# & 15);",
            "f += l#; v2 += @s.get(f & 15);",
            "try { v3 += @s.checked(l#); } catch (FuzzFailure e) { caught++; }");

    private static final List<String> SERVICES = List.of(
            "Fees h# = new CachedFees(@s);",
            "Costs h# = new LiveCosts(@s);",
            "Sizes h# = new Rows(@s);",
            "Tally h# = new Counted(@s);",
            "Kept h# = new KeptByHand(@s);",
            "Stale h# = new Forgets(@s);",
            "Held h# = new HeldByKey(@s);",
            "Held h# = new HeldByKey(@s);",
            "Listed h# = new ListedByKey(@s);",
            "CachedFees h# = new CachedFees(@s);",
            "Rows h# = new Rows(@s);");

    private static final List<String> SERVED = List.of(
            "v0 = v0 * 3 + h#.of(j#);",
            "v0 += @s.get(j# & 31) * h#.of(@s.get(j# & 15));",
            "if (h#.of(j#) % 3 == 0) v1 = v1 * 3 + @s.get(j# & 31);",
            "v1 += h#.of(j#) - h#.of(j# + 1); if (v1 % 19 == 4) break;",
            "int k# = @s.get(j# & 31); if (k# % 5 == 2) break; v0 = v0 * 3 + h#.of(k#);",
            "int k# = @s.get(j# & 15); if (k# % 7 == 1) continue; v1 = v1 * 3 - h#.of(k# & 7);",
            "try { v2 += h#.of(j#) / (j# & 3); } catch (ArithmeticException e) { caught++; }");

    private static final List<String> SOURCES = List.of(
            "xs.stream()", "IntStream.range(0, n).boxed()", "Arrays.stream(a).boxed()", "Stream.of(1, 9, 4, n)");

    private static final List<String> STAGES = List.of(
            ".map(y -> @s.get(y & 31))",
            ".map(@s::get)",
            ".filter(y -> @s.flag(y))",
            ".flatMap(y -> Arrays.stream(@s.row(y & 31)).boxed())",
            ".filter(y -> (y & 1) == 0)",
            ".map(y -> @s.get(@s.get(y & 15) & 31))",
            ".map(y -> y * 3 + @s.get(y & 7))",
            ".map(y -> lines(@s, y))",
            ".peek(y -> f = f * 3 + y)",
            ".distinct()",
            ".sorted()",
            ".limit(4)",
            ".skip(1)");

    private static final List<String> ENDS = List.of(
            "sb.append(^.toList());",
            "@v = ^.mapToInt(y -> y).sum();",
            "@v = ^.mapToInt(y -> @s.get(y & 31)).sum();",
            "sb.append(\"\" + ^.collect(Collectors.groupingBy(y -> y % 3, TreeMap::new, Collectors.counting())));",
            "sb.append(\"\" + ^.collect(Collectors.toMap(y -> y, y -> @s.get(y & 31), (y, z) -> y * 3 + z, TreeMap::new)));",
            "@v = ^.reduce(7, (y, z) -> y * 3 + z);",
            "p = ^.anyMatch(y -> @s.flag(y));",
            "^.forEach(y -> f = f * 3 + @s.get(y & 31));",
            "^.forEach(y -> { int r = 0; for (int l : @s.row(y & 31)) r = r * 3 + @s.get(l & 15); f += r; });",
            "sb.append(^.map(y -> @s.name(y & 31)).collect(Collectors.joining(\",\")));");

    private WholeShapes() {}

    private static String walks() {
        StringBuilder text = new StringBuilder();
        for (int k = 0; k < WALKS; k++) {
            int at = k;
            String end = WALK_ENDS.get(at % WALK_ENDS.size());
            at /= WALK_ENDS.size();
            String calls = WALK_CALLS.get(at % WALK_CALLS.size());
            at /= WALK_CALLS.size();
            String children = WALK_CHILDREN.get(at % WALK_CHILDREN.size());
            String step = WALK_STEPS.get(at / WALK_CHILDREN.size());
            text.append(
                            end.startsWith("f ") || step.startsWith("{ f ")
                                    ? "private int walk"
                                    : "private static int walk")
                    .append(k)
                    .append("(FuzzService s, int x, int d) { ")
                    .append(end)
                    .append(k % 3 == 0 ? "if (d <= 0) return x; " : "")
                    .append(calls)
                    .append(k % 3 == 0 ? "" : "if (d <= 0) return r; ")
                    .append(children)
                    .append(step.replace("~", "walk" + k))
                    .append("return r; }\n");
        }
        return text.toString();
    }

    private static String of(Random random, List<String> parts) {
        return parts.get(random.nextInt(parts.size()));
    }

    /** A program. */
    static String any(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> walk(random);
            case 1 -> cache(random);
            case 2 -> search(random);
            case 3 -> retry(random);
            case 4 -> "{ " + of(random, PAGES).replace("~", of(random, ITEMS)) + " }";
            case 5 -> service(random);
            default -> stream(random);
        };
    }

    private static String walk(Random random) {
        String call =
                switch (random.nextInt(6)) {
                    case 0 -> "gather(@s, $, 2, list);";
                    case 1 -> "visit(@s, \"p\" + ($), 2);";
                    case 2 -> "list.addAll(gathered(@s, $, 2));";
                    default -> "@v = @v * 3 + walk" + random.nextInt(WALKS) + "(@s, $, 2);";
                };
        return random.nextBoolean()
                ? call.replace("$", "@x & 15")
                : "for (int j# = 0; j# < 3; j#++) { " + call.replace("$", "j#") + " }";
    }

    private static String cache(Random random) {
        return "{ Map<Integer, Integer> m# = new " + of(random, MAPS) + "; " + of(random, LOOPS) + " { int k# = "
                + of(random, KEYS) + "; " + of(random, FILLS) + " v0 = v0 * 3 + z#; " + of(random, BEHIND)
                + " } sb.append(new TreeMap<>(m#)); }";
    }

    private static String search(Random random) {
        return "{ Set<Integer> g# = new " + of(random, SETS) + "; "
                + of(random, QUEUES).replace("~", "e#.add(@x & 15); int u# = 0;") + " " + of(random, FOUND)
                + " for (int l# : @s.row(p#)) { " + of(random, LINKS) + " if (g#.add(l# & 15)) e#.add(l# & 15); } "
                + (random.nextBoolean() ? of(random, FOUND) : "") + " } sb.append(e#).append(new TreeSet<>(g#)); }";
    }

    private static String retry(Random random) {
        return of(random, LOOPS) + " for (int i# = 0; i# < 3; i#++) try { " + of(random, ATTEMPTS) + "} "
                + of(random, FAILURES);
    }

    private static String service(Random random) {
        return "{ " + of(random, SERVICES) + " " + of(random, LOOPS) + " { " + of(random, SERVED) + " } }";
    }

    private static String stream(Random random) {
        StringBuilder text = new StringBuilder(of(random, SOURCES));
        for (int i = random.nextInt(4); i >= 0; i--) {
            text.append(of(random, STAGES));
        }
        return of(random, ENDS).replace("^", text);
    }
}
