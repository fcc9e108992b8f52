package dev.cleave.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.PackageLevels;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PackageLevelsTest {

    private static final Map<String, Integer> LEVEL = Map.of(
            "dev.cleave.jmh.bench.talk", 0,
            "dev.cleave.jmh.bench.loops", 1,
            "dev.cleave.jmh.bench.calls", 1,
            "dev.cleave.jmh.bench.start", 1,
            "dev.cleave.jmh.bench", 2);

    private final PackageLevels levels = PackageLevels.read(Path.of("target/classes"), "dev.cleave.jmh.bench");

    @Test
    void everyArrowGoesDown() {
        assertThat(levels.packages()).contains("dev.cleave.jmh.bench", "dev.cleave.jmh.bench.talk");

        assertThat(levels.violations(LEVEL)).isEmpty();
    }
}
