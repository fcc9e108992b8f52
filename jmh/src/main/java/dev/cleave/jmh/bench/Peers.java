package dev.cleave.jmh.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The libraries of the other middleware. Only the JVMs of the bench have them. */
final class Peers {

    private Peers() {}

    /** Where the build has put them; none if this JVM was not started by the launcher, and so has them itself. */
    static List<String> jars() {
        Path home = Path.of(System.getProperty("cleave.home", ""));
        Path jars = home.resolve("jmh").resolve("target").resolve("peers");
        return Files.isDirectory(jars) ? List.of(jars + "/*") : List.of();
    }
}
