package dev.cleave.examples.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class ExperimentCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void commandsOfTheExamplesAreFound() {
        assertThat(run("--help")).isZero();

        assertThat(out.toString()).contains("demo", "experiment");
    }

    @Test
    void unknownExperimentIsAMistake() {
        assertThat(run("experiment", "mandelbrod")).isEqualTo(2);

        assertThat(err.toString())
                .isEqualTo(
                        "cleave: unknown experiment: mandelbrod (expected: mandelbrot, dna, later, nbody, clearance, rtt, dgemm, cg, pipeline or all);"
                                + " see cleave experiment --help\n");
    }

    @Test
    void missingNameIsAMistake() {
        assertThat(run("experiment")).isEqualTo(2);

        assertThat(err.toString()).contains("NAME").hasLineCount(1);
    }

    @Test
    void fewerThanFiveRoundsAreAMistake() {
        assertThat(run("experiment", "dna", "--rounds", "4")).isEqualTo(2);

        assertThat(err.toString())
                .startsWith("cleave: --rounds: 4 (expected: at least 5)")
                .hasLineCount(1);
    }

    @Test
    void placeOfTheFileIsCheckedBeforeAnythingRuns() {
        assertThat(run("experiment", "dna", "--json", "/no/such/place.json")).isEqualTo(1);

        assertThat(err.toString()).isEqualTo("cleave: /no/such/place.json: its directory does not exist\n");
    }

    @Test
    void demoNeedsAQuery() {
        assertThat(run("demo", "--queries", "0")).isEqualTo(2);

        assertThat(err.toString())
                .startsWith("cleave: --queries: 0 (expected: 1..32)")
                .hasLineCount(1);
    }

    @Test
    void tableShowsThePapersFigures() {
        Measurement own = new Measurement("dna", "cleaved", "speedup", 1.9, "ratio", null, 2.0);
        Measurement paper = new Measurement("mandelbrot", "four/static", "time", 0.7, "s", 34.0, 0.26);

        assertThat(ExperimentCommand.table(List.of(own, paper)).lines())
                .containsExactly(
                        "experiment  case         metric   value  ideal  unit   paper",
                        "dna         cleaved      speedup  1.900  2.000  ratio      -",
                        "mandelbrot  four/static  time     0.700  0.260  s         34");
    }

    private int run(String... args) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }
}
