package dev.cleave.agent.effect;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The effects of methods of the JDK, from a table kept by hand, {@code jdk-effects.txt}, which explains its format.
 * Methods that are not in it are unknown. The first row that matches a method holds.
 */
final class JdkTable {

    private static final String FLAGS = "-trwacfpoinsmuxAEkKRWlv";

    /**
     * The effects of some methods of a class.
     *
     * @param owner internal name of the class
     * @param names of methods, {@code *} for all
     * @param descriptors of the methods, or their beginnings followed by {@code *}
     * @param flags a letter for each effect
     */
    record Row(String owner, List<String> names, List<String> descriptors, String flags) {

        /** Checks the flags. */
        Row {
            if (!flags.chars().allMatch(flag -> FLAGS.indexOf(flag) >= 0)) {
                throw new IllegalStateException(
                        "jdk-effects.txt: " + owner + ' ' + names + ": " + flags + " (expected: of " + FLAGS + ")");
            }
        }

        boolean fits(String name, String called) {
            return (names.contains(name) || names.contains("*"))
                    && descriptors.stream().anyMatch(descriptor -> matches(descriptor, called));
        }

        private static boolean matches(String descriptor, String called) {
            return descriptor.endsWith("*")
                    ? called.startsWith(descriptor.substring(0, descriptor.length() - 1))
                    : descriptor.equals(called);
        }

        boolean is(char flag) {
            return flags.indexOf(flag) >= 0;
        }
    }

    private final Map<String, List<Row>> rows = new LinkedHashMap<>();

    private JdkTable() {}

    /** Reads the table that comes with the agent. */
    static JdkTable load() {
        try (InputStream stream = JdkTable.class.getResourceAsStream("jdk-effects.txt")) {
            if (stream == null) {
                throw new IllegalStateException("jdk-effects.txt is missing beside " + JdkTable.class.getName());
            }
            return read(new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JdkTable read(BufferedReader reader) throws IOException {
        JdkTable table = new JdkTable();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#")) {
                continue;
            }
            String[] cells = text.split("\\s+");
            if (cells.length != 4) {
                throw new IllegalStateException("jdk-effects.txt: " + line + " (expected: 4 columns)");
            }
            for (String owner : cells[0].split(",")) {
                table.rows
                        .computeIfAbsent(owner, key -> new ArrayList<>())
                        .add(new Row(owner, List.of(cells[1].split(",")), List.of(cells[2].split(",")), cells[3]));
            }
        }
        return table;
    }

    /** All rows. */
    List<Row> rows() {
        return rows.values().stream().flatMap(List::stream).toList();
    }

    /** The row of a method, null if it is unknown. */
    @Nullable
    Row row(String owner, String name, String descriptor) {
        for (Row row : rows.getOrDefault(owner, List.of())) {
            if (row.fits(name, descriptor)) {
                return row;
            }
        }
        return null;
    }

    /** The flags of a method, null if it is unknown. */
    @Nullable
    String flags(String owner, String name, String descriptor) {
        Row row = row(owner, name, descriptor);
        return row == null ? null : row.flags();
    }
}
