package dev.cleave.agent.premain;

import org.jspecify.annotations.Nullable;

/**
 * The options after {@code -javaagent:cleave-agent.jar=}.
 *
 * @param report the file of the report, null for the error stream
 * @param config the application file, or null
 * @param quiet whether nothing is written to the error stream
 */
record AgentOptions(@Nullable String report, @Nullable String config, boolean quiet) {

    private static final String EXPECTED = " (expected: report=FILE, config=FILE, quiet)";

    /** Reads options separated by commas. */
    static AgentOptions parse(@Nullable String text) {
        String report = null;
        String config = null;
        boolean quiet = false;
        for (String option : text == null || text.isBlank() ? new String[0] : text.split(",")) {
            int equals = option.indexOf('=');
            String key = (equals < 0 ? option : option.substring(0, equals)).strip();
            String value = equals < 0 ? "" : option.substring(equals + 1).strip();
            if (key.equals("quiet") && equals < 0) {
                quiet = true;
            } else if (key.equals("report") && !value.isEmpty()) {
                report = value.equals("-") ? null : value;
            } else if (key.equals("config") && !value.isEmpty()) {
                config = value;
            } else {
                throw new IllegalArgumentException("agent option: " + option + EXPECTED);
            }
        }
        return new AgentOptions(report, config, quiet);
    }
}
