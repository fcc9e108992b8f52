package dev.cleave.agent.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** A jar. If a class is there in several versions it gives the one for this JVM, as a class loader does. */
final class Jar implements ProgramFiles {

    /** Signed or not, nothing is verified here. */
    private final JarFile versioned;

    private final ZipFile plain;

    private Jar(JarFile versioned, ZipFile plain) {
        this.versioned = versioned;
        this.plain = plain;
    }

    @SuppressWarnings("resource") // the jar closes both
    static Jar open(Path path) throws IOException {
        try {
            return new Jar(
                    new JarFile(path.toFile(), false, ZipFile.OPEN_READ, Runtime.version()),
                    new ZipFile(path.toFile()));
        } catch (ZipException e) {
            throw new IllegalArgumentException(path + ": not a jar (expected: a jar or a folder with classes)", e);
        }
    }

    /** The entry of a file, for its time and its method. */
    ZipEntry entry(String name) {
        ZipEntry entry = plain.getEntry(name);
        if (entry == null) {
            throw new IllegalArgumentException("entry: " + name + " (expected: one of " + plain.getName() + ")");
        }
        return entry;
    }

    @Override
    public List<String> entries() {
        return plain.stream().map(ZipEntry::getName).toList();
    }

    @Override
    public byte[] read(String entry) throws IOException {
        return read(plain, entry(entry));
    }

    @Override
    public List<String> classes() {
        return versioned
                .versionedStream()
                .map(ZipEntry::getName)
                .filter(name -> name.endsWith(".class"))
                .toList();
    }

    @Override
    public byte @Nullable [] find(String name) throws IOException {
        ZipEntry entry = versioned.getEntry(name);
        return entry == null ? null : read(versioned, entry);
    }

    @Override
    public void close() throws IOException {
        versioned.close();
        plain.close();
    }

    private static byte[] read(ZipFile file, ZipEntry entry) throws IOException {
        try (InputStream in = file.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }
}
