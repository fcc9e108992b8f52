package dev.cleave.examples.experiment;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes measurements as JSON: one array of flat records, a record a line. */
final class Json {

    private static final MathContext DIGITS = new MathContext(6);
    private static final int FIRST_PRINTABLE = 0x20;

    private Json() {}

    static void write(List<Measurement> measurements, Path file) throws IOException {
        Files.writeString(file, array(measurements), StandardCharsets.UTF_8);
    }

    static String array(List<Measurement> measurements) {
        return measurements.stream().map(Measurement::json).collect(Collectors.joining(",\n  ", "[\n  ", "\n]\n"));
    }

    static String number(@Nullable Double value) {
        if (value == null) {
            return "null";
        }
        return new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
    }

    static String string(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < FIRST_PRINTABLE) {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
