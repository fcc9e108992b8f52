package dev.cleave.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.PackageLevels;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class PackageLevelsTest {

    private static final Map<String, Integer> LEVEL = Map.ofEntries(
            Map.entry("dev.cleave.agent", 0),
            Map.entry("dev.cleave.agent.scan", 0),
            Map.entry("dev.cleave.agent.rule", 0),
            Map.entry("dev.cleave.agent.ir", 1),
            Map.entry("dev.cleave.agent.flow", 2),
            Map.entry("dev.cleave.agent.dataflow", 3),
            Map.entry("dev.cleave.agent.effect", 4),
            Map.entry("dev.cleave.agent.plan.verdict", 5),
            Map.entry("dev.cleave.agent.plan.analysis", 5),
            Map.entry("dev.cleave.agent.plan.method", 6),
            Map.entry("dev.cleave.agent.plan.slice", 7),
            Map.entry("dev.cleave.agent.plan.order", 8),
            Map.entry("dev.cleave.agent.plan.placement", 9),
            Map.entry("dev.cleave.agent.plan.line", 10),
            Map.entry("dev.cleave.agent.plan.strand", 10),
            Map.entry("dev.cleave.agent.plan.loop", 11),
            Map.entry("dev.cleave.agent.plan.prefetch", 10),
            Map.entry("dev.cleave.agent.plan.stream", 11),
            Map.entry("dev.cleave.agent.plan.sink", 10),
            Map.entry("dev.cleave.agent.plan.helper", 11),
            Map.entry("dev.cleave.agent.plan", 12),
            Map.entry("dev.cleave.agent.plan.later", 13),
            Map.entry("dev.cleave.agent.transform", 14),
            Map.entry("dev.cleave.agent.report", 14),
            Map.entry("dev.cleave.agent.premain", 15),
            Map.entry("dev.cleave.agent.cli", 16),
            Map.entry("dev.cleave.agent.junit", 17));

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
