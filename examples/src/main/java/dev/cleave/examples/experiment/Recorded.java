package dev.cleave.examples.experiment;

import dev.cleave.broker.cli.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The figures of a run that has ended, as its directory of pages has them.
 *
 * @param measurements the figures
 * @param origin machine, date, commit and command
 */
record Recorded(List<Measurement> measurements, Origin origin) {

    Recorded {
        measurements = List.copyOf(measurements);
    }

    static Recorded read(Path directory) throws IOException {
        Map<String, String> facts = new LinkedHashMap<>();
        records(directory.resolve(Page.ORIGIN)).get(0).forEach((name, value) -> facts.put(name, String.valueOf(value)));
        return new Recorded(
                records(directory.resolve(Page.FIGURES)).stream()
                        .map(Recorded::measurement)
                        .toList(),
                new Origin(facts));
    }

    /** Reads a JSON array of flat records; JSON is YAML. */
    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> records(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new CommandException(file + ": no such file (expected: a directory that --html has written)");
        }
        Object read = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
        if (!(read instanceof List<?> list) || list.isEmpty()) {
            throw new CommandException(file + ": no records (expected: a JSON array of them)");
        }
        return (List<Map<String, Object>>) read;
    }

    private static Measurement measurement(Map<String, Object> record) {
        Double value = number(record.get("value"));
        return new Measurement(
                String.valueOf(record.get("experiment")),
                String.valueOf(record.get("case")),
                String.valueOf(record.get("metric")),
                value == null ? Double.NaN : value,
                String.valueOf(record.get("unit")),
                number(record.get("paper")),
                number(record.get("ideal")),
                number(record.get("spread")));
    }

    private static @Nullable Double number(@Nullable Object value) {
        return value instanceof Number number ? (Double) number.doubleValue() : null;
    }
}
