package dev.cleave.broker.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file that a command is asked to write. */
public final class OutputFile {

    private OutputFile() {}

    /** Checks, before long work begins, that a file can be written when it ends; null is no file. */
    public static void requireDirectory(@Nullable Path file) {
        if (file == null) {
            return;
        }
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            throw new CommandException(file + ": its directory does not exist");
        }
    }
}
