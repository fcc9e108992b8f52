package dev.cleave.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.advice.Change;
import dev.cleave.broker.advice.Forecast;
import dev.cleave.broker.advice.Predictions;
import dev.cleave.broker.advice.ServedCall;
import dev.cleave.broker.advice.Trace;
import dev.cleave.broker.advice.Waited;
import dev.cleave.config.Bindings;
import dev.cleave.text.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names in recordings, and of files, that {@code measure}, {@code advise} and {@code compare} show: none steers a terminal or forges a line. */
@Tag("one-jdk")
class RecordedNamesTest {

    private static final String HOSTILE = "a\u001b[2J\nb\u202e\u009b31m\u007f<script>";
    private static final String SHOWN = "a\\u001b[2J\\u000ab\\u202e\\u009b31m\\u007f<script>";
    private static final long MS = 1_000_000;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    /** What a server records of a large argument, with names that no compiler would make. */
    @Name("dev.cleave.LargeArgument")
    @SuppressWarnings("unused") // read by the flight recorder
    private static final class HostileArgument extends Event {

        private final String service = HOSTILE;
        private final String method = HOSTILE;
        private final String parameter = HOSTILE;
        private final boolean later = true;
        private final long bytes = 1 << 20;
        private final long transfer = 10 * MS;
        private final long firstWait = 2 * MS;
        private final long waited = 8 * MS;
        private final long running = 12 * MS;
    }

    @Test
    void measureShowsThemAsText() throws IOException {
        Path file = directory.resolve("server.jfr");
        Path page = directory.resolve("page.html");
        try (Recording recording = new Recording()) {
            recording.enable(HostileArgument.class);
            recording.start();
            new HostileArgument().commit();
            recording.stop();
            recording.dump(file);
        }

        assertThat(run("measure", file.toString(), "--html", page.toString())).isZero();

        assertThat(out.toString().lines())
                .as("a heading, a row, an empty line, a sentence")
                .hasSize(4)
                .allMatch(Printable::isLine)
                .filteredOn(line -> line.contains(SHOWN + "." + SHOWN + ", " + SHOWN))
                .hasSize(2);
        assertThat(Files.readString(page).lines()).allMatch(Printable::isLine);
        assertThat(Files.readString(page))
                .doesNotContain("<script>")
                .contains(SHOWN.replace("\\u000a", "\n")
                        .replace("<", "&lt;")
                        .replace(">", "&gt;")); // a line of HTML forges nothing
    }

    /** Calls in turn: 2 ms there, 10 ms at one of two servers, 2 ms back, 1 ms of the client. */
    private static Trace inTurn() {
        List<ServedCall> served = new ArrayList<>();
        List<Waited> waited = new ArrayList<>();
        for (long at = 0; at < 1_000 * MS; at += 15 * MS) {
            long came = at + 2 * MS;
            served.add(new ServedCall("r" + served.size() % 2, "prices." + HOSTILE, came, came, came + 10 * MS, 0));
            waited.add(new Waited("Prices." + HOSTILE, at, came + 12 * MS));
        }
        return new Trace(served, waited);
    }

    @Test
    void adviseShowsThemAsText() {
        Bindings file = Bindings.parse("""
                application: shop
                services:
                  prices: {interface: shop.Prices, implementation: shop.Table, replicas: [{name: r0}, {name: r1}], workers: 1}
                """, "shop.yaml");
        Trace trace = inTurn();
        List<Change> changes = new Forecast(trace, file, 8).changes();
        assertThat(changes).anyMatch(change -> change.what().contains(HOSTILE));
        Predictions predictions = new Predictions();
        predictions.begin(Path.of(HOSTILE + ".yaml"), trace.seconds());
        changes.forEach(change -> predictions.add(change, change.seconds()));

        assertThat(AdviseCommand.table(trace.seconds(), changes).lines())
                .hasSize(1 + changes.size())
                .allMatch(Printable::isLine)
                .anyMatch(line -> line.contains(SHOWN));
        assertThat(predictions.lines())
                .hasSize(2 + changes.size())
                .allMatch(Printable::isLine)
                .anyMatch(line -> line.contains(SHOWN + ".yaml"));
    }

    /** Figures are all that {@code compare} shows of recordings. */
    @Test
    void compareAndAdviseShowNamesOfFilesAsText() {
        String missing = directory.resolve(HOSTILE + ".yaml").toString();

        assertThat(run("compare", missing, missing)).isNotZero();
        assertThat(run("advise", missing)).isNotZero();

        assertThat(err.toString().lines())
                .allMatch(Printable::isLine)
                .filteredOn(line -> line.contains(SHOWN.replace("\\u000a", "\\n") + ".yaml: no such file"))
                .hasSize(2);
    }

    private int run(String... args) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }
}
