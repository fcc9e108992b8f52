package dev.cleave.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.testing.EffectOf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("one-jdk")
class ApplicationFileTest {

    private static final String FILE = """
            hosts: {far: 10.0.0.7}
            broker: cleave://far:7420
            services:
              compare:
                balance: demand(2)
                replicas: [{name: harvey}, {name: bugs, host: far}, {name: far}]
                methods: {score: {window: 8, aggregate: {bytes: 1KiB}}}
              a.b: {window: 3}
            """;

    @TempDir
    private Path folder;

    @Test
    void aFileHoldsOverWhatItIncludesKeyByKey() throws IOException {
        write(
                "base.yaml",
                "application: base\nservices: {compare: {window: 4, style: async, workers: 2}, other: {queue: 9}}\n");
        write("more.yaml", "include: [base.yaml]\nservices: {compare: {workers: 3}}\n");
        Path file = write("cleave.yaml", "include: [more.yaml]\nservices: {compare: {window: 8}, third: {}}\n");

        Bindings bindings = Bindings.load(file);

        ServiceBinding compare = bindings.services().get("compare");
        assertThat(bindings.application()).isEqualTo("base");
        assertThat(bindings.services()).containsOnlyKeys("compare", "other", "third");
        assertThat(compare.calls().window()).isEqualTo(8);
        assertThat(compare.calls().style()).isEqualTo(Style.ASYNC);
        assertThat(compare.dispatch().workers()).isEqualTo(3);
        assertThat(ApplicationFile.check(file).files())
                .containsExactly(file, folder.resolve("more.yaml"), folder.resolve("base.yaml"));
    }

    @Test
    void theLastIncludedFileHoldsOverTheFirst() throws IOException {
        write("a.yaml", "services: {compare: {window: 1, workers: 1}}");
        write("b.yaml", "services: {compare: {window: 2}}");

        ServiceBinding compare = Bindings.load(write("cleave.yaml", "include: [a.yaml, b.yaml]"))
                .services()
                .get("compare");

        assertThat(compare.calls().window()).isEqualTo(2);
        assertThat(compare.dispatch().workers()).isEqualTo(1);
    }

    @Test
    void aMistakeNamesTheIncludedFile() throws IOException {
        Path base = write("base.yaml", "application: base\nservices:\n  compare: {widow: 4}\n");
        Path file = write("cleave.yaml", "include: [base.yaml]\nservices: {compare: {window: 8}}\n");

        assertThatThrownBy(() -> Bindings.load(file))
                .hasMessage(base + ":3: services.compare.widow: unknown key (did you mean window?)");
    }

    @Test
    void whatCannotBeIncludedIsAMistake() throws IOException {
        Path self = write("self.yaml", "include: [self.yaml]");
        Path lost = write("lost.yaml", "application: x\ninclude: [nowhere.yaml]");
        Path word = write("word.yaml", "include: base.yaml");

        assertThatThrownBy(() -> Bindings.load(self)).hasMessage(self + ":1: include[0]: " + self + " includes itself");
        assertThatThrownBy(() -> Bindings.load(lost))
                .hasMessage(lost + ":2: include[0]: " + folder.resolve("nowhere.yaml")
                        + ": no such file (expected: a path from the folder of this file)");
        assertThatThrownBy(() -> Bindings.load(word))
                .hasMessage(word + ":1: include: a single value (expected: a list)");
    }

    @EffectOf("include")
    @Test
    void aChangeOfAnIncludedFileIsFollowed() throws IOException {
        Path base = write("base.yaml", "services: {compare: {balance: pull}}");
        Path file = write("cleave.yaml", "include: [base.yaml]");
        List<Bindings> taken = new ArrayList<>();
        FollowedFile followed = FollowedFile.of(file, taken::add);

        Files.writeString(base, "services: {compare: {balance: demand(7)}}");

        assertThat(followed.poll()).isTrue();
        assertThat(taken.get(0).services().get("compare").dispatch().balance()).isEqualTo(new Balance.Demand(7));
        assertThat(followed.poll()).isFalse();
    }

    @Test
    void namesOfHostsStandForTheirAddresses() {
        Bindings bindings = Bindings.parse(FILE, "cleave.yaml");

        assertThat(bindings.broker()).isEqualTo("cleave://10.0.0.7:7420");
        assertThat(bindings.services().get("compare").replicas())
                .extracting(ReplicaBinding::host)
                .containsExactly(null, "10.0.0.7", "10.0.0.7");
    }

    @Test
    void propertiesAndVariablesSetSingleKeys() {
        Bindings bindings = over(
                Map.of(
                        "cleave.services.compare.methods.score.aggregate.delay", "5us",
                        "cleave.services.compare.replicas.harvey.host", "far",
                        "cleave.services.a.b.window", "auto",
                        "cleave.services.fresh.balance", "static(\"1:2\")",
                        "cleave.services.fresh.replicas", "[{name: x}, {name: y}]",
                        "cleave.hosts.far", "10.0.0.8"),
                Map.of(
                        "CLEAVE_SERVICES_COMPARE_METHODS_SCORE_WINDOW", "9",
                        "CLEAVE_SERVICES_COMPARE_METHODS_SCORE_READ_ONLY", "true",
                        "CLEAVE_SERVICES_A_B_IDEMPOTENT", "false",
                        "CLEAVE_HOSTS_FAR", "10.0.0.9",
                        "CLEAVE_CLASSPATH", "not:ours",
                        "PATH", "/bin"));

        ServiceBinding compare = bindings.services().get("compare");
        assertThat(compare.call("score").window()).isEqualTo(9);
        assertThat(compare.call("score").reads().readOnly()).isTrue();
        assertThat(compare.call("score").traffic().aggregate()).isEqualTo(new Aggregate(1024, Duration.ofNanos(5_000)));
        assertThat(compare.dispatch().balance()).isEqualTo(new Balance.Demand(2));
        assertThat(compare.replicas()).extracting(ReplicaBinding::host).containsOnly("10.0.0.8");
        assertThat(bindings.services().get("a.b").calls().window()).isEqualTo(CallBinding.AUTOMATIC_WINDOW);
        assertThat(bindings.services().get("a.b").calls().idempotent()).isFalse();
        assertThat(bindings.services().get("fresh").dispatch().balance())
                .isEqualTo(new Balance.StaticRatio(Map.of("x", 1, "y", 2)));
        assertThat(bindings.broker()).isEqualTo("cleave://10.0.0.8:7420");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "services.compare.balance|pul|-Dcleave.services.compare.balance: services.compare.balance: pul: unknown value (did you mean pull?)",
                "services.compare.widow|8|-Dcleave.services.compare.widow: widow: unknown key (did you mean window?)",
                "services.compare.replicas.buggs.host|h|-Dcleave.services.compare.replicas.buggs.host: buggs.host: unknown name (did you mean bugs?)",
                "services.compare.window|[|-Dcleave.services.compare.window: not YAML: expected the node content, but found '<stream end>'",
                "pings.evry|1s|-Dcleave.pings.evry: evry: unknown key (did you mean every?)",
            })
    void aMistakeInAPropertyNamesIt(String key, String value, String message) {
        assertThatThrownBy(() -> over(Map.of("cleave." + key, value), Map.of())).hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SERVICES_COMPARE_BALANCE|pul|$CLEAVE_SERVICES_COMPARE_BALANCE: services.compare.balance: pul: unknown value (did you mean pull?)",
                "SERVICES_COMPAR_WINDOW|8|$CLEAVE_SERVICES_COMPAR_WINDOW: COMPAR: unknown key (did you mean compare?)",
                "SERVICES_COMPARE_WIDOW|8|$CLEAVE_SERVICES_COMPARE_WIDOW: WIDOW: unknown key (did you mean window?)",
            })
    void aMistakeInAVariableNamesIt(String name, String value, String message) {
        assertThatThrownBy(() -> over(Map.of(), Map.of("CLEAVE_" + name, value)))
                .hasMessage(message);
    }

    @Test
    void propertiesOfThisProcessHoldOverAFile() throws IOException {
        Path file = write("cleave.yaml", FILE);
        System.setProperty("cleave.services.compare.window", "77");
        try {
            assertThat(Bindings.load(file).services().get("compare").calls().window())
                    .isEqualTo(77);
            assertThat(Overrides.options()).containsExactly("-Dcleave.services.compare.window=77");
        } finally {
            System.clearProperty("cleave.services.compare.window");
        }
        System.setProperty("cleave.servces.compare.window", "77");
        try {
            assertThatThrownBy(() -> Bindings.load(file))
                    .hasMessage("-Dcleave.servces.compare.window: unknown key (did you mean services?)");
        } finally {
            System.clearProperty("cleave.servces.compare.window");
        }
    }

    @Test
    void checkFindsAllMistakesWithTheirColumns() throws IOException {
        Path file = write("cleave.yaml", """
                aplication: x
                services:
                  compare:
                    window: many
                    replicas: [{name: a}, {nam: b}]
                    methods: {score: {deadline: 5, style: asynch}}
                  other:
                    route: rely
                    route: direct
                    workers: 3
                client: {args: [a]}
                pings: {every: 1s, suspect: 10ms}
                """);

        ApplicationFile checked = ApplicationFile.check(file);

        assertThat(checked.mistakes())
                .extracting(mistake -> ":" + mistake.where().line() + ":"
                        + mistake.where().column() + ": " + mistake.where().key())
                .containsExactlyInAnyOrder(
                        ":1:1: aplication",
                        ":4:13: services.compare.window",
                        ":5:28: services.compare.replicas[1].nam",
                        ":5:27: services.compare.replicas[1]",
                        ":6:33: services.compare.methods.score.deadline",
                        ":6:43: services.compare.methods.score.style",
                        ":8:12: services.other.route",
                        ":9:5: services.other.route",
                        ":11:1: client",
                        ":12:1: pings");
        assertThat(checked.bindings().services().get("other").dispatch().workers())
                .isEqualTo(3);
        assertThat(checked.place("services.other.workers.none").line()).isEqualTo(10);
    }

    private static Bindings over(Map<String, String> properties, Map<String, String> variables) {
        return BindingsReader.read(ApplicationFile.root(
                Overrides.over(new SourceFiles().tree(FILE, "cleave.yaml"), properties, variables),
                "cleave.yaml",
                ReadOutcome.strict()));
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
