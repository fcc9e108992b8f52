package dev.cleave.jmh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.jmh.bench.talk.Metric;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class BenchPageTest {

    private static final Metric RATE = new Metric("rate", "calls/s");

    @Test
    void contendersOfAWorkloadStandFromTheBestToTheMissing() {
        Result result = new Result(
                "floor",
                List.of(
                        new Measurement("window-64", "floor", RATE, 100.0, 5.0, 1.0),
                        new Measurement("window-64", "kryonet", RATE, null, null, null),
                        new Measurement("window-64", "cleave", RATE, 250.0, 5.0, 2.5)),
                List.of("a < b"),
                false);

        String page = BenchPage.of("seed 1", List.of(result));

        assertThat(page)
                .contains("a &lt; b")
                .contains("calls/s, more is better")
                .contains("x 2.50");
        assertThat(page.indexOf(">cleave<")).isLessThan(page.indexOf(">floor<")).isPositive();
        assertThat(page.indexOf(">floor<")).isLessThan(page.indexOf(">kryonet<"));
        assertThat(page.indexOf(">n/a<")).isGreaterThan(page.indexOf(">kryonet<"));
    }
}
