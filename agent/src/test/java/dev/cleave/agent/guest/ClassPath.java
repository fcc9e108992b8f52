package dev.cleave.agent.guest;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The class path of this JVM, and parts of it. */
final class ClassPath {

    private ClassPath() {}

    /** All of it. */
    static List<String> all() {
        return List.of(System.getProperty("java.class.path").split(File.pathSeparator));
    }

    /** The folder or jar that a class comes from. */
    static String of(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** The jars whose names are one of the prefixes and a version. */
    static List<String> jars(String... prefixes) {
        List<String> found = new ArrayList<>();
        for (String prefix : prefixes) {
            all().stream()
                    .filter(path -> Path.of(path).getFileName().toString().matches(prefix + "[0-9][^/]*\\.jar"))
                    .findFirst()
                    .ifPresentOrElse(found::add, () -> {
                        throw new AssertionError(prefix + "*.jar is not on the class path");
                    });
        }
        return found;
    }
}
