package dev.cleave.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class SentencesTest {

    private static final Path COMMANDS = Path.of("src/main/java/dev/cleave/broker/cli");

    /** These print words of their own, or make names printable themselves. */
    private static final Set<String> OTHERS = Set.of(
            "CheckCommand.java",
            "CompletionCommand.java",
            "Console.java",
            "Main.java",
            "Progress.java",
            "Sentences.java");

    private static final Pattern PRINTS = Pattern.compile(
            "\\b(?:out|err|getOut\\(\\)|getErr\\(\\)) ?\\.(?:println|printf|print)\\((.*)\\);|(.*)::println");
    private static final Pattern LITERAL = Pattern.compile("\"(?:\\\\.|[^\"\\\\])*\"");

    @Test
    void aNameThatSteersATerminalOrForgesALineIsShownAsText() {
        StringWriter out = new StringWriter();

        Sentences.say(new PrintWriter(out, true), "late\u001b[2J\nINFO: all is well\u202e: @Later pays here");

        assertThat(out.toString().lines())
                .containsExactly("late\\u001b[2J\\u000aINFO: all is well\\u202e: @Later pays here");
    }

    /** What progress names comes from files and peers, too; the bar in front of it is our own. */
    @Test
    void progressShowsNamesAsText() {
        StringWriter out = new StringWriter();

        try (Progress progress = Progress.on(new PrintWriter(out, true))) {
            progress.say("recording a\u009b31m\n");
        }

        assertThat(out.toString().lines()).containsExactly("recording a\\u009b31m\\u000a");
    }

    /** Tables make their cells printable. */
    @Test
    void commandsPrintNothingButConstantsTablesAndSentences() throws IOException {
        List<String> wrong = new ArrayList<>();
        int seen = 0;
        try (Stream<Path> files = Files.list(COMMANDS)) {
            for (Path file : files.filter(
                            each -> !OTHERS.contains(each.getFileName().toString()))
                    .toList()) {
                String text =
                        Files.readString(file).replaceAll("\\s*\\n\\s*", " ").replace("; ", ";\n");
                for (Matcher prints = PRINTS.matcher(text); prints.find(); seen++) {
                    String printed = prints.group(1);
                    boolean isFine = printed == null
                            ? prints.group(2).matches(".*(?:lines\\(\\)|table) ?\\.forEach\\(\\w+")
                            : LITERAL.matcher(printed).replaceAll("").isBlank();
                    if (!isFine) {
                        wrong.add(file.getFileName() + ": " + prints.group());
                    }
                }
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(seen).isGreaterThan(10);
    }
}
