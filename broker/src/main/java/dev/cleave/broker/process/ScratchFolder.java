package dev.cleave.broker.process;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A folder of one command below the temporary folder. It is deleted when it is closed, or when this JVM ends by itself or by a signal, unless a
 * user was told to look into it, and there is anything to see. A folder whose JVM was killed is deleted by the next command that opens one: a lock
 * tells whether its JVM lives. Such a command also deletes what was left for users a week ago. Thread-safe.
 */
public final class ScratchFolder implements AutoCloseable {

    private static final String PREFIX = "cleave-scratch-";
    private static final String LOCK = ".lock";
    private static final Duration TO_BE_READ = Duration.ofDays(7);
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet(); // of this JVM, for which its locks say nothing

    private final Path path;
    private final FileChannel channel;
    private final @Nullable FileLock lock;
    private final Thread hook = new Thread(this::endFromHook, "scratch-end");
    private volatile boolean kept;
    private volatile boolean ending;

    private ScratchFolder(Path path, FileChannel channel, @Nullable FileLock lock) {
        this.path = path;
        this.channel = channel;
        this.lock = lock;
    }

    /**
     * Makes a folder, and deletes those of killed JVMs.
     *
     * @param name says whose it is
     */
    public static ScratchFolder open(String name) throws IOException {
        return open(name, temporary());
    }

    private static Path temporary() {
        return Path.of(requireNonNull(System.getProperty("java.io.tmpdir")));
    }

    static ScratchFolder open(String name, Path within) throws IOException {
        sweep(within);
        Path path = Files.createTempDirectory(within, PREFIX + name + "-");
        OWN.add(path);
        FileChannel channel = FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        ScratchFolder made = new ScratchFolder(path, channel, channel.tryLock());
        Runtime.getRuntime().addShutdownHook(made.hook);
        return made;
    }

    /** Work of a command with files in its folder. */
    @FunctionalInterface
    public interface Use<T> {

        /** Works with the folder, and returns a result. */
        T with(ScratchFolder folder) throws IOException;
    }

    /** Makes a folder for an action; keeps it if the action fails, since the message may name files there. */
    public static <T> T use(String name, Use<T> action) throws IOException {
        return use(name, temporary(), action);
    }

    static <T> T use(String name, Path within, Use<T> action) throws IOException {
        try (ScratchFolder folder = open(name, within)) {
            try {
                return action.with(folder);
            } catch (IOException | RuntimeException e) {
                folder.keep();
                throw e;
            }
        }
    }

    /** The folder. */
    public Path path() {
        return path;
    }

    /** Leaves the folder where it is, for people to read: no command deletes it for a week. */
    public void keep() throws IOException {
        if (ending) {
            return; // what fails now fails because this JVM ends
        }
        kept = true;
        Files.deleteIfExists(path.resolve(LOCK));
    }

    /** Leaves the folder where it is if a file that a user is told of is in it. */
    public void keepIfWithin(Path file) throws IOException {
        if (file.startsWith(path)) {
            keep();
        }
    }

    @Override
    public void close() {
        delete();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM ends, and the hook does the same.
        }
    }

    private void endFromHook() {
        ending = true;
        delete();
    }

    private synchronized void delete() {
        if (!OWN.remove(path)) {
            return;
        }
        Fleet.endAllBelow(path); // which write there
        try {
            if (lock != null) {
                lock.release();
            }
            channel.close();
            if (!kept || isEmpty(path)) {
                delete(path);
            }
        } catch (IOException | UncheckedIOException e) {
            return; // the next command tries again
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.findAny().isEmpty();
        }
    }

    private static void sweep(Path within) throws IOException {
        List<Path> found;
        try (Stream<Path> all = Files.list(within)) {
            found = all.filter(each -> String.valueOf(each.getFileName()).startsWith(PREFIX) && !OWN.contains(each))
                    .collect(Collectors.toList());
        }
        for (Path each : found) {
            try {
                sweepOne(each);
            } catch (IOException | UncheckedIOException e) {
                continue; // of another user, or just being deleted
            }
        }
    }

    private static void sweepOne(Path left) throws IOException {
        Path file = left.resolve(LOCK);
        if (!Files.isRegularFile(file)) { // kept, or just being made
            if (Files.getLastModifiedTime(left)
                    .toInstant()
                    .isBefore(Instant.now().minus(TO_BE_READ))) {
                delete(left);
            }
            return;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock free = channel.tryLock()) {
            if (free != null) {
                delete(left);
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
