package dev.cleave.broker.cli;

import dev.cleave.broker.advice.Trace;
import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.config.Bindings;
import dev.cleave.config.ClientBinding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The processes of an application file on this machine, all of which record their calls. Its client can run any number of times.
 * Closing ends the processes, which write their recordings then.
 */
final class RecordedApplication implements AutoCloseable {

    private static final String SETTINGS = "calls.jfc";
    private static final Pattern PROCESS = Pattern.compile("-pid-([0-9]+)-");

    private final Path file;
    private final Fleet fleet;
    private final Application running;
    private final Map<Long, String> names; // of the servers, by the number of their process
    private int runs;

    /**
     * A run of the client.
     *
     * @param output the file with its standard output
     * @param seconds from the start of its process to its end
     * @param recording the directory of its record
     * @param began when it began
     * @param ended when it ended
     */
    record Run(Path output, double seconds, Path recording, Instant began, Instant ended) {

        /** Says whether the other printed the same, byte by byte. */
        boolean sameOutput(Run other) throws IOException {
            return Files.mismatch(output, other.output) < 0;
        }
    }

    private RecordedApplication(Path file, Fleet fleet, Application running, Map<Long, String> names) {
        this.file = file;
        this.fleet = fleet;
        this.running = running;
        this.names = Map.copyOf(names);
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
            Files.writeString(directory.resolve(SETTINGS), Trace.SETTINGS);
            Path servers = Files.createDirectory(directory.resolve("servers"));
            Application running = Application.start(
                    new Application.Plan(file, "localhost:0", recording(servers), false), fleet, (name, line) -> {});
            Map<Long, String> names = new HashMap<>();
            running.members().forEach(member -> names.put(member.pid(), member.name()));
            return new RecordedApplication(file, fleet, running, names);
        } catch (RuntimeException e) {
            fleet.close();
            throw e;
        }
    }

    /**
     * The options of a process that writes its record into a directory when it ends: the recorder chooses the name, with the number of
     * the process, and says nothing on the standard output.
     */
    private static List<String> recording(Path into) {
        return List.of(
                "-XX:StartFlightRecording=filename=" + into + ",dumponexit=true,settings="
                        + into.resolveSibling(SETTINGS),
                "-Xlog:jfr+startup=error");
    }

    /** Runs the client to its end. */
    Run run(boolean withAgent) {
        Bindings bindings = Bindings.load(file);
        ClientBinding client = bindings.client();
        if (client == null) {
            throw new CommandException(file + ": no client (expected: client: {main: ...})");
        }
        String name = "client-" + ++runs;
        Path recording = directory(name);
        Path report = withAgent ? fleet.directory().resolve(name + ".report") : null;
        JvmCommand command = ClientCommand.of(client, client.args(), file, bindings, running.broker(), report);
        List<String> options = new ArrayList<>(command.options());
        options.addAll(recording(recording));
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

    /** Returns the record of a run; after {@link #close}. */
    Trace trace(Run run) throws IOException {
        Map<String, Path> written = new HashMap<>();
        for (Path file : files(fleet.directory().resolve("servers"))) {
            Matcher process = PROCESS.matcher(file.getFileName().toString());
            String name = process.find() ? names.get(Long.valueOf(process.group(1))) : null;
            if (name != null) {
                written.put(name, file);
            }
        }
        List<Path> ofClient = files(run.recording());
        if (ofClient.isEmpty()) {
            throw new CommandException(
                    run.recording() + ": the client has written no record (expected: it ends by itself)");
        }
        return Trace.read(ofClient.get(0), written).within(run.began(), run.ended());
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jfr")).toList();
        }
    }

    private Path directory(String name) {
        try {
            return Files.createDirectory(fleet.directory().resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        fleet.close();
    }
}
