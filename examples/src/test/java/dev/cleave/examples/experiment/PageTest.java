package dev.cleave.examples.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class PageTest {

    private static final Origin ORIGIN =
            new Origin(Map.of("command", "bin/cleave experiment all", "machine", "two & two"));

    private final List<Measurement> measurements = List.of(
            new Measurement("mandelbrot", "harvey/sync", "time", 30, "s", 216.0, 27.0, 2.0),
            new Measurement("mandelbrot", "four/static", "time", 4, "s", 34.0, 1.6),
            new Measurement("mandelbrot", "four/static", "ratio", 2.5, "ratio", null, 1.0, 3.0),
            new Measurement("nbody", "servers=0", "time", 2, "s", null, null),
            new Measurement("nbody", "servers=2", "time", 1, "s", null, 1.1),
            new Measurement("nbody", "servers=2", "ratio", 0.91, "ratio", null, 1.0),
            new Measurement("clearance", "local", "time", 10, "s", null, null),
            new Measurement("clearance", "demand/2", "time", 6, "s", null, null),
            new Measurement("clearance", "demand/2", "overhead", 20, "percent", 6.91, 0.0),
            new Measurement("cg", "W/1", "time", 2, "s", null, 1.9),
            new Measurement("rtt", "void/relay", "time", 80, "us", 32.0, null));

    @TempDir
    private Path directory;

    private void write() throws IOException {
        Page.write(
                directory,
                List.of(
                        new MandelbrotExperiment().shortened(),
                        NbodyExperiment.ofThePaper(),
                        ClearanceExperiment.ofThePaper(),
                        CgExperiment.ofThePaper(),
                        RttExperiment.ofThePaper(),
                        new DnaExperiment()),
                measurements,
                ORIGIN);
    }

    private String page(String name) throws IOException {
        return Files.readString(directory.resolve(name));
    }

    @Test
    void tableOfThePaperIsInItsOwnSecondsAndOursToo() throws IOException {
        write();

        assertThat(page("mandelbrot.html"))
                .contains("<td class=\"n input\">216</td>", "<td class=\"n\">240 <small>± 1.0 %</small></td>")
                .contains("<td class=\"n\">34</td><td class=\"n\">26</td><td class=\"n\">17</td>")
                .contains("<td class=\"n\">32.0</td>");
    }

    @Test
    void columnsOfClearanceAreThePapers() throws IOException {
        write();

        assertThat(page("clearance.html"))
                .contains(">272.33<", ">136.17<", ">5.48<", ">182.41<", ">4.42%<", ">170.62<", ">6.91%<")
                .contains(">Cleave: demand/2<", ">3.00<", ">40.00%<", ">20.00%<");
    }

    @Test
    void everyPageSaysWhereItsFiguresComeFrom() throws IOException {
        write();

        for (String page : List.of("index.html", "mandelbrot.html", "nbody.html", "rtt.html")) {
            assertThat(page(page))
                    .contains("<code>bin/cleave experiment all</code>", "two &amp; two", "prefers-color-scheme: dark")
                    .doesNotContain("<script", "NaN", "Infinity");
        }
    }

    @Test
    void shortFormSaysWhatItLeavesOut() throws IOException {
        write();

        assertThat(page("mandelbrot.html"))
                .contains("Left out in this short form: four/demand-1, -3 and -5, and all rounds");
    }

    @Test
    void experimentsThatDidNotRunHaveNoPage() throws IOException {
        write();

        assertThat(directory.resolve("dna.html")).doesNotExist();
        assertThat(page("index.html")).contains("href=\"nbody.html\"").doesNotContain("dna.html");
    }

    @Test
    void pagesAreWrittenAgainFromTheFigures() throws IOException {
        write();
        String before = page("clearance.html");
        Files.delete(directory.resolve("clearance.html"));

        StringWriter err = new StringWriter();
        int exitCode = Main.run(
                new PrintWriter(new StringWriter()),
                new PrintWriter(err, true),
                "experiment",
                "all",
                "--full",
                "--from",
                directory.toString());

        assertThat(exitCode).as(err.toString()).isZero();
        assertThat(page("clearance.html")).isEqualTo(before);
    }

    @Test
    void pageNeedsADirectory() throws IOException {
        Path file = Files.createFile(directory.resolve("page.html"));
        StringWriter err = new StringWriter();

        int exitCode = Main.run(
                new PrintWriter(new StringWriter()),
                new PrintWriter(err, true),
                "experiment",
                "dna",
                "--html",
                file.toString());

        assertThat(exitCode).isEqualTo(1);
        assertThat(err.toString()).isEqualTo("cleave: " + file + ": is a file (expected: a directory for the pages)\n");
    }
}
