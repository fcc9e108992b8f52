package dev.cleave.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

@Tag("full")
class BenchmarksTest {

    @Test
    void everyBenchmarkRuns() throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include("dev\\.cleave\\.jmh\\..*")
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(20))
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();

        assertThat(results).isNotEmpty().allSatisfy(result -> assertThat(
                        result.getPrimaryResult().getScore())
                .isPositive());
    }
}
