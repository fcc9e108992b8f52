package dev.cleave.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.PackageLevels;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PackageLevelsTest {

    private static final Map<String, Integer> LEVEL = Map.of(
            "dev.cleave.lab.history", 0,
            "dev.cleave.lab.chaos", 1,
            "dev.cleave.lab.cluster", 1,
            "dev.cleave.lab.simulation", 1,
            "dev.cleave.lab.strangers", 1,
            "dev.cleave.lab.cli", 2);

    private final PackageLevels levels = PackageLevels.read(Path.of("target/classes"), "dev.cleave.lab");

    @Test
    void everyArrowGoesDown() {
        assertThat(levels.packages()).contains("dev.cleave.lab.history", "dev.cleave.lab.simulation");

        assertThat(levels.violations(LEVEL)).isEmpty();
    }

    @Test
    void noPackageReachesItself() {
        assertThat(levels.cyclic()).isEmpty();
    }
}
