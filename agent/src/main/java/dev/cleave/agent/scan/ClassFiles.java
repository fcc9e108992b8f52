package dev.cleave.agent.scan;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLConnection;
import org.jspecify.annotations.Nullable;

/** Gives class files by name; called from any thread. */
@FunctionalInterface
public interface ClassFiles {

    /**
     * The bytes of a class file.
     *
     * @param internalName such as {@code java/util/List}
     * @return null if there is no such class file
     */
    byte @Nullable [] read(String internalName);

    /**
     * The class files that a loader sees. The loader is held weakly; null is the boot loader. Connections are not
     * cached, so that no jar that the application has open is closed under it.
     */
    static ClassFiles of(@Nullable ClassLoader loader) {
        WeakReference<ClassLoader> reference =
                new WeakReference<>(loader == null ? ClassLoader.getSystemClassLoader() : loader);
        return internalName -> {
            ClassLoader held = reference.get();
            return held == null ? null : read(held.getResource(internalName + ".class"));
        };
    }

    private static byte @Nullable [] read(@Nullable URL url) {
        if (url == null) {
            return null;
        }
        try {
            URLConnection connection = url.openConnection();
            connection.setUseCaches(false);
            try (InputStream in = connection.getInputStream()) {
                return in.readAllBytes();
            }
        } catch (IOException e) {
            return null; // as good as not there: who asked leaves alone what depends on it
        }
    }
}
