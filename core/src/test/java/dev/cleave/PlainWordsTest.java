package dev.cleave;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Comments of main code say who does what to what. A word that names no subject, such as "whoever", and a Javadoc that
 * begins without one, such as "Those of a body", are riddles; each module may have so few of them, and never more.
 */
@Tag("one-jdk")
class PlainWordsTest {

    /** The most riddles in the comments of each module. Lower a number when it is smaller; it may not grow. */
    private static final Map<String, Integer> MOST =
            Map.of("core", 1, "agent", 7, "broker", 0, "examples", 1, "jmh", 0, "jmh/lab", 1);

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|(?<!:)//[^\\n]*", Pattern.DOTALL);
    private static final Pattern RIDDLE = Pattern.compile(
            "\\b(?:whoever|nobody|somebody|anybody|everybody|so many|so much|what of|once more)\\b"
                    + "|^/\\*\\*[\\s*]*(?:Those|That of|Who|Whose|Whom|What(?! do(?:es)?\\b)|Of|As|So|Which)\\b",
            Pattern.CASE_INSENSITIVE);

    @Test
    void riddlesInCommentsDoNotGrow() throws IOException {
        for (Map.Entry<String, Integer> most : MOST.entrySet()) {
            assertThat(riddles(Path.of("..", most.getKey().split("/"))))
                    .as(most.getKey())
                    .isLessThanOrEqualTo(most.getValue());
        }
    }

    @Test
    void riddlesAreFound() {
        assertThat(List.of(
                        "/** Those of a body, in the order of the program. */",
                        "/**\n     * What it waits for.\n     */",
                        "// nobody\n// knows, so\n",
                        "/** Sends so\n     * many bytes. */"))
                .allSatisfy(text -> assertThat(riddles(text)).isOne());
        assertThat(riddles("String so = \"cleave://nobody\"; // many")).isZero();
        assertThat(riddles("/** Returns what the method returned, or those of the caller. */"))
                .isZero();
    }

    private static int riddles(Path module) throws IOException {
        int riddles = 0;
        try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
            for (Path file :
                    (Iterable<Path>) files.filter(path -> path.toString().endsWith(".java"))::iterator) {
                riddles += riddles(Files.readString(file));
            }
        }
        return riddles;
    }

    private static int riddles(String text) {
        int riddles = 0;
        Matcher comment = COMMENT.matcher(text);
        while (comment.find()) {
            String line = comment.group().replaceAll("\\n[\\s*]*", " ");
            riddles += (int) RIDDLE.matcher(line).results().count();
        }
        return riddles;
    }
}
