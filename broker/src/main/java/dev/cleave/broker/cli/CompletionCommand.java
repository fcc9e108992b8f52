package dev.cleave.broker.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave completion}: the script by which a shell completes commands and options. */
@Command(
        name = "completion",
        description = "Print the script by which a shell completes commands and options.",
        footer = "For bash and zsh: source <(bin/cleave completion bash)",
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Subcommand {

    @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
    private String shell = "";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (!shell.equals("bash") && !shell.equals("zsh")) {
            throw new ParameterException(spec.commandLine(), shell + ": no script for it (expected: bash or zsh)");
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(AutoComplete.bash("cleave", spec.root().commandLine())); // begins with what zsh needs
        out.flush();
        return 0;
    }
}
