package dev.cleave.agent.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The report at exit reads class files while web applications end: their loaders may refuse to be asked. */
@Tag("one-jdk")
class ClosedLoaderTest {

    private final ClassLoader closed = new ClassLoader(null) {
        @Override
        public URL getResource(String name) {
            throw new IllegalStateException("The resources may not be accessed if they are not currently started");
        }
    };

    @Test
    void aClosedLoaderHasNoClassFiles() {
        assertThat(ClassFileSource.ofResources(closed, "com/acme/Shop")).isNull();
        assertThat(ClassFileSource.OF_LOADERS.beside(closed, "com/acme/Shop")).isEmpty();
    }
}
