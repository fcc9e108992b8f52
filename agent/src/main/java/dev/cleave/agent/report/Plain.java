package dev.cleave.agent.report;

/** Makes names of class files printable: a name may have any character, such as those that steer a terminal. */
public final class Plain {

    private Plain() {}

    /** Returns a text in one line, with its control and format characters as {@code \\uXXXX}. */
    public static String line(String text) {
        return shown(text, "");
    }

    /** Returns a text with its control and format characters as {@code \\uXXXX}; keeps its tabs and the ends of its lines. */
    static String lines(String text) {
        return shown(text, "\n\t");
    }

    private static String shown(String text, String kept) {
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (steers(c) && kept.indexOf(c) < 0) {
                shown.append(String.format("\\u%04x", c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }

    private static boolean steers(int codePoint) {
        int type = Character.getType(codePoint);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }
}
