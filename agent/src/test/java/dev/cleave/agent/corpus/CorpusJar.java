package dev.cleave.agent.corpus;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** The classes of one jar, those for newer JDKs left out, by internal name. */
public final class CorpusJar {

    private final Path path;
    private final SortedMap<String, byte[]> classes;

    private CorpusJar(Path path, SortedMap<String, byte[]> classes) {
        this.path = path;
        this.classes = classes;
    }

    /** Reads a jar whole. */
    public static CorpusJar read(Path path) throws IOException {
        SortedMap<String, byte[]> classes = new TreeMap<>();
        try (ZipFile zip = new ZipFile(path.toFile())) {
            for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
                ZipEntry entry = entries.nextElement();
                String name = entry.getName();
                if (!name.endsWith(".class") || name.startsWith("META-INF/") || name.endsWith("module-info.class")) {
                    continue;
                }
                try (InputStream in = zip.getInputStream(entry)) {
                    classes.put(name.substring(0, name.length() - ".class".length()), in.readAllBytes());
                }
            }
        }
        return new CorpusJar(path, classes);
    }

    Path path() {
        return path;
    }

    String name() {
        return String.valueOf(path.getFileName());
    }

    /** Returns its class files by internal name. */
    public SortedMap<String, byte[]> classes() {
        return Collections.unmodifiableSortedMap(classes);
    }

    /** The names of the classes of a package of this jar, by the name of one of them; none if that one is not here. */
    List<String> beside(String internalName) {
        String folder = internalName.substring(0, internalName.lastIndexOf('/') + 1);
        return !classes.containsKey(internalName) || folder.isEmpty()
                ? List.of()
                : classes.subMap(folder, folder + Character.MAX_VALUE).keySet().stream()
                        .filter(name -> name.indexOf('/', folder.length()) < 0)
                        .toList();
    }

    byte @Nullable [] find(String internalName) {
        return classes.get(internalName);
    }
}
