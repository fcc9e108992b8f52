package dev.cleave.broker.check;

import dev.cleave.config.Nearest;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds classes of the application, without running any of their code. */
public final class ClassLookup {

    private static final String SUFFIX = ".class";

    /** The most classes whose names are compared with one that was not found. */
    private static final int MOST_NAMES = 50_000;

    private final ClassLoader loader;
    private final List<Path> path;
    private @Nullable Set<String> names;

    /**
     * Looks classes up.
     *
     * @param loader finds them
     * @param path the jars and folders of the application: names of classes there are offered for those that are not found
     */
    public ClassLookup(ClassLoader loader, List<Path> path) {
        this.loader = loader;
        this.path = List.copyOf(path);
    }

    /** Returns a class, not initialized; null if there is none of the name, or it cannot be loaded. */
    @Nullable
    Class<?> find(String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    /** Returns the jar or folder that a class comes from; none if that is not known. */
    public List<Path> source(String name) {
        Class<?> type = find(name);
        CodeSource source = type == null ? null : type.getProtectionDomain().getCodeSource();
        try {
            return source == null
                    ? List.of()
                    : List.of(Path.of(source.getLocation().toURI()));
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) { // no file
            return List.of();
        }
    }

    /** Whether the application has a class in a package. */
    boolean hasPackage(String name) {
        return names().stream().anyMatch(each -> each.startsWith(name + "."));
    }

    /** Says of a class that there is none, and which name is near. */
    String missing(String name) {
        String hint = Nearest.hint(name, names());
        if (!hint.startsWith("(did")) { // the package may be wrong as a whole
            String simple = name.substring(name.lastIndexOf('.') + 1);
            hint = names().stream()
                    .filter(each -> each.endsWith("." + simple))
                    .findFirst()
                    .map(each -> "(did you mean " + each + "?)")
                    .orElse("(expected: a class on the classpath: of the file, or on CLEAVE_CLASSPATH)");
        }
        return name + ": no such class " + hint;
    }

    private Set<String> names() {
        if (names == null) {
            Set<String> found = new LinkedHashSet<>();
            path.forEach(entry -> names(entry).stream()
                    .filter(each -> found.size() < MOST_NAMES && !each.endsWith("-info"))
                    .forEach(found::add));
            names = found;
        }
        return names;
    }

    private static List<String> names(Path entry) {
        if (Files.isDirectory(entry)) {
            try (Stream<Path> files = Files.walk(entry)) {
                return files.map(each -> className(entry.relativize(each).toString()))
                        .filter(each -> !each.isEmpty())
                        .toList();
            } catch (IOException e) {
                return List.of();
            }
        }
        List<String> found = new ArrayList<>();
        try (JarFile jar = new JarFile(entry.toFile())) {
            jar.stream().forEach(each -> found.add(className(each.getName())));
        } catch (IOException e) { // no jar: nothing can be found there, as the lookup says
            return List.of();
        }
        return found.stream().filter(each -> !each.isEmpty()).toList();
    }

    private static String className(String file) {
        return file.endsWith(SUFFIX)
                ? file.substring(0, file.length() - SUFFIX.length())
                        .replace('/', '.')
                        .replace('\\', '.')
                : "";
    }
}
