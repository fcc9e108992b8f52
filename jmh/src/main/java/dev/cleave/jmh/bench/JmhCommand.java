package dev.cleave.jmh.bench;

import dev.cleave.broker.cli.Subcommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** {@code cleave jmh}: runs the JMH benchmarks of single classes and of whole calls. */
@Command(
        name = "jmh",
        customSynopsis = "cleave jmh [PATTERN...] [JMH options]",
        description = {
            "Run the JMH benchmarks whose names match a pattern, or all.",
            "The options are those of JMH: -l lists the benchmarks, -p NAME=VALUE,... chooses parameters,"
                    + " -f, -wi and -i give the number of JVMs, warm-ups and measurements, -prof gc counts allocation."
        })
public final class JmhCommand implements Subcommand {

    @Option(names = "--help", usageHelp = true, description = "Show this help.")
    private boolean help;

    @Unmatched
    private List<String> words = new ArrayList<>();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        try {
            CommandLineOptions options = new CommandLineOptions(words.toArray(new String[0]));
            Runner runner = new Runner(options);
            if (options.shouldList()) {
                runner.list();
            } else if (options.shouldListWithParams()) {
                runner.listWithParams(options);
            } else if (options.shouldListProfilers()) {
                options.listProfilers();
            } else {
                runner.run();
            }
            return 0;
        } catch (CommandLineOptionException | NoBenchmarksException e) {
            throw new ParameterException(
                    spec.commandLine(), e.getMessage() + " (expected: a pattern and JMH options; -l lists benchmarks)");
        } catch (RunnerException e) {
            throw new IOException("jmh: " + e.getMessage(), e);
        }
    }
}
