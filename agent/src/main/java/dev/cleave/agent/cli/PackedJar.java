package dev.cleave.agent.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A library packed inside the jar of a program, as Spring Boot and web applications have them. Unpacked to a temporary
 * file while it is open.
 */
final class PackedJar implements ProgramFiles {

    private static final List<String> CLASSES = List.of("BOOT-INF/classes/", "WEB-INF/classes/");
    private static final List<String> LIBRARIES = List.of("BOOT-INF/lib/", "WEB-INF/lib/");

    private final Path file;
    private final Jar jar;

    private PackedJar(Path file, Jar jar) {
        this.file = file;
        this.jar = jar;
    }

    /**
     * Opens the parts of a jar that are on the class path of its program, besides the jar itself; none for most jars.
     */
    static List<ProgramFiles> in(Jar outer) throws IOException {
        List<ProgramFiles> parts = new ArrayList<>();
        List<String> entries = outer.entries();
        for (String folder : CLASSES) {
            if (entries.stream().anyMatch(entry -> entry.startsWith(folder))) {
                parts.add(new PackedFolder(outer, folder));
            }
        }
        for (String entry : entries) {
            if (entry.endsWith(".jar") && LIBRARIES.stream().anyMatch(entry::startsWith)) {
                parts.add(unpack(outer, entry));
            }
        }
        return parts;
    }

    private static PackedJar unpack(Jar outer, String entry) throws IOException {
        Path file = Files.createTempFile("cleave-", ".jar");
        try {
            Files.write(file, outer.read(entry));
            return new PackedJar(file, Jar.open(file));
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    @Override
    public List<String> entries() {
        return jar.entries();
    }

    @Override
    public byte[] read(String entry) throws IOException {
        return jar.read(entry);
    }

    @Override
    public List<String> classes() {
        return jar.classes();
    }

    @Override
    public byte @Nullable [] find(String name) throws IOException {
        return jar.find(name);
    }

    @Override
    public void close() throws IOException {
        try {
            jar.close();
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
