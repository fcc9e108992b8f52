package dev.cleave.agent.guest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.cli.AgentCommands;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program packed with its libraries as Spring Boot does it. */
class NestedJarsTest {

    @TempDir
    Path folder;

    private Path jar;

    @BeforeEach
    void pack() throws IOException {
        jar = folder.resolve("app.jar");
        Manifest manifest = new Manifest();
        Attributes head = manifest.getMainAttributes();
        head.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        head.put(Attributes.Name.MAIN_CLASS, "org.springframework.boot.loader.launch.JarLauncher");
        head.putValue("Start-Class", GuestProgram.MAIN);
        head.putValue("Spring-Boot-Classes", "BOOT-INF/classes/");
        head.putValue("Spring-Boot-Lib", "BOOT-INF/lib/");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream zip = new JarOutputStream(out, manifest)) {
            addLoader(zip);
            addFolder(zip, "BOOT-INF/classes/", GuestProgram.compile(folder));
            zip.putNextEntry(new JarEntry("BOOT-INF/lib/"));
            addLibrary(zip, "harness.jar", GuestProgram.harness());
            addLibrary(zip, "core.jar", GuestProgram.core());
        }
    }

    private static void addLoader(JarOutputStream zip) throws IOException {
        try (ZipFile loader = new ZipFile(GuestJars.springBootLoader().toFile())) {
            for (ZipEntry entry : loader.stream().toList()) {
                if (!entry.getName().startsWith("META-INF/MANIFEST")) {
                    zip.putNextEntry(new JarEntry(entry.getName()));
                    loader.getInputStream(entry).transferTo(zip);
                }
            }
        }
    }

    private static void addFolder(JarOutputStream zip, String prefix, Path folder) throws IOException {
        zip.putNextEntry(new JarEntry(prefix));
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                zip.putNextEntry(new JarEntry(prefix + folder.relativize(file)));
                Files.copy(file, zip);
            }
        }
    }

    private void addLibrary(JarOutputStream zip, String name, String part) throws IOException {
        Path path = Path.of(part);
        if (Files.isDirectory(path)) {
            path = GuestProgram.pack(folder.resolve(name), path);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Files.copy(path, bytes);
        CRC32 crc = new CRC32();
        crc.update(bytes.toByteArray());
        JarEntry entry = new JarEntry("BOOT-INF/lib/" + name);
        entry.setMethod(ZipEntry.STORED); // as its loader wants them
        entry.setSize(bytes.size());
        entry.setCrc(crc.getValue());
        zip.putNextEntry(entry);
        zip.write(bytes.toByteArray());
    }

    private Child run(List<String> options) throws Exception {
        List<String> words = new ArrayList<>(options);
        words.addAll(List.of("-jar", jar.toString()));
        words.addAll(GuestProgram.run().subList(1, 4));
        return Child.run(words);
    }

    @Test
    void runsUnderTheAgent() throws Exception {
        Child written = run(List.of());
        Child rewritten = run(List.of("-javaagent:" + AgentJar.path()));

        assertThat(rewritten.outcome()).isEqualTo(written.outcome());
        assertThat(written.inFlight()).isEqualTo(1);
        assertThat(rewritten.inFlight()).as("%s", rewritten).isGreaterThan(8);
        assertThat(rewritten.agentLines()).isEmpty();
    }

    @Test
    @Tag("one-jdk")
    void isExplained() throws IOException {
        StringWriter out = new StringWriter();

        AgentCommands.explain(new PrintWriter(out), List.of(jar.toString()), null, null, null, false, List.of());

        assertThat(out.toString()).contains("p.Guest\n", "  sum()\n", "pipelined(auto)");
    }
}
