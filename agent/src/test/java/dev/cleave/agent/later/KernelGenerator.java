package dev.cleave.agent.later;

import java.util.Random;

/** Writes methods that read and write arrays in all kinds of ways; each ends. */
public final class KernelGenerator {

    private static final int DEEPEST = 3;

    private final Random random;
    private final StringBuilder text = new StringBuilder();
    private int names;
    private int budget;
    private boolean catches;

    /** Makes one that chooses by {@code random}. */
    public KernelGenerator(Random random) {
        this.random = random;
    }

    /** Whether the method written last handles exceptions. */
    boolean catches() {
        return catches;
    }

    /** The body of {@code long run(int[] a, int[] b, int[][] m, int n)}. */
    public String body() {
        text.setLength(0);
        names = 0;
        budget = 14;
        catches = false;
        text.append("long s = 1; int[] x = a; int[] y = b; int t = 0;\n");
        block(0, "0");
        text.append("return s * 31 + t;\n");
        return text.toString();
    }

    private void block(int depth, String index) {
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count && budget > 0; i++) {
            statement(depth, index);
        }
    }

    private void statement(int depth, String index) {
        budget--;
        switch (random.nextInt(depth < DEEPEST ? 16 : 10)) {
            case 0 -> text.append("s = s * 31 + " + element(index) + ";\n");
            case 1 -> text.append("s += " + element(index) + " * " + element(index) + ";\n");
            case 2 -> text.append(array() + "[" + index(index) + "] = (int) s + " + element(index) + ";\n");
            case 3 -> text.append(array() + "[" + index(index) + "] += " + element(index) + ";\n");
            case 4 -> text.append("s += m[" + index(index) + "][" + index(index) + "];\n");
            case 5 -> alias();
            case 6 -> text.append("s += " + array() + ".length;\n");
            case 7 -> text.append("s = 7 * s + touch(" + array() + ", " + index(index) + ");\n");
            case 8 -> text.append("if (" + array() + " == " + (random.nextBoolean() ? "null" : array()) + ") s++;\n");
            case 9 -> text.append("m[" + index(index) + "][" + index(index) + "]++;\n");
            case 10 -> branch(depth, index);
            case 11 -> guarded(depth, index);
            case 12 -> endless(depth);
            case 13 -> each(depth, index);
            default -> loop(depth);
        }
    }

    private void alias() {
        String[] all = {
            "x = y;\n",
            "y = a;\n",
            "x = s % 2 == 0 ? a : b;\n",
            "y = new int[] {1, 2, 3, 4, 5, 6, 7, 8};\n",
            "x = m[1];\n",
            "{ int[] z = x; x = y; y = z; }\n",
            "a = b;\n",
            "b = x;\n"
        };
        text.append(all[random.nextInt(all.length)]);
    }

    private void branch(int depth, String index) {
        text.append("if (" + element(index) + " % 3 == " + random.nextInt(3) + ") {\n");
        block(depth + 1, index);
        if (depth > 0 && !index.equals("0") && random.nextInt(3) == 0) {
            text.append(random.nextBoolean() ? "if (s % 5 == 0) break;\n" : "if (s % 5 == 1) continue;\n");
        }
        text.append("}\n");
    }

    private void guarded(int depth, String index) {
        text.append("try {\n");
        block(depth + 1, index);
        if (random.nextBoolean()) {
            catches = true;
            text.append("} catch (RuntimeException e" + names++ + ") { t += 5; s += t;\n");
        }
        text.append("} finally { t++; " + (random.nextBoolean() ? "s ^= " + element(index) + ";" : "") + " }\n");
    }

    private void endless(int depth) {
        String i = "w" + names++;
        text.append("int " + i + " = -1;\nwhile (true) { " + i + "++; if (" + i + " >= " + bound() + ") break;\n");
        block(depth + 1, i);
        text.append("}\n");
    }

    private void each(int depth, String index) {
        String e = "e" + names++;
        text.append("for (int " + e + " : " + array() + ") { s += " + e + ";\n");
        if (random.nextBoolean()) {
            block(depth + 1, index);
        }
        text.append("}\n");
    }

    private void loop(int depth) {
        String i = "i" + names++;
        if (random.nextInt(4) == 0) {
            text.append("for (int " + i + " = " + bound() + " - 1; " + i + " >= 0; " + i + "--) {\n");
        } else {
            text.append("for (int " + i + " = 0; " + i + " < " + bound() + "; " + i + "++) {\n");
        }
        block(depth + 1, i);
        text.append("}\n");
    }

    private String bound() {
        String[] all = {"n", "a.length", "x.length", "m.length", "6", "n - 1"};
        return all[random.nextInt(all.length)];
    }

    private String array() {
        return String.valueOf("abxyax".charAt(random.nextInt(6)));
    }

    private String element(String index) {
        return array() + "[" + index(index) + "]";
    }

    private String index(String index) {
        return switch (random.nextInt(12)) {
            case 0 -> "(int) (s & 3)";
            case 1 -> "n - 1 - " + index;
            case 2 -> "(" + index + " * 3 + t) % 5";
            case 3 -> "1";
            case 4 -> random.nextInt(6) == 0 ? index + " + 1" : index;
            case 5 -> random.nextInt(6) == 0 ? index + " - 1" : "0";
            default -> index;
        };
    }
}
