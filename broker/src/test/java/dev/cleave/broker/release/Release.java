package dev.cleave.broker.release;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The classes of a release, and those of this package bound to them; all others are those of the build. */
final class Release extends ClassLoader {

    private static final String OURS = "dev.cleave.";
    private static final String HERE = Release.class.getPackageName() + '.';

    private final Map<String, byte[]> classes = new HashMap<>();

    Release(Path file) {
        super(Release.class.getClassLoader());
        try (ZipInputStream in = new ZipInputStream(new GZIPInputStream(Files.newInputStream(file)))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                if (entry.getName().endsWith(".class")) {
                    classes.put(entry.getName().replace('/', '.').replaceFirst("\\.class$", ""), in.readAllBytes());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known != null ? known : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = name.startsWith(HERE) ? ownBytes(name) : classes.get(name);
        if (bytes == null) {
            throw new ClassNotFoundException(name + " is not in the release");
        }
        return defineClass(name, bytes, 0, bytes.length, Release.class.getProtectionDomain());
    }

    private static byte[] ownBytes(String name) throws ClassNotFoundException {
        try (InputStream in = Release.class.getResourceAsStream('/' + name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
