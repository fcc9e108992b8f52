package dev.cleave.agent.fuzz;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * Writes random Java programs full of remote calls: straight lines, loops, nests, handlers, accumulators, aliasing
 * arrays, local receivers. One seed, one program. Every program ends: loops count, and {@code n} is small.
 */
public final class ProgramGenerator {

    private static final int DEPTH = 3;

    /** One statement of as many is a program in layers. */
    private static final int LAYERED = 8;

    private static final Members MEMBERS = new Members(
            ProgramShapes.MEMBERS,
            StraightShapes.MEMBERS,
            HelperShapes.MEMBERS,
            StrandShapes.MEMBERS,
            LanguageShapes.MEMBERS,
            OrdinaryShapes.MEMBERS,
            WholeShapes.MEMBERS,
            LineShapes.MEMBERS,
            GivenShapes.MEMBERS,
            "private static int help(int x) { return x * 31 + 7; }",
            "private int total(int x) { return f + x; }",
            "private static int twice(FuzzService s, int x) { return s.get(x) * 2; }");

    private final Random random;
    private final StringBuilder out = new StringBuilder();
    private final StringBuilder layers = new StringBuilder();
    private final Deque<String> counters = new ArrayDeque<>();
    private int indent = 2;
    private int names;
    private int loops;

    private ProgramGenerator(long seed) {
        random = new Random(seed);
    }

    /** The source of a class of this name, in the package {@link TwoForms#PACKAGE}. */
    public static String program(String className, long seed) {
        return new ProgramGenerator(seed).program(className);
    }

    private String program(String className) {
        line("int v0 = n, v1 = 1, v2 = 2, v3 = -1; long w = 5; String q = \"q\"; boolean p = false; int[] b = arr;");
        block(DEPTH, 3 + random.nextInt(5));
        line(
                "return v0 + \",\" + v1 + \",\" + v2 + \",\" + v3 + \",\" + w + \",\" + q + \",\" + p + \",\" + b.length;");
        String body = out.toString();
        return "package p;\n\nimport dev.cleave.agent.fuzz.*;\nimport java.util.*;\nimport java.util.function.*;\n"
                + "import java.util.stream.*;\n\npublic final class " + className + " extends FuzzProgram {\n"
                + layers + MEMBERS.usedBy(body)
                + "  @Override public Object run(FuzzService s, FuzzService t, int n, int[] a, List<Integer> xs)"
                + " throws Exception {\n" + (body.contains("steps") ? "    steps = 0;\n" : "") + body + "  }\n}\n";
    }

    private void block(int depth, int statements) {
        for (int i = 0; i < statements; i++) {
            statement(depth);
        }
    }

    private void statement(int depth) {
        if (random.nextInt(LAYERED) == 0) {
            layered();
            return;
        }
        if (random.nextInt(6) == 0) {
            line(filled(WholeShapes.any(random)));
            return;
        }
        if (random.nextInt(8) == 0) {
            line(filled(GivenShapes.any(random)));
            return;
        }
        if (random.nextInt(8) == 0) {
            line(filled(LineShapes.any(random)));
            return;
        }
        if (random.nextInt(5) == 0) {
            line(filled(LanguageShapes.any(random)));
            return;
        }
        if (random.nextInt(8) == 0) {
            line(filled(ProgramShapes.chain(random)));
            return;
        }
        if (random.nextInt(4) == 0) {
            line(filled(ProgramShapes.any(random)));
            return;
        }
        if (random.nextInt(4) == 0) {
            line(filled(StraightShapes.any(random)));
            return;
        }
        if (random.nextInt(6) == 0) {
            line(filled(PromiseShapes.any(random)));
            return;
        }
        if (random.nextInt(6) == 0) {
            line(filled(RunAheadShapes.any(random)));
            return;
        }
        if (random.nextInt(6) == 0) {
            line(filled(StrandShapes.any(random)));
            return;
        }
        if (random.nextInt(6) == 0) {
            line(filled(HelperShapes.any(random)));
            return;
        }
        if (random.nextInt(6) == 0) {
            line(filled(OrderShapes.any(random)));
            return;
        }
        if (random.nextInt(6) == 0) {
            line(filled(StretchShapes.any(random)));
            return;
        }
        if (random.nextInt(6) == 0) {
            line(filled(OrdinaryShapes.any(random)));
            return;
        }
        int kind = random.nextInt(depth > 0 ? 34 : 22);
        switch (kind) {
            case 0, 1, 2 -> line(variable() + " = " + intCall() + ";");
            case 3 -> line(variable() + " += " + intCall() + ";");
            case 4 -> line("w = w * 3 + " + service() + ".num(" + intExpression() + ");");
            case 5 -> line("this.f += " + intCall() + ";");
            case 6 -> line(array() + "[" + index() + "] = " + intCall() + ";");
            case 7 -> line(service() + ".put(" + intExpression() + ", " + intExpression() + ");");
            case 8 -> line("list.add(" + intCall() + ");");
            case 9 -> line("sb.append(" + service() + ".name(" + intExpression() + ")).append(';');");
            case 10 -> line(variable() + " = " + intCall() + " + " + intCall() + " * " + intCall() + ";");
            case 11 -> line("q = \"x\" + " + service() + ".name(" + intExpression() + ") + " + intCall() + ";");
            case 12 -> line(variable() + " = " + intExpression() + ";");
            case 13 -> line(array() + "[" + index() + "] = " + intExpression() + ";");
            case 14 -> line("this.f = " + intExpression() + ";");
            case 15 -> {
                String k = name("k");
                line("int " + k + " = " + intCall() + ";");
                line("if (" + k + " > v1) { v1 = " + k + "; v2 = " + intExpression() + "; }");
            }
            case 16 -> {
                String x = name("x");
                String y = name("y");
                line("int " + x + " = " + intCall() + ";");
                line("int " + y + " = " + intCall() + ";");
                line(variable() + " = " + x + " - " + y + ";");
            }
            case 17 -> line(random.nextInt(3) == 0 ? "v0 = s.barrier(" + intExpression() + ");" : "v3 = v3 * 5 + v0;");
            case 18 -> line(variable() + " = " + service() + ".sum(" + array() + ");");
            case 19 -> line("b = " + service() + ".row(" + intExpression() + ");");
            case 20 -> line(variable() + " = " + intExpression() + " % " + pick("v0", "v1", "(v2 + 1)", "7") + ";");
            case 21 -> line("p = " + service() + ".flag(" + intExpression() + ")" + pick(";", " && v0 > 0;", " | p;"));
            case 22, 23 -> {
                open("if (" + condition() + ") {");
                block(depth - 1, 1 + random.nextInt(2));
                if (random.nextBoolean()) {
                    indent--;
                    open("} else {");
                    block(depth - 1, 1 + random.nextInt(2));
                }
                close();
            }
            case 24, 25, 26, 27 -> loop(depth);
            case 28, 29 -> loop(depth);
            case 30, 31 -> handler(depth);
            case 32 -> {
                if (random.nextInt(3) == 0) {
                    open("synchronized (this) {");
                    block(depth - 1, 1 + random.nextInt(2));
                    close();
                } else {
                    open("switch (" + pick("v0", "v2", "n") + " & 3) {");
                    line("case 0: " + variable() + " = " + intCall() + "; break;");
                    line("case 1: " + variable() + " += 3;");
                    line("default: this.f += " + intExpression() + ";");
                    close();
                }
            }
            default -> {
                if (!counters.isEmpty()) {
                    line("if (" + condition() + ") " + pick("break;", "continue;", "continue;"));
                } else if (random.nextInt(4) == 0) {
                    line("if (" + condition() + ") return " + intCall() + ";");
                } else {
                    line("if (v0 == 13) throw new IllegalStateException(\"thirteen\" + v1);");
                }
            }
        }
    }

    /** A program in layers; its classes have the number that the statement's variables have. */
    private void layered() {
        LayerShapes.Layers chosen = LayerShapes.any(random, names);
        layers.append(chosen.members());
        line(filled(chosen.statement()));
    }

    private void loop(int depth) {
        if (loops >= 2 && counters.size() >= 2) {
            line(variable() + "++;");
            return;
        }
        loops++;
        String i = name("i");
        switch (random.nextInt(6)) {
            case 0, 1, 2 ->
                open("for (int " + i + " = 0; " + i + " < " + pick("n", "n", "a.length", "3") + "; " + i + "++) {");
            case 3 -> open("for (int " + i + " : " + pick("a", "arr", "b") + ") {");
            case 4 -> open("for (int " + i + " : xs) {");
            default -> {
                line("int " + i + " = 0;");
                open("while (" + i + " < n) {");
                line(i + "++;");
            }
        }
        counters.push(i);
        if (random.nextInt(3) > 0) {
            simpleBody(i);
        } else {
            block(depth - 1, 1 + random.nextInt(3));
        }
        counters.pop();
        close();
    }

    /** The shapes that people write most, so that many programs are really pipelined. */
    private void simpleBody(String i) {
        for (int count = 1 + random.nextInt(2); count > 0; count--) {
            if (random.nextInt(3) == 0) {
                line("{ " + filled(ProgramShapes.inLoop(random)) + " }");
                continue;
            }
            switch (random.nextInt(10)) {
                case 0 -> line("v0 += s.get(" + i + ");");
                case 1 -> line("this.f += t.get(" + i + " + v3);");
                case 2 -> line("list.add(s.get(" + i + " * 3));");
                case 3 -> line("sb.append(s.name(" + i + "));");
                case 4 -> {
                    String k = name("k");
                    line("int " + k + " = s.get(a[Math.floorMod(" + i + ", a.length)]);");
                    line("if (" + k + " > v1) { v1 = " + k + "; v2 = " + i + "; }");
                }
                case 5 -> line("arr[Math.floorMod(" + i + ", arr.length)] = s.get(" + i + ");");
                case 6 -> line("s.put(" + i + ", v2);");
                case 7 -> line("if ((" + i + " & 1) == 0) w += t.num(" + i + ");");
                case 8 ->
                    line("try { list.add(s.checked(" + i + ")); } catch (FuzzFailure e) { caught++; v3 += " + i
                            + "; }");
                default -> line("v2 = v2 * 7 + s.get(" + i + ") - s.get(" + i + " + 1);");
            }
        }
    }

    /** Fills the holes of a shape. */
    private String filled(String shape) {
        String number = String.valueOf(names++);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < shape.length(); i++) {
            char c = shape.charAt(i);
            if (c == '#') {
                text.append(number);
            } else if (c == '@') {
                i++;
                text.append(
                        switch (shape.charAt(i)) {
                            case 'v' -> variable();
                            case 'x' -> intExpression();
                            case 'c' -> intCall();
                            case 's' -> service();
                            case 'h' -> ProgramShapes.helper(random);
                            case 'a' -> array();
                            default -> counters.isEmpty() ? variable() : counters.peek();
                        });
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    private void handler(int depth) {
        open("try {");
        block(depth - 1, 1 + random.nextInt(3));
        if (random.nextBoolean()) {
            line(variable() + " = " + service() + ".checked(" + intExpression() + ");");
            indent--;
            open("} catch (FuzzFailure e) {");
            line("caught++; sb.append(e.getMessage()).append(v0).append(v1); v2 = 4;");
        } else {
            indent--;
            open("} catch (RuntimeException e) {");
            line("caught++; sb.append(e.getMessage()).append(v1).append(v2).append(this.f); v3 = 9;");
        }
        if (random.nextInt(3) == 0) {
            indent--;
            open("} finally {");
            line(random.nextBoolean() ? "this.f += 100;" : variable() + " = " + intCall() + ";");
        }
        close();
    }

    private String intCall() {
        String receiver = service();
        return switch (random.nextInt(12)) {
            case 0 -> receiver + ".checked(" + intExpression() + ")";
            case 1 -> receiver + ".sum(" + array() + ")";
            case 2 -> ProgramShapes.helper(random, receiver, intExpression());
            case 3 -> receiver + ".row(" + intExpression() + ")[1]";
            case 4 -> receiver + ".get(" + receiver + ".get(" + intExpression() + "))";
            default -> receiver + ".get(" + intExpression() + ")";
        };
    }

    private String intExpression() {
        return switch (random.nextInt(13)) {
            case 0 -> String.valueOf(random.nextInt(20));
            case 1 -> "n";
            case 2 -> array() + "[" + index() + "]";
            case 3 -> "help(" + variable() + ")";
            case 4 -> "total(" + variable() + ")";
            case 5 -> "this.f";
            case 6 -> "xs.get(" + pick("0", "v0", "1") + ")";
            case 7 -> variable() + " + " + variable();
            case 8 -> "list.size()";
            default -> counters.isEmpty() ? variable() : counters.peek();
        };
    }

    private String condition() {
        return switch (random.nextInt(6)) {
            case 0 -> "v0 > v1";
            case 1 -> "(" + variable() + " & 1) == 0";
            case 2 -> service() + ".flag(" + intExpression() + ")";
            case 3 -> "n > 2";
            case 4 -> counters.isEmpty() ? "p" : counters.peek() + " == 2";
            default -> intExpression() + " < 10";
        };
    }

    private String index() {
        return random.nextInt(8) == 0
                ? variable()
                : "Math.floorMod(" + (counters.isEmpty() ? variable() : pick(counters.peek(), variable())) + ", 3)";
    }

    private String variable() {
        return pick("v0", "v1", "v2", "v3");
    }

    private String array() {
        return pick("arr", "a", "b");
    }

    private String service() {
        return random.nextInt(4) == 0 ? "t" : "s";
    }

    private String name(String prefix) {
        return prefix + names++;
    }

    private String pick(String... choices) {
        return List.of(choices).get(random.nextInt(choices.length));
    }

    private void open(String text) {
        line(text);
        indent++;
    }

    private void close() {
        indent--;
        line("}");
    }

    private void line(String text) {
        out.append("  ".repeat(indent)).append(text).append('\n');
    }
}
