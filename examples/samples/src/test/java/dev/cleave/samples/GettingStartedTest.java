package dev.cleave.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of {@code docs/getting-started.md} word for word, from an empty folder. With {@code -Dgroups=full} alone {@code git clone}
 * is a link to the sources that are built here, and their {@code mvn install} has been done by the build; with
 * {@code -Dcleave.full=true} both are done, too.
 */
@Tag("full")
class GettingStartedTest {

    private static final Path PAGE = Stranger.HOME.resolve("docs/getting-started.md");
    private static final int CALLS = 500;
    private static final Pattern RESULT = Pattern.compile("(\\d+) pieces in stock, counted in (\\d+) ms");
    private static final Pattern REPORT = Pattern.compile("what the agent did to the calls of the client is in (\\S+)");
    /** The row of the loop in the table of the run: calls sent, and the most that were in flight together. */
    private static final Pattern ROW = Pattern.compile(" Warehouse\\.stock +(\\d+) .* (\\d+)\\s*$", Pattern.MULTILINE);

    @TempDir
    Path directory;

    @Test
    void leadsFromAnEmptyFolderToACleavedLoop() throws Exception {
        assumeThat(Stranger.HOME.resolve("jmh/lab/target/lib"))
                .exists(); // mvn test has not packaged what bin/cleave needs
        Stranger stranger = Stranger.in(directory);
        if (!Stranger.FULL) {
            stranger.program("git", "ln -s '" + Stranger.HOME + "' \"${@: -1}\"");
            Files.move(directory.resolve("bin/mvn"), directory.resolve("bin/real-mvn"));
            stranger.program("mvn", "case \"$PWD $*\" in (*/cleave*install) ;; (*) exec real-mvn \"$@\" ;; esac");
        }
        List<String> commands = new ArrayList<>(Stranger.blocks(PAGE, "sh"));
        assertThat(commands).hasSizeBetween(5, 10);
        commands.add(0, "CLEAVE=" + Stranger.HOME);

        long begin = System.nanoTime();
        String output = stranger.run(Files.createDirectory(directory.resolve("empty")), commands.toArray(String[]::new))
                .successfully();
        long seconds = (System.nanoTime() - begin) / 1_000_000_000;

        assertThat(seconds).as(output).isLessThan(300);
        List<MatchResult> results = RESULT.matcher(output).results().toList();
        assertThat(results).as(output).hasSize(2);
        assertThat(results.get(1).group(1)).isEqualTo(results.get(0).group(1));
        Path report = Path.of(only(REPORT, output).group(1));
        MatchResult row = only(ROW, Files.readString(report));
        assertThat(Integer.parseInt(row.group(1))).isEqualTo(CALLS);
        assertThat(Integer.parseInt(row.group(2))).isGreaterThan(1); // times would be those of a busy machine
    }

    private static MatchResult only(Pattern pattern, String text) {
        List<MatchResult> found = pattern.matcher(text).results().toList();
        assertThat(found).as(text).hasSize(1);
        return found.get(0);
    }
}
