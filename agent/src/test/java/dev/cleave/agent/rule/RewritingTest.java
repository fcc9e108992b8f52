package dev.cleave.agent.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code docs/rewriting.md} has a section for each {@link Rule}, with its title, its advice, a program and its tests. */
@Tag("one-jdk")
class RewritingTest {

    private static final Path HOME =
            Path.of(System.getProperty("cleave.home", System.getProperty("basedir", ".") + "/.."));
    private static final Pattern HEADING = Pattern.compile("### ([RL]\\d+) (.*)");
    private static final Pattern ADVICE = Pattern.compile("To free a call: \\*([^*]*)\\*\\.");
    private static final Pattern HELD_BY = Pattern.compile("(?m)^Held by ((?:`\\w+`(?:, )?)+)\\.$");
    private static final Pattern NAME = Pattern.compile("`(\\w+)`");
    private static final Pattern ROW = Pattern.compile("\\| ([RL]\\d+) \\| ([^|]*) \\|.*");

    private static final Map<Rule, String> TITLES = new LinkedHashMap<>();
    private static final Map<Rule, String> SECTIONS = new LinkedHashMap<>();

    @BeforeAll
    static void read() throws IOException {
        Rule rule = null;
        for (String line : Files.readAllLines(HOME.resolve("docs").resolve("rewriting.md"))) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                rule = Rule.valueOf(heading.group(1));
                assertThat(TITLES.put(rule, heading.group(2)))
                        .as("two sections of " + rule)
                        .isNull();
            } else if (line.startsWith("## ")) {
                rule = null;
            } else if (rule != null) {
                SECTIONS.merge(rule, line + "\n", String::concat);
            }
        }
    }

    @Test
    void hasASectionForEachRule() {
        assertThat(TITLES.keySet()).containsExactlyInAnyOrder(Rule.values());
    }

    @Test
    void namesEachRuleByItsTitle() {
        assertThat(TITLES)
                .allSatisfy((rule, title) -> assertThat(title).as(rule.name()).isEqualTo(rule.title()));
    }

    @Test
    void givesTheAdviceOfEachRule() {
        assertThat(SECTIONS).allSatisfy((rule, text) -> {
            Matcher advice = ADVICE.matcher(text);
            assertThat(advice.find() ? advice.group(1) : "").as(rule.name()).isEqualTo(rule.advice());
        });
    }

    @Test
    void showsAProgramForEachRule() {
        assertThat(SECTIONS)
                .allSatisfy((rule, text) -> assertThat(text).as(rule.name()).contains("```java\n"));
    }

    @Test
    void namesTestsOfEachRuleThatExist() throws IOException {
        Set<String> tests = new HashSet<>();
        for (String module : List.of("core", "agent")) {
            try (Stream<Path> walk =
                    Files.walk(HOME.resolve(module).resolve("src").resolve("test"))) {
                walk.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith("Test.java"))
                        .forEach(name -> tests.add(name.substring(0, name.length() - ".java".length())));
            }
        }

        assertThat(SECTIONS).allSatisfy((rule, text) -> {
            Matcher heldBy = HELD_BY.matcher(text);
            assertThat(heldBy.find()).as(rule.name()).isTrue();
            assertThat(tests).as(rule.name()).containsAll(namesIn(heldBy.group(1)));
        });
    }

    @Test
    void theTableOfRulesUsesTheSameTitles() throws IOException {
        Map<Rule, String> titles = new LinkedHashMap<>();
        for (String line : Files.readAllLines(HOME.resolve("docs").resolve("rules.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                titles.put(Rule.valueOf(row.group(1)), row.group(2));
            }
        }

        Map<Rule, String> expected = new LinkedHashMap<>();
        Arrays.stream(Rule.values()).forEach(rule -> expected.put(rule, rule.title()));
        assertThat(titles).isEqualTo(expected);
    }

    @Test
    void theTableOfTheReportHasEachRuleThatKeepsCalls() throws IOException {
        Pattern row = Pattern.compile("(?m)^\\| (R\\d+(?:, R\\d+)*) \\|");
        Set<String> explained = new HashSet<>();
        Matcher rows = row.matcher(Files.readString(HOME.resolve("docs").resolve("report.md")));
        while (rows.find()) {
            explained.addAll(List.of(rows.group(1).split(", ")));
        }
        Set<String> refusing = new HashSet<>();
        Pattern constant = Pattern.compile("\\bRule\\.(R\\d+)\\b");
        try (Stream<Path> walk = Files.walk(HOME.resolve("agent").resolve("src").resolve("main"))) {
            for (Path file :
                    walk.filter(file -> file.toString().endsWith(".java")).toList()) {
                constant.matcher(Files.readString(file)).results().forEach(found -> refusing.add(found.group(1)));
            }
        }

        assertThat(refusing).isNotEmpty();
        assertThat(explained).containsAll(refusing);
    }

    private static List<String> namesIn(String text) {
        List<String> names = new ArrayList<>();
        Matcher name = NAME.matcher(text);
        while (name.find()) {
            names.add(name.group(1));
        }
        return names;
    }
}
