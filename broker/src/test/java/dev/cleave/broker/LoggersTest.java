package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.ClassReferences;
import dev.cleave.testing.Loggers;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LoggersTest {

    @Test
    void everyLoggerIsOneThatNeverThrows() throws IOException {
        assertThat(Loggers.unsafe(Path.of("target/classes"))).isEmpty();
    }

    @Test
    void otherLoggersWouldBeSeen() throws IOException {
        assertThat(ClassReferences.read(Path.of("target/test-classes")).get("dev/cleave/broker/LoggersTest$Unsafe"))
                .contains("java/lang/System.getLogger");
    }

    @SuppressWarnings("unused") // is looked at as bytes
    private static final class Unsafe {

        private static final System.Logger LOG = System.getLogger("unsafe");
    }
}
