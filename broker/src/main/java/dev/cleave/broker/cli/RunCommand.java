package dev.cleave.broker.cli;

import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.ScratchFolder;
import dev.cleave.config.Bindings;
import dev.cleave.config.ClientBinding;
import dev.cleave.transport.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave run}: runs the client of an application file against a broker that runs. */
@Command(
        name = "run",
        description = "Run the client of an application file with the agent, against the broker and replicas that run.",
        footer = "Its exit code is 0 if that of the client is, else 1.",
        mixinStandardHelpOptions = true)
final class RunCommand implements Subcommand {

    @Parameters(index = "0", paramLabel = "FILE", description = "The application file.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Parameters(index = "1..*", paramLabel = "ARG", description = "Arguments of the client; else those of the file.")
    private List<String> args = List.of();

    @Option(names = "--broker", paramLabel = "ENDPOINT", description = "The broker, cleave://host:port.")
    private @Nullable String broker;

    @Option(
            names = {"--without-agent", "--no-agent"},
            description = "Run it without the agent.")
    private boolean withoutAgent;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Where the agent says what it did: .json, .html, or text.")
    private @Nullable Path report;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        OutputFile.requireDirectory(report);
        Bindings bindings = Bindings.load(file);
        ClientBinding client = bindings.client();
        if (client == null) {
            throw new CommandException(file + ": no client (expected: client: {main: ...})");
        }
        Endpoint endpoint = BrokerEndpoint.of(broker, bindings);
        String at = "cleave://" + endpoint.host() + ":" + endpoint.port();
        return ScratchFolder.use("run", files -> run(client, bindings, at, files));
    }

    private int run(ClientBinding client, Bindings bindings, String at, ScratchFolder files) throws IOException {
        try (Fleet fleet = Fleet.open(files.path(), line -> {})) {
            Path made = report == null ? fleet.directory().resolve("report.txt") : report.toAbsolutePath();
            int exitCode = fleet.runInForeground(ClientCommand.of(
                    client, args.isEmpty() ? client.args() : args, file, bindings, at, withoutAgent ? null : made));
            if (!withoutAgent && Files.isRegularFile(made)) {
                files.keepIfWithin(made);
                Sentences.say(
                        spec.commandLine().getErr(), "what the agent did to the calls of the client is in " + made);
                spec.commandLine().getErr().flush();
            }
            return exitCode == 0 ? 0 : ExitCode.SOFTWARE;
        }
    }
}
