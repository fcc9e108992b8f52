package dev.cleave.agent.packed;

import java.io.IOException;
import java.io.InputStream;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Loads the classes of the agent from its archives, before those that a program may have on its class path. The second
 * archive is opened with the first class that is not in the first one: with the first class that calls remotely.
 */
final class PackedClasses extends ClassLoader {

    static final String OWN = "dev.cleave.agent.";
    static final String AT_START = "start.classes";
    static final String LATER = "later.classes";

    static {
        registerAsParallelCapable();
    }

    private final ProtectionDomain domain;
    private final ClassArchive atStart;
    private volatile @Nullable ClassArchive later;

    PackedClasses(Class<?> besideTheArchives) throws IOException {
        super("cleave-agent", besideTheArchives.getClassLoader());
        this.domain = besideTheArchives.getProtectionDomain();
        this.atStart = open(AT_START);
    }

    private static ClassArchive open(String name) throws IOException {
        try (InputStream stream = PackedClasses.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IOException(name + " is missing in the agent's jar");
            }
            return new ClassArchive(stream);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OWN)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String path = name.replace('.', '/');
        byte[] file = atStart.classFile(path);
        if (file == null) {
            file = later().classFile(path);
        }
        if (file == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, file, 0, file.length, domain);
    }

    private ClassArchive later() throws ClassNotFoundException {
        ClassArchive opened = later;
        if (opened == null) {
            synchronized (this) {
                opened = later;
                if (opened == null) {
                    try {
                        opened = open(LATER);
                    } catch (IOException e) {
                        throw new ClassNotFoundException(LATER, e);
                    }
                    later = opened;
                }
            }
        }
        return opened;
    }
}
