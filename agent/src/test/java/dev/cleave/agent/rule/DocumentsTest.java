package dev.cleave.agent.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Links between documents lead somewhere, and each decision is listed. */
@Tag("one-jdk")
class DocumentsTest {

    private static final Path HOME = Path.of(
                    System.getProperty("cleave.home", System.getProperty("basedir", ".") + "/.."))
            .normalize();
    private static final Path DOCS = HOME.resolve("docs");
    private static final Pattern LINK = Pattern.compile("(?<!!)\\[[^\\]]*\\]\\((?!https?:)([^)#\\s]*)(#[^)\\s]*)?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    @Test
    void linksLeadToDocumentsAndSections() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            Matcher link = LINK.matcher(withoutCode(Files.readString(page)));
            while (link.find()) {
                Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
                boolean leads = Files.exists(target)
                        && (link.group(2) == null
                                || sections(target).contains(link.group(2).substring(1)));
                if (!leads) {
                    broken.add(HOME.relativize(page) + ": " + link.group());
                }
            }
        }

        assertThat(broken).isEmpty();
    }

    @Test
    void decisionsAreNumberedAndListed() throws IOException {
        String architecture = Files.readString(DOCS.resolve("architecture.md"));
        List<Path> decisions;
        try (Stream<Path> files = Files.list(DOCS.resolve("decisions"))) {
            decisions = files.sorted().toList();
        }

        for (int i = 0; i < decisions.size(); i++) {
            Path file = decisions.get(i);
            String[] lines = Files.readString(file).split("\n", 4);
            String title = lines[0].replaceFirst("# \\d+\\. ", "");
            assertThat(file.getFileName().toString()).startsWith("%04d-".formatted(i + 1));
            assertThat(lines[0]).startsWith("# " + (i + 1) + ". ");
            assertThat(lines[2]).as(file.toString()).matches("\\d{4}-\\d{2}-\\d{2}");
            assertThat(Files.readString(file)).contains("## Context", "## Decision", "## Consequences");
            assertThat(architecture)
                    .contains("| " + lines[2] + " | [" + title + "](decisions/" + file.getFileName() + ") |");
        }
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(DOCS);
                Stream<Path> top = Files.list(HOME)) {
            return Stream.concat(docs, top)
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
        }
    }

    private static String withoutCode(String text) {
        return text.replaceAll("(?s)```.*?```", "").replaceAll("`[^`\n]*`", "");
    }

    /** The names that GitHub gives to the headings of a page; the second of a name ends with -1. */
    private static Set<String> sections(Path page) throws IOException {
        Map<String, Integer> counts = new HashMap<>();
        return HEADING.matcher(Files.readString(page))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .map(name -> {
                    int before = counts.merge(name, 1, Integer::sum) - 1;
                    return before == 0 ? name : name + '-' + before;
                })
                .collect(Collectors.toSet());
    }
}
