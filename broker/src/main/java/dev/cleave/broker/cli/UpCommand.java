package dev.cleave.broker.cli;

import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.broker.process.Member;
import dev.cleave.broker.process.ProcessException;
import dev.cleave.broker.process.ScratchFolder;
import dev.cleave.broker.report.TextTable;
import dev.cleave.config.Bindings;
import dev.cleave.config.ClientBinding;
import dev.cleave.config.FollowedFile;
import dev.cleave.transport.Endpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
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
            "It starts and stops replicas when the file changes. Without a client, `restart NAME` on its input restarts a replica.",
            "Replicas and client answer at admin ports of loopback, whose figures the tables show; --no-live: they do not.",
            "Classes are looked for on the classpath: of the file, then on CLEAVE_CLASSPATH."
        },
        mixinStandardHelpOptions = true)
final class UpCommand implements Subcommand {

    private static final String RESTART = "restart ";

    @Parameters(paramLabel = "FILE", description = "The application file.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Option(
            names = {"--without-agent", "--no-agent"},
            description = "Run the client without the agent.")
    private boolean withoutAgent;

    @Option(
            names = "--scale",
            paramLabel = "SERVICE=N",
            split = ",",
            description = "Run this number of replicas of a service; further ones are named SERVICE-1, SERVICE-2 ...")
    private Map<String, Integer> scale = Map.of();

    @Option(
            names = "--dry-run",
            description = "Start nothing: print the commands that start each process on its own machine.")
    private boolean dryRun;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Where the agent says what it did: .json, .html, or text.")
    private @Nullable Path report;

    @Option(
            names = "--live",
            negatable = true,
            description = {
                "Show calls a second, queues, times and overlap of each service and process at intervals.",
                "Without it: on a terminal, if there is no client."
            })
    private @Nullable Boolean live;

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
        Scale.apply(file, scale);
        Bindings bindings = Bindings.load(file);
        Map<String, List<String>> services = Application.servicesOf(bindings);
        if (services.isEmpty()) {
            throw new CommandException(file + ": no service names a replica (expected: replicas: [{name: ...}])");
        }
        Console console = Console.on(spec.commandLine().getOut());
        List<Endpoint> brokers = BrokerEndpoint.all(null, bindings);
        if (dryRun) {
            new DryRun(file, bindings, brokers, insecure, !withoutAgent).lines().forEach(console::say);
            return 0;
        }
        try (ScratchFolder files = ScratchFolder.open("up")) {
            try {
                return run(bindings, services, brokers, console, files);
            } catch (IOException | RuntimeException e) {
                files.keep(); // the message may name files there
                throw e;
            }
        }
    }

    private int run(
            Bindings bindings,
            Map<String, List<String>> services,
            List<Endpoint> brokers,
            Console console,
            ScratchFolder files)
            throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        try (Progress progress = Progress.on(err);
                Fleet fleet = Fleet.open(files.path(), line -> {
                    keep(files); // the line names a file there
                    Sentences.say(err, line);
                    err.flush();
                })) {
            long begin = System.nanoTime();
            progress.show("starting the broker and " + services.size() + " replicas");
            String listen = brokers.stream()
                    .map(endpoint -> endpoint.host() + ":" + endpoint.port())
                    .collect(Collectors.joining(","));
            boolean mayShow = live == null ? bindings.security().grants().isEmpty() : live;
            AdminFigures figures = mayShow ? AdminFigures.of(files.path()) : null;
            List<String> options = figures == null ? List.of() : figures.options(bindings);
            Application.Plan plan = new Application.Plan(file, listen, options, insecure);
            Application running = Application.start(plan, fleet, (name, line) -> relay(console, name, line));
            progress.show("");
            show(running, services).lines().forEach(console::say);
            console.say("all are ready after " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) + " ms");
            ClientBinding client = bindings.client();
            followFile(running, console);
            if (client != null) {
                JvmCommand command = clientCommand(client, bindings, running, fleet, options);
                return ended(
                        runClient(command, fleet, ShownFigures.of(figures, running, console), console), files, fleet);
            }
            console.say("Ctrl-C stops all of it; restart NAME restarts a replica");
            readInput(running, console);
            ShownFigures shown = ShownFigures.of(figures, running, console);
            if (live == null ? console.isTerminal() : live) {
                shown.start();
            }
            awaitEnd(running);
            shown.close();
            throw new CommandException("all servers have ended; their output is in " + fleet.directory());
        }
    }

    private static void keep(ScratchFolder files) {
        try {
            files.keep();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs the client to its end; returns its exit code. */
    private int runClient(JvmCommand command, Fleet fleet, ShownFigures figures, Console console) throws IOException {
        boolean shows = live != null && live;
        if (shows) {
            figures.start();
        }
        try {
            return shows ? fleet.runInForeground(command, console::say) : fleet.runInForeground(command);
        } finally {
            figures.close();
            figures.sayAll();
        }
    }

    private Path made(Fleet fleet) {
        return report == null ? fleet.directory().resolve("report.txt") : report.toAbsolutePath();
    }

    private JvmCommand clientCommand(
            ClientBinding client, Bindings bindings, Application running, Fleet fleet, List<String> options) {
        JvmCommand command = ClientCommand.of(
                client, client.args(), file, bindings, running.broker(), withoutAgent ? null : made(fleet));
        for (String option : options) {
            command = command.with(option);
        }
        return command;
    }

    private int ended(int exitCode, ScratchFolder files, Fleet fleet) throws IOException {
        Path made = made(fleet);
        if (!withoutAgent && Files.isRegularFile(made)) {
            files.keepIfWithin(made);
            Console.on(spec.commandLine().getOut()).say("what the agent did to the calls of the client is in " + made);
        }
        return exitCode == 0 ? 0 : ExitCode.SOFTWARE;
    }

    private static void relay(Console console, String name, String line) {
        if (!line.startsWith(Application.BROKER_READY) && !line.startsWith(Application.ready(name))) {
            console.say(name, line);
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

    /** Starts and stops replicas when the file changes. */
    private void followFile(Application running, Console console) {
        FollowedFile followed = FollowedFile.of(file, changed -> {
            try {
                running.follow(changed);
            } catch (ProcessException e) {
                console.say("cleave", String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        inBackground("follow-file", () -> {
            while (!Thread.currentThread().isInterrupted()) {
                TimeUnit.SECONDS.sleep(1);
                boolean unused = followed.poll();
            }
        });
    }

    private void readInput(Application running, Console console) {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        inBackground("input", () -> {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                console.typed();
                obey(line.strip(), running, console);
            }
        });
    }

    /** Does what a line of the input asks for. */
    static void obey(String line, Application running, Console console) throws InterruptedException {
        List<String> names = running.replicas();
        String name =
                line.startsWith(RESTART) ? line.substring(RESTART.length()).strip() : "";
        if (!names.contains(name)) {
            console.say(
                    "cleave", line + ": not understood (expected: restart NAME, of " + String.join(", ", names) + ")");
            return;
        }
        try {
            running.stop(List.of(name));
            Member started = running.start(List.of(name)).get(0);
            console.say("cleave", name + " has been restarted, as process " + started.pid());
        } catch (ProcessException e) {
            console.say("cleave", String.valueOf(e.getMessage()));
        }
    }

    /** A task that may be interrupted, and reads from files. */
    private interface Task {

        void run() throws InterruptedException, IOException;
    }

    private static void inBackground(String name, Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } catch (IOException e) {
                        // The input was closed: there are no more commands.
                    }
                },
                "cleave-up-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits until all members have ended, those too that take the place of others. */
    private static void awaitEnd(Application running) throws InterruptedException {
        for (List<Member> alive = alive(running); !alive.isEmpty(); alive = alive(running)) {
            alive.get(0).awaitEnd();
        }
    }

    private static List<Member> alive(Application running) {
        return running.members().stream().filter(Member::isAlive).toList();
    }
}
