package dev.cleave.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.config.Bindings;
import dev.cleave.testing.EffectOf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@EffectOf("classpath")
class ApplicationClassesTest {

    @TempDir
    Path directory;

    private List<String> path(String entries) {
        Path file = directory.resolve("cleave.yaml");
        return ApplicationClasses.path(file, Bindings.parse("classpath: " + entries, file.toString()));
    }

    @Test
    void entriesAreRelativeToTheFolderOfTheFile() throws IOException {
        Files.createDirectories(directory.resolve("target/classes"));

        assertThat(path("[target/classes]"))
                .containsExactly(directory.resolve("target/classes").toString());
    }

    @Test
    void aStarIsAllJarsOfAFolder() throws IOException {
        Path lib = Files.createDirectory(directory.resolve("lib"));
        Files.createFile(lib.resolve("b.jar"));
        Files.createFile(lib.resolve("a.jar"));
        Files.createFile(lib.resolve("notes.txt"));

        assertThat(path("['lib/*']"))
                .containsExactly(
                        lib.resolve("a.jar").toString(), lib.resolve("b.jar").toString());
    }

    @Test
    void anEntryThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> path("[target/classes]"))
                .isInstanceOf(CommandException.class)
                .hasMessage(directory.resolve("cleave.yaml") + ": classpath: " + directory.resolve("target/classes")
                        + " does not exist (expected: a jar or a folder; is the application built?)");
    }
}
