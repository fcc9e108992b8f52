package dev.cleave.agent.fuzz;

import java.util.List;
import java.util.Random;

/**
 * Parts of ordinary programs: maps of results, caches, beans between calls, recursion, flattened streams, loops of the JDK,
 * helpers with loops of their own. The holes are those of {@link ProgramShapes}.
 */
final class OrdinaryShapes {

    /** A bean that is what it says, one that does more, and helpers that walk, keep and add up. */
    static final String MEMBERS = """
              static class Bean { int id; int w = 1; Bean(int id) { this.id = id; } int id() { return id; } int w() { return w; } void w(int x) { w = x; } }
              static class Odd extends Bean { Odd(int id) { super(id); } int w() { return id++; } void w(int x) { id += 2; super.w(x + 1); } }
              private static List<Bean> beans(int x) { List<Bean> r = new ArrayList<>(); for (int i = 0; i < 4; i++) r.add((x >> i & 1) == 0 ? new Bean(i + x) : new Odd(i)); r.add(r.get(1)); return r; }
              private static List<Bean> plain(int x) { List<Bean> r = new ArrayList<>(); for (int i = 0; i < 5; i++) r.add(new Bean(i * x)); return r; }
              private static int walk(FuzzService s, int x, int d) { int r = s.get(x); if (d > 0) for (int k : s.row(x)) r = r * 3 + walk(s, k, d - 1); return r; }
              private static int kept(FuzzService s, Map<Integer, Integer> m, int x) { Integer k = m.get(x); if (k == null) { k = s.get(x); m.put(x, k); } return k; }
              class OddKeys extends ArrayList<Integer> { OddKeys(Collection<Integer> c) { super(c); } @Override public Iterator<Integer> iterator() { f++; return super.iterator(); } }
              static class Desk { final FuzzService s; int f; private final Map<Integer, Integer> known = new HashMap<>(); Desk(FuzzService s) { this.s = s; } int all(int x) { int r = 0; for (int l : s.row(x & 31)) r = r * 3 + one(l & 31); return r; } int one(int x) { int p = s.get(x); return p % 5 == 0 ? 0 : p; } int tree(int x, int d) { int r = one(x & 31); if (d > 0) for (int l : s.row(x & 31)) r = r * 3 + tree(l, d - 1); return r; } int kept(int x) { Integer k = known.get(x); if (k == null) { k = s.get(x); known.put(x, k); } return k; } int given(Supplier<Integer> g) { int r = g.get(); return r % 3 == 0 ? r : r + 1; } int givenAll(int n) { int r = 0; for (int j = 0; j < n; j++) { int k = j; r = r * 3 + given(() -> s.get(k + f & 31)); } return r; } int keptAll(List<Integer> l) { int r = 0; for (int x : l) r = r * 3 + kept(x & 3); return r; } }
              static class Sale extends Desk { Sale(FuzzService s) { super(s); } @Override int one(int x) { f = f * 3 + x; return f % 3 == 0 ? f : s.get(f & 31); } @Override int given(Supplier<Integer> g) { f = f * 3 + 1; return f % 2 == 0 ? 7 : g.get() + g.get() * 3; } @Override int kept(int x) { f++; return super.kept(x + f & 7); } }
              static class Tallies { static int of(FuzzService s, int x) { int r = 1; for (Crate.Item l : s.crate(x & 31).items()) r = r * 3 + s.get(l.key()); return r; } static int calls; static int counted(FuzzService s, int x) { return s.get(x + calls++ % 2 & 31); } }
              static final class Sums { static int of(FuzzService s, int[] x) { int r = 0; for (int k : x) r = r * 3 + s.get(k); return r; } }
            """;

    private static final List<String> MAPS = List.of(
            "{ Map<Integer, Integer> m# = new HashMap<>(); for (int j# = 0; j# < 6; j#++) m#.merge(j# % 3, @s.get(j# + @v), Integer::sum); sb.append(new TreeMap<>(m#)); }",
            "{ Map<String, Integer> m# = new TreeMap<>(); for (int y# : xs) m#.merge(\"k\" + y# % 2, @s.get(y#), (x, y) -> x * 3 + y); sb.append(m#); }",
            "{ Map<Integer, Integer> m# = new TreeMap<>(); for (int j# = 0; j# < n; j#++) { m#.put(@s.get(j#) % 5, j#); v0 += m#.size(); } sb.append(m#); }",
            "{ Map<Integer, Integer> m# = new TreeMap<>(Comparator.reverseOrder()); for (int j# = 0; j# < n; j#++) m#.merge(j# % 2, @s.get(j#), Math::max); sb.append(m#); }",
            "{ Map<Integer, List<Integer>> m# = new LinkedHashMap<>(); for (int j# = 0; j# < 5; j#++) m#.computeIfAbsent(@s.get(j#) % 3, y -> new ArrayList<>()).add(j#); sb.append(m#); }",
            "{ Map<Integer, Integer> m# = new HashMap<>(); for (int j# = 0; j# < 5; j#++) m#.merge(0, @s.get(f + j#), (x, y) -> { f = f * 3 + y; return x; }); @v = m#.getOrDefault(0, 1); }",
            "{ Map<Integer, Integer> m# = new HashMap<>(Map.of(1, 2)); for (int j# = 0; j# < 5; j#++) { @v = @v * 3 + @s.get(j#); for (Map.Entry<Integer, Integer> e# : m#.entrySet()) v1 += e#.getKey() * e#.getValue(); m#.put(1, v1 & 7); } }",
            "{ Map<Integer, Integer> m# = new HashMap<>(); for (int j# = 0; j# < 6; j#++) v2 = v2 * 3 + kept(s, m#, j# % 3); sb.append(new TreeMap<>(m#)); }",
            "{ Map<Integer, Integer> m# = new HashMap<>(); for (int y# : xs) v1 += m#.computeIfAbsent(y# & 1, y -> @s.calc(y + 3)); }");

    private static final List<String> BEANS = List.of(
            "for (Bean o# : beans(@x)) { int z# = @s.get(o#.id()); o#.w(z#); v0 = v0 * 3 + o#.w(); }",
            "for (Bean o# : plain(@x)) { int z# = @s.get(o#.id()); o#.w(z#); v0 = v0 * 3 + o#.w(); }",
            "for (Bean o# : plain(@x)) { v1 += @s.get(o#.id()) * o#.w(); o#.w(v1 & 15); }",
            "for (Bean o# : beans(@x)) { v1 += o#.w(); if ((v1 & 1) == 0) v2 = v2 * 3 + @s.get(o#.id()); }",
            "{ List<Bean> y# = plain(@x); for (int j# = 0; j# < y#.size(); j#++) { Bean o# = y#.get(j#); v1 = v1 * 3 + @s.get(o#.id() + @v); y#.get(y#.size() - 1 - j#).w(v1); } }",
            "for (Bean o# : beans(@x)) try { v3 = v3 * 3 + @s.checked(o#.id()); o#.w(v3); } catch (FuzzFailure e) { caught++; v2 += o#.w(); }");

    private static final List<String> SHAPES = List.of(
            "@v = walk(s, @x, 1);",
            "for (int j# = 0; j# < 3; j#++) v0 = v0 * 3 + walk(s, j#, 1);",
            "@v = Sums.of(s, arr);",
            "for (int j# = 0; j# < 3; j#++) v2 = v2 * 3 + Sums.of(s, new int[] {j#, @v, 2});",
            "for (int j# = 0; j# < 4; j#++) v1 += xs.stream().flatMap(y -> Stream.of(y, y + 1)).mapToInt(y -> @s.get(y)).sum();",
            "{ List<Integer> z# = xs.stream().flatMap(y -> List.of(@s.get(y), y).stream()).toList(); sb.append(z#); }",
            "sb.append(\"\" + xs.stream().collect(Collectors.groupingBy(y -> @s.get(y) % 3, TreeMap::new, Collectors.summingInt(y -> y))));",
            "{ int[] z# = new int[5]; Arrays.setAll(z#, y -> @s.get(y * 3)); @v = z#[4] + z#[1]; }",
            "{ int[] z# = new int[4]; Arrays.setAll(z#, y -> y == 0 ? 1 : @s.get(z#[y - 1] & 7)); @v = z#[3]; }",
            "{ int[] z# = new int[4]; try { Arrays.setAll(z#, y -> @s.get(60 / (2 - y))); } catch (ArithmeticException e) { caught++; } @v += z#[1]; }",
            "{ List<Integer> z# = new ArrayList<>(xs); z#.replaceAll(y -> @s.get(y + 1)); sb.append(z#); }",
            "{ List<Integer> z# = new LinkedList<>(xs); z#.replaceAll(y -> @s.get(y) + z#.size()); sb.append(z#); }",
            "{ List<Integer> z# = new ArrayList<>(xs); z#.removeIf(y -> @s.flag(y)); sb.append(z#); }",
            "{ Set<Integer> z# = new HashSet<>(xs); z#.removeIf(y -> @s.get(y) % 3 == 0); sb.append(new TreeSet<>(z#)); }",
            "{ int y# = 0; boolean g# = true; for (int j# = 0; j# < 5; j#++) { if (g#) g# = @s.flag(j#); else { g# = true; y#++; } v0 += @s.get(y# + j#); } }");

    private static final List<String> PARTS = List.of(
            "{ Desk d# = new Desk(@s); for (int j# = 0; j# < n; j#++) v0 = v0 * 3 + d#.all(j#); v1 += d#.f; }",
            "{ Desk d# = n % 2 == 0 ? new Desk(@s) : new Sale(@s); for (int j# = 0; j# < n; j#++) v2 = v2 * 3 + d#.all(j#); v1 += d#.f; }",
            "{ Desk d# = n % 3 == 0 ? new Sale(@s) : new Desk(@s); @v = d#.tree(@x & 7, 1) + d#.f; }",
            "{ Desk d# = n % 3 == 0 ? new Sale(@s) : new Desk(@s); @v = d#.keptAll(xs) + d#.keptAll(xs) + d#.f; }",
            "for (int j# = 0; j# < n; j#++) for (Crate.Item y# : @s.crate(j#).items()) v0 = v0 * 3 + @s.get(y#.key());",
            "for (int j# = 0; j# < n; j#++) { Crate c# = @s.crate(j# + @v & 31); for (int y# : c#.keys()) v1 = v1 * 3 + @s.get(y#) + c#.number(); }",
            "for (int y# : xs) for (Crate.Item i# : @s.crate(y# & 31).items()) for (int k# : i#.tags()) { v3 += @s.get(k#); if (v3 % 11 == 3) break; }",
            "for (int j# = 0; j# < 4; j#++) for (Map.Entry<Integer, Integer> e# : @s.crate(j#).marks().entrySet()) v2 += @s.get(e#.getKey()) * e#.getValue();",
            "{ List<Crate> z# = new ArrayList<>(); for (int j# = 0; j# < 4; j#++) z#.add(j# % 3 == 1 ? new Crate(j#, new OddKeys(xs), List.of(), Map.of()) : @s.crate(j#)); for (Crate c# : z#) for (int y# : c#.keys()) v0 = v0 * 3 + @s.get(y# + f & 31); }",
            "{ Crate o# = new Crate(1, new OddKeys(xs), List.of(), Map.of()); for (int j# = 0; j# < 4; j#++) { Crate c# = @s.crate(j#); if (j# == 2) c# = o#; for (int y# : c#.keys()) v1 = v1 * 3 + @s.get(y# + f & 31); } }",
            "for (int j# = 0; j# < n; j#++) v2 = v2 * 3 + Tallies.of(@s, j#);",
            "for (int j# = 0; j# < n; j#++) v3 = v3 * 3 + Tallies.counted(@s, j#);",
            "for (int j# = 0; j# < n; j#++) for (int k# : @s.row(j#)) try { v0 += @s.checked(k# & 31); } catch (FuzzFailure e) { sb.append(e.getMessage()); }",
            "for (int y# : xs) try { if (y# % 5 == 4) throw new IllegalStateException(\"y\" + y#); v1 += @s.get(y# & 31); } catch (RuntimeException e) { sb.append(\"x\" + e); }",
            "{ Map<Integer, Integer> m# = new TreeMap<>(); for (int y# : xs) m#.put(y#, y# + 1); for (Map.Entry<Integer, Integer> e# : m#.entrySet()) v2 = v2 * 3 + @s.get(e#.getKey() & 31) + e#.getValue(); }",
            "for (int y# : xs) sb.append(String.format(\"%d:%d \", y#, @s.get(y# & 31)));",
            "for (int y# : xs) sb.append(@s.get(y# & 31)).append(' ').append(@s.num(y#)).append(y#);");

    private static final List<String> COLLECTED = List.of(
            "sb.append(xs.stream().map(y -> @s.get(y & 31)).sorted().toList());",
            "sb.append(xs.stream().map(y -> @s.get(y & 31)).sorted((x, y) -> { f++; return y - x; }).limit(2).toList()).append(f);",
            "@v += xs.stream().map(y -> @s.get(y & 31)).sorted(Comparator.reverseOrder()).findFirst().orElse(1);",
            "sb.append(xs.stream().map(y -> @s.get(y & 31) % 3).distinct().toList());",
            "sb.append(xs.stream().flatMap(y -> @s.crate(y & 31).items().stream()).map(i -> @s.get(i.key())).toList());",
            "sb.append(xs.stream().map(y -> @s.crate(y & 31)).flatMap(c -> c.keys().stream()).map(k -> @s.get(@s.get(k & 31) & 31)).toList());",
            "{ List<List<Integer>> z# = List.of(xs, n % 2 == 0 ? new OddKeys(xs) : List.of(3, 4)); sb.append(z#.stream().flatMap(List::stream).map(y -> @s.get(@s.get(y & 31) + f & 31)).toList()); }",
            "for (int j# = 0; j# < 3; j#++) { int k# = j#; v2 = v2 * 3 + xs.stream().flatMap(y -> @s.crate(y + k# & 31).items().stream()).mapToInt(i -> @s.get(i.key())).sum(); }",
            "for (int j# = 0; j# < 3; j#++) { int k# = j#; if (xs.stream().flatMap(y -> @s.crate(y + k# & 31).items().stream()).anyMatch(i -> @s.flag(i.key()))) v1++; }",
            "{ Set<Integer> z# = new LinkedHashSet<>(); for (int j# = 0; j# < n; j#++) z#.addAll(@s.crate(j#).keys()); sb.append(z#); }",
            "{ List<Integer> y# = new ArrayList<>(), o# = n % 3 == 0 ? new OddKeys(xs) : new ArrayList<>(); for (int j# = 0; j# < n; j#++) { (@s.flag(j#) ? y# : o#).add(j#); for (int k# : o#) v1 += k#; v0 = v0 * 3 + @s.get(f + j# & 31); } }",
            "for (java.time.LocalDate d# = java.time.LocalDate.of(2026, 1, 30); d#.isBefore(java.time.LocalDate.of(2026, 2, 4)); d# = d#.plusDays(1)) v3 = v3 * 3 + @s.get(d#.getDayOfMonth());",
            "{ { String[] k# = {\"a\", \"b\", \"c\"}; Map<String, Integer> m# = new TreeMap<>(); for (String y# : k#) m#.put(y#, @s.get(y#.length() + m#.size())); sb.append(m#); } { Object[] k# = {xs, 1, sb}; for (Object y# : k#) v0 = v0 * 3 + @s.get(y# == xs ? 1 : f & 31); } }");

    private static final List<String> OPTIONAL = List.of(
            "{ int k# = @x; @v += Optional.ofNullable(@s.get(k#) % 3 == 0 ? null : (Integer) k#).map(y -> @s.get(y & 31)).orElse(1); }",
            "for (int j# = 0; j# < n; j#++) { int k# = j#; v0 = v0 * 3 + Optional.of(@s.get(k#)).filter(y -> y % 3 != 0).map(y -> @s.get(y & 31)).map(y -> y + 1).orElseGet(() -> @s.get(k# + 7)); }",
            "for (int j# = 0; j# < n; j#++) Optional.ofNullable(@s.flag(j#) ? (Integer) j# : null).ifPresent(y -> sb.append(@s.get(y)));",
            "for (int j# = 0; j# < n; j#++) v1 += Optional.of(j#).map(@s::get).map(y -> y & 31).filter(@s::flag).map(@s::get).orElse(0);",
            "for (int j# = 0; j# < n; j#++) try { v2 += Optional.of(j#).map(y -> { if (y == 3) throw new IllegalStateException(); return @s.get(y + f++ & 31); }).get(); } catch (IllegalStateException e) { caught++; }",
            "for (int y# : xs) v3 = v3 * 3 + Optional.of(y#).flatMap(y -> y % 3 == 0 ? Optional.empty() : Optional.of(@s.get(y & 31))).or(() -> Optional.of(f)).map(y -> @s.get(y & 31)).get();",
            "{ Desk d# = n % 3 == 0 ? new Sale(@s) : new Desk(@s); for (int j# = 0; j# < n; j#++) { int k# = j#; v0 = v0 * 3 + d#.given(() -> @s.get(k# + f & 31)); } }",
            "{ Desk d# = n % 3 == 0 ? new Sale(@s) : new Desk(@s); v1 = v1 * 3 + d#.givenAll(n) + d#.f; }");

    private static final List<String> CHANGED = List.of(
            "for (int j# = 0; j# < n; j#++) { int[] z# = @s.row(j#); Arrays.sort(z#); for (int y# : z#) v0 = v0 * 3 + @s.get(y# & 31); }",
            "for (int j# = 0; j# < n; j#++) { int[] z# = @s.row(j#); for (int k# = 0; k# < z#.length; k#++) { z#[k#] = @s.get(z#[k#] & 31); v1 += z#[k#]; } }",
            "for (int j# = 0; j# < n; j#++) { int[] z# = @s.flag(j#) ? @s.row(j#) : new int[3]; for (int k# = 0; k# + 1 < z#.length; k#++) { z#[k# + @x % 2] = @s.get(z#[k#] & 31); v2 = v2 * 3 + z#[k#]; } for (int y# : z#) v2 += @s.get(y# & 15); }",
            "{ int[] y# = arr; for (int j# = 0; j# < n; j#++) { int[] z# = @s.row(j#); for (int k# = 0; k# < z#.length; k#++) z#[k#] = z#[k#] * 5 + y#[0] & 31; for (int k# : z#) v3 = v3 * 3 + @s.get(k#); if (@v % 3 == 0) y# = z#; } }",
            "for (int j# = 0; j# < n; j#++) { int[] z# = @s.row(j#); int[] y# = @s.row(j# + 1 & 31); if (z#.length > 0) z#[0] = j#; Arrays.sort(y#); for (int k# : y#) v0 = v0 * 3 + @s.get(k# & 31); for (int k# : z#) v0 = v0 * 5 + @s.get(k# & 31); v1 += @s.sum(z#); }",
            "for (int j# = 0; j# < n; j#++) { List<Integer> z# = new ArrayList<>(@s.crate(j#).keys()); z#.sort(Comparator.comparing((Integer y) -> y % 3).reversed()); for (int y# : z#) v1 = v1 * 3 + @s.get(y# & 31); }",
            "for (int j# = 0; j# < n; j#++) { List<Integer> z# = new ArrayList<>(); for (int y# : @s.row(j#)) z#.add(y#); Collections.sort(z#, n % 2 == 0 ? null : Collections.reverseOrder()); z#.removeIf(y -> y % 3 == 1); for (int y# : z#) v2 = v2 * 3 + @s.get(y# & 31); }",
            "for (int j# = 0; j# < n; j#++) { List<Integer> z# = new ArrayList<>(); for (int y# : @s.row(j#)) z#.add(@s.get(y# & 31)); z#.sort((x, y) -> { f++; return y - x; }); for (int y# : z#) v3 = v3 * 3 + @s.get(y# + f & 31); }",
            "{ Map<Integer, Integer> m# = n % 2 == 0 ? new TreeMap<>() : new HashMap<>(); for (int y# : xs) m#.put(y#, y# + 1); for (Map.Entry<Integer, Integer> e# : m#.entrySet()) { e#.setValue(@s.get(e#.getKey() + e#.getValue() & 31)); v0 = v0 * 3 + m#.size(); } sb.append(new TreeMap<>(m#)); }",
            "{ Map<Integer, Integer> m# = new TreeMap<>(); for (int y# : xs) m#.put(y#, y# + 1); for (int k# = 0; k# < 2; k#++) for (Map.Entry<Integer, Integer> e# : m#.entrySet()) { v1 = v1 * 3 + @s.get(e#.getValue() & 31); e#.setValue(v1 & 7); } }",
            "{ List<Integer> z# = n % 3 == 0 ? new OddKeys(xs) : new ArrayList<>(xs); for (Iterator<Integer> i# = z#.iterator(); i#.hasNext(); ) if (@s.get(i#.next() + f & 31) % 3 == 0) i#.remove(); sb.append(z#); }",
            "{ StringTokenizer i# = new StringTokenizer(sb + \" \" + xs, n % 2 == 0 ? \", []\" : \" ]\"); for (int j# = 0; j# < 9 && i#.hasMoreTokens(); j#++) v2 = v2 * 3 + @s.get(i#.nextToken().length() + @x & 31); }",
            "{ StringTokenizer i# = new StringTokenizer(xs.toString(), \"[, ]\"); while (i#.hasMoreTokens()) { int y# = Integer.parseInt(i#.nextToken()); if (y# % 4 == 3) continue; v1 = v1 * 5 + @s.get(y# & 31); StringTokenizer e# = new StringTokenizer(\"a b,c\", y# % 2 == 0 ? \" \" : \",\", y# > 5); while (e#.hasMoreElements()) v0 += @s.get(((String) e#.nextElement()).length() + v1 & 31); } }",
            "{ List<Integer> z# = new LinkedList<>(xs); for (ListIterator<Integer> i# = z#.listIterator(); i#.hasNext(); ) { int y# = i#.next(); int g# = @s.get(y# + @v & 31); if (g# % 5 == 0) i#.remove(); else if (g# % 5 == 1) i#.set(g#); else if (g# % 5 == 2) i#.add(7); } sb.append(z#); }",
            "{ List<Integer> z# = new ArrayList<>(xs); for (ListIterator<Integer> i# = z#.listIterator(); i#.hasNext(); ) { v2 = v2 * 3 + @s.get(i#.next() + z#.get(0) & 31); i#.set(v2 & 7); } }",
            "{ PriorityQueue<Integer> z# = n % 2 == 0 ? new PriorityQueue<>(xs) : new PriorityQueue<>(Comparator.reverseOrder()); for (int y# : xs) { z#.add(@s.get(y# & 31)); if (z#.size() > 3) v3 = v3 * 3 + z#.poll(); } }",
            "{ PriorityQueue<Integer> z# = new PriorityQueue<>(xs); while (!z#.isEmpty()) { int y# = z#.poll(); int g# = @s.get(y# & 31); v0 = v0 * 3 + g#; if (g# > y# && z#.size() < 4 && caught++ < 6) z#.add(y# + 1); } }",
            "{ List<List<Integer>> z# = new ArrayList<>(); List<Integer> y# = new ArrayList<>(); for (int k# : xs) { y#.add(@s.get(k# & 31)); if (y#.size() == 2) { z#.add(y#); y# = new ArrayList<>(); } } sb.append(z#).append(y#); }");

    private static final List<List<String>> ALL =
            List.of(MAPS, BEANS, SHAPES, PARTS, PARTS, COLLECTED, COLLECTED, OPTIONAL, CHANGED, CHANGED);

    private OrdinaryShapes() {}

    /** Chooses a statement. */
    static String any(Random random) {
        List<String> shapes = ALL.get(random.nextInt(ALL.size()));
        return shapes.get(random.nextInt(shapes.size()));
    }
}
