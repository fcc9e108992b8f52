package dev.cleave.agent.effect;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What methods of the JDK do, from a table kept by hand: {@code jdk-effects.txt}. What is not in it is unknown.
 *
 * <p>A row is: class, method names separated by commas, descriptor ({@code *} for all), flags. Flags: {@code t} may
 * throw; {@code r} reads, {@code w} writes what its receiver holds; {@code a} its result is a new object; {@code c}
 * calls back {@code equals}, {@code hashCode} or {@code toString} of its arguments, {@code f} of its first argument;
 * {@code o} console or log; {@code i} other input or output; {@code n} time or randomness; {@code s} synchronises;
 * {@code x} advances an
 * iterator; {@code A} copies elements of arrays; {@code k} true only if the receiver is of a plain class; {@code -} none of these. The first row that fits holds.
 */
final class JdkTable {

    private record Row(List<String> names, String descriptor, String flags) {
        boolean fits(String name, String called) {
            return (names.contains(name) || names.contains("*"))
                    && (descriptor.equals("*") || descriptor.equals(called));
        }
    }

    private final Map<String, List<Row>> rows = new HashMap<>();

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
            table.rows
                    .computeIfAbsent(cells[0], owner -> new ArrayList<>())
                    .add(new Row(List.of(cells[1].split(",")), cells[2], cells[3]));
        }
        return table;
    }

    /** The flags of a method, null if it is unknown. */
    @Nullable
    String flags(String owner, String name, String descriptor) {
        for (Row row : rows.getOrDefault(owner, List.of())) {
            if (row.fits(name, descriptor)) {
                return row.flags();
            }
        }
        return null;
    }
}
