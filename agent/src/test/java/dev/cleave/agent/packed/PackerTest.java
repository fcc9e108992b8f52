package dev.cleave.agent.packed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.agent.guest.AgentJar;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packed jar holds what the ordinary one holds. */
class PackerTest {

    @TempDir
    Path folder;

    private static ClassArchive archive(JarFile jar, String name) throws IOException {
        try (InputStream in = jar.getInputStream(jar.getEntry("dev/cleave/agent/packed/" + name))) {
            return new ClassArchive(in);
        }
    }

    @Test
    void everyClassFileOfTheAgentComesBackWithoutAnnotationsAndSignatures() throws IOException {
        int compared = 0;
        try (JarFile ordinary = new JarFile(AgentJar.ordinary().toFile());
                JarFile packed = new JarFile(AgentJar.path().toFile())) {
            ClassArchive atStart = archive(packed, PackedClasses.AT_START);
            ClassArchive later = archive(packed, PackedClasses.LATER);
            for (ZipEntry entry : ordinary.stream().toList()) {
                String name = entry.getName().replaceFirst("\\.class$", "");
                boolean isTool = name.matches("dev/cleave/agent/(cli|corpus|junit|packed)/.*");
                if (name.equals(entry.getName()) || name.endsWith("package-info") || isTool) {
                    continue;
                }
                byte[] first = atStart.classFile(name);
                byte[] second = later.classFile(name);
                assertThat(first == null ^ second == null)
                        .as("in one of them: " + name)
                        .isTrue();
                assertThat(first == null ? second : first)
                        .as(name)
                        .isEqualTo(
                                SlimClasses.slim(ordinary.getInputStream(entry).readAllBytes()));
                assertThat(new String(first == null ? second : first, StandardCharsets.ISO_8859_1))
                        .as(name)
                        .doesNotContain("Lorg/jspecify/");
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(300);
    }

    @Test
    void theSameClassesMakeTheSameJar() throws IOException {
        Path again = folder.resolve("again.jar");
        Packer.pack(AgentJar.ordinary(), again);

        assertThat(again).hasSameBinaryContentAs(AgentJar.path());
    }

    @Test
    void anArchiveThatIsCutOffIsRefused() throws IOException {
        try (JarFile packed = new JarFile(AgentJar.path().toFile());
                InputStream in = packed.getInputStream(packed.getEntry("dev/cleave/agent/packed/start.classes"))) {
            byte[] whole = in.readAllBytes();
            for (int length : new int[] {0, 3, 11, 100, whole.length / 2, whole.length - 1}) {
                byte[] part = Arrays.copyOf(whole, length);
                assertThatThrownBy(() -> new ClassArchive(new ByteArrayInputStream(part)))
                        .as("the first " + length + " bytes")
                        .isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void whatIsNeitherHereNorThereIsNotFound() throws Exception {
        try (JarFile packed = new JarFile(AgentJar.path().toFile())) {
            assertThat(archive(packed, PackedClasses.LATER).classFile("dev/cleave/agent/Nothing"))
                    .isNull();
        }
    }

    /** Programs without remote calls do not pay for what rewrites them. */
    @Test
    void aProgramWithoutRemoteCallsNeedsTheFirstArchiveOnly() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-javaagent:" + AgentJar.path(),
                        "-Xlog:class+load",
                        "-version")
                .redirectErrorStream(true)
                .start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), System.getProperty("native.encoding"))
                .lines()
                .toList();
        assertThat(process.waitFor()).isZero();
        Set<String> loaded = new HashSet<>();
        for (String line : lines) {
            for (String word : line.split(" ", -1)) {
                if (word.startsWith("dev.cleave.agent.") && !word.startsWith("dev.cleave.agent.packed.")) {
                    loaded.add(word.replace('.', '/'));
                }
            }
        }
        try (JarFile packed = new JarFile(AgentJar.path().toFile())) {
            ClassArchive atStart = archive(packed, PackedClasses.AT_START);
            assertThat(loaded).hasSizeGreaterThan(5).allMatch(name -> atStart.classFile(name) != null);
        }
    }
}
