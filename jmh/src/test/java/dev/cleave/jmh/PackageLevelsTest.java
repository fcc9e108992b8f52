package dev.cleave.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.PackageLevels;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class PackageLevelsTest {

    private static final Map<String, Integer> LEVEL = Map.ofEntries(
            Map.entry("dev.cleave.jmh.bench.talk", 0),
            Map.entry("dev.cleave.jmh.bench.contender", 0),
            Map.entry("dev.cleave.jmh.bench.loops", 1),
            Map.entry("dev.cleave.jmh.bench.programs", 1),
            Map.entry("dev.cleave.jmh.bench.start", 1),
            Map.entry("dev.cleave.jmh.bench.bare", 1),
            Map.entry("dev.cleave.jmh.bench.peer", 1),
            Map.entry("dev.cleave.jmh.bench.cleave", 1),
            Map.entry("dev.cleave.jmh.bench.calls", 2),
            Map.entry("dev.cleave.jmh.bench.many", 3),
            Map.entry("dev.cleave.jmh.bench", 4));

    private final PackageLevels levels = PackageLevels.read(Path.of("target/classes"), "dev.cleave.jmh.bench");

    @Test
    void everyArrowGoesDown() {
        assertThat(levels.packages()).contains("dev.cleave.jmh.bench", "dev.cleave.jmh.bench.talk");

        assertThat(levels.violations(LEVEL)).isEmpty();
    }
}
