package dev.cleave.jmh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.cli.Main;
import dev.cleave.broker.cli.Progress;
import dev.cleave.jmh.bench.loops.LoopShape;
import dev.cleave.jmh.bench.programs.Program;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class BenchCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void callsOfChosenContendersAreMeasured() throws IOException {
        Choice choice = new Choice(List.of("cleave-r*"), List.of("sync-*", "mixed"));

        Result result = run(CallsBenchmark.tiny(), choice);

        assertThat(result.hasFailures()).as(err.toString()).isFalse();
        assertThat(result.measurements())
                .hasSize(2 * (3 * 2 + 2))
                .allSatisfy(m -> assertThat(m.value()).as(m.toString()).isPositive());
        assertThat(out.toString()).contains("sync-null   floor");
        assertThat(err.toString()).isEmpty();
        assertThat(ProcessHandle.current().children()).isEmpty();
    }

    @Test
    @Tag("full")
    void callsAreMeasuredByTcpAndByTls() throws IOException {
        Result result = run(TlsBenchmark.tiny(), new Choice(List.of(), List.of("sync-echo", "result-8-mib")));

        assertThat(result.hasFailures()).as(err.toString()).isFalse();
        assertThat(result.measurements()).hasSize(2 * 2 + 2);
        assertThat(out.toString()).contains("a lone call by TLS takes").contains("arrays of 8 MiB go by TLS at");
        assertThat(ProcessHandle.current().children()).isEmpty();
    }

    @Test
    @Tag("full")
    void loopsOfAllStylesAreMeasured() throws IOException {
        List<Measurement> measurements = run(LoopsBenchmark.tiny(), Choice.ALL).measurements();

        assertThat(measurements)
                .hasSizeGreaterThanOrEqualTo((LoopShape.values().length - 1) * 4)
                .allSatisfy(m -> assertThat(m.value()).as(m.toString()).isPositive());
        assertThat(out.toString()).contains("PlainLoops").contains("pipelined(64)");
        assertThat(ProcessHandle.current().children()).isEmpty();
    }

    @Test
    @Tag("full")
    void loopsThatSaturateAServerAreMeasured() throws IOException {
        List<Measurement> measurements =
                run(SaturatedBenchmark.tiny(), Choice.ALL).measurements();

        assertThat(measurements)
                .hasSize(4)
                .allSatisfy(m -> assertThat(m.value()).as(m.toString()).isPositive());
        assertThat(measurements)
                .filteredOn(m -> m.metric().name().equals("requests"))
                .allSatisfy(m -> assertThat(m.value()).isBetween(1.0, 1.5));
        assertThat(ProcessHandle.current().children()).isEmpty();
    }

    @Test
    @Tag("full")
    void programsOfAllStylesAreMeasured() throws IOException {
        Benchmark benchmark = ProgramsBenchmark.tiny(new ProgramCell(1000, 200), List.of(Program.DASHBOARD));

        Result result = run(benchmark, new Choice(List.of("agent", "virtual-threads"), List.of()));

        assertThat(result.hasFailures()).as(err.toString()).isFalse();
        assertThat(result.measurements())
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(m -> assertThat(m.value()).as(m.toString()).isGreaterThan(2)); // two round trips
        assertThat(out.toString()).startsWith("link 1 ms, service 0.2 ms").contains("\ndashboard ");
        assertThat(ProcessHandle.current().children()).isEmpty();
    }

    @Test
    @Tag("full")
    void theStartIsMeasuredBesideAnIdleAgent() throws IOException {
        List<Measurement> measurements = run(new StartBenchmark(), Choice.ALL).measurements();

        assertThat(measurements)
                .extracting(m -> m.workload() + "/" + m.contender())
                .containsExactly(
                        "hello/no-agent",
                        "hello/idle-agent",
                        "hello/cleave",
                        "first-answer/no-agent",
                        "first-answer/idle-agent",
                        "first-answer/cleave");
        assertThat(measurements)
                .allSatisfy(m -> assertThat(m.value()).as(m.toString()).isPositive());
    }

    @Test
    void unknownNamesAndTooFewRoundsAreRefused() {
        assertThat(command("bench", "lops")).isEqualTo(2);
        assertThat(command("bench", "calls", "--rounds", "4")).isEqualTo(2);
        assertThat(command("bench", "start", "--contender", "no-agent,rimi")).isEqualTo(2);
        assertThat(command("bench", "start", "--workload", "sync*")).isEqualTo(2);
        assertThat(command("bench", "programs", "--programs", "etl,elt")).isEqualTo(2);

        assertThat(err.toString()).isEqualTo("""
                cleave: unknown benchmark: lops (expected: loops, calls, start, many, saturated, programs or all); see cleave bench --help
                cleave: --rounds: 4 (expected: at least 5); see cleave bench --help
                cleave: unknown contender: rimi (expected: no-agent, idle-agent, cleave); see cleave bench --help
                cleave: unknown workload: sync* (expected: hello, first-answer); see cleave bench --help
                cleave: unknown program: elt (expected: n-plus-one, tree-walk, paging, join, dashboard, breadth-first, retry, \
                cache, streams, all-pairs, etl, k-means, invoices); see cleave bench --help
                """);
    }

    @Test
    void optionsThatJmhDoesNotKnowAreRefused() {
        assertThat(command("jmh", "PendingBenchmark", "--bogus", "1")).isEqualTo(2);

        assertThat(err.toString()).contains("bogus").contains("-l lists benchmarks");
    }

    @Test
    void fileThatCannotBeWrittenIsRefusedBeforeAnythingRuns() {
        assertThat(command("bench", "calls", "--json", "no/such/directory/file.json"))
                .isEqualTo(1);

        assertThat(err.toString()).isEqualTo("cleave: no/such/directory/file.json: its directory does not exist\n");
        assertThat(out.toString()).isEmpty();
    }

    private Result run(Benchmark benchmark, Choice choice) throws IOException {
        try (Progress progress = Progress.on(new PrintWriter(err))) {
            Rounds rounds = new Rounds(1, new Random(1), progress);
            return BenchCommand.run(benchmark, choice, Placement.FREE, rounds, new PrintWriter(out));
        }
    }

    private int command(String... args) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }
}
