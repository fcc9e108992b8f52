package dev.cleave.broker.cli;

import dev.cleave.broker.advice.Trace;
import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.config.Bindings;
import dev.cleave.config.ClientBinding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The processes of an application file on this machine, all of which record their calls. Its client can run any number of times.
 * Closing ends the processes, which write their recordings then.
 */
final class RecordedApplication implements AutoCloseable {

    private final Path file;
    private final Fleet fleet;
    private final Application running;
    private final Map<String, Path> recordings;
    private int runs;

    /**
     * A run of the client.
     *
     * @param output the file with its standard output
     * @param seconds from the start of its process to its end
     * @param recording the file with what it has recorded
     * @param began when it began
     * @param ended when it ended
     */
    record Run(Path output, double seconds, Path recording, Instant began, Instant ended) {

        /** Says whether the other printed the same, byte by byte. */
        boolean sameOutput(Run other) throws IOException {
            return Files.mismatch(output, other.output) < 0;
        }
    }

    private RecordedApplication(Path file, Fleet fleet, Application running, Map<String, Path> recordings) {
        this.file = file;
        this.fleet = fleet;
        this.running = running;
        this.recordings = Map.copyOf(recordings);
    }

    /** Starts broker and replicas of a file, which names a client. */
    static RecordedApplication start(Path file, Path directory) throws IOException {
        Bindings bindings = Bindings.load(file);
        if (bindings.client() == null) {
            throw new CommandException(file + ": no client (expected: client: {main: ...})");
        }
        if (Application.servicesOf(bindings).isEmpty()) {
            throw new CommandException(file + ": no service names a replica (expected: replicas: [{name: ...}])");
        }
        Fleet fleet = Fleet.open(directory, line -> {});
        try {
            Map<String, Path> recordings = new HashMap<>();
            // each process of an application has the same options: %p is its number
            String option = recording(fleet.directory().resolve("server-%p.jfr"));
            Application running = Application.start(
                    new Application.Plan(file, "localhost:0", List.of(option), false), fleet, (name, line) -> {});
            running.members()
                    .forEach(member -> recordings.put(
                            member.name(), fleet.directory().resolve("server-" + member.pid() + ".jfr")));
            return new RecordedApplication(file, fleet, running, recordings);
        } catch (RuntimeException e) {
            fleet.close();
            throw e;
        }
    }

    private static String recording(Path to) {
        return "-XX:StartFlightRecording=filename=" + to + ",dumponexit=true," + Trace.EVENTS;
    }

    /** Runs the client to its end. */
    Run run(boolean withAgent) {
        Bindings bindings = Bindings.load(file);
        ClientBinding client = bindings.client();
        if (client == null) {
            throw new CommandException(file + ": no client (expected: client: {main: ...})");
        }
        String name = "client-" + ++runs;
        Path recording = fleet.directory().resolve(name + ".jfr");
        Path report = withAgent ? fleet.directory().resolve(name + ".report") : null;
        JvmCommand command = ClientCommand.of(client, client.args(), file, bindings, running.broker(), report);
        List<String> options = new ArrayList<>(command.options());
        options.add(recording(recording));
        options.add("-Xlog:disable");
        JvmCommand recorded =
                new JvmCommand(name, options, command.mainClass(), command.args(), command.launcher(), command.path());
        Instant began = Instant.now();
        var finished = fleet.run(recorded);
        Instant ended = Instant.now();
        try {
            List<String> unused = finished.messages(); // a client that failed has no time
        } catch (IOException e) {
            throw new CommandException(finished.errors() + ": " + e.getMessage());
        }
        return new Run(finished.output(), Duration.between(began, ended).toNanos() / 1e9, recording, began, ended);
    }

    /** What a run has recorded; after {@link #close}. */
    Trace trace(Run run) throws IOException {
        Map<String, Path> written = new HashMap<>();
        recordings.forEach((name, path) -> {
            if (Files.isRegularFile(path)) {
                written.put(name, path);
            }
        });
        return Trace.read(run.recording(), written).within(run.began(), run.ended());
    }

    Path directory() {
        return fleet.directory();
    }

    @Override
    public void close() {
        fleet.close();
    }
}
