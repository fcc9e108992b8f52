package dev.cleave.agent.scan;

import java.io.File;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/** Lists the class files that stand beside one, where a loader finds it in a folder or a jar. */
public final class SiblingFiles {

    private static final String SUFFIX = ".class";

    private SiblingFiles() {}

    /** Their internal names, in a fixed order; empty if they cannot be listed. */
    static List<String> of(@Nullable ClassLoader loader, String internalName) {
        String path = internalName + SUFFIX;
        String folder = internalName.substring(0, internalName.lastIndexOf('/') + 1);
        List<String> names = new ArrayList<>();
        try {
            URL url = loader == null ? ClassLoader.getSystemResource(path) : loader.getResource(path);
            if (url == null) {
                return List.of();
            }
            if (url.getProtocol().equals("file")) {
                String[] files =
                        new File(new URI(url.toString())).getParentFile().list();
                for (String file : files == null ? new String[0] : files) {
                    add(folder + file, folder, names);
                }
            } else if (url.getProtocol().equals("jar") && isHeldOpen(loader, url)) {
                URLConnection connection = url.openConnection();
                if (connection instanceof JarURLConnection jar) {
                    addEntries(jar.getJarFile(), folder, names); // open as long as the loader, which is the JVM's
                }
            }
        } catch (IOException | URISyntaxException | IllegalArgumentException | IllegalStateException e) {
            return List.of();
        }
        names.sort(null);
        return names;
    }

    private static void addEntries(JarFile jar, String folder, List<String> names) {
        jar.stream().forEach(entry -> add(entry.getName(), folder, names));
    }

    /** Adds the class that a file holds if the file stands in a folder. */
    static void add(String file, String folder, List<String> names) {
        boolean isIn = file.startsWith(folder) && file.indexOf('/', folder.length()) < 0;
        if (isIn && file.endsWith(SUFFIX)) {
            names.add(file.substring(0, file.length() - SUFFIX.length()));
        }
    }

    /** Returns the files among some, given by their paths, that stand beside a class. */
    public static List<String> among(List<String> files, String internalName) {
        String folder = internalName.substring(0, internalName.lastIndexOf('/') + 1);
        List<String> names = new ArrayList<>();
        files.forEach(file -> add(file, folder, names));
        names.sort(null);
        return names;
    }

    /** Whether the loader is one of the JVM's, or Spring Boot's, which caches jars within jars itself. */
    static boolean isHeldOpen(@Nullable ClassLoader loader, URL url) {
        return loader == null
                || loader.getClass().getName().startsWith("jdk.internal.loader.")
                || url.getPath().startsWith("nested:");
    }
}
