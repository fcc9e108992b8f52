package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.DeadlineException;
import dev.cleave.Remote;
import dev.cleave.broker.cli.Main;
import dev.cleave.config.Bindings;
import dev.cleave.config.ConfigException;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application file that is applied to a broker and nodes while they run. */
@Timeout(120)
@Tag("one-jdk")
class ReloadTest {

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final CountDownLatch gate = new CountDownLatch(1);
    private Broker broker;

    @TempDir
    private Path folder;

    /** What is served. */
    @Remote
    interface Desk {

        String who();

        void blocks() throws InterruptedException;
    }

    private record Clerk(String name, CountDownLatch gate) implements Desk {

        @Override
        public String who() {
            return name;
        }

        @Override
        public void blocks() throws InterruptedException {
            gate.await();
        }
    }

    @AfterEach
    void stop() throws Exception {
        gate.countDown();
        while (!open.isEmpty()) {
            open.pop().close();
        }
        broker.close();
    }

    private static String text(String service) {
        return "application: offices\nservices: {desk: {" + service + "}}\n";
    }

    private Desk start(String service) {
        Bindings bindings = Bindings.parse(text(service), "cleave.yaml");
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(bindings));
        for (String name : List.of("a", "b")) {
            node(name, bindings).bind("desk", new Clerk(name, gate));
        }
        Node client = node("client", bindings);
        await().until(() -> client.list().get(0).replicas().size() == 2);
        return client.lookup("desk", Desk.class);
    }

    private Node node(String name, Bindings bindings) {
        Node node = Node.connect(
                NodeOptions.DEFAULT.withBroker(broker.endpoint()).withName(name).withBindings(bindings));
        open.push(node);
        return node;
    }

    private String reload(String service) throws IOException {
        StringWriter out = new StringWriter();
        assertThat(reload(out, service)).as(out.toString()).isZero();
        return out.toString();
    }

    private int reload(StringWriter out, String service) throws IOException {
        Path file = Files.writeString(folder.resolve("next.yaml"), text(service));
        PrintWriter writer = new PrintWriter(out, true);
        return Main.run(writer, writer, "reload", file.toString(), "--broker", endpoint());
    }

    private String endpoint() {
        return "cleave://localhost:" + broker.endpoint().port();
    }

    private static Set<String> asked(Desk desk) {
        Set<String> names = new TreeSet<>();
        for (int i = 0; i < 8; i++) {
            names.add(desk.who());
        }
        return names;
    }

    @Test
    void theBrokerAndAllNodesSayWhatTheyHaveDone() throws IOException {
        Desk desk = start("replicas: [{name: a}, {name: b}]");
        node("stranger", Bindings.NONE);

        assertThat(reload("replicas: [{name: a}, {name: b}], window: 8").lines())
                .containsExactlyInAnyOrder(
                        "broker: applied",
                        "a: applied",
                        "b: applied",
                        "client: applied",
                        "stranger: untouched: it was started without this application's file");
        assertThat(desk.who()).isIn("a", "b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "relay"})
    void aBalanceHoldsForStubsThatAreThere(String route) throws IOException {
        String replicas = "route: " + route + ", replicas: [{name: a}, {name: b}], balance: ";
        Desk desk = start(replicas + "round-robin");
        assertThat(asked(desk)).containsExactly("a", "b");

        reload(replicas + "'static(\"1:0\")'");

        await().untilAsserted(() -> assertThat(asked(desk)).containsExactly("a"));
    }

    @Test
    void aDeadlineHoldsForCallsThatBeginLater() throws Exception {
        Desk desk = start("deadline: 1m");
        ExecutorService threads = Executors.newCachedThreadPool();
        open.push(threads::shutdownNow);
        var before = threads.submit(() -> {
            desk.blocks();
            return "ended";
        });

        reload("methods: {blocks: {deadline: 40ms}}");

        assertThatThrownBy(desk::blocks).isInstanceOf(DeadlineException.class);
        assertThat(before.isDone()).isFalse();
        gate.countDown();
        assertThat(before.get(30, TimeUnit.SECONDS)).isEqualTo("ended");
    }

    @Test
    void anEmulatedLinkChanges() throws IOException {
        Desk desk = start("replicas: [{name: a}, {name: b}], link: {delay: 0us}");
        assertThat(desk.who()).isNotEmpty();

        assertThat(reload("replicas: [{name: a}, {name: b}], link: {delay: 60ms}"))
                .doesNotContain("next start");

        long begin = System.nanoTime();
        assertThat(desk.who()).isNotEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(120));
    }

    @Test
    void aReplicaThatTheFileNoLongerNamesLeavesAndAMissingOneIsNamed() throws IOException {
        Desk desk = start("replicas: [{name: a}, {name: b}]");

        String said = reload("replicas: [{name: a}, {name: c}]");

        assertThat(said)
                .contains(
                        "b: gets no new calls, and ends when those under way have ended",
                        "c: is not there; bin/cleave up starts it, or: bin/cleave serve ",
                        " --replica c --broker " + endpoint());
        await().untilAsserted(() -> assertThat(asked(desk)).containsExactly("a"));
    }

    @Test
    void aMistakeChangesNothingAnywhere() throws IOException {
        Desk desk = start("deadline: 1m");
        StringWriter out = new StringWriter();

        assertThat(reload(out, "deadlin: 40ms")).isEqualTo(Main.FAILED);
        assertThat(out.toString()).contains("next.yaml:2: services.desk.deadlin: unknown key (did you mean deadline?)");

        out.getBuffer().setLength(0);
        assertThat(reload(out, "methods: {block: {deadline: 40ms}}")).isEqualTo(Main.FAILED);
        assertThat(out.toString())
                .contains(
                        "client: refused: the file that was sent:1: services.desk.methods.block: unknown method (did you"
                                + " mean blocks?)");
        assertThat(desk.who()).isNotEmpty();
    }

    @Test
    void aFileOfAnotherApplicationTouchesNothing() throws IOException {
        Desk desk = start("deadline: 1m");
        Path other = Files.writeString(
                folder.resolve("other.yaml"), "application: shops\nservices: {desk: {deadline: 1us}}");
        Node node = node("asking", Bindings.NONE);

        assertThat(node.reload(other)).allSatisfy(line -> assertThat(line).contains(": untouched: "));
        assertThat(desk.who()).isNotEmpty();
        assertThatThrownBy(() -> node.reload(folder.resolve("nowhere.yaml"))).isInstanceOf(ConfigException.class);
    }

    @Test
    void noCallFailsWhileFilesAreReloaded() throws Exception {
        callsGoOn(Duration.ofMillis(2), 25);
    }

    @Test
    @Tag("full")
    void noCallFailsInAMinuteOfReloads() throws Exception {
        callsGoOn(Duration.ofMillis(2), 600);
    }

    /** Makes a call each {@code pace} while files are reloaded, and requires that each has its result. */
    private void callsGoOn(Duration pace, int files) throws Exception {
        Desk desk = start("replicas: [{name: a}, {name: b}]");
        Node admin = node("admin", Bindings.NONE);
        List<String> settings = List.of(
                "balance: demand(4), deadline: 20s",
                "balance: least-loaded, style: async, window: 8",
                "balance: 'static(\"1:3\")', deadline: 40s, hedge: 1s",
                "balance: round-robin, transport: tcp",
                "balance: pull(2), aggregate: {delay: 100us}");
        List<Path> paths = new ArrayList<>();
        for (String each : settings) {
            paths.add(Files.writeString(
                    folder.resolve(paths.size() + ".yaml"), text("replicas: [{name: a}, {name: b}], " + each)));
        }
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        Set<String> answered = ConcurrentHashMap.newKeySet();
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch ended = new CountDownLatch(1);
        ExecutorService callers = Executors.newFixedThreadPool(16);
        open.push(callers::shutdownNow);
        Thread pacer = new Thread(() -> {
            long next = System.nanoTime();
            while (ended.getCount() > 0) {
                callers.execute(() -> {
                    try {
                        answered.add(desk.who());
                        calls.incrementAndGet();
                    } catch (CallException e) {
                        failures.add(e);
                    }
                });
                next += pace.toNanos();
                LockSupport.parkNanos(next - System.nanoTime());
            }
        });
        pacer.start();

        for (int i = 0; i < files; i++) {
            assertThat(admin.reload(paths.get(i % paths.size())))
                    .filteredOn(line -> line.contains(": applied"))
                    .hasSize(4);
            int reached = calls.get();
            await().until(() -> calls.get() > reached + 5 || !failures.isEmpty());
        }
        ended.countDown();
        pacer.join();
        callers.shutdown();

        assertThat(callers.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        assertThat(failures).isEmpty();
        assertThat(answered).containsExactlyInAnyOrder("a", "b");
    }
}
