package dev.cleave.jmh.bench;

import dev.cleave.broker.process.Launcher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds a JDK with virtual threads: this one, {@code JAVA_HOME_25}, or a JDK 25 beside this one. */
final class VirtualThreadJdk {

    private static final int FEATURE = 25;

    private VirtualThreadJdk() {}

    static Optional<Launcher> find() throws IOException {
        if (Launcher.OWN.feature() >= FEATURE) {
            return Optional.of(Launcher.OWN);
        }
        for (Path home : candidates()) {
            if (isJdk25(home)) {
                return Optional.of(new Launcher(List.of(), home, FEATURE));
            }
        }
        return Optional.empty();
    }

    private static List<Path> candidates() throws IOException {
        Path installed = Launcher.OWN.home().toAbsolutePath().getParent();
        try (Stream<Path> beside = installed == null ? Stream.<Path>empty() : Files.list(installed)) {
            return Stream.concat(
                            Optional.ofNullable(System.getenv("JAVA_HOME_25")).map(Path::of).stream(), beside.sorted())
                    .toList();
        }
    }

    private static boolean isJdk25(Path home) throws IOException {
        Path release = home.resolve("release");
        return Files.isExecutable(home.resolve("bin").resolve("java"))
                && Files.isRegularFile(release)
                && Files.readString(release, StandardCharsets.UTF_8).contains("JAVA_VERSION=\"" + FEATURE);
    }
}
