package dev.cleave.agent.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes files into a folder. */
final class FolderOutput implements Output {

    private final Path top;

    FolderOutput(Path top) {
        this.top = top;
    }

    @Override
    public void write(String entry, byte[] bytes) throws IOException {
        Path file = top.resolve(entry).normalize();
        if (!file.startsWith(top.normalize())) {
            throw new IllegalArgumentException("entry: " + entry + " (expected: a name inside " + top + ")");
        }
        if (entry.endsWith("/")) {
            Files.createDirectories(file);
            return;
        }
        Path parent = file.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Files.write(file, bytes);
    }

    @Override
    public void finish() {}

    @Override
    public void close() {}
}
