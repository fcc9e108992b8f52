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
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import samples.Program.Way;
import samples.factory.FactoryClient;
import samples.lasting.QuoteClient;
import samples.lasting.QuoteServer;
import samples.loops.LoopClient;
import samples.prices.PriceClient;

/** The programs run in processes of their own, on the RMI of the JDK and with the agent, and print the same. */
@Tag("one-jdk")
@Timeout(300)
class RmiProgramsTest {

    private static final String READY = "ready";
    /** Nothing is there: classes of the class path are used, whatever a peer says of their origin. */
    private static final String CODEBASE = "http://localhost:1/none.jar";

    private static final List<Way> UNWOVEN = List.of(Way.PLAIN, Way.AGENT);
    /** What the RMI of the JDK does alone is asked for with {@code -Dcleave.full=true}. */
    private static final List<Way> OURS = Boolean.getBoolean("cleave.full") ? UNWOVEN : List.of(Way.AGENT);

    private static final int PORTS = 5;
    private static final int ATTEMPTS = 5;

    /** A server that is ready, the port of its registry, and what it has printed. */
    private record Running(Program program, int port, List<String> lines) implements AutoCloseable {

        @Override
        public void close() throws IOException {
            program.close();
        }
    }

    private static Running shared;

    @TempDir
    private Path folder;

    /** Only the service of prices has a style there: the calls of the other programs have an order. */
    @BeforeAll
    static void weave() throws Exception {
        assertThat(Woven.weave(Path.of("cleave.yaml")))
                .contains(": 2 pipelined, ")
                .contains("written to");
    }

    @Test
    void allProgramsPrintTheSameOnRmiAndWithTheAgent() throws Exception {
        Map<String, List<String>> printed = new ConcurrentHashMap<>();
        List<List<String>> ofServers = besideEachOther(List.of(
                () -> printed(Way.PLAIN, List.of(Way.PLAIN), printed),
                () -> printed(servers(), Way.AGENT, List.of(Way.AGENT), printed)));
        List<String> plain = printed.get("PLAIN server, PLAIN client");
        assertThat(plain).contains("stub true true false").hasSizeGreaterThan(80);
        assertThat(printed.get("AGENT server, AGENT client")).isEqualTo(plain);
        assertThat(ofServers.get(1)).isEqualTo(ofServers.get(0));
    }

    @Test
    @Tag("full")
    void allProgramsPrintTheSameWhicheverSideHasTheAgentOrIsWoven() throws Exception {
        Map<String, List<String>> printed = new ConcurrentHashMap<>();
        List<List<String>> ofServers = besideEachOther(List.of(
                () -> printed(Way.PLAIN, UNWOVEN, printed),
                () -> printed(servers(), Way.AGENT, List.of(Way.PLAIN, Way.AGENT, Way.WOVEN), printed)));
        List<String> plain = printed.get("PLAIN server, PLAIN client");
        assertThat(plain).contains("stub true true false").hasSizeGreaterThan(80);
        assertThat(printed).hasSize(5);
        assertThat(printed).allSatisfy((how, lines) -> assertThat(lines).as(how).isEqualTo(plain));
        assertThat(ofServers).containsOnly(ofServers.get(0));
    }

    @Test
    @Tag("full")
    void wovenProgramsPrintTheSameWhateverTheOtherSideIs() throws Exception {
        Map<String, List<String>> printed = new ConcurrentHashMap<>();
        List<List<String>> ofServers = besideEachOther(List.of(
                () -> printed(Way.PLAIN, List.of(Way.PLAIN, Way.WOVEN), printed),
                () -> printed(Way.AGENT, List.of(Way.WOVEN), printed),
                () -> printed(Way.WOVEN, List.of(Way.PLAIN, Way.AGENT, Way.WOVEN), printed)));
        List<String> plain = printed.get("PLAIN server, PLAIN client");
        assertThat(printed).hasSize(6);
        assertThat(printed).allSatisfy((how, lines) -> assertThat(lines).as(how).isEqualTo(plain));
        assertThat(ofServers).containsOnly(ofServers.get(0));
    }

    /** Runs servers with their clients at the same time: each of them waits more than it computes. */
    private static <T> List<T> besideEachOther(List<Callable<T>> runs) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(runs.size());
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> run : threads.invokeAll(runs)) {
                results.add(run.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    /** Runs clients against a server; returns the lines of the server. */
    private static List<String> printed(Way server, List<Way> clients, Map<String, List<String>> printed)
            throws Exception {
        try (Running servers = serving(server, Servers.class, List.of("-Djava.rmi.server.codebase=" + CODEBASE))) {
            return printed(servers, server, clients, printed);
        }
    }

    private static List<String> printed(
            Running servers, Way server, List<Way> clients, Map<String, List<String>> printed) throws Exception {
        for (Way client : clients) {
            printed.put(server + " server, " + client + " client", run(client, Clients.class, servers.port()));
        }
        return servers.lines();
    }

    /** The servers with the agent that tests share. Each call of a service of the file of loops, and of prices, takes a millisecond more. */
    private static synchronized Running servers() throws IOException {
        if (shared == null) {
            Path link = Files.writeString(
                    Files.createTempFile("link", ".yaml"),
                    Files.readString(Path.of("loops.yaml")).replaceAll("style: \\w+", "link: {delay: 1ms}")
                            + "  prices: {interface: samples.prices.Prices, link: {delay: 1ms}}\n");
            shared = serving(
                    Way.AGENT,
                    Servers.class,
                    List.of("-Dcleave.config=" + link, "-Djava.rmi.server.codebase=" + CODEBASE));
        }
        return shared;
    }

    @AfterAll
    static synchronized void endServers() throws IOException {
        if (shared != null) {
            shared.close();
            shared = null;
        }
    }

    @Test
    void aProcessThatSwitchesItOffLoadsNothingOfIt() throws Exception {
        Path loaded = folder.resolve("loaded.txt");
        List<String> off = List.of("-Dcleave.rmi=off", "-Xlog:class+load:file=" + loaded);
        try (Running server = serving(Way.AGENT, QuoteServer.class, off)) {
            assertThat(run(Way.PLAIN, QuoteClient.class, server.port())).contains("tea 21");
            assertThat(server.program().readToEnd()).containsExactly("stopped");
        }
        assertThat(Files.readString(loaded)).contains("samples.lasting").doesNotContain("dev.cleave.rmi");
    }

    @Test
    void aWovenProgramThatSwitchesItOffStaysOnRmi() throws Exception {
        Path loaded = folder.resolve("loaded.txt");
        List<String> off = List.of("-Dcleave.rmi=off", "-Xlog:class+load:file=" + loaded);
        try (Running server = serving(Way.WOVEN, QuoteServer.class, off)) {
            assertThat(run(Way.PLAIN, QuoteClient.class, server.port())).contains("tea 21");
            assertThat(server.program().readToEnd()).containsExactly("stopped");
        }
        assertThat(Files.readString(loaded)).contains("dev.cleave.rmi.RmiNode").doesNotContain("NettyTransport");
    }

    @Test
    void aServerWhoseMainReturnsLivesUntilItsLastObjectIsUnexported() throws Exception {
        for (Way way : OURS) {
            try (Running server = serving(way, QuoteServer.class, List.of())) {
                assertThat(run(way, QuoteClient.class, server.port()))
                        .containsExactly("tea 21", "the server has ended");
                assertThat(server.program().readToEnd()).containsExactly("stopped");
                assertThat(server.program().exitCode()).isZero();
            }
        }
    }

    @Test
    @Tag("full")
    void anObjectIsToldThatNobodyHasItWhenTheLeaseOfADeadClientHasEnded() throws Exception {
        for (Way way : OURS) {
            List<String> lease = List.of("-Djava.rmi.dgc.leaseValue=1000", "-Dsun.rmi.dgc.checkInterval=200");
            try (Running servers = serving(way, Servers.class, lease)) {
                int port = servers.port();
                assertThat(run(way, FactoryClient.class, port, "die")).containsExactly("opened for eve");
                assertThat(run(Way.PLAIN, FactoryClient.class, port, "wait")).containsExactly("unreferenced 1");
            }
        }
    }

    @Test
    @Tag("full")
    void loopsOfAHundredCallsAreTenTimesFasterWithAFileOfTwoLines() throws Exception {
        Path styles = Path.of("cleave.yaml");
        assertThat(Files.readAllLines(styles)).hasSizeLessThanOrEqualTo(10);
        int port = servers().port();
        long[] asWritten = times(2, port, List.of());
        long[] styled = {Long.MAX_VALUE, Long.MAX_VALUE};
        for (int i = 0; i < ATTEMPTS && !isTenTimesFaster(styled, asWritten); i++) { // other programs may take turns
            long[] next = times(40, port, List.of("-Dcleave.config=" + styles.toAbsolutePath()));
            styled = new long[] {Math.min(styled[0], next[0]), Math.min(styled[1], next[1])};
        }
        assertThat(asWritten[0]).as("micros of total()").isGreaterThan(10 * styled[0]);
        assertThat(asWritten[1]).as("micros of items()").isGreaterThan(10 * styled[1]);
    }

    /** Each program needs one or two of the lines of the file. */
    @Test
    @Tag("full")
    void theLoopsOfAllProgramsAreTenTimesFasterWithAFile() throws Exception {
        Path styles = Path.of("loops.yaml").toAbsolutePath();
        Path link = Files.writeString(
                folder.resolve("link.yaml"), Files.readString(styles).replaceAll("style: \\w+", "link: {delay: 1ms}"));
        try (Running servers = serving(Way.AGENT, Servers.class, List.of("-Dcleave.config=" + link))) {
            Loops asWritten = loops(2, servers.port(), List.of());
            assertThat(asWritten.times()).hasSize(11).allSatisfy((program, micros) -> assertThat(micros)
                    .as(program)
                    .isGreaterThan(200_000));
            Map<String, Long> best = new HashMap<>();
            for (int i = 0;
                    i < ATTEMPTS && !asWritten.areTenTimesSlowerThan(best);
                    i++) { // other programs may take turns
                Loops styled = loops(40, servers.port(), List.of("-Dcleave.config=" + styles));
                assertThat(styled.printed()).isEqualTo(asWritten.printed());
                styled.times().forEach((program, micros) -> best.merge(program, micros, Math::min));
            }
            assertThat(asWritten.areTenTimesSlowerThan(best))
                    .as("as written %s, styled %s", asWritten.times(), best)
                    .isTrue();
        }
    }

    /** Deposits, messages and counts stay in their order, and need no wait for each of them. */
    @Test
    @Tag("full")
    void orderedLoopsPrintTheSameAndAreTenTimesFasterWithAFile() throws Exception {
        Path styles = Path.of("ordered.yaml").toAbsolutePath();
        Path link = Files.writeString(
                folder.resolve("link.yaml"),
                Files.readString(styles).replaceAll("style: \\w+(, group: \\w+)?", "link: {delay: 1ms}"));
        try (Running servers = serving(Way.AGENT, Servers.class, List.of("-Dcleave.config=" + link))) {
            String programs = "bank,chat,export";
            Loops asWritten = loops(2, servers.port(), List.of(), programs);
            assertThat(asWritten.times()).hasSize(3);
            Map<String, Long> best = new HashMap<>();
            for (int i = 0;
                    i < ATTEMPTS && !asWritten.areTenTimesSlowerThan(best);
                    i++) { // other programs may take turns
                Loops styled = loops(20, servers.port(), List.of("-Dcleave.config=" + styles), programs);
                assertThat(styled.printed()).isEqualTo(asWritten.printed());
                styled.times().forEach((program, micros) -> best.merge(program, micros, Math::min));
            }
            assertThat(asWritten.areTenTimesSlowerThan(best))
                    .as("as written %s, ordered %s", asWritten.times(), best)
                    .isTrue();
        }
    }

    private record Loops(List<String> printed, Map<String, Long> times) {

        boolean areTenTimesSlowerThan(Map<String, Long> others) {
            return others.keySet().equals(times.keySet())
                    && times.keySet().stream().allMatch(program -> times.get(program) > 10 * others.get(program));
        }
    }

    private static Loops loops(int rounds, int port, List<String> options, String... programs) throws Exception {
        String[] more = Stream.concat(Stream.of(String.valueOf(rounds)), Stream.of(programs))
                .toArray(String[]::new);
        try (Program client = Program.start(Way.AGENT, LoopClient.class, port, options, more)) {
            List<String> printed = client.readToEnd();
            assertThat(client.exitCode()).as(client.errors()).isZero();
            Map<String, Long> times = new HashMap<>();
            for (String line : client.errors().lines().toList()) {
                if (line.startsWith("time ")) {
                    String[] words = line.split(" ");
                    times.put(words[1], Long.parseLong(words[2]));
                }
            }
            return new Loops(printed, times);
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
                        "examples/samples/rmi/src/test/java/samples/" + name + ".java",
                        "core/src/test/java/dev/cleave/call/" + name + ".java",
                        "core/src/test/java/dev/cleave/rmi/" + name + ".java",
                        "agent/src/test/java/dev/cleave/agent/transform/" + name + ".java")
                .anyMatch(file -> Files.exists(home.resolve(file)));
    }

    private static boolean isTenTimesFaster(long[] styled, long[] asWritten) {
        return styled[0] < asWritten[0] / 10 && styled[1] < asWritten[1] / 10;
    }

    /** Starts a server; once more at another port if a program beside this one has taken the first. */
    private static Running serving(Way way, Class<?> main, List<String> options) throws IOException {
        for (int i = 1; ; i++) {
            int port = freePort();
            Program program = Program.start(way, main, port, options);
            try {
                return new Running(program, port, program.readTo(READY));
            } catch (IOException e) {
                String errors = program.errors();
                program.close();
                if (i == PORTS || !errors.contains("Port already in use")) {
                    throw e;
                }
            }
        }
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
