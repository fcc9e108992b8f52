package dev.cleave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.PackageLevels;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class PackageLevelsTest {

    private static final Map<String, Integer> LEVEL = Map.ofEntries(
            Map.entry("dev.cleave.text", -1),
            Map.entry("dev.cleave", 0),
            Map.entry("dev.cleave.wire", 0),
            Map.entry("dev.cleave.concurrent", 0),
            Map.entry("dev.cleave.metrics", 0),
            Map.entry("dev.cleave.processor", 0),
            Map.entry("dev.cleave.later", 0),
            Map.entry("dev.cleave.config", 1),
            Map.entry("dev.cleave.admin", 1),
            Map.entry("dev.cleave.intercept", 1),
            Map.entry("dev.cleave.identity", 1),
            Map.entry("dev.cleave.transport", 1),
            Map.entry("dev.cleave.replica", 1),
            Map.entry("dev.cleave.transport.netty", 2),
            Map.entry("dev.cleave.transport.local", 2),
            Map.entry("dev.cleave.stream", 2),
            Map.entry("dev.cleave.migration", 2),
            Map.entry("dev.cleave.serial", 3),
            Map.entry("dev.cleave.call", 4),
            Map.entry("dev.cleave.jexl", 5),
            Map.entry("dev.cleave.ref", 5),
            Map.entry("dev.cleave.client", 6),
            Map.entry("dev.cleave.server", 6),
            Map.entry("dev.cleave.rt", 6),
            Map.entry("dev.cleave.node", 7),
            Map.entry("dev.cleave.rmi", 8));

    private final PackageLevels levels = PackageLevels.read(Path.of("target/classes"), "dev.cleave");

    @Test
    void everyArrowGoesDown() {
        assertThat(levels.packages()).contains("dev.cleave", "dev.cleave.transport", "dev.cleave.call");

        assertThat(levels.violations(LEVEL)).isEmpty();
    }

    @Test
    void noPackageReachesItself() {
        assertThat(levels.packages()).contains("dev.cleave", "dev.cleave.transport", "dev.cleave.call");

        assertThat(levels.cyclic()).isEmpty();
    }
}
