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
 * The indexes of interfaces that compilers have written, for all classes that one loader sees: which interfaces are
 * remote, and which are not. The class files of interfaces that are not remote need not be opened. An interface that no
 * index names is opened, because the index may be older. Every interface beside an index in a folder is opened too:
 * during development, compilations without processors leave outdated indexes there, and folders are read fast.
 */
final class CompiledIndex {

    /** The empty index: every class file is opened. */
    static final CompiledIndex NONE = new CompiledIndex(Set.of(), true);

    private static final CompiledIndex WITHOUT_CORE = new CompiledIndex(Set.of(), false);
    private static final String CORE = "dev/cleave/Remote.class";
    private static final String FILE = "META-INF/cleave/interfaces";
    private static final int LONGEST = 1 << 20;

    private final Set<String> local;
    private final boolean hasCore;

    private CompiledIndex(Set<String> local, boolean hasCore) {
        this.local = local;
        this.hasCore = hasCore;
    }

    /**
     * Reads all indexes that a loader sees, and ignores those that cannot be read. Without the core no interface is
     * remote.
     */
    static CompiledIndex of(@Nullable ClassLoader loader) {
        if (loader != null && loader.getResource(CORE) == null) {
            return WITHOUT_CORE;
        }
        Set<String> local = new HashSet<>();
        Set<String> remote = new HashSet<>();
        try {
            Enumeration<URL> urls = loader == null ? ClassLoader.getSystemResources(FILE) : loader.getResources(FILE);
            while (urls.hasMoreElements()) {
                read(urls.nextElement(), local, remote);
            }
        } catch (IOException e) {
            return NONE;
        }
        local.removeAll(remote); // two folders may hold a class of one name
        return local.isEmpty() ? NONE : new CompiledIndex(local, true);
    }

    /** Whether the interface of this internal name is known not to be remote. */
    boolean excludes(String internalName) {
        return !hasCore || local.contains(internalName);
    }

    private static void read(URL url, Set<String> local, Set<String> remote) throws IOException {
        if (url.getProtocol().equals("file")) {
            return;
        }
        URLConnection connection = url.openConnection();
        connection.setUseCaches(false);
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            int length = 0;
            for (String line = in.readLine(); line != null && length < LONGEST; line = in.readLine()) {
                length += line.length();
                String name = line.substring(line.indexOf(' ') + 1).trim().replace('.', '/');
                if (line.startsWith("local ")) {
                    local.add(name);
                } else if (line.startsWith("remote ")) {
                    remote.add(name);
                }
            }
        }
    }
}
