package dev.cleave.agent.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sources, tests and documentation cite rules that exist, and code names them by {@link Rule}. */
@Tag("one-jdk")
class RuleCitationsTest {

    private static final Path HOME =
            Path.of(System.getProperty("cleave.home", System.getProperty("basedir", ".") + "/.."));
    private static final List<String> MODULES = List.of("core", "agent", "broker", "examples", "jmh");
    private static final Set<String> NAMES =
            Arrays.stream(Rule.values()).map(Rule::name).collect(Collectors.toSet());

    /** The faults of the chaos tests have names like F-R01. */
    private static final String R = "R(?<![\\w-]R)\\d+\\b|R(?<=[^F]-R)\\d+\\b";

    private static final Pattern RULE_OF_CALLS = Pattern.compile(R);
    private static final Pattern RULE = Pattern.compile(R + "|L(?<![\\w-]L)\\d\\b");
    private static final Pattern LITERAL = Pattern.compile("\"[^\"\\n]*(" + R + ")[^\"\\n]*\"|\"L\\d\"");

    @Test
    void mainSourcesCiteRulesThatExist() throws IOException {
        assertThat(unknown(sources("main"), RULE)).isEmpty();
    }

    /** The labels of code in tests are named like rules of what arrives later. */
    @Test
    void testsCiteRulesThatExist() throws IOException {
        assertThat(unknown(sources("test"), RULE_OF_CALLS)).isEmpty();
    }

    @Test
    void documentationCitesRulesThatExist() throws IOException {
        List<Path> pages = files(HOME.resolve("docs"), ".md");
        pages.addAll(List.of(HOME.resolve("README.md"), HOME.resolve("CHANGELOG.md"), HOME.resolve("CONTRIBUTING.md")));

        assertThat(unknown(pages, RULE)).isEmpty();
    }

    @Test
    void mainSourcesNameRulesByTheirConstants() throws IOException {
        List<String> literals = new ArrayList<>();
        for (Path file : sources("main")) {
            if (!file.endsWith("Rule.java")) {
                LITERAL.matcher(Files.readString(file))
                        .results()
                        .forEach(found -> literals.add(HOME.relativize(file) + ": " + found.group()));
            }
        }

        assertThat(literals).isEmpty();
    }

    @Test
    void citationsAreFound() {
        assertThat(found("R41, (R60 to R67), a-R3 {@link Rule#R5} and L5", RULE))
                .containsExactly("R41", "R60", "R67", "R3", "R5", "L5");
        assertThat(found("F-R01, AR5, R5x, xL5, L12", RULE)).isEmpty();
    }

    private static List<String> unknown(List<Path> files, Pattern pattern) throws IOException {
        assertThat(files).isNotEmpty();
        List<String> unknown = new ArrayList<>();
        for (Path file : files) {
            for (String name : found(Files.readString(file), pattern)) {
                if (!NAMES.contains(name)) {
                    unknown.add(HOME.relativize(file) + ": " + name);
                }
            }
        }
        return unknown;
    }

    private static List<String> found(String text, Pattern pattern) {
        Matcher matcher = pattern.matcher(text);
        return matcher.results().map(MatchResult::group).toList();
    }

    /** The sources of all modules, and of those in the folders of other modules. */
    private static List<Path> sources(String scope) throws IOException {
        List<Path> all = new ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> folders = Files.list(HOME.resolve(module))) {
                List<Path> roots = Stream.concat(Stream.of(HOME.resolve(module)), folders)
                        .map(folder -> folder.resolve("src").resolve(scope))
                        .filter(Files::isDirectory)
                        .toList();
                for (Path root : roots) {
                    all.addAll(files(root, ".java"));
                }
            }
        }
        return all;
    }

    private static List<Path> files(Path root, String suffix) throws IOException {
        try (Stream<Path> walk = Files.walk(root)) {
            return walk.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .collect(Collectors.toList());
        }
    }
}
