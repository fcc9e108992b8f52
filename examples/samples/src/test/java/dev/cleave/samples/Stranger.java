package dev.cleave.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The shell of somebody who has this build's artifacts in a local Maven repository of their own. The repository has the
 * libraries of the repository that this build uses, by links.
 */
final class Stranger {

    /** Whether the build takes the time for all of it. */
    static final boolean FULL = Boolean.getBoolean("cleave.full");

    /** The sources of Cleave. */
    static final Path HOME =
            Path.of(System.getProperty("cleave.home")).toAbsolutePath().normalize();

    /** Of JVMs that live for seconds: half of the processor time. */
    private static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)(?<!\\.xml)</module>"); // not format.xml
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)<");
    private static final Pattern PARENT = Pattern.compile("(?s)<parent>.*?</parent>");
    private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static @Nullable Path filled;

    private final Path directory;
    private final Path repository;

    private Stranger(Path directory, Path repository) {
        this.directory = directory;
        this.repository = repository;
    }

    /**
     * Makes a stranger.
     *
     * @param directory an empty folder, in which programs are put
     */
    static Stranger in(Path directory) throws IOException {
        Stranger stranger = new Stranger(directory, repository());
        stranger.program(
                "mvn",
                "exec '" + System.getProperty("cleave.maven") + "/bin/mvn' "
                        + ("offline: true".equals(System.getProperty("cleave.offline")) ? "-o " : "")
                        + "-Dmaven.repo.local='" + stranger.repository + "' \"$@\"");
        return stranger;
    }

    /** Returns the repository that all strangers of this JVM have, filled when the first of them asks. */
    static synchronized Path repository() throws IOException {
        if (filled == null) {
            Path repository =
                    Files.createDirectories(Path.of("target")).toAbsolutePath().resolve("repository");
            remove(repository);
            String used = System.getProperty("maven.repo.local", System.getProperty("cleave.repository"));
            link(Path.of(used), Files.createDirectories(repository), "dev");
            link(Path.of(used, "dev"), Files.createDirectories(repository.resolve("dev")), "cleave");
            install(repository);
            filled = repository;
        }
        return filled;
    }

    /** Removes a folder and its links, not what they lead to. */
    private static void remove(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static void link(Path from, Path to, String but) throws IOException {
        if (!Files.isDirectory(from)) {
            return;
        }
        try (Stream<Path> children = Files.list(from)) {
            for (Path child : children.toList()) {
                if (!child.getFileName().toString().equals(but)) {
                    Files.createSymbolicLink(to.resolve(child.getFileName()), child);
                }
            }
        }
    }

    /** Puts what this build has packaged where {@code mvn install} would. */
    private static void install(Path repository) throws IOException {
        String parent = Files.readString(HOME.resolve("pom.xml"));
        String version = version();
        put(HOME.resolve("pom.xml"), folder(repository, "cleave-parent", version), "cleave-parent-" + version);
        for (String module :
                MODULE.matcher(parent).results().map(m -> m.group(1)).distinct().toList()) {
            Path pom = HOME.resolve(module).resolve("pom.xml");
            Path target = HOME.resolve(module).resolve("target");
            Path reduced = target.resolve("dependency-reduced-pom.xml");
            String artifact =
                    first(ARTIFACT, PARENT.matcher(Files.readString(pom)).replaceAll(""));
            Path folder = folder(repository, artifact, version);
            put(Files.exists(reduced) ? reduced : pom, folder, artifact + "-" + version);
            try (Stream<Path> files = Files.isDirectory(target) ? Files.list(target) : Stream.empty()) {
                for (Path jar : files.toList()) {
                    String name = jar.getFileName().toString();
                    if (name.startsWith(artifact + "-" + version) && name.endsWith(".jar")) {
                        Files.copy(jar, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            }
        }
    }

    private static void put(Path pom, Path folder, String name) throws IOException {
        Files.copy(pom, Files.createDirectories(folder).resolve(name + ".pom"));
    }

    private static Path folder(Path repository, String artifact, String version) {
        return repository.resolve("dev/cleave").resolve(artifact).resolve(version);
    }

    /** The version of this build. */
    static String version() throws IOException {
        return first(VERSION, Files.readString(HOME.resolve("pom.xml")));
    }

    private static String first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
        return matcher.group(1);
    }

    /** Puts a program in front of those that the shell would find. */
    void program(String name, String script) throws IOException {
        Path file = Files.createDirectories(directory.resolve("bin")).resolve(name);
        Files.writeString(file, "#!/usr/bin/env bash\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** The way of a finished script. */
    record Ended(int exitCode, String output) {

        /** Checks that the script went well. */
        String successfully() {
            assertThat(exitCode).as(output).isZero();
            return output;
        }
    }

    /** Runs lines of a shell script in a folder; the first that fails ends it. */
    Ended run(Path folder, String... lines) throws IOException, InterruptedException {
        return run(folder, PATIENCE, lines);
    }

    /** As {@link #run(Path, String...)}, with another patience. */
    Ended run(Path folder, Duration patience, String... lines) throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder("bash", "-e", "-c", String.join("\n", lines));
        builder.environment().put("PATH", directory.resolve("bin") + ":" + System.getenv("PATH"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        String temporary =
                "-Djava.io.tmpdir=" + Files.createDirectories(directory.resolve("temporary")); // scripts kill programs
        builder.environment().put("JAVA_TOOL_OPTIONS", FULL ? temporary : SHORT_LIVED + " " + temporary);
        builder.environment().put("CLEAVE_BROKER", "cleave://localhost:0"); // any free port: other builds may run here
        Process shell = builder.directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = shell.waitFor(patience.toSeconds(), TimeUnit.SECONDS);
        if (!ended) {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly();
        }
        String text = Files.readString(output);
        assertThat(ended).as("ended within %s: %s", patience, text).isTrue();
        return new Ended(shell.exitValue(), text);
    }

    /** Copies a folder without what was built in it. */
    static Path copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path name = from.relativize(file);
                if (!name.startsWith("target")) {
                    Path target = to.resolve(name);
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target);
                }
            }
        }
        return to;
    }

    /** Replaces a text in a file, which must have it. */
    static void edit(Path file, String before, String after) throws IOException {
        String text = Files.readString(file, StandardCharsets.UTF_8);
        assertThat(text).contains(before);
        Files.writeString(file, text.replace(before, after));
    }

    /** The lines of the fenced blocks of a page that have a language. */
    static List<String> blocks(Path page, String language) {
        try {
            return Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```")
                    .matcher(Files.readString(page))
                    .results()
                    .flatMap(block -> Arrays.stream(block.group(1).split("\n")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
