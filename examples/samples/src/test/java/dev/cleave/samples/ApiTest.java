package dev.cleave.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** The comparison with a release, {@code -Dapi.baseline=VERSION}, with releases that this test deploys to a folder. */
@EnabledIfSystemProperty(named = "cleave.full", matches = "true")
class ApiTest {

    private static final String CLASS = "dev/cleave/Gone";
    private static final String CHANGED = "dev/cleave/Ref";

    @TempDir
    Path directory;

    @Test
    void failsIfAClassOrMethodOfTheReleaseIsGone() throws Exception {
        Stranger stranger = Stranger.in(directory);
        Path core = today();
        Path withMore = Files.copy(core, directory.resolve("more.jar"));
        try (FileSystem jar = FileSystems.newFileSystem(withMore)) {
            ClassWriter gone = new ClassWriter(0);
            gone.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, CLASS, null, "java/lang/Object", null);
            Files.write(jar.getPath(CLASS + ".class"), gone.toByteArray());
            Path changed = jar.getPath(CHANGED + ".class");
            Files.write(changed, withMethod(Files.readAllBytes(changed)));
        }
        publish(stranger, core, "0.0.1");
        publish(stranger, withMore, "0.0.2");

        compared(stranger, "0.0.1").successfully();
        Stranger.Ended ended = compared(stranger, "0.0.2");

        assertThat(ended.exitCode()).isNotZero();
        assertThat(ended.output()).contains("dev.cleave.Gone:CLASS_REMOVED", "dev.cleave.Ref.gone():METHOD_REMOVED");
        assertThat(compared(stranger, "0.0.3").exitCode()).as("no such release").isNotZero();
    }

    private static byte[] withMethod(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(writer, 0);
        writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT, "gone", "()V", null, null)
                .visitEnd();
        return writer.toByteArray();
    }

    private Stranger.Ended compared(Stranger stranger, String release) throws Exception {
        return stranger.run(
                Stranger.HOME,
                "mvn -B -pl core com.github.siom79.japicmp:japicmp-maven-plugin:cmp@api -Dapi.baseline=" + release
                        + " -Dapi.repository=" + releases() + " -Daether.offline.protocols=file");
    }

    /** Deploys a core to the folder of releases; Maven refuses to do that when it is told that it is offline. */
    private void publish(Stranger stranger, Path core, String version) throws Exception {
        String today = Stranger.version();
        String pom = Files.readString(today().resolveSibling("cleave-core-" + today + ".pom"));
        Path released = Files.writeString(
                directory.resolve("cleave-core-" + version + ".pom"),
                pom.replace(
                        "<artifactId>cleave-core</artifactId>",
                        "<artifactId>cleave-core</artifactId><version>" + version + "</version>"));
        stranger.run(
                        Stranger.HOME,
                        "'" + System.getProperty("cleave.maven") + "/bin/mvn' -B -N -Dmaven.repo.local='"
                                + Stranger.repository() + "' deploy:deploy-file -DrepositoryId=releases -Durl="
                                + releases() + " -Dfile=" + core + " -DpomFile=" + released)
                .successfully();
    }

    private URI releases() {
        return directory.resolve("releases").toUri();
    }

    private static Path today() throws Exception {
        String today = Stranger.version();
        return Stranger.repository().resolve("dev/cleave/cleave-core/" + today + "/cleave-core-" + today + ".jar");
    }
}
