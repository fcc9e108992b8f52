package dev.cleave.agent.premain;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.BooleanSupplier;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * Brings the core that the agent's jar may hold to programs that have none on their class path; once. The copy stands in a folder of its
 * own below the temporary folder until this JVM ends; one that a killed JVM has left is deleted by the next program that needs a copy: a lock
 * tells whether its JVM lives.
 */
final class CoreSupply implements BooleanSupplier {

    private static final String JAR = "core.jar";
    private static final String LOCK = ".lock";
    private static final String PREFIX = "cleave-core-";

    private static @Nullable FileChannel held; // else it would be collected, and its lock with it

    private final Instrumentation instrumentation;
    private @Nullable Boolean brought; // guarded by this

    CoreSupply(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    @Override
    public synchronized boolean getAsBoolean() {
        Boolean known = brought;
        if (known == null) {
            known = bring();
            brought = known;
        }
        return known;
    }

    private boolean bring() {
        try (InputStream in = CoreSupply.class.getResourceAsStream(JAR)) {
            if (in == null) {
                return false;
            }
            instrumentation.appendToSystemClassLoaderSearch(new JarFile(copy(in).toFile()));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static Path copy(InputStream in) throws IOException {
        Path folder = Files.createTempDirectory(PREFIX);
        Path within = folder.getParent();
        if (within != null) {
            sweep(within, folder);
        }
        folder.toFile().deleteOnExit(); // the last that was named is deleted first
        Path lock = folder.resolve(LOCK);
        lock.toFile().deleteOnExit();
        hold(lock);
        Path jar = folder.resolve(JAR);
        jar.toFile().deleteOnExit();
        Files.copy(in, jar);
        return jar;
    }

    /** Locks a file until this JVM ends, however it ends. */
    @SuppressWarnings({"MustBeClosedChecker", "resource"}) // on purpose
    private static synchronized void hold(Path lock) throws IOException {
        held = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock unused = held.tryLock();
    }

    /** Deletes the copies of JVMs that have ended. */
    private static void sweep(Path within, Path own) throws IOException {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(within, PREFIX + "*")) {
            for (Path each : found) {
                Path lock = each.resolve(LOCK);
                if (each.equals(own) || !Files.isRegularFile(lock)) {
                    continue; // or just being made
                }
                try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                        FileLock free = channel.tryLock()) {
                    if (free != null) {
                        Files.deleteIfExists(each.resolve(JAR));
                        Files.deleteIfExists(lock);
                        Files.deleteIfExists(each);
                    }
                } catch (IOException | OverlappingFileLockException e) {
                    continue; // of another user, or of another agent in this JVM
                }
            }
        }
    }
}
