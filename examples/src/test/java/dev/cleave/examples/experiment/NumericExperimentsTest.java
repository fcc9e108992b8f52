package dev.cleave.examples.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.cli.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The two experiments of the CBS paper with data at the server, small. */
@Tag("one-jdk")
class NumericExperimentsTest {

    private static final Path FILES = Path.of("..", "examples");

    @Test
    @Tag("full")
    void productsAtTheServerAreThoseOfTheClient() throws IOException {
        List<Measurement> measurements =
                run(new DgemmExperiment(() -> FILES.resolve("dgemm.yaml"), List.of(8, 65), 100_000));

        assertThat(measurements.stream().map(Measurement::caseName))
                .contains("8/by-value/1", "8/by-ref/2", "65/by-ref-sync/1", "65/by-ref/1")
                .hasSize(12);
        assertThat(measurements).allSatisfy(m -> assertThat(m.value()).isPositive());
    }

    @Test
    @Tag("full") // EigenvalueTest computes the same number in one process
    void zetaIsTheOneThatTheBenchmarkPrescribes() throws IOException {
        List<Measurement> measurements = run(new CgExperiment(() -> FILES.resolve("cg.yaml"), List.of("S/2"), 0));

        assertThat(measurements.stream()
                        .filter(m -> m.metric().equals("zeta"))
                        .map(m -> m.caseName() + " " + m.value()))
                .containsExactly("S/2 8.5971775078648");
    }

    private static List<Measurement> run(Experiment experiment) throws IOException {
        Queue<String> deaths = new ConcurrentLinkedQueue<>();
        try (Stage stage = Stage.open(deaths::add);
                Progress progress = Progress.on(new PrintWriter(new StringWriter()))) {
            List<Measurement> measurements = experiment.run(1, stage, progress);
            assertThat(deaths).isEmpty();
            return measurements;
        }
    }
}
