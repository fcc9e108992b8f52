package dev.cleave.agent.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command line.
 *
 * @param paths what stands behind the command, options left out
 * @param report the file for the report, or null
 * @param config the application file, or null
 * @param verbose whether a failure shows its stack
 */
record Arguments(
        Command command,
        List<String> paths,
        @Nullable String report,
        @Nullable String config,
        boolean verbose) {

    /** What can be done. */
    enum Command {
        EXPLAIN("explain PATH... [--report FILE] [--config FILE]"),
        WEAVE("weave IN OUT [--config FILE]"),
        VERIFY("verify PATH... [--config FILE]");

        private final String usage;

        Command(String usage) {
            this.usage = usage;
        }
    }

    Arguments {
        paths = List.copyOf(paths);
    }

    /**
     * Reads a command line.
     *
     * @throws ToolException if it is not understood
     */
    static Arguments parse(String... words) {
        if (words.length == 0) {
            throw ToolException.misunderstood("no command (expected: explain, weave or verify)");
        }
        Command command =
                switch (words[0]) {
                    case "explain" -> Command.EXPLAIN;
                    case "weave" -> Command.WEAVE;
                    case "verify" -> Command.VERIFY;
                    default ->
                        throw ToolException.misunderstood(
                                "command: " + words[0] + " (expected: explain, weave or verify)");
                };
        List<String> paths = new ArrayList<>();
        String report = null;
        String config = null;
        boolean verbose = false;
        for (int i = 1; i < words.length; i++) {
            switch (words[i]) {
                case "--verbose" -> verbose = true;
                case "--config" -> config = file(words, ++i);
                case "--report" -> {
                    if (command != Command.EXPLAIN) {
                        throw misunderstood(command, "option: --report");
                    }
                    report = file(words, ++i);
                }
                default -> {
                    if (words[i].startsWith("-")) {
                        throw misunderstood(command, "option: " + words[i]);
                    }
                    paths.add(words[i]);
                }
            }
        }
        boolean enough = command == Command.WEAVE ? paths.size() == 2 : !paths.isEmpty();
        if (!enough) {
            throw misunderstood(command, "paths: " + paths.size());
        }
        return new Arguments(command, paths, report, config, verbose);
    }

    private static String file(String[] words, int at) {
        if (at == words.length || words[at].isEmpty()) {
            throw ToolException.misunderstood(
                    words[at - 1] + ": no file behind it (expected: " + words[at - 1] + " FILE)");
        }
        return words[at];
    }

    private static ToolException misunderstood(Command command, String what) {
        return ToolException.misunderstood(what + " (expected: " + command.usage + ")");
    }
}
