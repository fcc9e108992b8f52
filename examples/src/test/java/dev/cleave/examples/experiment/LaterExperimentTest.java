package dev.cleave.examples.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.cli.Progress;
import dev.cleave.examples.later.Network;
import dev.cleave.examples.later.ResultWorkload;
import dev.cleave.examples.later.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole experiment, with two cases of arguments, and with one of each use of results. */
class LaterExperimentTest {

    private static final int ROUNDS = 3; // the best counts

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void theMethodBeginsBeforeItsSecondMatrixHasArrived(String route) throws IOException {
        Path file = Files.writeString(directory.resolve("later.yaml"), """
                services:
                  later:
                    interface: dev.cleave.examples.later.Rang
                    implementation: dev.cleave.examples.later.Squares
                    route: %s
                    replicas: [{name: squares}]
                  plain:
                    interface: dev.cleave.examples.later.Rang
                    implementation: dev.cleave.examples.later.Squares
                    route: %s
                    replicas: [{name: squares}]
                    methods: {rang: {later: []}}
                """.formatted(route, route));
        Queue<String> deaths = new ConcurrentLinkedQueue<>();
        List<Workload> workloads = List.of(new Workload(50, 1, Network.LOOPBACK), new Workload(300, 4, Network.WAN));
        List<Measurement> measurements;
        List<String> answers;
        try (Stage stage = Stage.open(deaths::add);
                Progress progress = Progress.on(new PrintWriter(new StringWriter()))) {
            measurements = new LaterExperiment(() -> file, workloads, List.of()).run(ROUNDS, stage, progress);
            answers = Files.readAllLines(stage.directory().resolve("arguments.log"));
        }

        assertThat(deaths).isEmpty();
        assertThat(measurements).hasSize(2 * 10);
        double transfer = best(answers, 1, 1);
        assertThat(transfer).isGreaterThan(0.1); // 720,000 bytes, 5 a microsecond, less the time of a call
        assertThat(best(answers, 1, 2)).isLessThan(best(answers, 1, 5) - 0.2 * transfer);
    }

    @Test
    void callersUseAndPassOnResultsBeforeTheyAreWhole() throws IOException {
        Path file = Path.of("..", "examples", "later.yaml").toAbsolutePath().normalize();
        Queue<String> deaths = new ConcurrentLinkedQueue<>();
        List<ResultWorkload> results = List.of(
                new ResultWorkload(ResultWorkload.Use.RESULT, 300, Network.WAN),
                new ResultWorkload(ResultWorkload.Use.PIPELINE, 300, Network.WAN));
        List<Measurement> measurements;
        List<String> answers;
        try (Stage stage = Stage.open(deaths::add);
                Progress progress = Progress.on(new PrintWriter(new StringWriter()))) {
            measurements = new LaterExperiment(() -> file, List.of(), results).run(ROUNDS, stage, progress);
            answers = Files.readAllLines(stage.directory().resolve("results.log"));
        }

        assertThat(deaths).isEmpty();
        assertThat(measurements).hasSize(2 * 6);
        for (int i = 0; i < results.size(); i++) {
            double transfer = best(answers, i, 1);
            assertThat(transfer).isGreaterThan(0.05);
            assertThat(best(answers, i, 2)).isLessThan(best(answers, i, 3) - 0.2 * transfer);
        }
    }

    /** The least figure of a case: what a busy machine adds is not in it. */
    private static double best(List<String> answers, int caseNumber, int word) {
        List<String> rounds = answers.subList(2, answers.size()); // it says that it is ready, and warms up
        return IntStream.range(0, rounds.size())
                .filter(i -> i % 2 == caseNumber)
                .mapToDouble(i -> Double.parseDouble(rounds.get(i).split(" ")[word]))
                .min()
                .orElseThrow();
    }
}
