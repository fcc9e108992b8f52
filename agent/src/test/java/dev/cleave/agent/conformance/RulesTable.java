package dev.cleave.agent.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code docs/rules.md}: where each rule lives, and the tests on both sides of its line. */
public final class RulesTable {

    static final String AGENT = "dev.cleave.agent.";

    private static final List<String> TEST_PACKAGES =
            List.of("conformance", "fuzz", "report", "premain", "cli", "scan", "transform", "later", "plan", "ir");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    /**
     * One rule.
     *
     * @param allowing tests that it lets programs be rewritten, {@code Class/program} or {@code Class#method}
     * @param refusing tests that it keeps programs as they are
     */
    public record Row(int rule, List<String> places, List<String> allowing, List<String> refusing) {}

    private RulesTable() {}

    /** All rows of the specification. */
    public static List<Row> rows() throws IOException {
        return rows("R");
    }

    /** Those of what arrives later. */
    static List<Row> later() throws IOException {
        return rows("L");
    }

    private static List<Row> rows(String letter) throws IOException {
        String home = System.getProperty("cleave.home", System.getProperty("basedir", ".") + "/..");
        List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(home, "docs", "rules.md"))) {
            if (line.matches("\\| " + letter + "\\d+ \\|.*")) {
                String[] cells = line.split("\\|");
                if (cells.length != 6) {
                    throw new IllegalStateException(line + " (expected: five cells)");
                }
                String name = cells[1].strip();
                rows.add(new Row(
                        Integer.parseInt(name.substring(1)), names(cells[3]), names(cells[4]), names(cells[5])));
            }
        }
        return rows;
    }

    private static List<String> names(String cell) {
        List<String> names = new ArrayList<>();
        Matcher matcher = NAME.matcher(cell);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    /** The test class of a simple name; null if there is none. */
    public static @Nullable Class<?> testClass(String simpleName) {
        for (String name : TEST_PACKAGES) {
            Class<?> found = find(AGENT + name + "." + simpleName);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    static @Nullable Class<?> find(String name) {
        try {
            return Class.forName(name, false, RulesTable.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
