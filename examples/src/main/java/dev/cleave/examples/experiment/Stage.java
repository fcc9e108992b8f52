package dev.cleave.examples.experiment;

import dev.cleave.broker.cli.Agent;
import dev.cleave.broker.cli.Application;
import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.broker.process.Member;
import dev.cleave.broker.process.ScratchFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The processes of one experiment, each a JVM of its own on this machine. Closing ends them. */
public final class Stage implements AutoCloseable {

    /**
     * The options of all JVMs: one simple collector keeps many JVMs on few cores comparable. With it HotSpot compiles
     * counting loops without safepoints, unless told otherwise, and a long loop keeps a process from answering pings.
     */
    private static final List<String> JVM =
            List.of("-XX:+UseSerialGC", "-XX:+UseCountedLoopSafepoints", "-XX:LoopStripMiningIter=1000", "-Xmx256m");

    private final Fleet fleet;
    private final ScratchFolder files;

    private Stage(Fleet fleet, ScratchFolder files) {
        this.fleet = fleet;
        this.files = files;
    }

    /** Opens an empty stage whose files are in a new directory; {@code onDeath} hears of servers that end too early. */
    public static Stage open(Consumer<String> onDeath) throws IOException {
        ScratchFolder files = ScratchFolder.open("stage");
        Fleet fleet = Fleet.open(files.path(), line -> {
            try {
                files.keep(); // the line names a file there
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            onDeath.accept(line);
        });
        return new Stage(fleet, files);
    }

    /** Starts the broker, on a port of its own, and the replicas of an application file. */
    public Application serve(Path file) {
        return serve(file, List.of());
    }

    /** The same, with further options of their JVMs. */
    public Application serve(Path file, List<String> options) {
        return Application.start(
                new Application.Plan(file, "localhost:0", jvm(options), false), fleet, (name, line) -> {});
    }

    /** Runs a client to its end. */
    public Run run(Client client) throws IOException {
        var finished = fleet.run(command(client, List.of()));
        return new Run(finished.output(), Run.times(finished.messages()), report(client));
    }

    /** Starts a client that obeys the lines of its standard input, until the stage is closed. */
    public Member start(Client client) {
        return start(client, List.of());
    }

    /** The same, with further options of its JVM. */
    public Member start(Client client, List<String> options) {
        return fleet.start(command(client, options), line -> {});
    }

    /** Starts a program that has nothing to do with servers of this stage, until the stage is closed. */
    public Member start(String name, Class<?> mainClass, List<String> args) {
        return fleet.start(new JvmCommand(name, JVM, mainClass.getName(), args), line -> {});
    }

    private static List<String> jvm(List<String> further) {
        List<String> options = new ArrayList<>(JVM);
        options.addAll(further);
        return options;
    }

    private JvmCommand command(Client client, List<String> further) {
        List<String> options = jvm(further);
        options.addAll(Agent.clientOptions(client.file(), client.servers().broker()));
        if (client.calls() == Calls.CLEAVED) {
            options.add(Agent.required().option(client.file(), report(client)));
        }
        return new JvmCommand(client.name(), options, client.mainClass().getName(), client.args());
    }

    private Path report(Client client) {
        return fleet.directory().resolve(client.name() + ".report");
    }

    /**
     * Starts a client that searches in rounds, and has warmed up.
     *
     * @param warm the queries with which it warms up
     */
    public RemoteSearch search(String name, Calls calls, Path file, Application servers, int warm) {
        Path output = fleet.directory().resolve(name + ".matches");
        List<String> args = List.of(output.toString(), Integer.toString(warm));
        Client client = new Client(name, calls, file, servers, RemoteSearch.mainClass(), args);
        return RemoteSearch.start(start(client), output, report(client));
    }

    /** Starts processes that search without Cleave. */
    public LocalSearches localSearches(int processes) {
        return LocalSearches.start(fleet, JVM, processes);
    }

    /** The directory of the files of this experiment. */
    public Path directory() {
        return fleet.directory();
    }

    @Override
    public void close() {
        fleet.close();
        files.close();
    }
}
