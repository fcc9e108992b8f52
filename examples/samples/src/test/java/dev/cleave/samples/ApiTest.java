package dev.cleave.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** The comparison with a release, {@code -Dapi.baseline=VERSION}, with releases that this test makes of the core of today. */
@EnabledIfSystemProperty(named = "cleave.full", matches = "true")
class ApiTest {

    private static final String GONE = "dev/cleave/Gone";

    @TempDir
    Path directory;

    @Test
    void failsIfAClassOfTheReleaseIsGone() throws Exception {
        Stranger stranger = Stranger.in(directory);
        release("0.0.1");
        try (FileSystem jar = FileSystems.newFileSystem(release("0.0.2"))) {
            ClassWriter gone = new ClassWriter(0);
            gone.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, GONE, null, "java/lang/Object", null);
            Files.write(jar.getPath(GONE + ".class"), gone.toByteArray());
        }

        compared(stranger, "0.0.1").successfully();
        Stranger.Ended ended = compared(stranger, "0.0.2");

        assertThat(ended.exitCode()).isNotZero();
        assertThat(ended.output()).contains("dev.cleave.Gone:CLASS_REMOVED");
    }

    private static Stranger.Ended compared(Stranger stranger, String release) throws Exception {
        return stranger.run(
                Stranger.HOME,
                "mvn -B -pl core com.github.siom79.japicmp:japicmp-maven-plugin:cmp@api -Dapi.baseline=" + release);
    }

    /** Puts the core of today into the repository as that of a release. */
    private static Path release(String version) throws Exception {
        String today = Stranger.version();
        Path cores = Stranger.repository().resolve("dev/cleave/cleave-core");
        Path folder = Files.createDirectories(cores.resolve(version));
        String pom = Files.readString(cores.resolve(today + "/cleave-core-" + today + ".pom"));
        Files.writeString(
                folder.resolve("cleave-core-" + version + ".pom"),
                pom.replace(
                        "<artifactId>cleave-core</artifactId>",
                        "<artifactId>cleave-core</artifactId><version>" + version + "</version>"));
        return Files.copy(
                cores.resolve(today + "/cleave-core-" + today + ".jar"),
                folder.resolve("cleave-core-" + version + ".jar"));
    }
}
