package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.PackageLevels;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class PackageLevelsTest {

    private static final Map<String, Integer> LEVEL = Map.ofEntries(
            Map.entry("dev.cleave.broker.process", 0),
            Map.entry("dev.cleave.broker.report", 0),
            Map.entry("dev.cleave.broker.compat", 0),
            Map.entry("dev.cleave.broker.check", 0),
            Map.entry("dev.cleave.broker.store", 0),
            Map.entry("dev.cleave.broker.registry", 1),
            Map.entry("dev.cleave.broker.cluster", 2),
            Map.entry("dev.cleave.broker.health", 2),
            Map.entry("dev.cleave.broker.migration", 2),
            Map.entry("dev.cleave.broker.gossip", 2),
            Map.entry("dev.cleave.broker.relay", 3),
            Map.entry("dev.cleave.broker", 4),
            Map.entry("dev.cleave.broker.verify", 5),
            Map.entry("dev.cleave.broker.measure", 5),
            Map.entry("dev.cleave.broker.advice", 5),
            Map.entry("dev.cleave.broker.cli", 6));

    private final PackageLevels levels = PackageLevels.read(Path.of("target/classes"), "dev.cleave.broker");

    @Test
    void everyArrowGoesDown() {
        assertThat(levels.packages()).contains("dev.cleave.broker", "dev.cleave.broker.registry");

        assertThat(levels.violations(LEVEL)).isEmpty();
    }

    @Test
    void noPackageReachesItself() {
        assertThat(levels.packages()).contains("dev.cleave.broker", "dev.cleave.broker.registry");

        assertThat(levels.cyclic()).isEmpty();
    }
}
