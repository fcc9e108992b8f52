package dev.cleave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.SimpleNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No two classes of core, agent and broker have one simple name. */
@Tag("one-jdk")
class SimpleNamesTest {

    @Test
    void noTwoClassesHaveOneName() throws IOException {
        SimpleNames names = SimpleNames.of(List.of(Path.of(""), Path.of("../agent"), Path.of("../broker")));

        assertThat(names.all()).hasSizeGreaterThan(500);
        assertThat(names.colliding()).isEmpty();
    }
}
