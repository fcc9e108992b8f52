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
    void growsFromExperimentToExperiment() {
        Bar bar = new Bar(List.of(one, other), 5);
        bar.begin(one);
        assertThat(bar.text()).startsWith("[....").contains("] 1/2, ");

        bar.begin(other);
        assertThat(bar.text()).startsWith("[####").contains("....] 2/2, 1 min left");
    }
}
