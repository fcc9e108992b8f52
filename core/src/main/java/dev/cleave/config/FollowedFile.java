package dev.cleave.config;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.SafeLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.function.Consumer;

/**
 * An application file that is polled: when it, or a file that it includes, has changed, it is read and handed over. A mistake in it is logged once,
 * in one line, and changes nothing. Used by one thread at a time.
 */
public final class FollowedFile {

    private static final System.Logger LOG = SafeLog.of(FollowedFile.class);

    private final Path file;
    private final Consumer<Bindings> taker;
    private List<Path> files;
    private List<Stamp> seen;

    /** Two versions of a file differ if their stamps do. */
    private record Stamp(long modified, long size) {}

    private FollowedFile(Path file, Consumer<Bindings> taker) {
        this.file = requireNonNull(file, "file");
        this.taker = requireNonNull(taker, "taker");
        files = ApplicationFile.check(file).files();
        seen = stamps();
    }

    /**
     * Follows a file from its present state on.
     *
     * @param taker receives the contents of the file; it refuses them by an {@link IllegalArgumentException} or
     * {@link ConfigException}
     */
    public static FollowedFile of(Path file, Consumer<Bindings> taker) {
        return new FollowedFile(file, taker);
    }

    /** Checks the file, and says whether a change has been taken. */
    public boolean poll() {
        List<Stamp> now = stamps();
        if (now.equals(seen)) {
            return false;
        }
        seen = now;
        try {
            ApplicationFile read = ApplicationFile.read(file);
            if (!files.equals(read.files())) {
                files = read.files();
                seen = stamps();
            }
            taker.accept(read.bindings());
            LOG.log(System.Logger.Level.INFO, "{0} has changed: its balance policies hold from now on", file);
            return true;
        } catch (ConfigException | IllegalArgumentException e) {
            LOG.log(System.Logger.Level.ERROR, "{0}; nothing has changed", e.getMessage());
            return false;
        }
    }

    private List<Stamp> stamps() {
        return files.stream().map(FollowedFile::stamp).toList();
    }

    private static Stamp stamp(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new Stamp(attributes.lastModifiedTime().toMillis(), attributes.size());
        } catch (IOException e) { // the file is gone, or being replaced: the next poll checks it again
            return new Stamp(0, -1);
        }
    }
}
