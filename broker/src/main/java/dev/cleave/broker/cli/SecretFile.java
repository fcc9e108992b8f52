package dev.cleave.broker.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Writes files of keys. */
final class SecretFile {

    private SecretFile() {}

    /** Writes a file in the place of another one; a secret one is readable by its owner alone from the beginning. */
    static void write(Path directory, String name, String text, boolean isSecret) throws IOException {
        Path next = directory.resolve(name + ".next");
        Files.deleteIfExists(next);
        if (isSecret && Files.getFileStore(directory).supportsFileAttributeView("posix")) {
            Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        Files.writeString(next, text);
        Files.move(next, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
}
