package dev.cleave.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.EffectOf;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What the keys of an application file change in the decisions of the agent. */
@Tag("one-jdk")
class FileKeysTest {

    @TempDir
    private Path folder;

    private Path classes;

    private static final String DESK = """
            package com.shop;

            @dev.cleave.Remote
            public interface Desk {
                int order(String title);
                int price(String title);
                void tell(String title);
            }
            """;

    private static final String CLIENT = """
            package com.shop;

            public class Client {
                int straight(Desk desk) {
                    int a = desk.order("a");
                    int b = desk.order("b");
                    return a + b;
                }
                int loop(Desk desk, String[] titles) {
                    int sum = 0;
                    for (String title : titles) {
                        sum += desk.order(title);
                    }
                    return sum;
                }
                int branch(Desk desk, int limit) {
                    int first = desk.price("a");
                    if (limit > first) {
                        return desk.order("b");
                    }
                    return first;
                }
                void tells(Desk desk, String[] titles) {
                    for (String title : titles) {
                        desk.tell(title);
                    }
                }
            }
            """;

    @BeforeEach
    void compile() throws IOException {
        classes = ShopProgram.compile(folder);
        ShopProgram.add(classes, "com/shop/Desk", DESK);
        ShopProgram.add(classes, "com/shop/Client", CLIENT);
    }

    private String verdicts(String methods) throws IOException {
        Path file = Files.writeString(
                folder.resolve("cleave.yaml"),
                "services:\n  desk:\n    interface: com.shop.Desk\n    " + methods + "\n");
        Path report = folder.resolve("report.json");
        AgentCommands.explain(
                new PrintWriter(Writer.nullWriter()),
                List.of(classes.toString()),
                report.toString(),
                file.toString(),
                null,
                false,
                List.of());
        return Files.readString(report);
    }

    /** Says for each call of the client, in the order of its text, what becomes of it: method, remote method, verdict, window. */
    private List<String> sites(String methods) throws IOException {
        Map<?, ?> report =
                (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(verdicts(methods)); // JSON is YAML
        List<String> sites = new ArrayList<>();
        for (Object each : (List<?>) report.get("sites")) {
            Map<?, ?> site = (Map<?, ?>) each;
            if (!String.valueOf(site.get("call")).startsWith("Desk.")) {
                continue;
            }
            sites.add(site.get("method") + " " + site.get("call") + " " + site.get("verdict")
                    + (site.get("window") == null ? "" : " " + site.get("window")));
        }
        return sites;
    }

    @Test
    @EffectOf({"services.style", "services.window"})
    void aStyleMovesCallsAndAWindowBoundsThem() throws IOException {
        assertThat(sites("route: direct")).allMatch(site -> site.endsWith(" sequential"));
        assertThat(sites("style: async\n    window: 7"))
                .containsSubsequence(
                        "straight Desk.order split",
                        "straight Desk.order split",
                        "loop Desk.order pipelined 7",
                        "branch Desk.order sequential",
                        "tells Desk.tell pipelined 7");
        assertThat(sites("methods: {order: {style: chained}}"))
                .contains("loop Desk.order chained", "tells Desk.tell sequential");
    }

    @Test
    @EffectOf("services.speculative")
    void aSpeculativeCallStartsBeforeTheProgramReachesIt() throws IOException {
        assertThat(sites("style: async\n    speculative: true")).contains("branch Desk.order split");
    }

    @Test
    @EffectOf({"services.pure", "services.read-only"})
    void callsThatChangeNothingArePrefetched() throws IOException {
        assertThat(sites("pure: true")).contains("branch Desk.order prefetched 1");
        assertThat(sites("read-only: true")).contains("loop Desk.order prefetched 64");
    }
}
