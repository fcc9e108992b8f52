package dev.cleave.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.PackageLevels;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class PackageLevelsTest {

    private static final Map<String, Integer> LEVEL = Map.ofEntries(
            Map.entry("dev.cleave.examples.dna", 0),
            Map.entry("dev.cleave.examples.mandelbrot", 0),
            Map.entry("dev.cleave.examples.clearance", 0),
            Map.entry("dev.cleave.examples.later", 0),
            Map.entry("dev.cleave.examples.nbody", 0),
            Map.entry("dev.cleave.examples.advice", 0),
            Map.entry("dev.cleave.examples.rtt", 0),
            Map.entry("dev.cleave.examples.numeric", 0),
            Map.entry("dev.cleave.examples.pipeline", 1),
            Map.entry("dev.cleave.examples.experiment", 2),
            Map.entry("dev.cleave.examples.demo", 3));

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
