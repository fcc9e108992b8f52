package dev.cleave.agent.scan;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What compilers wrote down about remote interfaces, for all that one loader sees: packages that they know whole, and
 * the remote interfaces in them. What is in such a package and not named need not be opened.
 */
final class CompiledIndex {

    /** Knows nothing: every class file is asked. */
    static final CompiledIndex NONE = new CompiledIndex(Set.of(), Set.of());

    private static final String FILE = "META-INF/cleave/interfaces";
    private static final int LONGEST = 1 << 20;

    private final Set<String> packages;
    private final Set<String> remote;

    private CompiledIndex(Set<String> packages, Set<String> remote) {
        this.packages = packages;
        this.remote = remote;
    }

    /** Reads all indexes that a loader sees; those that cannot be read say nothing. */
    static CompiledIndex of(@Nullable ClassLoader loader) {
        Set<String> packages = new HashSet<>();
        Set<String> remote = new HashSet<>();
        try {
            Enumeration<URL> urls = loader == null ? ClassLoader.getSystemResources(FILE) : loader.getResources(FILE);
            while (urls.hasMoreElements()) {
                read(urls.nextElement(), packages, remote);
            }
        } catch (IOException e) {
            return NONE;
        }
        return packages.isEmpty() ? NONE : new CompiledIndex(packages, remote);
    }

    /** Whether the interface of this internal name is known not to be remote. */
    boolean excludes(String internalName) {
        int slash = internalName.lastIndexOf('/');
        return slash > 0 && packages.contains(internalName.substring(0, slash)) && !remote.contains(internalName);
    }

    private static void read(URL url, Set<String> packages, Set<String> remote) throws IOException {
        URLConnection connection = url.openConnection();
        connection.setUseCaches(false);
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            int length = 0;
            for (String line = in.readLine(); line != null && length < LONGEST; line = in.readLine()) {
                length += line.length();
                String name = line.substring(line.indexOf(' ') + 1).trim().replace('.', '/');
                if (line.startsWith("package ")) {
                    packages.add(name);
                } else if (line.startsWith("remote ")) {
                    remote.add(name);
                }
            }
        }
    }
}
