package dev.cleave.agent.guest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.conformance.Compiler;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program of named modules, with the core as the automatic module that its jar names. */
class ModulesTest {

    private static final String HARNESS = """
            module harness {
                requires dev.cleave.core;
                exports dev.cleave.agent.conformance;
                opens dev.cleave.agent.conformance to dev.cleave.core;
            }
            """;

    @TempDir
    Path folder;

    private Path libraries;

    @BeforeEach
    void packLibraries() throws Exception {
        libraries = Files.createDirectory(folder.resolve("modules"));
        GuestProgram.pack(
                libraries.resolve("core.jar"),
                unpacked(GuestProgram.core()),
                "Automatic-Module-Name",
                nameInBuildFile());
        Path named = GuestProgram.compile(
                folder,
                List.of(
                        "-p",
                        libraries.toString(),
                        "--release",
                        "17",
                        "--patch-module",
                        "harness=" + GuestProgram.harness()),
                "module-info",
                HARNESS);
        Path harness = Path.of("dev", "cleave", "agent", "conformance");
        try (Stream<Path> files = Files.list(Path.of(GuestProgram.harness()).resolve(harness))) {
            Files.createDirectories(named.resolve(harness));
            for (Path file : files.toList()) {
                Files.copy(file, named.resolve(harness).resolve(file.getFileName()));
            }
        }
        GuestProgram.pack(libraries.resolve("harness.jar"), named);
    }

    /** The name that the build writes into the manifest of the core. */
    private static String nameInBuildFile() throws Exception {
        String text = Files.readString(Path.of("..", "core", "pom.xml"));
        String tag = "<bundle>";
        int from = text.indexOf(tag) + tag.length();
        return "dev.cleave." + text.substring(from, text.indexOf('<', from));
    }

    private Path unpacked(String core) throws Exception {
        Path path = Path.of(core);
        if (Files.isDirectory(path)) {
            return path;
        }
        Path into = folder.resolve("core");
        try (FileSystem jar = FileSystems.newFileSystem(path);
                Stream<Path> files = Files.walk(jar.getPath("/"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = into.resolve(file.toString().substring(1));
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
        return into;
    }

    /** Compiles the program into a module that requires others, and runs it. */
    private void isRewritten(String... required) throws Exception {
        StringBuilder module = new StringBuilder("module shop.app { exports p;");
        for (String name : required) {
            module.append(" requires ").append(name).append(';');
        }
        Path app = GuestProgram.compile(
                folder,
                Stream.concat(Stream.of("-p", libraries.toString()), Compiler.RELEASE.stream())
                        .toList(),
                "module-info",
                module + "}",
                GuestProgram.CLASS,
                GuestProgram.SOURCE);
        Child written = run(app, List.of());
        Child rewritten = run(app, List.of("-javaagent:" + AgentJar.path()));

        assertThat(rewritten.outcome()).isEqualTo(written.outcome());
        assertThat(written.inFlight()).isEqualTo(1);
        assertThat(rewritten.inFlight()).as("%s", rewritten).isGreaterThan(8);
        assertThat(rewritten.agentLines()).isEmpty();
    }

    private Child run(Path app, List<String> options) throws Exception {
        List<String> words = new ArrayList<>(options);
        words.addAll(List.of("-p", libraries + ":" + app, "--add-modules", "shop.app"));
        words.addAll(List.of("-m", "harness/" + GuestProgram.MAIN));
        words.addAll(GuestProgram.run().subList(1, 4));
        return Child.run(words);
    }

    @Test
    @Tag("full")
    void rewrittenClassesOfANamedModuleLinkTheirSends() throws Exception {
        isRewritten("harness", "dev.cleave.core");
    }

    @Test
    @Tag("one-jdk")
    void aModuleThatKnowsOnlyTheInterfacesIsMadeToReadTheCore() throws Exception {
        isRewritten("harness");
    }
}
