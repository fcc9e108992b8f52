package dev.cleave.examples.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class LaterChartsTest {

    @Test
    void drawsTotalsBesideEachOtherAndTheGainsOfANetwork() {
        List<Measurement> measurements = List.of(
                of("50x50/p=1/lan", "total-with", 0.2, null),
                of("50x50/p=1/lan", "total-without", 0.3, null),
                of("50x50/p=1/lan", "gain", 0.4, 1.0),
                of("100x100/p=1/lan", "total-with", 0.8, null),
                of("100x100/p=1/lan", "total-without", 1.1, null),
                of("100x100/p=1/lan", "gain", 0.9, 1.0));

        String page = LaterCharts.of(new Figures(measurements));

        assertThat(page).contains("Gain, lan<", "Total, lan, p=1 (s)<", ">with<", ">without<", ">p=1 ideal<");
        assertThat(page.indexOf("Gain, lan")).isLessThan(page.indexOf("Total, lan"));
    }

    @Test
    void drawsResultsBesideArguments() {
        List<Measurement> measurements = List.of(
                of("100x100/p=1/wan", "gain", 0.9, 1.0),
                of("100x100/p=1/wan", "total-with", 0.3, null),
                of("result/300x300/wan", "total-with", 0.4, null),
                of("result/300x300/wan", "gain", 0.9, 1.0),
                of("300x300/p=1/wan", "gain", 0.9, 1.0),
                of("result/100x100/wan", "total-with", 0.2, null),
                of("result/100x100/wan", "total-without", 0.3, null),
                of("result/100x100/wan", "gain", 0.9, 1.0),
                of("pipeline/100x100/wan", "gain", 0.8, 1.0));

        String page = LaterCharts.of(new Figures(measurements));

        assertThat(page).contains("Gain, wan<", "Gain of results, wan<", "Total, wan, result (s)<", ">pipeline ideal<");
    }

    @Test
    void leavesOutGainsOfTransfersThatAreNothing() {
        List<Measurement> measurements = List.of(
                of("50x50/p=300/loopback", "transfer", 0.0001, null),
                of("50x50/p=300/loopback", "total-without", 0.3, null),
                of("50x50/p=300/loopback", "gain", -700, 1.0),
                of("100x100/p=300/loopback", "total-without", 0.6, null));

        assertThat(LaterCharts.of(new Figures(measurements)))
                .contains("Total, loopback")
                .doesNotContain("Gain, loopback");
    }

    @Test
    void whatIsMeasuredAtOneSizeHasNoCurve() {
        List<Measurement> measurements = List.of(
                of("50x50/p=300/wan", "total-with", 0.3, null),
                of("result/300x300/wan", "total-with", 0.2, null),
                of("result/300x300/wan", "gain", 0.9, 1.0));

        assertThat(LaterCharts.of(new Figures(measurements)))
                .contains("Gain of results<", ">result/300x300/wan<")
                .doesNotContain("polyline", "Total");
    }

    private static Measurement of(String caseName, String metric, double value, Double ideal) {
        return new Measurement("later", caseName, metric, value, "s", null, ideal);
    }
}
