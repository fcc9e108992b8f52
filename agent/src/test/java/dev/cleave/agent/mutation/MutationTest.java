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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * For every rule there is a mutant in which it does not hold, and tests notice it. Here are some of them; {@code bin/cleave
 * fuzz --mutate} runs all.
 */
@Tag("one-jdk")
@DisabledForJreRange(min = JRE.JAVA_25, disabledReason = "nothing in it depends on the JDK")
class MutationTest {

    @Test
    void everyRuleHasAMutant() throws IOException {
        Set<String> mutated = Mutant.all().stream().map(Mutant::rule).collect(Collectors.toSet());

        for (RulesTable.Row row : RulesTable.rows()) {
            assertThat(mutated).as("mutants.txt").contains("R" + row.rule());
        }
    }

    @Test
    void everyMutantChangesAClass() throws Exception {
        Map<String, byte[]> classes = new HashMap<>();
        read(ClassRewriter.class, classes);
        read(Remote.class, classes);

        List<String> stale = new ArrayList<>();
        for (Mutant mutant : Mutant.all()) {
            boolean changes = classes.entrySet().stream().anyMatch(entry -> changes(mutant, entry));
            if (!changes) {
                stale.add(mutant.toString());
            }
        }

        assertThat(stale).as("mutants.txt names what is not there").isEmpty();
    }

    private static boolean changes(Mutant mutant, Map.Entry<String, byte[]> file) {
        return mutant.removesRefusals()
                        && Refusals.remove(Map.of(mutant.rule(), mutant.number()), file.getKey(), file.getValue())
                                != file.getValue()
                || mutant.apply(file.getKey(), file.getValue()) != file.getValue();
    }

    @Test
    void witnessesStandInTheRowsOfTheirRules() throws IOException {
        Set<String> named = new HashSet<>();
        for (RulesTable.Row row : RulesTable.rows()) {
            row.allowing().forEach(test -> named.add("R" + row.rule() + " " + test));
            row.refusing().forEach(test -> named.add("R" + row.rule() + " " + test));
        }

        assertThat(Mutant.all())
                .filteredOn(mutant -> !mutant.witness().isEmpty())
                .allSatisfy(mutant -> assertThat(named).contains(mutant.rule() + " " + mutant.witness()));
    }

    /**
     * One mutant of every fourth rule, with {@code -Dcleave.full=true} of each: its witness holds as long as the rule does, and fails as
     * soon as it does not.
     */
    @Test
    void everyRuleThatDoesNotHoldIsNoticed() {
        Map<String, Mutant> ofRules = new LinkedHashMap<>();
        for (Mutant mutant : Mutant.all()) {
            if (!mutant.witness().isEmpty()) {
                ofRules.putIfAbsent(mutant.rule(), mutant);
            }
        }
        assertThat(ofRules.keySet())
                .as("rules with a witness")
                .containsAll(Mutant.all().stream().map(Mutant::rule).toList());

        List<Mutant> chosen = new ArrayList<>(ofRules.values());
        if (!Boolean.getBoolean("cleave.full")) {
            chosen.removeIf(mutant -> Math.floorMod(mutant.rule().hashCode(), 4) != 0);
        }
        assertThat(chosen).hasSizeGreaterThan(5);
        MutantRun run = new MutantRun();
        List<String> witnesses = chosen.stream().map(Mutant::witness).distinct().toList();
        assertThat(run.byTests(Mutant.NONE, witnesses)).as("without a mutant").isEmpty();
        for (Mutant mutant : chosen) {
            assertThat(run.byTests(mutant, List.of(mutant.witness())))
                    .as(mutant + " is not noticed by " + mutant.witness())
                    .isNotEmpty();
        }
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
