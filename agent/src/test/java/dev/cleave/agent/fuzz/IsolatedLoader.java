package dev.cleave.agent.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Defines the classes of Cleave once more, perhaps changed. What one such loader has defined has static state of its own:
 * jobs side by side do not share counters of calls.
 */
public final class IsolatedLoader extends URLClassLoader {

    private static final String OWN = "dev.cleave.";

    private final BiFunction<String, byte[], byte[]> change;
    private final List<Class<?>> shared;

    /**
     * Makes a loader.
     *
     * @param change what a class file becomes, given its binary name
     * @param shared classes that are not defined once more
     * @param samples a class of each place where classes of Cleave are
     */
    public IsolatedLoader(BiFunction<String, byte[], byte[]> change, List<Class<?>> shared, Class<?>... samples) {
        super(
                Arrays.stream(samples)
                        .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                        .distinct()
                        .toArray(URL[]::new),
                IsolatedLoader.class.getClassLoader());
        this.change = change;
        this.shared = List.copyOf(shared);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OWN) || isShared(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known != null ? known : define(name);
        }
    }

    private boolean isShared(String name) {
        return name.startsWith(FuzzResult.class.getName())
                || shared.stream().map(Class::getName).anyMatch(name::startsWith);
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        URL file = findResource(name.replace('.', '/') + ".class");
        if (file == null) {
            throw new ClassNotFoundException(name);
        }
        try (InputStream in = file.openStream()) {
            byte[] bytes = change.apply(name, in.readAllBytes());
            // with the place that it is from, which compilers of programs look for
            return defineClass(name, bytes, 0, bytes.length, place(file, name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static CodeSource place(URL file, String name) {
        String text = file.toString();
        String root = text.substring(0, text.length() - name.length() - ".class".length());
        try {
            String folder =
                    root.startsWith("jar:") ? root.substring("jar:".length(), root.length() - "!/".length()) : root;
            return new CodeSource(URI.create(folder).toURL(), (Certificate[]) null);
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
