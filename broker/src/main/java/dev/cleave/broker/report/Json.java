package dev.cleave.broker.report;

import dev.cleave.text.Printable;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes JSON that other programs read: one array of flat records, a record a line. */
public final class Json {

    private static final MathContext DIGITS = new MathContext(6);

    private Json() {}

    /**
     * Builds a record.
     *
     * @param namesAndValues names and values in turn. Whole numbers, truth values and null are written as they are,
     *     other numbers with six digits (null if not finite), other values as their text
     */
    public static String record(@Nullable Object... namesAndValues) {
        StringBuilder json = new StringBuilder("{");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            json.append(i == 0 ? "" : ", ")
                    .append(string(String.valueOf(namesAndValues[i])))
                    .append(": ")
                    .append(value(namesAndValues[i + 1]));
        }
        return json.append('}').toString();
    }

    /** Builds an array of records. */
    public static String array(List<String> records) {
        return "[\n  " + String.join(",\n  ", records) + "\n]\n";
    }

    private static String value(@Nullable Object value) {
        if (value instanceof Double number) {
            return Double.isFinite(number)
                    ? new BigDecimal(number).round(DIGITS).stripTrailingZeros().toPlainString()
                    : "null";
        }
        if (value == null || value instanceof Number || value instanceof Boolean) {
            return String.valueOf(value);
        }
        return string(value.toString());
    }

    private static String string(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (Printable.steers(c)) {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
