package dev.cleave.agent.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A folder with classes. */
final class Folder implements ProgramFiles {

    private final Path top;
    private final List<String> entries;

    /** Lists a folder and all below it. */
    Folder(Path top) throws IOException {
        this.top = top;
        try (Stream<Path> files = Files.walk(top)) {
            entries = files.filter(Files::isRegularFile)
                    .map(file -> top.relativize(file).toString().replace('\\', '/'))
                    .sorted(Comparator.comparing((String name) -> !name.equals(JarFile.MANIFEST_NAME))
                            .thenComparing(name -> name)) // a jar begins with its manifest
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public List<String> entries() {
        return entries;
    }

    @Override
    public byte[] read(String entry) throws IOException {
        return Files.readAllBytes(top.resolve(entry));
    }

    @Override
    public List<String> classes() {
        return entries.stream()
                .filter(name -> name.endsWith(".class") && !name.startsWith("META-INF/"))
                .toList();
    }

    @Override
    public byte @Nullable [] find(String name) throws IOException {
        Path file = top.resolve(name);
        return Files.isRegularFile(file) ? Files.readAllBytes(file) : null;
    }

    @Override
    public void close() {}
}
