package dev.cleave.lab.strangers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
@Tag("full")
class StrangersRunTest {

    @Test
    void strangersGainNothing(@TempDir Path directory) throws Exception {
        StrangersRun run = new StrangersRun(22, 1, directory);

        boolean kept = run.run(what -> {});

        assertThat(kept).as(String.join("\n", run.lines())).isTrue();
        assertThat(run.lines()).hasSize(19);
    }
}
