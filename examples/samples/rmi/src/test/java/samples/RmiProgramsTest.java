package samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import samples.Program.Way;
import samples.factory.FactoryClient;
import samples.lasting.QuoteClient;
import samples.lasting.QuoteServer;
import samples.prices.PriceClient;

/** The programs run in processes of their own, on the RMI of the JDK and with the agent, and print the same. */
@Tag("one-jdk")
@Timeout(300)
class RmiProgramsTest {

    private static final String READY = "ready";

    @TempDir
    private Path folder;

    @Test
    void allProgramsPrintTheSameWhicheverSideHasTheAgent() throws Exception {
        Map<String, List<String>> printed = new HashMap<>();
        List<List<String>> ofServers = new ArrayList<>();
        for (Way server : Way.values()) {
            int port = freePort();
            try (Program servers = Program.start(server, Servers.class, port, List.of())) {
                ofServers.add(servers.readTo(READY));
                for (Way client : Way.values()) {
                    printed.put(server + " server, " + client + " client", run(client, Clients.class, port));
                }
            }
        }
        List<String> plain = printed.get("PLAIN server, PLAIN client");
        assertThat(plain).contains("stub true true false").hasSizeGreaterThan(80);
        assertThat(printed).allSatisfy((how, lines) -> assertThat(lines).as(how).isEqualTo(plain));
        assertThat(ofServers.get(1)).isEqualTo(ofServers.get(0));
    }

    @Test
    void aProcessThatSwitchesItOffLoadsNothingOfIt() throws Exception {
        Path loaded = folder.resolve("loaded.txt");
        List<String> off = List.of("-Dcleave.rmi=off", "-Xlog:class+load:file=" + loaded);
        int port = freePort();
        try (Program server = Program.start(Way.AGENT, QuoteServer.class, port, off)) {
            server.readTo(READY);
            assertThat(run(Way.PLAIN, QuoteClient.class, port)).contains("tea 21");
            assertThat(server.readToEnd()).containsExactly("stopped");
        }
        assertThat(Files.readString(loaded)).contains("samples.lasting").doesNotContain("dev.cleave.rmi");
    }

    @Test
    void aServerWhoseMainReturnsLivesUntilItsLastObjectIsUnexported() throws Exception {
        for (Way way : Way.values()) {
            int port = freePort();
            try (Program server = Program.start(way, QuoteServer.class, port, List.of())) {
                server.readTo(READY);
                assertThat(run(way, QuoteClient.class, port)).containsExactly("tea 21", "the server has ended");
                assertThat(server.readToEnd()).containsExactly("stopped");
                assertThat(server.exitCode()).isZero();
            }
        }
    }

    @Test
    void anObjectIsToldThatNobodyHasItWhenTheLeaseOfADeadClientHasEnded() throws Exception {
        for (Way way : Way.values()) {
            int port = freePort();
            List<String> lease = List.of("-Djava.rmi.dgc.leaseValue=1000", "-Dsun.rmi.dgc.checkInterval=200");
            try (Program servers = Program.start(way, Servers.class, port, lease)) {
                servers.readTo(READY);
                assertThat(run(way, FactoryClient.class, port, "die")).containsExactly("opened for eve");
                assertThat(run(way, FactoryClient.class, port, "wait")).containsExactly("unreferenced 1");
            }
        }
    }

    @Test
    void loopsOfAHundredCallsAreTenTimesFasterWithAFileOfTwoLines() throws Exception {
        Path link = Files.writeString(
                folder.resolve("link.yaml"),
                "services:\n  prices: {interface: samples.prices.Prices, link: {delay: 1ms}}\n");
        Path styles = Path.of("cleave.yaml");
        assertThat(Files.readAllLines(styles)).hasSizeLessThanOrEqualTo(10);
        int port = freePort();
        try (Program servers = Program.start(Way.AGENT, Servers.class, port, List.of("-Dcleave.config=" + link))) {
            servers.readTo(READY);
            long[] asWritten = times(2, port, List.of());
            long[] styled = times(40, port, List.of("-Dcleave.config=" + styles.toAbsolutePath()));
            assertThat(asWritten[0]).as("micros of total()").isGreaterThan(10 * styled[0]);
            assertThat(asWritten[1]).as("micros of items()").isGreaterThan(10 * styled[1]);
        }
    }

    @Test
    void whatThePageSaysIsTheSameIsShownByProgramsAndTests() throws Exception {
        Path home = Path.of("../../..");
        List<MatchResult> rows = Pattern.compile("(?m)^\\| .* \\| same \\| (.*) \\|$")
                .matcher(Files.readString(home.resolve("docs/rmi.md")))
                .results()
                .toList();
        assertThat(rows).hasSizeGreaterThan(25);
        for (MatchResult row : rows) {
            List<String> names = Pattern.compile("`(\\w+)`|\\(guarantees\\.md\\)")
                    .matcher(row.group(1))
                    .results()
                    .map(name -> name.group(1))
                    .toList();
            assertThat(names).as(row.group()).isNotEmpty();
            assertThat(names).as(row.group()).allMatch(name -> name == null || isThere(home, name));
        }
    }

    private static boolean isThere(Path home, String name) {
        String shown = "examples/samples/rmi/src/main/java/samples/" + name;
        return Stream.of(
                        shown,
                        "core/src/test/java/dev/cleave/rmi/" + name + ".java",
                        "agent/src/test/java/dev/cleave/agent/transform/" + name + ".java")
                .anyMatch(file -> Files.exists(home.resolve(file)));
    }

    private static List<String> run(Way way, Class<?> main, int port, String... more) throws Exception {
        try (Program client = Program.start(way, main, port, List.of(), more)) {
            List<String> lines = client.readToEnd();
            assertThat(client.exitCode()).as(client.errors()).isZero();
            return lines;
        }
    }

    /** The best times of the two loops, in microseconds. */
    private static long[] times(int rounds, int port, List<String> options) throws Exception {
        try (Program client = Program.start(Way.AGENT, PriceClient.class, port, options, String.valueOf(rounds))) {
            assertThat(client.readToEnd()).containsExactly("total 10350, items 100, last item-99 [part-99, part-100]");
            List<long[]> times = client.errors()
                    .lines()
                    .filter(line -> line.startsWith("times "))
                    .map(line -> Arrays.stream(line.substring("times ".length()).split(" "))
                            .mapToLong(Long::parseLong)
                            .toArray())
                    .toList();
            return new long[] {
                times.stream().mapToLong(round -> round[0]).min().orElseThrow(),
                times.stream().mapToLong(round -> round[1]).min().orElseThrow()
            };
        }
    }

    /** A port that was free just now: a registry has to be told its port. */
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
