package dev.cleave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.SimpleNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * No two classes of core, agent and broker have one simple name and different meanings. The goal is an empty list of
 * exceptions but for {@code Main}; the list may only shrink.
 */
class SimpleNamesTest {

    private static final Map<String, String> ALLOWED =
            Map.of("Main", "both are entry points, which scripts and manifests name by package");

    @Test
    void noTwoClassesHaveOneName() throws IOException {
        SimpleNames names = SimpleNames.of(List.of(Path.of(""), Path.of("../agent"), Path.of("../broker")));

        assertThat(names.all()).hasSizeGreaterThan(500);
        assertThat(names.colliding()).containsOnlyKeys(ALLOWED.keySet());
    }
}
