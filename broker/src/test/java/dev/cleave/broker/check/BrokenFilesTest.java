package dev.cleave.broker.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.config.ApplicationFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files in {@code src/test/resources/broken} end with what the check says of them, each line after {@code #!}. */
@Tag("one-jdk")
class BrokenFilesTest {

    private static final Path FOLDER = Path.of("src/test/resources/broken");
    private static final Path CLASSES = Path.of("target/test-classes/dev/cleave/broker/check/shop");

    static Stream<String> files() throws IOException {
        try (Stream<Path> all = Files.list(FOLDER)) {
            return all.map(file -> file.getFileName().toString()).sorted().toList().stream();
        }
    }

    @Test
    void thereAreThirtyBrokenFilesAtLeast() throws IOException {
        assertThat(files()).hasSizeGreaterThanOrEqualTo(30);
    }

    @ParameterizedTest
    @MethodSource("files")
    void eachMistakeIsNamed(String name) throws IOException {
        Path file = FOLDER.resolve(name);
        List<String> expected = Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("#! "))
                .map(line -> line.substring("#! ".length()))
                .toList();

        assertThat(ApplicationCheck.of(ApplicationFile.check(file), classes(), SiteVerdicts.NONE))
                .extracting(finding -> finding.line()
                        .replace(file + ":", "")
                        .replace(FOLDER.toAbsolutePath().toString(), "FOLDER"))
                .isNotEmpty()
                .containsExactlyElementsOf(expected);
    }

    @Test
    void asyncThatFreesNoCallIsNamed() {
        ApplicationFile file = ApplicationFile.check(FOLDER.resolve("../async.yaml"));
        SiteVerdicts sites = new SiteVerdicts(List.of(
                new SiteVerdicts.Site("Shop.order", "Customer:12", true, "its result is printed in line 13"),
                new SiteVerdicts.Site("Shop.order", "Customer:15", true, ""),
                new SiteVerdicts.Site("Shop.copies", "Customer:16", true, "it is the last"),
                new SiteVerdicts.Site("Shop.copies", "Customer:17", false, "")));

        assertThat(ApplicationCheck.of(file, classes(), sites))
                .extracting(finding -> finding.line().replaceFirst(".*yaml:", ""))
                .containsExactly(
                        "5:30: services.shop.methods.order.style: warning: async frees no call of Shop.order: each of 2 stays"
                                + " sequential, as at Customer:12: its result is printed in line 13");
        assertThat(ApplicationCheck.of(file, classes(), SiteVerdicts.NONE)).isEmpty();
    }

    @Test
    void interfacesOfRmiProgramsHaveAllValuesOfJavaSerialization(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("rmi.yaml"), """
                services:
                  names:
                    interface: java.rmi.registry.Registry
                    methods:
                      list: {style: async}
                      lits: {style: async}
                """);

        assertThat(ApplicationCheck.of(ApplicationFile.check(file), classes(), SiteVerdicts.NONE))
                .extracting(finding -> finding.line().replaceFirst(".*yaml:", ""))
                .containsExactly("6:7: services.names.methods.lits: unknown method (did you mean list?)");
    }

    @Test
    void stylesOfObjectsOfRmiProgramsAreAccepted(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("rmi.yaml"), """
                services:
                  names:
                    interface: java.rmi.registry.Registry
                    methods:
                      list: {style: async, group: names}
                      lookup: {style: chained}
                      bind: {style: chaned}
                """);

        assertThat(ApplicationCheck.of(ApplicationFile.check(file), classes(), SiteVerdicts.NONE))
                .extracting(finding -> finding.line().replaceFirst(".*yaml:", ""))
                .singleElement()
                .asString()
                .startsWith("7:21: services.names.methods.bind.style: ");
    }

    private static ClassLookup classes() {
        Path root = CLASSES;
        for (int i = 0; i < 5; i++) {
            root = root.getParent();
        }
        return new ClassLookup(BrokenFilesTest.class.getClassLoader(), List.of(root));
    }
}
