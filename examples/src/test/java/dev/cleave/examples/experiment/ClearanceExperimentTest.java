package dev.cleave.examples.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.cli.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole experiment, with few pairs and two servers. */
@Tag("full")
class ClearanceExperimentTest {

    private static final String SERVICE = """
              %s:
                interface: dev.cleave.examples.clearance.Clearance
                implementation: dev.cleave.examples.clearance.PacedClearance
                replicas:
                  - {name: work-1, options: {pace: "100", load: "100", room: "20"}}
                  - {name: work-2, options: {pace: "100", load: "100", room: "20"}}
                route: relay
                balance: %s
                workers: 1
            """;

    @TempDir
    Path directory;

    @Test
    void allWaysComeToTheDistancesOfAllTriangles() throws IOException {
        String text = "services:\n" + SERVICE.formatted("demand-2", "demand(2)")
                + SERVICE.formatted("affinity-2", "'pull(1, region)'");
        Path file = Files.writeString(directory.resolve("clearance.yaml"), text);
        List<String> arguments = List.of("200", "pace=100", "load=100", "room=20");
        Queue<String> deaths = new ConcurrentLinkedQueue<>();
        List<Measurement> measurements;
        try (Stage stage = Stage.open(deaths::add);
                Progress progress = Progress.on(new PrintWriter(new StringWriter()))) {
            measurements = new ClearanceExperiment(() -> file, arguments, List.of("local", "demand/2", "affinity/2"))
                    .run(2, stage, progress);
            assertThat(Files.readString(stage.directory().resolve("client.log")))
                    .contains("done ");
        }

        assertThat(deaths).isEmpty();
        assertThat(measurements.stream().map(m -> m.caseName() + " " + m.metric()))
                .startsWith("local time", "demand/2 time", "affinity/2 time", "local speedup", "local overhead")
                .endsWith("local loads", "demand/2 loads", "affinity/2 loads");
        assertThat(measurements.stream().filter(m -> m.metric().equals("loads")).map(Measurement::value))
                .allSatisfy(loads -> assertThat(loads).isBetween(60.0, 400.0));
    }
}
