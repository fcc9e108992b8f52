package dev.cleave.examples.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class BarTest {

    private final Experiment one = NbodyExperiment.ofThePaper();
    private final Experiment other = RttExperiment.ofThePaper();

    @Test
    void allExperimentsAreExpectedToTakeLessThanAQuarterOfAnHour() {
        int seconds = ExperimentCommand.ALL.stream()
                .mapToInt(each -> each.shortened().seconds(5))
                .sum();

        assertThat(seconds).isBetween(5 * 60, 15 * 60 - 1);
        assertThat(ExperimentCommand.ALL.stream().map(Experiment::shortened).filter(each -> !each.leftOut()
                        .isEmpty()))
                .extracting(Experiment::name)
                .containsExactly("mandelbrot", "dna", "later", "clearance", "dgemm", "pipeline");
    }

    @Test
    void growsFromExperimentToExperiment() {
        Bar bar = new Bar(List.of(one, other), 5);
        bar.begin(one);
        assertThat(bar.text()).startsWith("[....").contains("] 1/2, ");

        bar.begin(other);
        assertThat(bar.text()).startsWith("[####").contains("....] 2/2, 1 min left");
    }
}
