package dev.cleave.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Links of the manual lead to files and headings that exist, those of the pages of experiments to files. */
@Tag("one-jdk")
class DocumentedLinksTest {

    private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```|`[^`\n]*`");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HREF = Pattern.compile("(?:href|src)=\"([^\"]+)\"");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*?)\\s*$");

    private final Map<Path, Set<String>> anchors = new HashMap<>();

    @Test
    void linksOfTheManualLeadSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path page : pages(".md")) {
            Matcher link = LINK.matcher(CODE.matcher(Files.readString(page)).replaceAll("``"));
            while (link.find()) {
                links++;
                check(page, link.group(1), broken);
            }
        }

        assertThat(links).isGreaterThan(100);
        assertThat(broken).isEmpty();
    }

    @Test
    void linksOfPublishedPagesLeadSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path page : pages(".html")) {
            Matcher link = HREF.matcher(Files.readString(page));
            while (link.find()) {
                links++;
                check(page, link.group(1), broken);
            }
        }

        assertThat(links).isPositive();
        assertThat(broken).isEmpty();
    }

    private void check(Path page, String link, List<String> broken) throws IOException {
        if (link.startsWith("http://") || link.startsWith("https://") || link.startsWith("mailto:")) {
            return;
        }
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path to = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        if (!Files.exists(to)) {
            broken.add(page + ": no file " + link);
        } else if (hash >= 0 && to.toString().endsWith(".md") && !anchors(to).contains(link.substring(hash + 1))) {
            broken.add(page + ": no heading " + link);
        }
    }

    /** The names of the headings of a page; the second heading of a name gets a number. */
    private Set<String> anchors(Path page) throws IOException {
        Set<String> known = anchors.get(page);
        if (known != null) {
            return known;
        }
        Set<String> made = new HashSet<>();
        Map<String, Integer> times = new HashMap<>();
        Matcher heading = HEADING.matcher(Pattern.compile("(?ms)^```.*?^```")
                .matcher(Files.readString(page))
                .replaceAll(""));
        while (heading.find()) {
            String name = heading.group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("\\[([^]]*)\\]\\([^)]*\\)", "$1")
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            int before = times.merge(name, 1, Integer::sum) - 1;
            made.add(before == 0 ? name : name + "-" + before);
        }
        anchors.put(page, made);
        return made;
    }

    private static List<Path> pages(String ending) throws IOException {
        List<Path> pages = new ArrayList<>();
        for (String part : List.of("docs", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")) {
            try (Stream<Path> files = Files.walk(Stranger.HOME.resolve(part))) {
                files.filter(file -> file.toString().endsWith(ending)).forEach(pages::add);
            }
        }
        return pages;
    }
}
