package dev.cleave.jmh.bench.programs;

/** Compares what programs give. */
final class Difference {

    private Difference() {}

    /**
     * Compares two texts.
     *
     * @throws IllegalStateException if they differ; names the first line that does
     */
    static void check(String text, String expected) {
        if (text.equals(expected)) {
            return;
        }
        String[] lines = text.split("\n", -1);
        String[] others = expected.split("\n", -1);
        int line = 0;
        while (line < Math.min(lines.length, others.length) && lines[line].equals(others[line])) {
            line++;
        }
        throw new IllegalStateException("another result in line " + (line + 1) + ": " + at(lines, line) + " (expected: "
                + at(others, line) + ")");
    }

    private static String at(String[] lines, int line) {
        return line < lines.length ? '"' + lines[line] + '"' : "no such line";
    }
}
