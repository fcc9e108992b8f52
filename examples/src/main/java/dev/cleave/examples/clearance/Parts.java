package dev.cleave.examples.clearance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The parts that a work server has loaded, as many as it has room for: those used longest ago go first.
 *
 * <p>All work servers load from one file server, which is emulated: it serves one at a time, and takes a fixed time for each. It is
 * a lock on a file that all processes of one parent share. Of one thread at a time.
 */
final class Parts implements AutoCloseable {

    private static final String PREFIX = "cleave-clearance-";
    private static final String SUFFIX = ".lock";
    private static final Object SERVER = new Object(); // locks of files are those of processes

    private final Assembly assembly;
    private final long loadNanos;
    private final FileChannel server;
    private final Map<Integer, Mesh> loaded;
    private int run = -1;
    private long loads;

    /**
     * Creates an empty store.
     *
     * @param loadNanos how long the file server takes for a part
     * @param room the number of parts that are kept
     */
    Parts(Assembly assembly, long loadNanos, int room) throws IOException {
        this.assembly = assembly;
        this.loadNanos = loadNanos;
        long parent = ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L);
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        sweep(folder);
        Path lock = folder.resolve(PREFIX + parent + SUFFIX);
        server = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        lock.toFile().deleteOnExit();
        loaded = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Integer, Mesh> eldest) {
                return size() > room;
            }
        };
    }

    /** Deletes the files of parents that have ended: their processes may have been killed. */
    private static void sweep(Path folder) throws IOException {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, PREFIX + "*" + SUFFIX)) {
            for (Path each : found) {
                String name = each.getFileName().toString();
                String parent = name.substring(PREFIX.length(), name.length() - SUFFIX.length());
                if (parent.matches("\\d{1,18}")
                        && ProcessHandle.of(Long.parseLong(parent)).isEmpty()) {
                    Files.deleteIfExists(each);
                }
            }
        }
    }

    /** Begins with nothing loaded, if it is another run. */
    void begin(int next) {
        if (run != next) {
            run = next;
            loaded.clear();
        }
    }

    /** A part, loaded if it is not here. */
    Mesh get(int number) {
        Mesh known = loaded.get(number);
        if (known != null) {
            return known;
        }
        loads++;
        Mesh mesh;
        synchronized (SERVER) {
            try {
                FileLock served = server.lock();
                try {
                    long due = System.nanoTime() + loadNanos;
                    mesh = assembly.mesh(number);
                    Pace.waitUntil(due);
                } finally {
                    served.release();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        loaded.put(number, mesh);
        return mesh;
    }

    /** How many parts have been loaded, in all runs. */
    long loads() {
        return loads;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
