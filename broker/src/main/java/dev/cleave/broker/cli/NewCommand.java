package dev.cleave.broker.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave new}: writes a small project that builds and runs. */
@Command(
        name = "new",
        description =
                "Write a small project: an interface, a service, a client, a test, the application file, the build.",
        mixinStandardHelpOptions = true)
final class NewCommand implements Subcommand {

    private static final String NAMES = "[a-z][a-z0-9-]{0,60}";
    private static final String PACKAGES = "[a-z_][a-z0-9_]*(\\.[a-z_][a-z0-9_]*)*";

    @Parameters(paramLabel = "NAME", description = "The folder to write; its name is that of the project.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path folder;

    @Option(names = "--gradle", description = "Build with Gradle instead of Maven.")
    private boolean gradle;

    @Option(names = "--package", paramLabel = "PACKAGE", description = "The package (default: com.example.NAME).")
    private @Nullable String chosen;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        String name = String.valueOf(folder.getFileName());
        if (!name.matches(NAMES)) {
            throw new ParameterException(
                    spec.commandLine(), "'" + name + "' (expected: a name of a-z, 0-9 and '-', such as shop)");
        }
        String inPackage = chosen == null ? "com.example." + name.replace("-", "") : chosen;
        if (!inPackage.matches(PACKAGES)) {
            throw new ParameterException(
                    spec.commandLine(), "'" + inPackage + "' (expected: a package of small letters)");
        }
        if (Files.exists(folder)) {
            throw new CommandException(folder + ": exists (expected: a name that is free)");
        }
        for (Map.Entry<String, Path> file : files(inPackage.replace('.', '/')).entrySet()) {
            Path target = folder.resolve(file.getValue());
            Files.createDirectories(Objects.requireNonNull(target.getParent()));
            Files.writeString(target, filled(file.getKey(), name, inPackage), StandardCharsets.UTF_8);
        }
        PrintWriter out = spec.commandLine().getOut();
        Sentences.say(
                out,
                "wrote " + folder + ", a project for " + (gradle ? "Gradle" : "Maven")
                        + "; README.md in it says what to do next");
        out.flush();
        return 0;
    }

    /** The files to write, by the names of the files that they are made from. */
    private Map<String, Path> files(String directory) {
        Map<String, Path> files = new LinkedHashMap<>();
        if (gradle) {
            files.put("build.gradle", Path.of("build.gradle"));
            files.put("settings.gradle", Path.of("settings.gradle"));
            files.put("gradle.md", Path.of("README.md"));
        } else {
            files.put("pom.xml", Path.of("pom.xml"));
            files.put("maven.md", Path.of("README.md"));
        }
        files.put("cleave.baseline", Path.of("cleave.baseline"));
        files.put("cleave.yaml", Path.of("cleave.yaml"));
        files.put("Warehouse.java", Path.of("src/main/java", directory, "Warehouse.java"));
        files.put("StoredWarehouse.java", Path.of("src/main/java", directory, "StoredWarehouse.java"));
        files.put("Inventory.java", Path.of("src/main/java", directory, "Inventory.java"));
        files.put("InventoryTest.java", Path.of("src/test/java", directory, "InventoryTest.java"));
        return files;
    }

    private String filled(String file, String name, String inPackage) throws IOException {
        try (InputStream in = NewCommand.class.getResourceAsStream("project/" + file)) {
            return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8)
                    .replace("@name@", name)
                    .replace("@package@", inPackage)
                    .replace("@classes@", gradle ? "build/classes/java/main" : "target/classes")
                    .replace("@version@", CleaveVersion.current());
        }
    }
}
