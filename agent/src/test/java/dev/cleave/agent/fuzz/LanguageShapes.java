package dev.cleave.agent.fuzz;

import java.util.List;
import java.util.Random;

/**
 * Statements of which compilers make more than one sees: switches on strings, records, patterns, resources, nested functions,
 * variables of two slots under handlers, locks. The holes are those of {@link ProgramShapes}.
 */
final class LanguageShapes {

    /** What the statements use. */
    static final String MEMBERS = """
              record Duo(int x, long y) { Duo { if (x == 77) throw new IllegalArgumentException("77"); } int both() { return x * 3 + (int) y; } int asks(FuzzService s) { return s.get(x) - (int) y; } }
              final class Res implements AutoCloseable { final int k; Res(int k) { this.k = k; sb.append('{').append(k); } int key() { return k & 7; } @Override public void close() { sb.append('}'); f++; if (k % 9 == 4) throw new IllegalStateException("close"); } }
              private static final int[] TABLE = {7, 3, 9, 1, 0, 4, 8, 2, 6, 5, 11, 15, 13, 10, 14, 12, 23, 17, 19, 21, 16, 20, 18, 22, 30, 29, 28, 27, 26, 25, 24, 31, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 44, 33, 77, 10, 87, 97, 84, 81, 65, 46, 11, 57, 68, 25, 93, 18, 11, 29, 40, 69, 9, 78};
              private static double wide(FuzzService s, long x, double y) { long v = s.num(x); return v * y - s.num(x + 1); }
              private double widens(FuzzService s, double y, long x) { long v = s.num(x); double z = 60 / Math.floorMod(x, 4); f += (int) z; return v * z + y + s.num(x - 1); }
              private static long widest(FuzzService s, long x, int k) { long v = 3; try { v = s.num(x) + k; v += s.num(x + 2) / Math.floorMod(k, 3); } catch (ArithmeticException e) { return -v; } return v; }
              private int table(FuzzService s, int x) { switch (x & 15) { case 0: return s.get(1); case 1: return 4; case 2: case 3: return s.get(x) + 2; case 4: return s.get(4) * 4; case 5: f++; case 6: return s.get(f); case 7: throw new IllegalStateException("seven"); case 8: return s.get(8) + s.get(x + 1); case 9: return 9; default: return s.get(x) ^ 3; } }
              private static int worded(FuzzService s, String x) { return switch (x) { case "n1", "n2" -> s.get(1); case "n77" -> 5; case "" -> throw new IllegalStateException("no word"); default -> s.get(x.length()) * 2; }; }
              private final java.util.concurrent.locks.ReentrantLock lock = new java.util.concurrent.locks.ReentrantLock();
            """;

    private static final List<String> CONTROL = List.of(
            "{ java.util.concurrent.atomic.AtomicInteger c# = new java.util.concurrent.atomic.AtomicInteger(); for (int i# = 0; i# < n; i#++) { @v = @v * 3 + @s.get(i# & 31); if (c#.addAndGet(i# & 3) % 5 == 4) continue; w += @s.num(i# & 15); } @v += c#.get(); }",
            "{ java.util.concurrent.atomic.AtomicInteger c# = new java.util.concurrent.atomic.AtomicInteger(@x); try { for (int i# : @a) { c#.set(i#); @v += @s.checked(i# & 31) - @s.get(@s.get(i# & 15) & 31); c#.incrementAndGet(); } } catch (FuzzFailure e) { caught++; sb.append(c#); } @v = @v * 5 + c#.get(); }",
            "{ java.util.concurrent.atomic.LongAdder c# = new java.util.concurrent.atomic.LongAdder(); for (int i# : xs) { for (int l# : @s.row(i# & 31)) c#.add(@s.get(l# & 15)); if (c#.sum() % 11 == 3) break; } w = w * 3 + c#.sum(); }",
            "switch (@s.name(@x)) { case \"n1\", \"n7\": @v = @c; break; case \"n12\": @v += 3; default: @v += @c; }",
            "@v += switch (@s.name(@x).length() > 2 ? \"two\" : \"one\") { case \"one\" -> @c; case \"two\" -> { int y# = @c; yield y# - @c; } default -> 0; };",
            "switch (@x) { case -1000: @v = @c; break; case 3: case 5: @v += @c; case 70000: f++; break; case 1: @v = @c + @c; break; default: @v -= @c; }",
            "@v = TABLE[@x & 63] + @c + @s.get(TABLE[@v & 63]);",
            "for (int i# = 0; i# < n; i#++) @v = @v * 3 + @s.get(TABLE[i# & 63]) - table(@s, i#);",
            "for (int i# : TABLE) { if (i# > 9) break; @v += table(@s, i#); }",
            "for (int i# = 0; i# < 12; i#++) { switch (TABLE[i#] & 7) { case 0: continue; case 1: @v += @s.get(i#); break; case 2: f += i#; case 3: @v ^= @s.get(i# + 3); break; case 6: @v++; default: } w += @s.num(i#); }",
            "for (int i# = 0; i# < n; i#++) { switch (@s.name(i#)) { case \"n4\": break; case \"n50\": @v = @s.get(i#); default: @v += @s.get(i# + 1); } }",
            "for (String y# : List.of(\"n1\", \"n77\", \"x\")) @v = @v * 3 + worded(@s, y#);",
            "for (Kind y# : Kind.values()) { switch (y#) { case ONE -> @v += @s.get(y#.ordinal()); case TWO -> { f++; w += @s.num(3); } default -> @v -= @s.calc(y#.name().length()); } }",
            "{ Object o# = @v > 3 ? (Object) @c : @s.name(@x); if (o# instanceof Integer k# && k# > 5) @v = k# + @c; else if (o# instanceof String y#) q = y# + @c; }",
            "for (Object o# : new Object[] {1, \"two\", 3L, null}) { if (o# instanceof Integer k#) @v += @s.get(k#); else if (o# instanceof String y# && !y#.isEmpty()) @v -= @s.get(y#.length()); else if (o# instanceof Long k#) w += @s.num(k#); }",
            "out#: for (int i# = 0; i# < n; i#++) { for (int j# = 0; j# < 3; j#++) { if (@s.flag(i# * j#)) continue out#; @v += @s.get(j#); if (i# == 4) break out#; } f += i#; }",
            "out#: for (int i# = 0; i# < n; i#++) { try { if (i# == 2) continue; if (i# == 5) break out#; @v += @s.get(i#); } finally { f++; if (f % 7 == 3) break out#; } }");

    private static final List<String> SLOTS = List.of(
            "{ long l# = @x; double d# = 1.5; try { l# = @s.num(@x); d# = l# * 0.5; l# += @s.num(@v); d# -= @c; } catch (RuntimeException e) { caught++; w += l#; sb.append(d#); } @v = (int) (d# + l#); }",
            "{ long l# = 1; double d# = 2; for (int i# = 0; i# < n; i#++) { try { l# = l# * 3 + @s.num(i#); d# += l#; l# ^= @s.num(i# + 1); } catch (IllegalStateException e) { caught++; l# ^= i#; d# = -d#; } } w += l#; sb.append(d#); }",
            "{ double d# = @v; for (int i# = 0; i# < n; i#++) d# = d# * 0.5 + wide(@s, i#, d#); @v = (int) d#; }",
            "{ double d# = wide(@s, @x, @v); try { for (int i# : xs) d# += widens(@s, d#, i#); d# -= widens(@s, 2, @v); } catch (ArithmeticException e) { caught++; d# += 9; } sb.append((long) d#); }",
            "{ long l# = widest(@s, @x, @v) - widest(@s, 2, @x); for (int i# = 0; i# < n; i#++) l# = l# * 3 + widest(@s, i#, i#); w += l#; }",
            "try { w = @s.num(@x); w = w * 3 + @s.num(@v) / @v; } catch (ArithmeticException e) { caught++; w -= @s.num(w); }",
            "{ long[] l# = new long[3]; for (int i# = 0; i# < n; i#++) l#[i# % 3] += @s.num(i#); w += l#[0] * 3 + l#[1] - @s.num(l#[2]); }",
            "{ byte k# = (byte) @c; short z# = (short) (@c * 1000); char y# = (char) (k# + 70); float u# = @c / 3f; @v = k# + z# + y# + (int) u#; }",
            "@a[Math.floorMod(@v, 3)] += @c * @a[Math.floorMod(@x, 3)];",
            "q = q.length() + @s.name(@x) + @v++ + \"-\" + @c + w;",
            "for (long l# = 0; l# < n; l#++) { double d# = l# / 2.0; try { w = w * 3 + @s.num(l#); if (d# == 1) throw new IllegalStateException(\"one\"); d# += @s.num(l# * 2); } catch (IllegalStateException e) { caught++; sb.append(l#).append(d#); } }");

    private static final List<String> TYPES = List.of(
            "{ Duo p# = new Duo(@c, @s.num(@x)); @v = p#.both() + p#.hashCode() % 7; }",
            "{ Duo p# = new Duo(@x, @v); @v = @s.get(p#.x()) + (int) @s.num(p#.y()); sb.append(p#); }",
            "{ List<Duo> m# = new ArrayList<>(); for (int i# = 0; i# < n; i#++) m#.add(new Duo(@s.get(i#), i#)); for (Duo p# : m#) @v = @v * 3 + @s.get(p#.x()); sb.append(m#); }",
            "try { for (Duo p# : List.of(new Duo(1, 2), new Duo(@x, 4))) @v += p#.asks(@s) + @s.calc(p#.x()); } catch (IllegalArgumentException e) { caught++; }",
            "{ Map<Duo, Integer> m# = new HashMap<>(); for (int i# = 0; i# < n; i#++) m#.merge(new Duo(i# & 1, 2), @s.get(i#), Integer::sum); @v += m#.getOrDefault(new Duo(1, 2), 0) + m#.size(); }",
            "try (Res r# = new Res(@x)) { @v = @c; @v += @s.get(r#.k); }",
            "try (Res r# = new Res(@c); Res u# = new Res(@x)) { @v = @c + r#.key() - @s.get(u#.key()); } catch (IllegalStateException e) { caught++; sb.append(e.getMessage()).append(e.getSuppressed().length); }",
            "for (int i# = 0; i# < n; i#++) try (Res r# = new Res(i#)) { @v = @v * 3 + @s.get(r#.key()); @v -= @s.get(i#); } catch (IllegalStateException e) { caught++; }",
            "try (Res r# = new Res(2)) { for (int i# = 0; i# < n; i#++) @v += @s.get(i# + r#.key()); }",
            "{ var o# = new Object() { int z = 1; int go(FuzzService r) { z += r.get(z); return z; } }; @v = o#.go(@s) + o#.go(@s); }",
            "{ var o# = new Object() { int z = 1; int go(FuzzService r, int x) { int y = r.get(x); z += y; return y * z; } }; for (int i# = 0; i# < n; i#++) @v += o#.go(@s, i#); }");

    private static final List<String> HANDLERS = List.of(
            "try { int y# = @c; int z# = @c; @v = y# - z#; } finally { @v = @v * 3 + @s.get(@x); f++; }",
            "try { try { @v = @c; @v += @c; } finally { f += @v; @s.put(@v, f); } } catch (RuntimeException e) { caught++; sb.append(e.getMessage()).append(f); }",
            "for (int i# = 0; i# < n; i#++) { try { @v += @s.get(i#); } finally { f += @s.get(i# + 1); } }",
            "try { for (int i# = 0; i# < n; i#++) try { @v += @s.get(i#); w = w * 3 + @s.num(60 / Math.floorMod(@v, 5)); } catch (ArithmeticException e) { caught++; } finally { sb.append(@v); } } catch (IllegalStateException e) { caught++; sb.append(e.getMessage()).append(@v); }",
            "try { @v = @c; throw new IllegalArgumentException(\"x\" + @c); } catch (IllegalArgumentException e) { sb.append(e.getMessage()); }",
            "try { @v = @s.get(@x); f = @v; @v += @s.get(@x) / @v; } catch (ArithmeticException | IllegalStateException e) { caught++; RuntimeException z# = e; sb.append(z#.getMessage()).append(@s.name(2)); }",
            "try { int y# = @s.get(@x); int z# = 60 / Math.floorMod(@v, 4); @v = y# * z# - @s.get(3); } catch (ArithmeticException e) { caught++; @v = @c; }",
            "synchronized (list) { @v = @c; list.add(@v); @v += @c; }");

    private static final List<String> LOCKS = List.of(
            "for (int i# = 0; i# < n; i#++) { synchronized (list) { @v += @s.calc(i#); list.add(@v); } }",
            "for (int i# = 0; i# < n; i#++) { lock.lock(); try { f += @s.calc(i# + arr[1]); } finally { lock.unlock(); } @v ^= @s.peek(i# & 3); }",
            "for (int i# = 0; i# < n; i#++) { synchronized (this) { synchronized (sb) { if (@s.calc(i#) > 80) break; @v += @s.look(i# & 3); } } @s.store(i# & 3, @v); }",
            "for (int i# : xs) { lock.lock(); try { if (@s.calc(i#) % 5 == 2) continue; @v = @v * 3 + @s.calc(i# + 1); hook.accept(i#); } finally { lock.unlock(); sb.append(lock.isLocked()); } }",
            "for (int i# = 0; i# < n; i#++) { int y#; synchronized (arr) { y# = @s.calc(arr[1] + i#); arr[1] = y# & 3; } synchronized (list) { list.add(@s.calc(y# & 7)); } }",
            "for (Map.Entry<String, Integer> y# : map.entrySet()) { synchronized (map) { @v += @s.calc(y#.getValue()); y#.setValue(@v & 7); } }");

    private static final List<String> FUNCTIONS = List.of(
            "{ IntFunction<IntUnaryOperator> g# = y# -> z# -> @s.get(y#) + z# * @s.get(z#); @v += g#.apply(@x).applyAsInt(@v); }",
            "{ Supplier<Supplier<Integer>> g# = () -> { int k# = @s.get(3); return () -> k# + @s.get(k#); }; @v = g#.get().get(); }",
            "{ IntUnaryOperator g# = y# -> { int k# = @s.get(y#); IntUnaryOperator h# = z# -> @s.get(z#) - k#; return h#.applyAsInt(y#) + h#.applyAsInt(k#); }; for (int i# = 0; i# < n; i#++) @v += g#.applyAsInt(i#); }",
            "xs.forEach(y# -> xs.forEach(z# -> f = f * 3 + @s.get(y# * z#)));",
            "@v += xs.stream().map(y# -> xs.stream().map(z# -> @s.get(y# + z#)).reduce(0, Integer::sum)).reduce(1, (y#, z#) -> y# * 7 + z#);",
            "list.addAll(xs.stream().map(y# -> { try { return @s.get(60 / Math.floorMod(y#, 4)); } catch (ArithmeticException e) { return -@s.get(y#); } }).toList());",
            "@v += xs.stream().map(y# -> @s.get(y#)).sorted().skip(1).distinct().reduce(0, (y#, z#) -> y# * 7 + z#);",
            "sb.append(xs.stream().map(@s::get).sorted(Comparator.reverseOrder()).limit(2).toList());",
            "@v += xs.stream().flatMap(y# -> Stream.of(y#, @s.get(y#))).mapToInt(y# -> y#).sum();",
            "w += Arrays.stream(@a).mapToLong(@s::num).filter(y# -> y# % 2 == 0).boxed().map(y# -> @s.num(y# + 1)).reduce(0L, Long::sum);",
            "@v += xs.stream().map(y# -> @s.get(y#)).dropWhile(y# -> y# < 50).peek(y# -> f += y#).mapToInt(y# -> y#).sum();",
            "sb.append(xs.stream().map(y# -> @s.get(y#)).map(String::valueOf).collect(Collectors.joining(\"|\")));",
            "xs.stream().mapToInt(y# -> @s.get(y#)).mapToObj(y# -> @s.name(y#)).peek(sb::append).forEachOrdered(y# -> f++);",
            "sb.append(xs.stream().mapToDouble(y# -> @s.num(y#) / 4.0).map(y# -> y# * 2 + f).sum());",
            "sb.append(xs.stream().mapToInt(@s::calc).summaryStatistics().getMax());",
            "@v += xs.stream().map(y# -> @s.get(y#)).skip(2).map(y# -> 60 / Math.floorMod(y#, 5)).mapToInt(Integer::intValue).limit(3).sum();",
            "@v += xs.stream().map(y# -> @s.calc(y#)).sorted().map(y# -> @s.calc(y# + 1)).limit(2).reduce(0, Integer::sum);",
            "list.addAll(Stream.concat(xs.stream().map(y# -> @s.get(y#)), Stream.of(3, 4).map(@s::get)).toList());",
            "@v += Stream.iterate(1, y# -> y# * 2 % 37).limit(n).map(y# -> @s.get(y#)).mapToInt(y# -> y#).sum();");

    /** A stream in a loop that calls: its failure leaves none of the loop's calls open. */
    private static final List<String> STREAMS_OF_LOOPS = List.of(
            "xs.stream().map(y# -> 1).map(y# -> late(@s, y#)).forEach(y# -> @s.put(y#, 3));",
            "xs.stream().map(@s::get).forEach(y# -> @s.put(y#, 2));",
            "xs.forEach(y# -> @s.put(y#, 1));",
            "xs.stream().map(y# -> @s.calc(y#)).forEach(y# -> t.put(y#, 1));",
            "w += xs.stream().mapToInt(y# -> thrower(@s, y#)).sum();",
            "Arrays.stream(@a).map(y# -> @s.get(y#)).forEach(y# -> f += y#);");

    private static final List<String> CALLS_OF_LOOPS = List.of(
            "@v = @v * 3 + @s.get(i#);",
            "@v -= late(@s, i#);",
            "@v += twice(@s, i#) - @s.get(2);",
            "@v ^= @s.calc(i#);",
            "@v += middle(@s, i#);",
            "if ((i# & 1) == 0) w += @s.num(i#);");

    /** What compilers know since JDK 21. */
    private static final List<String> PATTERNS = List.of(
            "{ record Round#(int k, int h) {} for (int i# = 0; i# < n; i#++) { Object o# = i# % 4 == 0 ? (Object) (\"k\" + i#) : i# % 3 == 0 ? (Object) i# : new Round#(i#, @v & 3); @v = @v * 3 + switch (o#) { case Round#(int k, int h) when h > 1 -> @s.get(k & 31); case Round# r when r.k() % 2 == 0 -> r.h(); case Round# r -> @s.get(r.k() & 15); case Integer k when k > 3 -> @s.get(k & 15) - @s.get(k + 1 & 15); case Integer k -> k; case String k when @s.flag(k.length()) -> @s.name(k.length()).length(); default -> 2; }; } }",
            "for (Object o# : xs) { if (o# instanceof Integer k# && (k# & 1) == 0) @v += @s.get(k# & 31); else @v ^= switch (o#) { case Integer k when k % 3 == 0 -> @s.get(k & 15); case null -> @s.get(3); default -> 1; }; }",
            "for (int i# = 0; i# < n; i#++) { Object o# = @s.flag(i#) ? (Object) @s.get(i# & 15) : i# % 3 == 1 ? null : @s.name(i# & 15); switch (o#) { case Integer k when k > 9 -> { for (int j# = 0; j# < 3; j#++) @v += @s.get(k + j# & 31); } case Integer k -> f += k; case String k when k.length() > 2 -> sb.append(@s.name(k.length())); case null, default -> @v--; } }",
            "for (String y# : List.of(\"n1\", \"n77\", \"x\")) @v = @v * 3 + switch (y#) { case \"n1\" -> @s.get(1); case String k when k.length() == 3 -> @s.get(k.charAt(2) & 15); case String k -> worded(@s, k); };",
            "for (Kind y# : Kind.values()) @v += switch (y#) { case ONE -> @s.get(@v & 15); case Kind k when k.ordinal() > 1 -> @s.get(k.ordinal()); case Kind k -> k.name().length(); };",
            "{ record Parts#(Object a, Object b) {} for (int i# : @a) { Object o# = new Parts#(i#, i# % 2 == 0 ? (Object) (\"t\" + i#) : i# * 3); if (o# instanceof Parts#(Integer k, Integer h) && h > 4) @v += @s.get(k & 31); else if (o# instanceof Parts#(Integer k, String h)) @v = @v * 3 - @s.get(k + h.length() & 31); } }",
            "for (int i# = 0; i# < n; i#++) { Object o# = i# % 5 == 3 ? (Object) (i# + \"\") : i#; try { @v += switch (o#) { case Integer k when 12 / (k % 4) > 3 -> @s.checked(k & 31); case Integer k -> @s.get(k & 15); default -> 0; }; } catch (FuzzFailure | ArithmeticException e) { caught++; } }");

    private static final List<List<String>> ALL = Runtime.version().feature() < 21
            ? List.of(CONTROL, SLOTS, TYPES, HANDLERS, HANDLERS, LOCKS, FUNCTIONS, FUNCTIONS)
            : List.of(CONTROL, SLOTS, TYPES, HANDLERS, HANDLERS, LOCKS, FUNCTIONS, FUNCTIONS, PATTERNS, PATTERNS);

    private LanguageShapes() {}

    /** Chooses a statement. */
    static String any(Random random) {
        if (random.nextInt(5) == 0) {
            return streamBesideCalls(random);
        }
        List<String> shapes = pick(ALL, random);
        return pick(shapes, random);
    }

    private static String streamBesideCalls(Random random) {
        String head = random.nextBoolean() ? "for (int i# = 0; i# < n; i#++)" : "for (int i# : @a)";
        String stream = pick(STREAMS_OF_LOOPS, random);
        String call = pick(CALLS_OF_LOOPS, random);
        boolean isFirst = random.nextInt(3) > 0;
        String loop = head + " { " + (isFirst ? stream + " " + call : call + " " + stream) + " }";
        return random.nextBoolean()
                ? loop
                : "try { " + loop + " } catch (RuntimeException e) { caught++; sb.append(e.getMessage()).append(@v); }";
    }

    private static <T> T pick(List<T> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }
}
