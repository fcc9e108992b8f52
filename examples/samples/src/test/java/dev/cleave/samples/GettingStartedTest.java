package dev.cleave.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of {@code docs/getting-started.md} word for word, from an empty folder. In a normal build {@code git clone}
 * is a link to the sources that are built here, and their {@code mvn install} has been done by the build; with
 * {@code -Dcleave.full=true} both are done, too.
 */
class GettingStartedTest {

    private static final Path PAGE = Stranger.HOME.resolve("docs/getting-started.md");
    private static final Pattern RESULT = Pattern.compile("(\\d+) pieces in stock, counted in (\\d+) ms");

    @TempDir
    Path directory;

    @Test
    void leadsFromAnEmptyFolderToACleavedLoop() throws Exception {
        boolean isFull = Boolean.getBoolean("cleave.full");
        assumeThat(Stranger.HOME.resolve("jmh/lab/target/lib"))
                .exists(); // mvn test has not packaged what bin/cleave needs
        Stranger stranger = Stranger.in(directory);
        if (!isFull) {
            stranger.program("git", "ln -s '" + Stranger.HOME + "' \"$3\"");
            Files.move(directory.resolve("bin/mvn"), directory.resolve("bin/real-mvn"));
            stranger.program("mvn", "case \"$PWD $*\" in (*/cleave*install) ;; (*) exec real-mvn \"$@\" ;; esac");
        }
        List<String> commands = Stranger.blocks(PAGE, "sh");
        assertThat(commands).hasSizeBetween(5, 10);
        commands = new java.util.ArrayList<>(commands);
        commands.add(0, "CLEAVE=" + Stranger.HOME);

        long begin = System.nanoTime();
        String output = stranger.run(Files.createDirectory(directory.resolve("empty")), commands.toArray(String[]::new))
                .successfully();
        long seconds = (System.nanoTime() - begin) / 1_000_000_000;

        Matcher result = RESULT.matcher(output);
        assertThat(result.find()).as(output).isTrue();
        int written = Integer.parseInt(result.group(2));
        String total = result.group(1);
        assertThat(result.find()).as(output).isTrue();
        assertThat(result.group(1)).isEqualTo(total);
        assertThat(Integer.parseInt(result.group(2))).as(output).isLessThan(written / 4);
        assertThat(output).contains("what the agent did to the calls of the client is in ");
        assertThat(seconds).isLessThan(300);
    }
}
