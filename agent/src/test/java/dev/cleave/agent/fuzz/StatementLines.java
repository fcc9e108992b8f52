package dev.cleave.agent.fuzz;

/** Lays out programs as people do, a statement in a line: some placements begin where a line does. */
final class StatementLines {

    private StatementLines() {}

    /** The program of a seed as it is compiled: in three of four each statement has a line of its own. */
    static String of(long seed, String source) {
        return seed % 4 == 0 ? source : apart(source);
    }

    private static String apart(String source) {
        StringBuilder lines = new StringBuilder(source.length());
        char quote = 0;
        for (int i = 0; i < source.length(); i++) {
            char c = source.charAt(i);
            lines.append(c);
            if (quote != 0) {
                if (c == '\\') {
                    lines.append(source.charAt(++i));
                } else if (c == quote) {
                    quote = 0;
                }
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if ((c == ';' || c == '{' || c == '}') && i + 1 < source.length() && source.charAt(i + 1) == ' ') {
                lines.append('\n');
            }
        }
        return lines.toString();
    }
}
