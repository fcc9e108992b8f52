package dev.cleave.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.PackageLevels;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PackageLevelsTest {

    private static final Map<String, Integer> LEVEL = Map.ofEntries(
            Map.entry("dev.cleave.agent", 0),
            Map.entry("dev.cleave.agent.scan", 0),
            Map.entry("dev.cleave.agent.rule", 0),
            Map.entry("dev.cleave.agent.ir", 1),
            Map.entry("dev.cleave.agent.flow", 2),
            Map.entry("dev.cleave.agent.dataflow", 3),
            Map.entry("dev.cleave.agent.effect", 4),
            Map.entry("dev.cleave.agent.plan", 5),
            Map.entry("dev.cleave.agent.transform", 6),
            Map.entry("dev.cleave.agent.report", 6),
            Map.entry("dev.cleave.agent.premain", 7),
            Map.entry("dev.cleave.agent.cli", 8),
            Map.entry("dev.cleave.agent.junit", 9));

    private final PackageLevels levels = PackageLevels.read(Path.of("target/classes"), "dev.cleave");

    @Test
    void everyArrowGoesDown() {
        assertThat(levels.packages()).contains("dev.cleave.agent.scan", "dev.cleave.agent.ir", "dev.cleave.agent.flow");

        assertThat(levels.violations(LEVEL)).isEmpty();
    }

    @Test
    void noPackageReachesItself() {
        assertThat(levels.packages()).contains("dev.cleave.agent.scan", "dev.cleave.agent.ir", "dev.cleave.agent.flow");

        assertThat(levels.cyclic()).isEmpty();
    }
}
