package dev.cleave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.SimpleNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code docs/glossary.md} has one word for one thing, and main code of core, agent and broker uses it. */
@Tag("one-jdk")
class GlossaryTest {

    /** Classes whose names begin with a word that the glossary replaces, to be renamed. The list may only shrink. */
    private static final Set<String> STILL = Set.of("Departures", "Memories", "Settled");

    private static final int MOST_WORDS = 100;
    private static final Pattern ROW = Pattern.compile("\\|([^|]+)\\|([^|]+)\\|([^|]*)\\|");
    private static final Pattern CODE = Pattern.compile("`(\\w+)`");

    private record Row(String word, String meaning, String insteadOf) {}

    @Test
    void noClassIsNamedByAReplacedWord() throws IOException {
        Set<String> replaced = new TreeSet<>();
        for (Row row : rows()) {
            Matcher code = CODE.matcher(row.insteadOf());
            while (code.find()) {
                replaced.add(code.group(1));
            }
        }
        Set<String> named = new TreeSet<>();
        for (String name : SimpleNames.of(List.of(Path.of(""), Path.of("../agent"), Path.of("../broker")))
                .all()) {
            if (replaced.stream().anyMatch(word -> name.matches(word + "([A-Z].*)?"))) {
                named.add(name);
            }
        }

        assertThat(replaced).hasSizeGreaterThan(15);
        assertThat(named).isEqualTo(new TreeSet<>(STILL));
    }

    @Test
    void eachWordIsExplainedOnceAndThereAreAtMostAHundred() throws IOException {
        assertThat(rows())
                .hasSizeBetween(40, MOST_WORDS)
                .doesNotHaveDuplicates()
                .allSatisfy(row -> assertThat(row.meaning()).isNotBlank());
        assertThat(rows().stream().map(Row::word)).doesNotHaveDuplicates();
    }

    private static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("../docs/glossary.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches() && !row.group(1).isBlank() && !row.group(1).matches("[- ]+|\\s*word\\s*")) {
                rows.add(new Row(row.group(1).strip(), row.group(2), row.group(3)));
            }
        }
        return rows;
    }
}
