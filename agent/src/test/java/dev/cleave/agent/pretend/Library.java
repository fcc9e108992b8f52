package dev.cleave.agent.pretend;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

/**
 * A library with its unit tests.
 *
 * @param name a short one
 * @param tests the pattern of the names of its test classes
 * @param interfaces binary names of those that are taken as remote
 * @param artifacts {@code group:artifact:version[:classifier]}: the library, its tests, what they need
 */
record Library(String name, String tests, List<String> interfaces, List<String> artifacts) {

    private static final String FILE = "libraries.properties";

    /** Those that are known by name. */
    static List<Library> known() throws IOException {
        Properties all = read();
        List<Library> libraries = new ArrayList<>();
        for (String name : list(all, "libraries")) {
            libraries.add(new Library(
                    name,
                    property(all, name + ".tests"),
                    list(all, name + ".interfaces"),
                    list(all, name + ".artifacts")));
        }
        return libraries;
    }

    /** The artifact that runs tests. */
    static String console() throws IOException {
        return property(read(), "console");
    }

    private static Properties read() throws IOException {
        try (InputStream in = Objects.requireNonNull(Library.class.getResourceAsStream(FILE), FILE)) {
            Properties all = new Properties();
            all.load(in);
            return all;
        }
    }

    private static List<String> list(Properties all, String key) {
        return List.of(property(all, key).split(",\\s*"));
    }

    private static String property(Properties all, String key) {
        return Objects.requireNonNull(all.getProperty(key), key);
    }
}
