package dev.cleave.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The simple names of the top-level classes of several modules' main code. */
public final class SimpleNames {

    private final Map<String, Set<String>> classes = new TreeMap<>();

    private SimpleNames() {}

    /** Reads the names of the files below {@code src/main/java} of each module. */
    public static SimpleNames of(List<Path> modules) throws IOException {
        SimpleNames names = new SimpleNames();
        for (Path module : modules) {
            Path sources = module.resolve("src/main/java");
            try (Stream<Path> files = Files.walk(sources)) {
                files.map(file -> sources.relativize(file).toString())
                        .filter(file -> file.endsWith(".java") && !file.endsWith("-info.java"))
                        .forEach(names::add);
            }
        }
        return names;
    }

    private void add(String file) {
        String name = file.substring(0, file.length() - ".java".length()).replaceAll("[/\\\\]", ".");
        classes.computeIfAbsent(name.substring(name.lastIndexOf('.') + 1), simple -> new TreeSet<>())
                .add(name);
    }

    /** All simple names. */
    public Set<String> all() {
        return classes.keySet();
    }

    /** The simple names that more than one class has, with those classes. */
    public Map<String, Set<String>> colliding() {
        Map<String, Set<String>> colliding = new TreeMap<>(classes);
        colliding.values().removeIf(named -> named.size() == 1);
        return colliding;
    }
}
