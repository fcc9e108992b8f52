package dev.cleave.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Every logger of a module is a {@link dev.cleave.concurrent.SafeLog}. Each module that logs has a subclass. */
public abstract class LoggersContractTest {

    private static final Path CLASSES = Path.of("target/classes");

    @Test
    void everyLoggerIsOneThatNeverThrows() throws IOException {
        assertThat(ClassReferences.read(CLASSES).values())
                .anyMatch(used -> used.contains("dev/cleave/concurrent/SafeLog.of"));
        assertThat(Loggers.unsafe(CLASSES)).isEmpty();
    }
}
