package dev.cleave.examples.experiment;

import java.nio.file.Files;
import java.nio.file.Path;

/** The directory that Cleave was checked out to, where the application files of the examples are. */
public final class Home {

    private Home() {}

    /** An application file of the examples. */
    public static Path file(String name) {
        Path file = Path.of(System.getProperty("cleave.home", "."), "examples", name);
        if (!Files.isRegularFile(file)) {
            throw new IllegalStateException(
                    file.toAbsolutePath().normalize() + ": no such file (start with bin/cleave)");
        }
        return file;
    }
}
