package dev.cleave.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cleave.config.Linkage.Share;
import dev.cleave.testing.Seed;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("one-jdk")
class LinkageTest {

    private static final String FILE =
            "services:\n  compare:\n    replicas: [{name: harvey}, {name: bugs}, {name: thumper}]\n    migrate: [\"%s\"]";

    private static List<Linkage> linkages(String expressions) {
        return Bindings.parse(FILE.formatted(expressions), "cleave.yaml")
                .service("compare")
                .orElseThrow()
                .dispatch()
                .migrate();
    }

    private static List<String> ways(String expressions) {
        return linkages(expressions).stream()
                .map(l -> l.owner() + ">" + l.receiver())
                .toList();
    }

    @Test
    void readsThePapersExamples() {
        Linkage sender = linkages("harvey(oc=(load>=10))#bugs:[1/2]").get(0);

        assertThat(sender.share()).isEqualTo(new Share(1, 2));
        assertThat(sender.calls(10, 0)).isTrue();
        assertThat(sender.calls(9, 0)).isFalse();

        Linkage both =
                linkages("harvey(oc=(load>=10))#bugs(uc=(load==0)):[1/2]").get(0);

        assertThat(both.calls(10, 5)).as("the owner begins").isTrue();
        assertThat(both.calls(2, 0)).as("the receiver begins").isTrue();
        assertThat(both.calls(9, 1)).isFalse();
    }

    @Test
    void workGoesWhereAConditionSendsOrAsksForIt() {
        assertThat(ways("harvey(oc: load >= 10) # bugs")).containsExactly("harvey>bugs");
        assertThat(ways("harvey # bugs(uc: load == 0)")).containsExactly("harvey>bugs");
        assertThat(ways("harvey(uc: load == 0) # bugs")).containsExactly("bugs>harvey");
        assertThat(ways("harvey(oc: load > 3, uc: load < 2) # bugs")).containsExactly("harvey>bugs", "bugs>harvey");
    }

    @Test
    void linksChainsCirclesAndEveryTwo() {
        assertThat(ways("harvey(oc: load >= 2) # bugs(oc: load >= 2) # thumper"))
                .containsExactly("harvey>bugs", "bugs>harvey", "bugs>thumper");
        assertThat(ways("harvey(uc: load == 0) # bugs(uc: load == 0) # thumper(uc: load == 0) # harvey : [3]"))
                .containsExactly(
                        "harvey>bugs",
                        "bugs>harvey",
                        "bugs>thumper",
                        "thumper>bugs",
                        "thumper>harvey",
                        "harvey>thumper");
        assertThat(ways("*(uc: load == 0)")).hasSize(6).doesNotHaveDuplicates();
        assertThat(ways("harvey # bugs(uc: load == 0)\", \"bugs # thumper(uc: load == 0)"))
                .as("a chain in one direction")
                .containsExactly("harvey>bugs", "bugs>thumper");
    }

    @Test
    void readsSharesAndConditions() {
        assertThat(linkages("harvey(oc: load > 1) # bugs : [3]").get(0).share()).isEqualTo(new Share(3, 0));
        assertThat(linkages("harvey(oc: load > 1) # bugs : [2 / 3]").get(0).share())
                .isEqualTo(new Share(2, 3));
        assertThat(linkages("harvey(oc: load > 1) # bugs").get(0).share())
                .as("without a word")
                .isEqualTo(new Share(1, 2));
        LoadCondition condition = linkages("harvey(oc: (load >= 2 && load < 5 || load != 0 && load > 8)) # bugs")
                .get(0)
                .overload();
        for (int load = 0; load < 20; load++) {
            assertThat(condition.holds(load)).as("load %d", load).isEqualTo(load >= 2 && load < 5 || load > 8);
        }
    }

    @Test
    void betweenItsEdgesAConditionDoesNotChange() {
        long seed = Seed.of(LinkageTest.class);
        Random random = new Random(seed);
        String[] operators = {">=", ">", "==", "!=", "<=", "<"};
        for (int round = 0; round < 300; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(3); i >= 0; i--) {
                text.append("load ")
                        .append(operators[random.nextInt(6)])
                        .append(' ')
                        .append(random.nextInt(12));
                text.append(i > 0 ? random.nextBoolean() ? " && " : " || " : "");
            }
            LoadCondition condition =
                    linkages("harvey # bugs(uc: " + text + ")").get(0).underload();
            for (int load = 1; load < 30; load++) {
                if (condition.holds(load) != condition.holds(load - 1)) {
                    assertThat(condition.edges()).as("seed %d: %s", seed, text).contains(load);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "hervey(oc: load >= 10) # bugs|unknown replica hervey at character 1 (did you mean harvey?)",
                "harvey(oc: lod >= 10) # bugs|unknown word lod at character 12 (did you mean load?)",
                "harvey(ox: load >= 10) # bugs|unknown condition ox at character 8 (did you mean oc?)",
                "harvey(oc: load => 10) # bugs|= at character 17 (expected: >= or > or == or != or <= or <)",
                "harvey(oc: load >= ten) # bugs|ten at character 20 (expected: a number from 0 to 1000000)",
                "harvey(oc: load >= 10 # bugs|# at character 23 (expected: ))",
                "harvey(oc: load >= 10) bugs|bugs at character 24 (expected: # or the end)",
                "harvey(oc: load >= 10) # bugs : 1/2|1 at character 33 (expected: [)",
                "harvey(oc: load >= 10) # bugs : [3/2]|3/2 (expected: a part of at most 1, such as 1/2)",
                "harvey(oc: load >= 10) # bugs : [0]|0 at character 34 (expected: a number from 1 to 1000000)",
                "harvey(oc: load >= 10) #|the end (expected: a replica's name, or *)",
                "harvey(oc: load >= 10, oc: load > 3) # bugs|oc given twice at character 24 (expected: once)",
                "harvey(oc: load <= 3) # bugs|oc holds at load 0 at character 8 (expected: a condition that only a replica with work meets, such as load >= 10)",
                "harvey # bugs|no condition between harvey and bugs (expected: oc or uc at one of them, or nothing would ever move)",
                "harvey|one replica (expected: two or more, such as a # b)",
                "harvey(oc: load > 1) # harvey|harvey given twice at character 24 (expected: each replica once; a circle ends with the name of its first of at least three)",
                "*|no condition (expected: oc or uc, or nothing would ever move)",
                "* # bugs|* beside others (expected: * alone, which links every two replicas)",
                "harvey + bugs|'+' at character 8 (expected: harvey(oc: load >= 10) # bugs(uc: load == 0) : [1/2])",
            })
    void explainsAMistake(String expression, String message) {
        assertThatThrownBy(() -> linkages(expression))
                .isInstanceOf(ConfigException.class)
                .hasMessage("cleave.yaml:4: services.compare.migrate[0]: " + expression + ": " + message);
    }

    @Test
    void aWayIsDescribedOnce() {
        assertThatThrownBy(() -> linkages("harvey # bugs(uc: load == 0)\", \"harvey(oc: load > 2) # bugs"))
                .hasMessage(
                        "cleave.yaml:4: services.compare.migrate[1]: harvey(oc: load > 2) # bugs: the way from harvey"
                                + " to bugs is described twice (expected: once)");
    }

    @Test
    void noTextLeadsToAnythingButAMessage() {
        long seed = Seed.of(LinkageTest.class);
        Random random = new Random(seed);
        String start = "harvey(oc: load >= 10) # bugs(uc: load == 0) : [1/2]";
        String alphabet = "ab#:[]()/*<>=!&| ,x0189.-\u00e9";
        for (int round = 0; round < 3_000; round++) {
            StringBuilder text = new StringBuilder(start);
            for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
                text.setCharAt(random.nextInt(text.length()), alphabet.charAt(random.nextInt(alphabet.length())));
            }
            Throwable thrown = catchThrowable(() -> linkages(text.toString()));
            if (thrown != null) {
                assertThat(thrown).as("seed %d round %d: %s", seed, round, text).isInstanceOf(ConfigException.class);
            }
        }
    }
}
