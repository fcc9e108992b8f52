package dev.cleave.broker.cli;

import dev.cleave.CallException;
import dev.cleave.broker.process.ProcessException;
import dev.cleave.config.ConfigException;
import dev.cleave.config.Nearest;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.Names;
import java.io.PrintWriter;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;

/** The root of the command line: finds the commands, runs one, and turns every failure into one line. */
@Command(
        name = "cleave",
        description = "RMI whose calls split themselves.",
        mixinStandardHelpOptions = true,
        versionProvider = CleaveVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        exitCodeOnInvalidInput = Main.USAGE,
        exitCodeOnExecutionException = Main.FAILED)
public final class Main implements Runnable {

    /** Exit code of a command that could not do its work. */
    public static final int FAILED = 1;

    /** Exit code of a wrong command line. */
    public static final int USAGE = 2;

    @Option(names = "--verbose", scope = ScopeType.INHERIT, description = "Print the stack of a failure.")
    private boolean verbose;

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    private Main() {}

    /** Runs a command and ends this JVM with its exit code. */
    public static void main(String[] args) {
        int exitCode = run(new PrintWriter(System.out, true), new PrintWriter(System.err, true), args);
        System.out.flush();
        System.exit(exitCode);
    }

    /** Runs a command in this JVM and returns its exit code. */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        return commandLine(out, err).execute(args);
    }

    /** Returns the command line with all commands. */
    public static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        Main main = new Main();
        CommandLine line = new CommandLine(main);
        line.addSubcommand(new BrokerCommand());
        line.addSubcommand(new ServeCommand());
        line.addSubcommand(new KeysCommand());
        line.addSubcommand(new ServicesCommand());
        line.addSubcommand(new BrokersCommand());
        line.addSubcommand(new DrainCommand());
        line.addSubcommand(new UpCommand());
        line.addSubcommand(new RunCommand());
        line.addSubcommand(new CheckCommand());
        line.addSubcommand(new ReloadCommand());
        line.addSubcommand(new CompareCommand());
        line.addSubcommand(new AdviseCommand());
        line.addSubcommand(new NewCommand());
        line.addSubcommand(new ExplainCommand());
        line.addSubcommand(new WeaveCommand());
        line.addSubcommand(new VerifyCommand());
        line.addSubcommand(new MeasureCommand());
        line.addSubcommand(new CompatCommand());
        line.addSubcommand(new CompletionCommand());
        line.addSubcommand(new CommandLine.HelpCommand());
        ServiceLoader.load(Subcommand.class).forEach(line::addSubcommand);
        return line.setExpandAtFiles(false) // a mistake in such a file would be quoted in the message
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler(Main::misunderstood)
                .setExecutionExceptionHandler(main::failed);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command (expected: one of " + commands() + ")");
    }

    private String commands() {
        return String.join(", ", spec.subcommands().keySet());
    }

    private static int misunderstood(ParameterException e, String[] args) {
        CommandLine line = e.getCommandLine();
        line.getErr()
                .println("cleave: " + oneLine(meant(e)) + "; see "
                        + line.getCommandSpec().qualifiedName() + " --help");
        line.getErr().flush();
        return USAGE;
    }

    /** The message, with the nearest word in place of one that is unknown. */
    private static @Nullable String meant(ParameterException e) {
        CommandLine line = e.getCommandLine();
        if (!(e instanceof CommandLine.UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()) {
            return e.getMessage();
        }
        String word = unmatched.getUnmatched().get(0);
        if (unmatched.isUnknownOption()) {
            String hint = Nearest.hint(word, line.getCommandSpec().optionsMap().keySet());
            return e.getMessage() + (hint.startsWith("(did") ? " " + hint : "");
        }
        if (line.getSubcommands().isEmpty()) {
            return e.getMessage();
        }
        return "unknown command '" + word + "' "
                + Nearest.hint(word, line.getSubcommands().keySet());
    }

    private int failed(Exception e, CommandLine line, ParseResult parsed) {
        line.getErr().println("cleave: " + oneLine(e));
        if (verbose) {
            e.printStackTrace(line.getErr());
        }
        line.getErr().flush();
        return FAILED;
    }

    private static String oneLine(@Nullable String message) {
        return message == null ? "no message" : Names.escaped(message.strip().replaceAll("\\s*\\R\\s*", "; "));
    }

    private static String oneLine(Exception failure) {
        boolean ours = failure instanceof CommandException
                || failure instanceof ProcessException
                || failure instanceof ConfigException
                || failure instanceof CallException
                || failure instanceof TransportException
                || failure instanceof IllegalArgumentException;
        String message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return failure.getClass().getName() + " (--verbose shows where)";
        }
        return ours
                ? oneLine(message)
                : failure.getClass().getSimpleName().replaceFirst("Exception$", "") + ": " + oneLine(message);
    }
}
