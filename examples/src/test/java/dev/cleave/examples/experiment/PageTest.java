package dev.cleave.examples.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PageTest {

    private final List<Measurement> measurements = List.of(
            new Measurement("mandelbrot", "harvey/sync", "time", 4.5, "s", 216.0, 4.32),
            new Measurement("mandelbrot", "scale", Page.SCALE, 50, "s of the paper/s", null, null),
            new Measurement("dna", "a<b", "time", 0, "s", null, null));

    @Test
    void drawsOursTheIdealAndThePapersInOurScale() {
        String page = Page.of(measurements, List.of(new MandelbrotExperiment(), new DnaExperiment()));

        assertThat(page).contains("<h2>mandelbrot, time in s</h2>", ">harvey/sync<", ">4.50 ours<", ">4.32 ideal<");
        assertThat(page).contains(">4.32 (216) paper<", ">a&lt;b<").doesNotContain("of the paper/s</h2>");
    }
}
