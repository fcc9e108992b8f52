package dev.cleave.agent.scan;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The class files on the class path of the JVM, or of a loader with a class path of its own, read from their jars and folders
 * directly. Does not ask the loaders above first, as the loader would. Safe for use by any thread.
 */
final class ClassPathFiles {

    private static final String SUFFIX = ".class";

    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, Entry> ofPackage = new ConcurrentHashMap<>(); // where its last class was found

    /** The class path of the JVM; made when it is asked first. */
    private static final class OfJvm {

        static final ClassPathFiles FILES = new ClassPathFiles(System.getProperty("java.class.path", ""));

        private OfJvm() {}
    }

    /** A jar or a folder. */
    private static final class Entry {

        private final File file;
        private final boolean isFolder;
        private @Nullable JarFile jar; // guarded by this; stays open, as the loader's own does
        private boolean isMissing; // guarded by this

        Entry(String path) {
            file = new File(path);
            isFolder = file.isDirectory();
        }

        byte @Nullable [] read(String path) throws IOException {
            if (isFolder) {
                File found = new File(file, path);
                return found.isFile() ? Files.readAllBytes(found.toPath()) : null;
            }
            JarFile open = jar();
            ZipEntry entry = open == null ? null : open.getEntry(path);
            if (open == null || entry == null) {
                return null;
            }
            try (InputStream in = open.getInputStream(entry)) {
                return in.readAllBytes();
            }
        }

        private synchronized @Nullable JarFile jar() {
            if (jar == null && !isMissing) {
                try {
                    jar = new JarFile(file, false, ZipFile.OPEN_READ, Runtime.version());
                } catch (IOException e) {
                    isMissing = true; // the loader passes over it, too
                }
            }
            return jar;
        }
    }

    ClassPathFiles(String classPath) {
        for (String path : classPath.split(File.pathSeparator)) {
            if (!path.isEmpty()) {
                entries.add(new Entry(path));
            }
        }
    }

    /** The bytes of a class file; null if it is not there, or the class path of the loader is not known. */
    static byte @Nullable [] read(@Nullable ClassLoader loader, String internalName) {
        try {
            if (loader instanceof URLClassLoader own) {
                URL url = own.findResource(internalName + SUFFIX);
                return url == null ? null : ofUrl(loader, url);
            }
            boolean isOfJvm = loader != null
                    && loader.getClass().getName().startsWith("jdk.internal.loader.")
                    && loader == ClassLoader.getSystemClassLoader();
            return isOfJvm ? OfJvm.FILES.read(internalName) : null;
        } catch (IOException | IllegalStateException e) { // the loader is closed, or the jar
            return null;
        }
    }

    /**
     * The bytes at the place where a loader has found them.
     *
     * @throws IOException if they cannot be read
     */
    static byte[] ofUrl(@Nullable ClassLoader loader, URL url) throws IOException {
        URLConnection connection = url.openConnection();
        connection.setUseCaches(connection.getUseCaches() && SiblingFiles.isHeldOpen(loader, url));
        try (InputStream in = connection.getInputStream()) {
            return in.readAllBytes();
        }
    }

    /** The bytes of a class file, null if it is not there. */
    byte @Nullable [] read(String internalName) throws IOException {
        String path = internalName + SUFFIX;
        String of = internalName.substring(0, Math.max(0, internalName.lastIndexOf('/')));
        Entry last = ofPackage.get(of);
        byte[] found = last == null ? null : last.read(path);
        for (Entry entry : entries) {
            if (found != null) {
                break;
            }
            found = entry == last ? null : entry.read(path);
            if (found != null) {
                ofPackage.put(of, entry);
            }
        }
        return found;
    }
}
