package dev.cleave.jmh.bench;

import dev.cleave.broker.cli.Main;
import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.broker.process.Launcher;
import dev.cleave.broker.process.Member;
import dev.cleave.broker.process.ScratchFolder;
import dev.cleave.jmh.bench.talk.Client;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The processes of one run of the bench. Closing ends them. */
final class Stage implements AutoCloseable {

    /** The same for all: one simple collector keeps many JVMs on few cores comparable. */
    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-Xms64m", "-Xmx768m", "-Xshare:auto");

    private static final String BROKER_READY = "broker ready at ";
    private static final String READY = "ready";
    private static final Duration START = Duration.ofSeconds(60);

    private final Fleet fleet;
    private final Placement placement;
    private final ScratchFolder files;

    private Stage(Fleet fleet, Placement placement, ScratchFolder files) {
        this.files = files;
        this.fleet = fleet;
        this.placement = placement;
    }

    /** Opens an empty stage whose files are in a new directory; {@code onDeath} hears of servers that end too early. */
    static Stage open(Placement placement, Consumer<String> onDeath) throws IOException {
        ScratchFolder files = ScratchFolder.open("bench");
        return new Stage(Fleet.open(files.path(), onDeath), placement, files);
    }

    /** Starts a broker with an application file, and returns its endpoint. */
    String broker(String applicationFile) throws IOException {
        return broker(Files.writeString(fleet.directory().resolve("bench.yaml"), applicationFile));
    }

    /** Starts a broker with an application file, whose name its own begins with, and returns its endpoint. */
    String broker(Path file) {
        String name = file.getFileName().toString().replace(".yaml", "-broker");
        List<String> args = List.of("broker", "--config", file.toString(), "--listen", "localhost:0");
        Member broker = start(new JvmCommand(name, JVM, Main.class.getName(), args));
        return broker.awaitLine(BROKER_READY, START).substring(BROKER_READY.length());
    }

    /** Starts a server with further options of its JVM, and returns what it says after {@code ready} when it is. */
    String server(JvmCommand command) {
        return start(common(command))
                .awaitLine(READY, START)
                .substring(READY.length())
                .strip();
    }

    /** Starts a client with further options of its JVM. */
    Client client(JvmCommand command) {
        return new Client(start(common(command)));
    }

    private static JvmCommand common(JvmCommand command) {
        List<String> options = new ArrayList<>(JVM);
        options.addAll(command.options());
        return new JvmCommand(command.name(), options, command.mainClass(), command.args())
                .with(command.launcher())
                .behind(Peers.jars());
    }

    /** Runs a JVM to its end, and returns the nanoseconds that it took; what it says is read and dropped. */
    long run(JvmCommand command) {
        JvmCommand placed = command.with(placement.place(command.launcher()));
        long begun = System.nanoTime();
        try {
            Process process =
                    new ProcessBuilder(placed.line()).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exitCode = process.waitFor();
            if (exitCode != 0) {
                throw new IllegalStateException(command.name() + " ended with " + exitCode + ": " + said.strip());
            }
            return System.nanoTime() - begun;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Where the files of this run are. */
    Path directory() {
        return fleet.directory();
    }

    @Override
    public void close() {
        fleet.close();
        files.close();
    }

    private Member start(JvmCommand command) {
        Launcher launcher = placement.place(command.launcher());
        return fleet.start(command.with(launcher), line -> {});
    }
}
