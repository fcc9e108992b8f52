package dev.cleave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.Loggers;
import dev.cleave.testing.LoggersContractTest;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LoggersTest extends LoggersContractTest {

    @Test
    void otherLoggersWouldBeSeen() throws IOException {
        assertThat(Loggers.unsafe(Path.of("target/test-classes")))
                .contains("dev/cleave/LoggersTest$Unsafe -> java/lang/System.getLogger");
    }

    @SuppressWarnings("unused") // its class file is read
    private static final class Unsafe {

        private static final System.Logger LOG = System.getLogger("unsafe");
    }
}
