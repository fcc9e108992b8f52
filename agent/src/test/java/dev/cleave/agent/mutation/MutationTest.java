package dev.cleave.agent.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Remote;
import dev.cleave.agent.conformance.RulesTable;
import dev.cleave.agent.transform.ClassRewriter;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * For every rule there is a mutant in which it does not hold, and tests notice it. Here are some of them; {@code bin/cleave
 * fuzz --mutate} runs all.
 */
class MutationTest {

    @Test
    void everyRuleHasAMutant() throws IOException {
        Set<String> mutated = Mutant.all().stream().map(Mutant::rule).collect(Collectors.toSet());

        for (RulesTable.Row row : RulesTable.rows()) {
            assertThat(mutated).as("mutants.txt").contains("R" + row.rule());
        }
    }

    @Test
    void ofEveryRuleAMutantChangesAClass() throws Exception {
        Map<String, byte[]> classes = new HashMap<>();
        read(ClassRewriter.class, classes);
        read(Remote.class, classes);

        Set<String> broken = new HashSet<>();
        List<String> stale = new ArrayList<>();
        for (Mutant mutant : Mutant.all()) {
            boolean changes = classes.entrySet().stream()
                    .anyMatch(entry -> mutant.apply(entry.getKey(), entry.getValue()) != entry.getValue());
            if (changes) {
                broken.add(mutant.rule());
            } else {
                stale.add(mutant.toString());
            }
        }

        Set<String> unbroken = Mutant.all().stream().map(Mutant::rule).collect(Collectors.toSet());
        unbroken.removeAll(broken);
        assertThat(unbroken)
                .as("mutants.txt names what is not there any more: " + stale)
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "R9 returns plan.Crossing#meet nothing",
                "R17 returns plan.Unobservable#isUnknownToOthers true",
                "R20 returns transform.Settling#add nothing",
                "R31 refusals",
                "R60 returns core:call.Epoch#changing nothing"
            })
    void aRuleThatDoesNotHoldIsNoticed(String name) {
        Mutant mutant = Mutant.all().stream()
                .filter(candidate -> candidate.toString().equals(name))
                .findAny()
                .orElseThrow();

        assertThat(new MutantRun(mutant).byOwnTests()).isNotEmpty();
    }

    private static void read(Class<?> sample, Map<String, byte[]> classes) throws Exception {
        Path place = Path.of(
                sample.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isDirectory(place)) {
            readBelow(place, classes);
            return;
        }
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
            readBelow(jar.getPath("/"), classes);
        }
    }

    private static void readBelow(Path root, Map<String, byte[]> classes) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(root)) {
            files = found.filter(file -> file.toString().endsWith(".class")).toList();
        }
        for (Path file : files) {
            String name = root.relativize(file).toString().replace('/', '.');
            classes.put(name.substring(0, name.length() - ".class".length()), Files.readAllBytes(file));
        }
    }
}
