package dev.cleave.agent.fuzz;

import java.util.List;
import java.util.Random;

/**
 * Straight-line code of many calls, some of which depend on results of others, a statement a line: branches, handlers, helpers, and
 * writes to what later calls may read. The holes are those of {@link ProgramShapes}.
 */
final class LineShapes {

    /** Methods that make several calls. */
    static final String MEMBERS = """
              private static int pairOf(FuzzService s, int x) { int r = s.get(x & 31); return s.get(r + 1 & 31); }
              private int pairNoted(FuzzService s, int x) { int r = s.get(x & 31); f += r; return r * 3 + s.get(r + 2 & 31); }
              private int pairFed(FuzzService s, int x) { int r = s.get(x + f & 31); return r - s.get(r + f & 31); }
              private static int pairThrower(FuzzService s, int x) { int r = s.get(x & 31); if (r % 5 == 1) throw new IllegalStateException("pair " + r); return s.get(r + 1 & 31); }
              private static int pairHandled(FuzzService s, int x) { int r = 1; try { r = s.get(x & 31); } catch (IllegalStateException e) { r = 9; } return r + s.get(r + 1 & 31); }
              private static int pairLeft(FuzzService s, int x) { int r = s.get(x & 31); if ((r & 3) == 0) return r; return s.get(r + 1 & 31); }
            """;

    private static final List<String> PARTS = List.of(
            "int $ = @s.get(% & 31);",
            "int $ = @s.get(% + 1 & 31);",
            "int $ = @s.get(@x & 31) + 1;",
            "int $ = (int) @s.num(% & 31) * 3 + 1;",
            "int $ = @s.name(% & 31).length() * @s.get(% & 15);",
            "int $ = 5; if (% > 40) $ = @s.get(% & 31);",
            "int $ = (% & 1) == 0 ? @s.get(% + 1 & 31) : %;",
            "int $ = %;\nif (% > 20) {\nsb.append(@s.name(% & 15)).append($);\n} else sb.append('-');",
            "int $ = 0;\nfor (int l# : @s.row(% & 31)) $ += @s.get(l# & 31);",
            "int $ = % * 2; sb.append(@s.name($ & 31));",
            "int $ = 60 / (% & 7);",
            "int $ = @s.flag(%) ? 1 : 2; if ($ == 2) v1 = v1 * 3 + @s.get(% & 31);",
            "int $ = @s.sum(@s.row(% & 31));",
            "int $ = %; @s.put(% & 7, $);",
            "int $ = 3;\ntry {\n$ = @s.checked(% & 31);\n} catch (FuzzFailure e) {\ncaught++;\n}",
            "int $ = 3;\ntry {\n$ = @s.get(@s.get(% & 31) + 1 & 31);\n} catch (IllegalStateException e) {\ncaught++; $ = @s.get(4);\n}",
            "int $ = 3;\ntry {\n$ = 7 / (% & 3); $ += @s.get(% & 31);\n} catch (ArithmeticException e) {\ncaught++;\n} finally {\nv3 += $;\n}",
            "int $ = f + 1; this.f = %;",
            "int $ = @s.get(f & 31); this.f += $;",
            "int $ = arr[1]; arr[1] = % & 63;",
            "int $ = @s.sum(arr); arr[Math.floorMod(%, 3)] = $;",
            "int[] q$ = @s.row(% & 31); int $ = q$[0]; q$[0] = 5; $ += @s.sum(q$);",
            "int[] q$ = @s.row(% & 31); int $ = q$.length > 1 ? @s.get(q$[1] & 31) : 4;",
            "int $ = 0;\nswitch (% & 3) {\ncase 0: $ = @s.get(% & 31); break;\ncase 1: $ = 4;\ndefault: $ += @s.get(% & 15);\n}",
            "int $ = 0;\nfor (int i# = 0; i# < (% & 3); i#++) $ = $ * 31 + i#;",
            "int $ = % & 15; if ($ == 3) throw new IllegalStateException(\"line\" + $);",
            "int $ = pairOf(@s, %);",
            "int $ = pairOf(@s, @x) + pairOf(@s, %);",
            "int $ = pairNoted(@s, %);",
            "int $ = pairFed(@s, %);",
            "int $ = pairThrower(@s, %);",
            "int $ = pairHandled(@s, %);",
            "int $ = pairLeft(@s, %);",
            "int $ = twice(@s, %);",
            "list.add(@s.get(% & 31)); int $ = list.size();",
            "int $ = @s.look(% & 3);",
            "int $ = @s.calc(% & 31) + 1;",
            "int $ = @s.set(% & 3, 5);",
            "box.v += %; int $ = @s.get(box.v & 31);",
            "map.put(\"k\" + (% & 3), @s.get(% & 31)); int $ = map.size();",
            "int $ = @s.barrier(% & 31);");

    private static final List<String> AROUND = List.of(
            "{\n~\n}",
            "{\n~\n}",
            "{\n~\n}",
            "if (n > 1) {\n~\n}",
            "for (int h# = 0; h# < 2; h#++) {\n~\nf ^= v3;\n}",
            "try {\n~\n} catch (IllegalStateException e) {\ncaught++;\n}",
            "try {\n~\n} finally {\nsb.append('f');\n}",
            "synchronized (sb) {\n~\n}");

    private LineShapes() {}

    /** A page. */
    static String any(Random random) {
        StringBuilder text = new StringBuilder("int d#x0 = @x;\n");
        int parts = 3 + random.nextInt(6);
        int common = random.nextBoolean() ? 6 : PARTS.size(); // plain calls alone, every other time for each part
        for (int i = 1; i <= parts; i++) {
            int kind = random.nextInt(2) == 0 ? random.nextInt(common) : random.nextInt(PARTS.size());
            String part = PARTS.get(kind)
                    .replace("$", "d#x" + i)
                    .replace("l#", "l#x" + i)
                    .replace("i#", "i#x" + i);
            while (part.contains("%")) {
                part = part.replaceFirst("%", "d#x" + random.nextInt(i));
            }
            text.append(part).append('\n');
        }
        for (int i = 1; i <= parts; i++) {
            text.append(i == 1 ? "sb" : ".append(',')")
                    .append(".append(d#x")
                    .append(i)
                    .append(')');
        }
        text.append(";");
        return AROUND.get(random.nextInt(AROUND.size())).replace("~", text);
    }
}
