package dev.cleave.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cleave.testing.Seed;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("one-jdk")
class BindingsErrorTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "root:$6$SECRET:19000:0:99999:7:::\ndaemon:*:19000:0:99999:7:::\n",
                "PASSWORD=SECRET stuff\nB=2\n",
                "-----BEGIN SECRET KEY-----\nabc\n-----END KEY-----\n",
                "[SECRET]\nx=1\n",
                "@SECRET x\n",
                "%SECRET x\n",
                "key: *SECRET\n",
                "key: !SECRET!x y\n",
                "key: [SECRET\n",
                "{\"SECRET",
                "\"a SECRET key\": 1",
                "x: \"\\qSECRET\"\n",
                "a: &SECRET b\nc: : d",
                "SECRET\u0000",
            })
    void aFileOfAnotherKindIsNotShown(String text) {
        assertThatThrownBy(() -> Bindings.parse(text, "other"))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("other")
                .message()
                .doesNotContain("SECRET")
                .hasLineCount(1);
    }

    @Test
    void longKeysAndValuesAreShownInPart() {
        String longWord = "x".repeat(61);

        assertMessage(
                "broker: " + longWord,
                "cleave.yaml:1: broker: " + "x".repeat(60) + "... (expected: cleave://host:port)");
        assertThatThrownBy(() -> Bindings.parse("services: {" + longWord + ": {zzz: 1}}", "cleave.yaml"))
                .hasMessageStartingWith("cleave.yaml:1: services." + "x".repeat(60) + "....zzz: unknown key");
        assertThatThrownBy(() -> Bindings.parse("services: {\"a\\e[2Jb\": {}}", "cleave.yaml"))
                .hasMessageStartingWith("cleave.yaml:1: services.a\\u001b[2Jb: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "aplication: x|cleave.yaml:1: aplication: unknown key (did you mean application?)",
                "zzz: x|cleave.yaml:1: zzz: unknown key (expected: application, include, hosts, broker, classpath, allow, codecs, benign, pure, services, client, pings, admin, mdc or security)",
                "pings: {every: 1s, suspect: 2s, down: 2s}|cleave.yaml:1: pings: every 1000ms, suspect 2000ms, down 2000ms (expected: every at least 10ms, suspect not less than every, down more than suspect)",
                "broker: localhost:7420|cleave.yaml:1: broker: localhost:7420 (expected: cleave://host:port)",
                "services: [a]|cleave.yaml:1: services: a list (expected: keys and values)",
                "services: yes|cleave.yaml:1: services: a single value (expected: keys and values)",
                "[a, b]|cleave.yaml: a list (expected: keys and values)",
                "just text|cleave.yaml: a single value (expected: keys and values)",
                "? [a]\\n: b|cleave.yaml:1: ?: a list (expected: a key)",
                "allow: a.B|cleave.yaml:1: allow: a single value (expected: a list)",
                "allow:\\n- a.B\\n- a-b|cleave.yaml:3: allow[1]: a-b (expected: the name of a class, or a package such as com.example.model.*)",
                "application:|cleave.yaml:1: application: empty (expected: a value)",
                "application: {a: b}|cleave.yaml:1: application: a mapping (expected: a value)",
                "client: {args: []}|cleave.yaml:1: client: no main (expected: main: ...)",
                "client: {main: a.B, arg: []}|cleave.yaml:1: client.arg: unknown key (did you mean args?)",
                "application: a\\n\\napplication: b|cleave.yaml:3: application: given twice (first in line 1)",
                "services: {a b: {}}|cleave.yaml:1: services.a b: a b (expected: a name without blanks)",
            })
    void explainsAMistakeInTheFile(String text, String message) {
        assertMessage(text, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "rout: relay|rout: unknown key (did you mean route?)",
                "route: rely|route: rely: unknown value (did you mean relay?)",
                "route: fast|route: fast: unknown value (expected: direct or relay)",
                "balance: round_robin|balance: round_robin: unknown value (did you mean round-robin?)",
                "balance: best|balance: best: unknown value (expected: round-robin, static(\"1:1\"), demand(2), pull, least-loaded, learned, affinity(expression) or class(com.example.Nearest))",
                "balance: demand(0)|balance: demand(0): window 0 (expected: a number from 1 to 65536)",
                "balance: affinity()|balance: affinity(): unknown value (expected: round-robin, static(\"1:1\"), demand(2), pull, least-loaded, learned, affinity(expression) or class(com.example.Nearest))",
                "balance: pull(0)|balance: pull(0): group 0 (expected: a number from 1 to 65536)",
                "balance: class(a b)|balance: class(a b): unknown value (expected: round-robin, static(\"1:1\"), demand(2), pull, least-loaded, learned, affinity(expression) or class(com.example.Nearest))",
                "balance: class(a-b)|balance: a-b (expected: the name of a class, such as com.example.Compare)",
                "balance: static(\"1:1\")|balance: static(\"1:1\"): 2 weights (expected: 0, one for each of the replicas listed)",
                "replicas: [{name: a}, {name: b}]\\n    balance: static(1:0:1)|"
                        + "balance: static(1:0:1): 3 weights (expected: 2, one for each of the replicas listed)",
                "replicas: [{name: a}, {name: b}]\\n    balance: static(0:0)|"
                        + "balance: static(0:0): no weight above 0 (expected: at least one)",
                "replicas: [{name: a}, {name: b}]\\n    balance: static(1:1001)|"
                        + "balance: static(1:1001): weight '1001' (expected: a number from 0 to 1000)",
                "migrate: a # b|migrate: a single value (expected: a list)",
                "workers: 0|workers: 0 (expected: a number from 1 to 65536)",
                "workers: many|workers: many (expected: a number from 1 to 65536)",
                "queue: 99999999999|queue: 99999999999 (expected: a number from 1 to 1000000)",
                "window: -1|window: -1 (expected: a number from 1 to 65536, or auto)",
                "style: asynch|style: asynch: unknown value (did you mean async?)",
                "idempotent: yes|idempotent: yes: unknown value (expected: true or false)",
                "deadline: 5|deadline: 5 (expected: a duration up to 24h, such as 500us, 5ms or 30s)",
                "deadline: 25h|deadline: 25h (expected: a duration up to 24h, such as 500us, 5ms or 30s)",
                "deadline: 0s|deadline: 0s (expected: more than 0; every wait ends, and none at once)",
                "transport: ud|transport: ud: unknown value (did you mean udp?)",
                "transport: pigeon|transport: pigeon: unknown value (expected: auto, tcp, unix, udp or local)",
                "communication: bulky|communication: bulky: unknown value (did you mean bulk?)",
                "aggregate: 64KiB|aggregate: a single value (expected: keys and values)",
                "aggregate: {byte: 1KiB}|aggregate.byte: unknown key (did you mean bytes?)",
                "aggregate: {bytes: 64}|aggregate.bytes: 64 (expected: 1B to 1MiB, such as 64KiB)",
                "aggregate: {bytes: 0B}|aggregate.bytes: 0B (expected: 1B to 1MiB, such as 64KiB)",
                "aggregate: {bytes: 2MiB}|aggregate.bytes: 2MiB (expected: 1B to 1MiB, such as 64KiB)",
                "aggregate: {delay: 101ms}|aggregate.delay: 101ms (expected: 0us to 100ms, such as 50us)",
                "aggregate: {delay: soon}|aggregate.delay: soon (expected: 0us to 100ms, such as 50us)",
                "interface: 7up|interface: 7up (expected: the name of a class, such as com.example.Compare)",
                "link: {delai: 1ms}|link.delai: unknown key (did you mean delay?)",
                "link: {delay: -1ms}|link.delay: -1ms (expected: a duration up to 24h, such as 500us, 5ms or 30s)",
                "link: {rate: 10MiB}|link.rate: 10MiB (expected: bytes per second, such as 64KiB/s or 10MiB/s)",
                "link: {rate: 10MB/s}|link.rate: 10MB/s (expected: bytes per second, such as 64KiB/s or 10MiB/s)",
                "link: {rate: 0B/s}|link.rate: 0B/s (expected: bytes per second, such as 64KiB/s or 10MiB/s)",
                "link: {rate: 999999999999GiB/s}|link.rate: 999999999999GiB/s (expected: bytes per second, such as 64KiB/s or 10MiB/s)",
                "replicas: [{host: h}]|replicas[0]: no name (expected: name: ...)",
                "replicas: [{name: a b}]|replicas[0].name: a b (expected: a name of letters, digits, '.', '_' and '-')",
                "replicas: [{name: a}, {name: a}]|replicas[1].name: a: name given twice (expected: one replica of a name)",
                "replicas: [{name: a, hosts: h}]|replicas[0].hosts: unknown key (did you mean host?)",
                "replicas: [{name: a, host: a/b}]|replicas[0].host: a/b (expected: a host name or an address)",
                "replicas: [{name: a, options: [x]}]|replicas[0].options: a list (expected: keys and values)",
                "methods: {score: {windw: 1}}|methods.score.windw: unknown key (did you mean window?)",
                "methods: {score: {route: relay}}|methods.score.route: unknown key (expected: style, window, idempotent, deadline, hedge, pure, read-only, max-age, speculative, group, priority, prefer, communication, transport, aggregate or later)",
            })
    void explainsAMistakeInAService(String line, String message) {
        int last = 2 + line.split("\\\\n").length;
        assertMessage("services:\\n  compare:\\n    " + line, "cleave.yaml:" + last + ": services.compare." + message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "application: [a|cleave.yaml:1: not YAML: expected ',' or ']', but got <stream end>",
                "a: b\\n c: d|cleave.yaml:2: not YAML: mapping values are not allowed here",
                "application: *nobody|cleave.yaml:1: not YAML: found undefined alias",
                "application: a\\n--- \\napplication: b|cleave.yaml:2: not YAML: but found another document",
            })
    void explainsWhatIsNotYaml(String text, String message) {
        assertMessage(text, message);
    }

    @Test
    void constructsNothingFromTags() {
        assertMessage(
                "application: !!javax.script.ScriptEngineManager [x]",
                "cleave.yaml:1: application: a list (expected: a value)");
        assertMessage(
                "application: !!java.io.File /etc/passwd",
                "cleave.yaml:1: application: tag tag:yaml.org,2002:java.io.File (expected: no tag)");
        assertMessage("services: !mine {}", "cleave.yaml:1: services: tag !mine (expected: no tag)");
    }

    @Test
    @Timeout(180)
    void limitsDepthAliasesAndLength() {
        assertMessage("application: " + "[".repeat(100_000), "cleave.yaml:1: nested more than 32 deep");
        assertMessage("application: &a x\nallow: [" + "*a, ".repeat(101) + "]", "cleave.yaml:2: more than 100 aliases");
        assertMessage("#" + "x".repeat(Bindings.MAX_LENGTH), "cleave.yaml: longer than 1048576 characters");
        assertMessage(
                "services: &a {x: *a}",
                "cleave.yaml:1: services.x.x: unknown key (expected: "
                        + "interface, implementation, codecs, replicas, route, balance, migrate, workers, queue, link, interceptors, style, window, "
                        + "idempotent, deadline, hedge, pure, read-only, max-age, speculative, group, priority, prefer, communication, transport, aggregate or methods)");
    }

    @Test
    void aValueMayBeNamedAndUsedAgain() {
        Bindings bindings = Bindings.parse("""
                services:
                  a: {link: &far {delay: 20ms}}
                  b: {link: *far}
                """, "cleave.yaml");

        assertThat(bindings.service("b").orElseThrow().dispatch())
                .isEqualTo(bindings.service("a").orElseThrow().dispatch());
    }

    @Test
    void aKeyOfTwoLinesIsShownOnOne() {
        assertMessage(
                "services: {compare: {link: {\"de\\x0alay\": 1ms}}}",
                "cleave.yaml:1: services.compare.link.de\\nlay: unknown key (did you mean delay?)");
    }

    @Test
    void noTextLeadsToAnythingButAMessageOfOneLine() {
        long seed = Seed.of(BindingsErrorTest.class);
        Random random = new Random(seed);
        String start =
                "services:\n  compare:\n    replicas: [ {name: a, link: {delay: 1ms}} ]\n    balance: static(\"1\")\n";
        String alphabet = "ab:{}[],&*!?-\"'\n\t #%@`|>\\\u0000\ud800é0";
        for (int round = 0; round < 3_000; round++) {
            StringBuilder text = new StringBuilder(start);
            for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
                text.setCharAt(random.nextInt(text.length()), alphabet.charAt(random.nextInt(alphabet.length())));
            }
            Throwable thrown = catchThrowable(() -> Bindings.parse(text.toString(), "cleave.yaml"));
            if (thrown != null) {
                assertThat(thrown)
                        .as("seed %d round %d: %s", seed, round, text)
                        .isInstanceOf(ConfigException.class)
                        .hasMessageStartingWith("cleave.yaml");
                assertThat(thrown.getMessage())
                        .as("seed %d round %d", seed, round)
                        .doesNotContain("\n");
            }
        }
    }

    private static void assertMessage(String text, String message) {
        assertThatThrownBy(() -> Bindings.parse(text.replace("\\n", "\n"), "cleave.yaml"))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message);
    }
}
