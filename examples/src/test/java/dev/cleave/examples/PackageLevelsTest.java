package dev.cleave.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.PackageLevels;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class PackageLevelsTest {

    private static final Map<String, Integer> LEVEL = Map.of(
            "dev.cleave.examples.dna", 0,
            "dev.cleave.examples.mandelbrot", 0,
            "dev.cleave.examples.clearance", 0,
            "dev.cleave.examples.later", 0,
            "dev.cleave.examples.nbody", 0,
            "dev.cleave.examples.rtt", 0,
            "dev.cleave.examples.numeric", 0,
            "dev.cleave.examples.pipeline", 1,
            "dev.cleave.examples.experiment", 2,
            "dev.cleave.examples.demo", 3);

    private final PackageLevels levels = PackageLevels.read(Path.of("target/classes"), "dev.cleave.examples");

    @Test
    void everyArrowGoesDown() {
        assertThat(levels.packages()).contains("dev.cleave.examples.dna", "dev.cleave.examples.demo");

        assertThat(levels.violations(LEVEL)).isEmpty();
    }

    @Test
    void noPackageReachesItself() {
        assertThat(levels.packages()).contains("dev.cleave.examples.dna", "dev.cleave.examples.demo");

        assertThat(levels.cyclic()).isEmpty();
    }
}
