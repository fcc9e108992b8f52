package dev.cleave.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The project that {@code bin/cleave new} writes; that it builds and runs is shown by the samples. */
@Tag("one-jdk")
class NewCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    @Test
    void writesAProjectForMaven() throws IOException {
        Path shop = directory.resolve("corner-shop");

        assertThat(write(shop)).isZero();

        assertThat(files(shop))
                .containsExactlyInAnyOrder(
                        "README.md",
                        "cleave.baseline",
                        "cleave.yaml",
                        "pom.xml",
                        "src/main/java/com/example/cornershop/Inventory.java",
                        "src/main/java/com/example/cornershop/StoredWarehouse.java",
                        "src/main/java/com/example/cornershop/Warehouse.java",
                        "src/test/java/com/example/cornershop/InventoryTest.java");
        assertThat(text(shop)).doesNotContainPattern("@(name|package|version|classes)@");
        assertThat(Files.readString(shop.resolve("pom.xml"))).contains("<artifactId>corner-shop</artifactId>");
        assertThat(out.toString())
                .isEqualTo("wrote " + shop + ", a project for Maven; README.md in it says what to do next\n");
    }

    @Test
    void writesAProjectForGradle() throws IOException {
        Path shop = directory.resolve("shop");

        assertThat(write(shop, "--gradle", "--package", "com.acme")).isZero();

        assertThat(files(shop)).contains("build.gradle", "settings.gradle", "src/main/java/com/acme/Inventory.java");
        assertThat(files(shop)).doesNotContain("pom.xml");
        assertThat(text(shop)).doesNotContainPattern("@(name|package|version|classes)@");
        assertThat(Files.readString(shop.resolve("cleave.yaml"))).contains("classpath: [build/classes/java/main]");
    }

    @Test
    void overwritesNothing() throws IOException {
        Path shop = Files.createDirectory(directory.resolve("shop"));

        assertThat(write(shop)).isEqualTo(1);

        assertThat(err.toString()).isEqualTo("cleave: " + shop + ": exists (expected: a name that is free)\n");
        assertThat(files(shop)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Shop", "my shop", "1shop", "shop.x"})
    void refusesNamesThatAreNoneForAnArtifact(String name) throws IOException {
        assertThat(write(directory.resolve(name))).isEqualTo(2);

        assertThat(err.toString()).contains("expected: a name of a-z").hasLineCount(1);
        assertThat(files(directory)).isEmpty();
    }

    private int write(Path folder, String... options) {
        List<String> words = Stream.concat(Stream.of("new", folder.toString()), Stream.of(options))
                .toList();
        return Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(String[]::new));
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .toList();
        }
    }

    private static String text(Path folder) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String file : files(folder)) {
            text.append(Files.readString(folder.resolve(file)));
        }
        return text.toString();
    }
}
