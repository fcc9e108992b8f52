package dev.cleave.agent.fuzz;

import java.util.List;
import java.util.Random;

/** Statements with streams; their functions may name services, fields and their own parameters only. */
final class StreamShapes {

    private static final List<String> ONE_CALL = List.of(
            "@v += xs.stream().map(y# -> @s.get(y#)).reduce(1, (y#, z#) -> y# * 31 + z#);",
            "@v += xs.stream().mapToInt(y# -> @s.get(y# + f)).sum();",
            "list.addAll(xs.stream().map(new Keeper(@s, 1)::twice).toList());",
            "@v += xs.stream().filter(y# -> (y# & 1) == 0).map(new Keeper(@s, 2)::dies).map(y# -> y# + f).reduce(1, Integer::sum);",
            "for (int k# = 0; k# < n; k#++) @v += Arrays.stream(@a).map(new Keeper(@s, k#)::twice).sum();",
            "xs.stream().filter(y# -> (y# & 1) == 0).map(y# -> twice(@s, y#)).forEach(list::add);",
            "xs.stream().map(y# -> y# * 3).map(y# -> some(@s, y#)).forEach(y# -> list.add(y#));",
            "list.addAll(xs.stream().map(@s::get).toList());",
            "sb.append(Arrays.stream(@a).mapToObj(@s::name).toList());",
            "sb.append(Arrays.stream(@a).filter(y# -> y# > 2).mapToObj(y# -> @s.name(y#) + y#).collect(Collectors.toList()));",
            "@v += IntStream.range(0, n).map(y# -> @s.get(y# * 2)).max().orElse(3);",
            "f += xs.stream().mapToInt(y# -> { int k# = @s.get(y#); f = f * 3 + k#; return k#; }).sum();",
            "f += xs.stream().mapToInt(y# -> { int k# = @s.get(y# + f); f = f * 3 + k#; return k#; }).sum();",
            "w += xs.stream().mapToLong(y# -> y#).map(@s::num).sum();",
            "list.stream().map(y# -> @s.get(y# + box.v)).forEach(y# -> box.v = y# % 9);",
            "list.stream().map(y# -> @s.get(y#)).forEach(list::add);",
            "list.stream().map(y# -> @s.get(y#)).forEach(y# -> sb.append(y#).append(list.size()));",
            "@v += xs.stream().map(y# -> @s.get(y#)).map(y# -> 60 / Math.floorMod(y#, 5)).peek(y# -> f += y#).reduce(0, Integer::sum);",
            "@v += xs.stream().map(y# -> 60 / Math.floorMod(y#, 4)).map(y# -> late(@s, y#)).reduce(0, Integer::sum);",
            "@v += xs.stream().map(y# -> thrower(@s, y#)).limit(2).count();",
            "p = xs.stream().filter(@s::flag).anyMatch(y# -> y# > 3);",
            "xs.stream().forEach(y# -> @s.put(y#, f));",
            "xs.stream().map(y# -> new Box(@s.get(y#))).forEach(y# -> box.next = y#);",
            "Arrays.stream(arr).map(y# -> @s.get(y#)).forEach(y# -> arr[1] = y#);",
            "try { @v += xs.stream().mapToInt(y# -> keeps(@s, y#) + 60 / Math.floorMod(y#, 3)).sum(); } catch (ArithmeticException e) { caught++; }");

    private static final List<String> SEVERAL_CALLS = List.of(
            "@v += xs.stream().map(y# -> @s.get(y#)).map(y# -> t.get(y#)).reduce(1, (y#, z#) -> y# * 31 + z#);",
            "@v += xs.stream().map(s::get).map(t::get).mapToInt(y# -> y#).sum();",
            "@v += xs.stream().map(new Keeper(@s, 1)::twice).map(@s::get).mapToInt(y# -> y#).sum();",
            "try { @v += xs.stream().map(@s::get).map(new Keeper(@s, 1)::dies).mapToInt(y# -> y#).sum(); } catch (ArithmeticException e) { caught++; }",
            "xs.stream().filter(y# -> @s.flag(y#)).map(y# -> @s.get(y#)).forEach(list::add);",
            "xs.stream().filter(@s::flag).filter(y# -> y# % 3 != 1).mapToInt(y# -> twice(@s, y#)).forEach(y# -> list.add(y#));",
            "sb.append(IntStream.range(0, n).map(y# -> @s.get(y#) % 50).filter(y# -> @s.flag(y#)).mapToObj(y# -> @s.name(y#)).toList());",
            "@v += Arrays.stream(@a).map(y# -> @s.get(y#) * 2 + 1).map(y# -> 60 / Math.floorMod(y#, 7)).map(@s::get).sum();",
            "@v += Arrays.stream(@a).map(y# -> 60 / Math.floorMod(@s.get(y#), 7)).map(@s::get).sum();",
            "xs.stream().map(y# -> some(@s, y#)).map(y# -> late(@s, y#)).forEach(y# -> @s.put(y#, f));",
            "f += xs.stream().mapToInt(y# -> @s.get(y#)).map(y# -> { int k# = @s.get(y#); f = f * 3 + k#; return k#; }).sum();",
            "f += xs.stream().mapToInt(y# -> @s.get(y#)).map(y# -> { int k# = @s.get(y# + f); f = f * 3 + k#; return k#; }).sum();",
            "try { @v += xs.stream().mapToInt(y# -> keeps(@s, y#)).map(y# -> @s.get(60 / Math.floorMod(y#, 3))).sum(); } catch (ArithmeticException e) { caught++; }",
            "w += xs.stream().mapToInt(@s::get).asLongStream().map(@s::num).sum();");

    private static final List<String> COLLECTED = List.of(
            "sb.append(xs.stream().map(y# -> @s.get(y#)).collect(Collectors.toMap(y# -> y# % 3, y# -> y#, Integer::sum)));",
            "sb.append(xs.stream().map(y# -> @s.get(y#)).collect(Collectors.groupingBy(y# -> y# % 4, Collectors.counting())));",
            "sb.append(Arrays.stream(@a).mapToObj(@s::name).collect(Collectors.joining(\",\")));",
            "sb.append(xs.stream().map(@s::get).collect(Collectors.toMap(y# -> y#, y# -> 60 / Math.floorMod(y#, 5))).size());",
            "f += xs.stream().map(y# -> @s.get(y#)).collect(Collectors.summingInt(y# -> f = f + y#));",
            "f += xs.stream().map(y# -> @s.get(y# + f)).collect(Collectors.summingInt(y# -> f = f + y#));",
            "list.addAll(xs.stream().filter(y# -> @s.flag(y#)).collect(Collectors.toCollection(TreeSet::new)));");

    private static final List<String> READING = List.of(
            "xs.stream().map(y# -> @s.calc(y#)).forEach(y# -> { f = f * 3 + y#; list.add(y#); });",
            "@v += xs.stream().mapToInt(y# -> @s.calc(y#)).map(y# -> @s.barrier(y#)).sum();",
            "p = xs.stream().anyMatch(y# -> @s.calc(y#) % 5 == 4);",
            "xs.stream().map(new Keeper(@s, 3)::reads).forEach(y# -> { hook.accept(y#); f = f * 3 + y#; });",
            "@v += xs.stream().map(@s::calc).filter(y# -> y# % 3 == 2).findFirst().orElse(7);",
            "sb.append(xs.stream().map(y# -> @s.name(y#)).limit(3).toList());",
            "@v += xs.stream().filter(y# -> @s.calc(y#) % 3 != 1).mapToInt(y# -> @s.calc(y# + 1)).sum();",
            "f += Arrays.stream(@a).map(y# -> { f = f * 3 + y#; return @s.calc(y#) + @s.calc(y# + f); }).sum();",
            "@v += IntStream.range(0, n).map(y# -> @s.peek(y# % 5)).map(y# -> @s.store(y# % 5, 3) + y#).sum();",
            "@v += IntStream.range(0, n).map(y# -> @s.look(y# % 5)).takeWhile(y# -> y# % 9 != 8).sum();",
            "@v += xs.stream().filter(y# -> @s.look(y# % 5) % 2 == 0).mapToInt(y# -> @s.store(y# % 5, y#)).sum();",
            "list.stream().map(y# -> @s.calc(y# + box.v)).forEach(y# -> { box.v = y# % 9; if (y# % 4 == 1) arr[1] = y#; });",
            "Arrays.stream(arr).map(y# -> @s.calc(y#)).forEach(y# -> { arr[1] = y#; sb.append(f); });",
            "try { xs.stream().map(y# -> @s.calc(60 / Math.floorMod(y#, 4))).forEach(y# -> f = f * 5 + y#); } catch (ArithmeticException e) { caught++; }",
            "xs.stream().map(y# -> { try { return @s.calc(y#); } catch (RuntimeException e) { return -1; } }).forEach(y# -> f = f * 5 + y#);");

    private static final List<String> LOOPS = List.of(
            "xs.forEach(y# -> f = f * 3 + @s.get(y#));",
            "xs.forEach(y# -> f = @s.get(y# + f));",
            "xs.forEach(y# -> list.add(@s.get(y#)));",
            "list.forEach(y# -> @s.put(y#, f));",
            "list.forEach(y# -> list.add(@s.get(y#)));",
            "xs.forEach(y# -> { f = f * 3 + twice(@s, y#); list.add(f % 9); });",
            "xs.forEach(y# -> { list.add(@s.calc(y#)); f = f * 3 + list.size(); });",
            "try { xs.forEach(y# -> f += @s.get(60 / Math.floorMod(y#, 4)) + 7 / Math.floorMod(f, 3)); } catch (ArithmeticException e) { caught++; }");

    private static final List<List<String>> ALL = List.of(ONE_CALL, SEVERAL_CALLS, COLLECTED, READING, LOOPS);

    private StreamShapes() {}

    /** Chooses a statement. */
    static String any(Random random) {
        List<String> shapes = ALL.get(random.nextInt(ALL.size()));
        return shapes.get(random.nextInt(shapes.size()));
    }
}
