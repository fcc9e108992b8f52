package dev.cleave.examples.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.cli.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole experiment, with few particles and two servers. */
@Tag("full")
class NbodyExperimentTest {

    @TempDir
    Path directory;

    @Test
    void callsAndRingComeToTheForcesOfTheSequentialProgram() throws IOException {
        Path file = Files.writeString(directory.resolve("nbody.yaml"), """
                services:
                  nbody-1:
                    interface: dev.cleave.examples.nbody.Forces
                    implementation: dev.cleave.examples.nbody.Gravity
                    replicas: [{name: body-1}]
                    balance: pull
                  nbody-2:
                    interface: dev.cleave.examples.nbody.Forces
                    implementation: dev.cleave.examples.nbody.Gravity
                    replicas: [{name: body-1}, {name: body-2}]
                    balance: pull
                """);
        Queue<String> deaths = new ConcurrentLinkedQueue<>();
        List<Measurement> measurements;
        try (Stage stage = Stage.open(deaths::add);
                Progress progress = Progress.on(new PrintWriter(new StringWriter()))) {
            measurements = new NbodyExperiment(() -> file, 301, List.of(1, 2)).run(2, stage, progress);
            assertThat(Files.readString(stage.directory().resolve("client.log")))
                    .contains("done ");
        }

        assertThat(deaths).isEmpty();
        assertThat(measurements.stream().map(m -> m.caseName() + " " + m.metric()))
                .containsExactly(
                        "servers=0 time",
                        "servers=1 time",
                        "servers=2 time",
                        "servers=1 ratio",
                        "servers=2 ratio",
                        "servers=1 error",
                        "servers=2 error");
        assertThat(measurements).allSatisfy(m -> {
            boolean isError = m.metric().equals("error");
            assertThat(m.value()).isBetween(isError ? 0.0 : 1e-9, isError ? 1e-9 : 1e9);
        });

        Path pages = directory.resolve("pages");
        Page.write(
                pages,
                List.of(NbodyExperiment.ofThePaper()),
                measurements,
                Origin.now("bin/cleave experiment nbody", 2, Instant.now(), 0));
        assertThat(Files.readString(pages.resolve("nbody.html")))
                .contains("Speed-up over servers", "message passing", " processors, ", "± ")
                .doesNotContain("NaN");
        assertThat(Recorded.read(pages).measurements()).hasSameSizeAs(measurements);
    }
}
