package dev.cleave.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Reads single values of the file. Throws an {@link IllegalArgumentException} for a text that is no value of the kind,
 * with a message that quotes the text and says what is expected.
 */
final class Values {

    private static final Pattern CLASS =
            Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final Pattern SERVICE = Pattern.compile("[^\\p{Cntrl}\\s]{1,200}");
    private static final Pattern BROKER = Pattern.compile("(cleave|tcp)://[^\\s/:,]+(:\\d{1,5})?(,[^\\s/:,]+(:\\d{1,5})?)*|local://[^\\s/:,]+");
    private static final Pattern HOST = Pattern.compile("[^\\s/]{1,255}");

    private static final Pattern PATH = Pattern.compile("[^\\p{Cntrl}]{1,1000}");
    private static final Pattern PARAMETER = Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]{0,254}|[1-9][0-9]{0,2}");

    static final int LONGEST_EXPRESSION = 1_000;

    private Values() {}

    static String className(String text) {
        return matching(CLASS, text, "the name of a class, such as com.example.Compare");
    }

    /** A class, or all classes of a package. */
    static String allowed(String text) {
        String name = text.endsWith(".*") ? text.substring(0, text.length() - 2) : text;
        matching(CLASS, name, "the name of a class, or a package such as com.example.model.*");
        return text;
    }

    static String replicaName(String text) {
        return matching(NAME, text, "a name of letters, digits, '.', '_' and '-'");
    }

    static String parameter(String text) {
        return matching(PARAMETER, text, "the name of a parameter, or its number from 1 on");
    }

    static String serviceName(String text) {
        return matching(SERVICE, text, "a name without blanks");
    }

    static String broker(String text) {
        return matching(BROKER, text, "cleave://host:port");
    }

    static String host(String text) {
        return matching(HOST, text, "a host name or an address");
    }

    static String path(String text) {
        return matching(PATH, text, "a name without control characters");
    }

    static String expression(String text) {
        if (text.isBlank() || text.length() > LONGEST_EXPRESSION) {
            throw new IllegalArgumentException("'" + text + "' (expected: an expression over the parameters of at most "
                    + LONGEST_EXPRESSION + " characters, such as sequence.length())");
        }
        return text;
    }

    static boolean flag(String text) {
        return choice(text, List.of("true", "false")).equals("true");
    }

    static Function<String, Integer> number(int least, int most) {
        return number(least, most, "");
    }

    /** Reads a number; what else the value may be is added to the message. */
    static Function<String, Integer> number(int least, int most, String orElse) {
        return text -> {
            String expected = text + " (expected: a number from " + least + " to " + most + orElse + ")";
            if (!text.matches("\\d{1,9}")) {
                throw new IllegalArgumentException(expected);
            }
            int number = Integer.parseInt(text);
            if (number < least || number > most) {
                throw new IllegalArgumentException(expected);
            }
            return number;
        };
    }

    static <E extends Enum<E>> Function<String, E> oneOf(Class<E> type) {
        List<String> words =
                Arrays.stream(type.getEnumConstants()).map(Values::word).toList();
        return text ->
                Enum.valueOf(type, choice(text, words).toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static String choice(String text, List<String> words) {
        if (!words.contains(text)) {
            throw new IllegalArgumentException(text + ": unknown value " + Nearest.hint(text, words));
        }
        return text;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String matching(Pattern pattern, String text, String expected) {
        if (!pattern.matcher(text).matches()) {
            throw new IllegalArgumentException(text + " (expected: " + expected + ")");
        }
        return text;
    }
}
