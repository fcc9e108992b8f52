package dev.cleave.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.wire.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class BindingsTest {

    private static final Linkage MIGRATES = new Linkage(
            "harvey",
            "bugs",
            new LoadCondition(List.of(List.of(new LoadCondition.Comparison(LoadCondition.Operator.AT_LEAST, 10)))),
            null,
            new Linkage.Share(1, 2));

    private static final Traffic GATHERED = new Traffic(Carrier.AUTO, new Aggregate(1 << 10, Duration.ofMillis(1)));

    private static final String ALL = """
        application: dna-search
        hosts: {first: 10.0.0.1}
        broker: cleave://localhost:7420
        classpath: [target/classes, "lib/*"]
        allow: [com.example.Gene, com.example.Gene$Part, com.example.model.*]
        codecs: [com.example.GeneCodec]
        benign: [com.example.audit]
        pure: [com.example.KeyLists.key, com.example.Words]
        services:
          compare:
            interface: com.example.Compare
            implementation: com.example.SmithWaterman
            codecs: [com.example.SequenceCodec]
            replicas:
              - {name: harvey, host: first, link: {delay: 1ms}, options: {speed: 2, mode: fast}}
              - name: bugs
            route: relay
            balance: static("2:1")
            migrate: ["harvey(oc: load >= 10) # bugs"]
            workers: 4
            queue: 100
            interceptors: [com.example.Audit, com.example.Limit]
            link: {delay: 500us, rate: 10MiB/s, per-reply: 2ms}
            style: async
            window: 16
            idempotent: true
            deadline: 5s
            speculative: true
            group: scores
            priority: query.length()
            prefer: blocked
            communication: bulk
            transport: auto
            aggregate: {bytes: 1KiB, delay: 1ms}
            methods:
              score: {style: sync, window: 8, idempotent: false, deadline: 1m, speculative: false, group: g, priority: none, later: [query, 2],
                communication: incremental}
              name: {window: auto, pure: false, read-only: true, max-age: 1s, hedge: 50ms}
        client: {main: com.example.Search, args: [queries.fasta, 7, true]}
        pings: {every: 500ms, suspect: 2s, down: 5s}
        admin: 9090
        mdc: [user, request.id]
        security: {keys: tls, rights: [{identity: client, call: [compare.score]}]}
        """;

    @Test
    void anEmptyFileSaysNothing() {
        assertThat(Bindings.parse("", "cleave.yaml")).isEqualTo(Bindings.NONE);
        assertThat(Bindings.parse("# nothing\n---\n", "cleave.yaml")).isEqualTo(Bindings.NONE);
        assertThat(Bindings.NONE.service("compare")).isEmpty();
        assertThat(Bindings.NONE.call("com.example.Compare", "score")).isEqualTo(CallBinding.NONE);
    }

    @Test
    void allDefaults() {
        ServiceBinding service = only("services:\n  compare:\n    replicas: [ {name: harvey} ]\n");

        assertThat(service.name()).isEqualTo("compare");
        assertThat(service.contract()).isEqualTo(new ServiceBinding.Contract(null, null, List.of()));
        assertThat(service.replicas()).containsExactly(new ReplicaBinding("harvey", null, null, Map.of()));
        assertThat(service.dispatch())
                .isEqualTo(new Dispatch(Route.DIRECT, new Balance.RoundRobin(), null, null, null, List.of()));
        assertThat(service.calls()).isEqualTo(CallBinding.NONE);
        assertThat(service.methods()).isEmpty();
        assertThat(service.call("score")).isEqualTo(CallBinding.NONE);
        assertThat(service.link("harvey")).isEmpty();
        assertThat(only("services: {compare: }\n")).isEqualTo(ServiceBinding.none("compare"));
        assertThat(only("services: {compare: {link: {}}}\n").link("harvey"))
                .contains(new EmulatedLink(Duration.ZERO, 0, Duration.ZERO));
        assertThat(Bindings.NONE.pings()).isEqualTo(Pings.DEFAULT);
        assertThat(Bindings.parse("pings: {every: 2s}", "cleave.yaml").pings())
                .isEqualTo(new Pings(Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofSeconds(6)));
        assertThat(Bindings.parse("client: {main: com.example.Search}", "cleave.yaml")
                        .client())
                .isEqualTo(new ClientBinding("com.example.Search", List.of()));
    }

    @Test
    void allKeys() {
        Bindings bindings = Bindings.parse(ALL, "cleave.yaml");
        EmulatedLink wide = new EmulatedLink(Duration.ofNanos(500_000), 10 << 20, Duration.ofMillis(2));
        EmulatedLink own = new EmulatedLink(Duration.ofMillis(1), 0, Duration.ZERO);

        assertThat(bindings.application()).isEqualTo("dna-search");
        assertThat(bindings.operation()).isEqualTo(new Operation(9090, List.of("user", "request.id")));
        assertThat(bindings.services().get("compare").interceptors())
                .containsExactly("com.example.Audit", "com.example.Limit");
        assertThat(bindings.pings())
                .isEqualTo(new Pings(Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofSeconds(5)));
        assertThat(bindings.broker()).isEqualTo("cleave://localhost:7420");
        assertThat(bindings.classPath()).containsExactly("target/classes", "lib/*");
        assertThat(bindings.allow())
                .containsExactly("com.example.Gene", "com.example.Gene$Part", "com.example.model.*");
        assertThat(bindings.codecs()).containsExactly("com.example.GeneCodec");
        assertThat(bindings.trust().benign()).containsExactly("com.example.audit");
        assertThat(bindings.trust().pure()).containsExactly("com.example.KeyLists.key", "com.example.Words");
        assertThat(bindings.client())
                .isEqualTo(new ClientBinding("com.example.Search", List.of("queries.fasta", "7", "true")));
        assertThat(bindings.services()).containsOnlyKeys("compare");
        ServiceBinding service = bindings.service("compare").orElseThrow();
        assertThat(service.contract())
                .isEqualTo(new ServiceBinding.Contract(
                        "com.example.Compare", "com.example.SmithWaterman", List.of("com.example.SequenceCodec")));
        assertThat(service.replicas())
                .containsExactly(
                        new ReplicaBinding("harvey", "10.0.0.1", own, Map.of("speed", "2", "mode", "fast")),
                        new ReplicaBinding("bugs", null, null, Map.of()));
        assertThat(service.dispatch())
                .isEqualTo(new Dispatch(
                        Route.RELAY,
                        new Balance.StaticRatio(Map.of("harvey", 2, "bugs", 1)),
                        4,
                        100,
                        wide,
                        List.of(MIGRATES)));
        assertThat(service.link("harvey")).contains(own);
        assertThat(service.link("bugs")).contains(wide);
        assertThat(service.call("other"))
                .isEqualTo(new CallBinding(
                        Style.ASYNC,
                        16,
                        true,
                        Duration.ofSeconds(5),
                        Reads.NONE,
                        true,
                        "scores",
                        "query.length()",
                        Preference.BLOCKED,
                        GATHERED,
                        null,
                        null));
        assertThat(service.call("score"))
                .isEqualTo(new CallBinding(
                        Style.SYNC,
                        8,
                        false,
                        Duration.ofMinutes(1),
                        Reads.NONE,
                        false,
                        "g",
                        "none",
                        Preference.BLOCKED,
                        Communication.INCREMENTAL.traffic(),
                        null,
                        List.of("query", "2")));
        assertThat(service.call("name"))
                .isEqualTo(new CallBinding(
                        Style.ASYNC,
                        CallBinding.AUTOMATIC_WINDOW,
                        true,
                        Duration.ofSeconds(5),
                        new Reads(false, true, Duration.ofSeconds(1)),
                        true,
                        "scores",
                        "query.length()",
                        Preference.BLOCKED,
                        GATHERED,
                        new HedgeAfter(Duration.ofMillis(50), 0),
                        null));
        assertThat(bindings.call("com.example.Compare", "name")).isEqualTo(service.call("name"));
    }

    @Test
    void everyKeyIsInTheFileOfAllKeys() {
        assertThat(List.of(
                        KeyLists.ROOT.stream()
                                .filter(key -> !key.equals("include"))
                                .toList(),
                        KeyLists.SERVICE,
                        KeyLists.CALL,
                        KeyLists.REPLICA,
                        KeyLists.LINK,
                        KeyLists.CLIENT,
                        KeyLists.PINGS))
                .allSatisfy(keys ->
                        assertThat(keys).allSatisfy(key -> assertThat(ALL).contains(key + ":")));
    }

    @Test
    void theMoreCarefulValueHoldsWhereServicesOfAnInterfaceDiffer() {
        Bindings bindings = Bindings.parse("""
            services:
              one: {interface: a.B, style: async, window: 8, idempotent: true, deadline: 5s}
              two: {interface: a.B, style: async, window: 4, idempotent: true, deadline: 9s}
              three: {interface: a.C, style: async, idempotent: true}
              four: {interface: a.C}
            """, "cleave.yaml");

        assertThat(bindings.call("a.B", "m"))
                .isEqualTo(new CallBinding(
                        Style.ASYNC,
                        4,
                        true,
                        Duration.ofSeconds(5),
                        Reads.NONE,
                        null,
                        null,
                        null,
                        null,
                        Traffic.NONE,
                        null,
                        null));
        assertThat(bindings.call("a.C", "m"))
                .isEqualTo(new CallBinding(
                        Style.SYNC, null, false, null, Reads.NONE, null, null, null, null, Traffic.NONE, null, null));
    }

    @Test
    void aMethodThatTheInterfaceLacksIsAnError() {
        ServiceBinding service = only("services:\n  compare:\n    methods:\n      scor: {style: async}\n");

        assertThatThrownBy(() -> service.checkMethods(List.of("score", "close")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("cleave.yaml:4: services.compare.methods.scor: unknown method (did you mean score?)");
        service.checkMethods(List.of("scor"));
    }

    @Test
    void readsAFile(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("cleave.yaml"), "application: späte Reise");

        assertThat(Bindings.load(file).application()).isEqualTo("späte Reise");
    }

    @Test
    void namesAFileThatCannotBeRead(@TempDir Path folder) throws IOException {
        Path missing = folder.resolve("missing.yaml");
        Path latin = Files.write(folder.resolve("latin.yaml"), new byte[] {'a', ':', ' ', (byte) 0xe4});
        Path large = Files.write(folder.resolve("large.yaml"), new byte[Bindings.MAX_LENGTH + 1]);

        assertThatThrownBy(() -> Bindings.load(missing))
                .isInstanceOf(ConfigException.class)
                .hasMessage(missing + ": no such file");
        assertThatThrownBy(() -> Bindings.load(latin))
                .isInstanceOf(ConfigException.class)
                .hasMessage(latin + ": not UTF-8");
        assertThatThrownBy(() -> Bindings.load(large))
                .isInstanceOf(ConfigException.class)
                .hasMessage(large + ": longer than 1048576 bytes");
    }

    private static ServiceBinding only(String text) {
        return Bindings.parse(text, "cleave.yaml").service("compare").orElseThrow();
    }

    @Test
    void speculationAndGroupsAreOfMethodsOrServices() {
        Bindings bindings = Bindings.parse("""
            services:
              store:
                interface: a.Store
                speculative: true
                methods:
                  put: {style: chained, group: writes}
                  note: {style: one-way, speculative: false}
            """, "cleave.yaml");

        assertThat(bindings.call("a.Store", "put"))
                .isEqualTo(new CallBinding(
                        Style.CHAINED,
                        null,
                        null,
                        null,
                        Reads.NONE,
                        true,
                        "writes",
                        null,
                        null,
                        Traffic.NONE,
                        null,
                        null));
        assertThat(bindings.call("a.Store", "note"))
                .isEqualTo(new CallBinding(
                        Style.ONE_WAY,
                        null,
                        null,
                        null,
                        Reads.NONE,
                        false,
                        null,
                        null,
                        null,
                        Traffic.NONE,
                        null,
                        null));
        assertThat(bindings.call("a.Store", "get"))
                .isEqualTo(new CallBinding(
                        null, null, null, null, Reads.NONE, true, null, null, null, Traffic.NONE, null, null));
    }

    @Test
    void whatAMethodReadsIsSaidByFileOfMethodAndService() {
        Bindings bindings = Bindings.parse("""
            services:
              one:
                interface: a.B
                read-only: true
                max-age: 1s
                methods:
                  exact: {pure: true}
                  writes: {read-only: false}
              two: {interface: a.C, pure: true}
              three: {interface: a.C}
            """, "cleave.yaml");

        assertThat(bindings.call("a.B", "m").reads()).isEqualTo(new Reads(null, true, Duration.ofSeconds(1)));
        assertThat(bindings.call("a.B", "m").reads().word()).isEqualTo("READ_ONLY");
        assertThat(bindings.call("a.B", "exact").reads().word()).isEqualTo("PURE");
        assertThat(bindings.call("a.B", "writes").reads().word()).isEqualTo("NONE");
        assertThat(bindings.call("a.C", "m").reads().word()).isEqualTo("NONE");
        assertThat(bindings.call("a.D", "m").reads().word()).isEqualTo("-");
    }

    @Test
    void allBalancePolicies() {
        Map<String, Balance> policies = Map.of(
                "round-robin", new Balance.RoundRobin(),
                "demand(5)", new Balance.Demand(5),
                "pull", new Balance.Pull(1, null),
                "pull( 4 )", new Balance.Pull(4, null),
                "pull(2, part.name())", new Balance.Pull(2, "part.name()"),
                "class(a.B)", new Balance.Chosen("a.B", null),
                "class( a.B$C, part.name() )", new Balance.Chosen("a.B$C", "part.name()"),
                "least-loaded", new Balance.LeastLoaded(),
                "affinity(part.name())", new Balance.Affinity("part.name()"),
                "affinity( \"part\" )", new Balance.Affinity("part"));
        policies.forEach((text, policy) -> assertThat(only("services: {compare: {balance: '" + text + "'}}")
                        .dispatch()
                        .balance())
                .isEqualTo(policy));
    }
}
