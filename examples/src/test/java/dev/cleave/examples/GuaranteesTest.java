package dev.cleave.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every test that docs/guarantees.md names exists. */
@Tag("one-jdk")
class GuaranteesTest {

    private static final Pattern NAMED = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");

    private final Path root = Path.of("..").toAbsolutePath().normalize();

    @Test
    void everyPromiseIsHeldByATestThatExists() throws IOException {
        Map<String, String> sources = testSources();
        List<String> missing = new ArrayList<>();
        int named = 0;

        Matcher matcher = NAMED.matcher(Files.readString(root.resolve("docs/guarantees.md")));
        while (matcher.find()) {
            String source = sources.get(matcher.group(1));
            String method = matcher.group(2);
            if (source == null || method != null && !source.contains("void " + method + "(")) {
                missing.add(matcher.group());
            }
            named++;
        }

        assertThat(named).isGreaterThan(30);
        assertThat(missing).isEmpty();
    }

    private Map<String, String> testSources() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().contains("src/test/java"))
                    .filter(file -> file.getFileName().toString().endsWith("Test.java"))
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString().replace(".java", ""),
                            GuaranteesTest::text,
                            (one, other) -> one + other));
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
