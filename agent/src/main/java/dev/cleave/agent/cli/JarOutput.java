package dev.cleave.agent.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes a jar, first beside its place, and moves it there when it is complete. */
final class JarOutput implements Output {

    /**
     * The time of entries that come from a folder: the first that a jar can hold, so that equal input gives equal jars.
     */
    private static final long FIRST_TIME = 315_619_200_000L; // 1980-01-02T00:00Z

    private final Path target;
    private final Path unfinished;
    private final ProgramFiles source;
    private final ZipOutputStream zip;

    private JarOutput(Path target, Path unfinished, ProgramFiles source, OutputStream out) {
        this.target = target;
        this.unfinished = unfinished;
        this.source = source;
        this.zip = new ZipOutputStream(out);
    }

    @SuppressWarnings("resource") // the output closes it
    static JarOutput open(Path target, ProgramFiles source) throws IOException {
        Path folder = target.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new IllegalArgumentException(target + ": its folder does not exist (expected: an existing folder)");
        }
        Path unfinished = folder.resolve(target.getFileName() + ".part");
        return new JarOutput(target, unfinished, source, Files.newOutputStream(unfinished));
    }

    @Override
    public void write(String name, byte[] bytes) throws IOException {
        if (name.startsWith("/") || Arrays.asList(name.split("[/\\\\]")).contains("..")) {
            throw new IllegalArgumentException("entry: " + name + " (expected: a name inside " + target + ")");
        }
        ZipEntry entry = new ZipEntry(name);
        entry.setTime(FIRST_TIME);
        if (source instanceof Jar jar) {
            ZipEntry original = jar.entry(name);
            entry.setTime(original.getTime());
            if (original.getMethod() == ZipEntry.STORED) { // as libraries within a jar must be
                CRC32 crc = new CRC32();
                crc.update(bytes);
                entry.setMethod(ZipEntry.STORED);
                entry.setSize(bytes.length);
                entry.setCrc(crc.getValue());
            }
        }
        zip.putNextEntry(entry);
        zip.write(bytes);
        zip.closeEntry();
    }

    @Override
    public void finish() throws IOException {
        zip.close();
        Files.move(unfinished, target, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
        zip.close();
        Files.deleteIfExists(unfinished);
    }
}
