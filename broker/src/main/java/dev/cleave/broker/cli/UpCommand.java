package dev.cleave.broker.cli;

import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.broker.process.Member;
import dev.cleave.broker.report.TextTable;
import dev.cleave.config.Bindings;
import dev.cleave.config.ClientBinding;
import dev.cleave.config.Overrides;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave up}: starts all processes that an application file names on this machine, and stops them together. */
@Command(
        name = "up",
        description = "Start the broker, the replicas and the client of an application file on this machine.",
        footer = {
            "Without a client it runs until Ctrl-C. Ctrl-C, or the end of the client, stops all of it.",
            "Classes are looked for on the classpath: of the file, then on CLEAVE_CLASSPATH."
        },
        mixinStandardHelpOptions = true)
final class UpCommand implements Subcommand {

    @Parameters(paramLabel = "FILE", description = "The application file.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Option(names = "--no-agent", description = "Run the client without the agent.")
    private boolean withoutAgent;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Where the agent says what it did: .json, .html, or text.")
    private @Nullable Path report;

    @Option(
            names = "--insecure",
            description =
                    "Broker and replicas may listen where other machines reach them, without encryption or identity.")
    private boolean insecure;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        OutputFile.requireDirectory(report);
        Bindings bindings = Bindings.load(file);
        Map<String, List<String>> services = Application.servicesOf(bindings);
        if (services.isEmpty()) {
            throw new CommandException(file + ": no service names a replica (expected: replicas: [{name: ...}])");
        }
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try (Progress progress = Progress.on(err);
                Fleet fleet = Fleet.open(Files.createTempDirectory("cleave-up-"), line -> say(err, line))) {
            progress.show("starting the broker and " + services.size() + " replicas");
            String listen = BrokerEndpoint.all(null, bindings).stream()
                    .map(endpoint -> endpoint.host() + ":" + endpoint.port())
                    .collect(Collectors.joining(","));
            Application.Plan plan = new Application.Plan(file, listen, List.of(), insecure);
            Application running = Application.start(plan, fleet, (name, line) -> relay(out, name, line));
            progress.show("");
            show(running, services).lines().forEach(line -> say(out, line));
            ClientBinding client = bindings.client();
            if (client != null) {
                Path made = report == null ? fleet.directory().resolve("report.txt") : report.toAbsolutePath();
                int exitCode = fleet.runInForeground(command(client, bindings, running, made));
                if (!withoutAgent && Files.isRegularFile(made)) {
                    say(out, "what the agent did to the calls of the client is in " + made);
                }
                return exitCode == 0 ? 0 : Main.FAILED;
            }
            say(out, "Ctrl-C stops all of it");
            awaitEnd(running.members());
            throw new CommandException("all servers have ended; their output is in " + fleet.directory());
        }
    }

    private static void say(PrintWriter writer, String line) {
        writer.println(line);
        writer.flush();
    }

    private static void relay(PrintWriter out, String name, String line) {
        if (!line.startsWith(Application.BROKER_READY) && !line.startsWith(Application.ready(name))) {
            say(out, name + " | " + line);
        }
    }

    private static TextTable show(Application running, Map<String, List<String>> services) {
        TextTable table = new TextTable("process", "pid", "serves");
        for (Member member : running.members()) {
            List<String> serves = services.get(member.name());
            if (serves == null) {
                serves = List.of(
                        member.name().startsWith("zookeeper-")
                                ? "store of the brokers"
                                : "broker at " + running.broker(member.name()));
            }
            table.add(member.name(), Long.toString(member.pid()), String.join(", ", serves));
        }
        return table;
    }

    private JvmCommand command(ClientBinding client, Bindings bindings, Application running, Path made) {
        List<String> options = new ArrayList<>(Agent.clientOptions(file, running.broker()));
        options.addAll(Overrides.options());
        if (!withoutAgent) {
            options.add(Agent.required().option(file, made));
        }
        return new JvmCommand("client", options, client.main(), client.args())
                .behind(ApplicationClasses.path(file, bindings));
    }

    private static void awaitEnd(List<Member> members) throws InterruptedException {
        for (Member member : members) {
            member.awaitEnd();
        }
    }
}
