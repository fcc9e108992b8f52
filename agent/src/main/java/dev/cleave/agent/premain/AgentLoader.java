package dev.cleave.agent.premain;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Where the JVM enters the jar that is attached: runs the agent out of two jars within it, before any copy of it that the
 * program has on its class path. The jars within are stored and compressed as a whole, which takes two thirds of the room of
 * class files that are compressed one by one. The second is read with the first class that is not in the first: when the
 * program calls remotely.
 */
public final class AgentLoader extends ClassLoader {

    private static final String OWN = "dev.cleave.agent.";
    private static final String AT_START = "start.jar";
    private static final String LATER = "later.jar";

    static {
        registerAsParallelCapable();
    }

    private final ProtectionDomain domain = AgentLoader.class.getProtectionDomain();
    /** Class files by the names of their entries, until they are loaded. */
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();

    private boolean isComplete;

    private AgentLoader() throws IOException {
        super("cleave-agent", AgentLoader.class.getClassLoader());
        read(AT_START);
    }

    /** Called by the JVM before the program's main method. */
    public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
        try {
            new AgentLoader()
                    .loadClass(OWN + "premain.CleaveAgent")
                    .getMethod("premain", String.class, Instrumentation.class)
                    .invoke(null, arguments, instrumentation);
        } catch (InvocationTargetException e) {
            System.err.println("cleave agent: " + e.getCause() + "; calls run as written");
        } catch (IOException | ReflectiveOperationException | LinkageError e) {
            System.err.println("cleave agent: " + e + "; calls run as written");
        }
    }

    private void read(String jar) throws IOException {
        try (InputStream stream = AgentLoader.class.getResourceAsStream(jar)) {
            if (stream == null) {
                throw new IOException(jar + " is missing in the agent's jar");
            }
            ZipInputStream in = new ZipInputStream(stream);
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                files.put(entry.getName(), in.readAllBytes());
            }
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
        String entry = name.replace('.', '/') + ".class";
        byte[] file = files.get(entry);
        if (file == null) {
            complete(name);
            file = files.get(entry);
        }
        if (file == null) {
            throw new ClassNotFoundException(name);
        }
        Class<?> defined = defineClass(name, file, 0, file.length, domain);
        files.remove(entry);
        return defined;
    }

    private synchronized void complete(String name) throws ClassNotFoundException {
        if (!isComplete) {
            try {
                read(LATER);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
            isComplete = true;
        }
    }
}
