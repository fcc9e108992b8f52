package dev.cleave.text;

/**
 * Makes texts of peers and files printable: without characters that steer a terminal, forge a line of a log, or turn the direction of a
 * text.
 */
public final class Printable {

    private Printable() {}

    /** Makes a text of any length printable in one line: control characters as {@code \\uXXXX}. */
    public static String line(String text) {
        return isLine(text) ? text : line(text, Integer.MAX_VALUE);
    }

    /**
     * Makes a text printable in one line.
     *
     * @param most the characters of the text after which the others are left out
     */
    public static String line(String text, int most) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().limit(most).forEach(c -> {
            if (steers(c)) {
                shown.append(String.format("\\u%04x", c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }

    /** Makes a text of several lines printable, as {@link #line} does; keeps its tabs and the ends of its lines. */
    public static String lines(String text) {
        return kept(text, false);
    }

    /**
     * Makes the message of an exception printable, as {@link #line} does; keeps the ends of lines in front of a tab, as in stack
     * traces: such a line cannot be taken for one of a log.
     */
    public static String trace(String text) {
        return kept(text, true);
    }

    private static String kept(String text, boolean isTabbed) {
        if (isLine(text)) {
            return text;
        }
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            boolean isKept = c == '\t' || c == '\n' && (!isTabbed || i < text.length() && text.charAt(i) == '\t');
            if (isKept || !steers(c)) {
                shown.appendCodePoint(c);
            } else {
                shown.append(String.format("\\u%04x", c));
            }
        }
        return shown.toString();
    }

    /** Whether a text is printable in one line as it is. */
    public static boolean isLine(String text) {
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            if (steers(text.codePointAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** Whether a character steers what prints it: a control or format character, or one that ends a line. */
    public static boolean steers(int codePoint) {
        if (codePoint >= ' ' && codePoint < 0x7f) {
            return false;
        }
        int type = Character.getType(codePoint);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }
}
