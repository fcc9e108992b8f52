package dev.cleave.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Remote;
import dev.cleave.broker.cli.Main;
import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.broker.process.Member;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.Services;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Three brokers as processes over ZooKeeper, of which one is killed under load. */
@Tag("one-jdk")
@EnabledIfSystemProperty(named = "cleave.full", matches = "true")
final class ClusterProcessesTest {

    private static final Duration START = Duration.ofMinutes(2);
    private static final String READY = "broker ready at ";
    private static final int SERVERS = 8;
    private static final int CALLERS = 10;

    @TempDir
    private Path folder;

    /** What the nodes serve; each execution is counted by the number of its call. */
    @Remote
    interface Counted {

        int run(int call);
    }

    /** What became of the calls of one service. */
    private static final class Outcomes {

        private final Map<Integer, Integer> executions = new ConcurrentHashMap<>();
        private final Map<Integer, CallException> failures = new ConcurrentHashMap<>();
        private final AtomicInteger calls = new AtomicInteger();

        private int run(int call) {
            executions.merge(call, 1, Integer::sum);
            return call;
        }

        private void call(Counted stub) {
            int number = calls.incrementAndGet();
            try {
                assertThat(stub.run(number)).isEqualTo(number);
            } catch (CallException e) {
                failures.put(number, e);
            }
        }
    }

    @Test
    void aBrokerThatIsKilledUnderLoadFailsNoDirectCallAndLosesNoServer() throws Exception {
        Bindings bindings = Bindings.parse("services: {relayed: {route: relay}}", "test.yaml");
        Outcomes direct = new Outcomes();
        Outcomes relayed = new Outcomes();
        List<Node> nodes = new ArrayList<>();
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        AtomicBoolean goesOn = new AtomicBoolean(true);
        System.setProperty("zookeeper.admin.enableServer", "false");
        try (TestingServer store = new TestingServer(true);
                Fleet fleet = Fleet.open(folder, line -> {})) {
            List<Member> brokers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                brokers.add(fleet.start(
                        new JvmCommand(
                                "broker-" + i,
                                List.of("-XX:TieredStopAtLevel=1"),
                                Main.class.getName(),
                                List.of(
                                        "broker",
                                        "--listen",
                                        "localhost:0",
                                        "--cluster",
                                        "zk://" + store.getConnectString())),
                        line -> {}));
            }
            List<Endpoint> endpoints = new ArrayList<>();
            for (Member broker : brokers) {
                endpoints.add(Endpoint.parse(broker.awaitLine(READY, START).substring(READY.length())));
            }
            NodeOptions options = NodeOptions.DEFAULT.withBindings(bindings).withBrokers(endpoints);
            for (int i = 0; i < SERVERS; i++) {
                Node server = Node.connect(options.withName("server-" + i));
                nodes.add(server);
                server.bind("direct", Counted.class, direct::run);
                server.bind("relayed", Counted.class, relayed::run);
            }
            Node client = Node.connect(options.withName("client"));
            nodes.add(client);
            await().atMost(START)
                    .until(() -> homes(client).size() == SERVERS
                            && homes(client).values().stream().distinct().count() > 1
                            && client.brokers().size() == 3);
            Counted plain = client.lookup("direct", Counted.class);
            Counted throughBroker = client.lookup("relayed", Counted.class);
            for (int i = 0; i < CALLERS; i++) {
                boolean isDirect = i % 2 == 0;
                callers.execute(() -> {
                    while (goesOn.get()) {
                        (isDirect ? direct : relayed).call(isDirect ? plain : throughBroker);
                        sleep(20);
                    }
                });
            }
            sleep(3_000);

            int victim = endpoints.indexOf(Endpoint.parse("cleave://localhost:" + mostUsed(client, endpoints)));
            brokers.get(victim).kill();
            long killed = System.nanoTime();

            String gone = "broker " + endpoints.get(victim);
            await().atMost(START)
                    .ignoreExceptions()
                    .until(() -> homes(client).size() == SERVERS
                            && !homes(client).containsValue(gone)
                            && client.brokers().size() == 2);
            long millis = (System.nanoTime() - killed) / 1_000_000;
            sleep(2_000);
            goesOn.set(false);
            callers.shutdown();
            assertThat(callers.awaitTermination(60, TimeUnit.SECONDS)).isTrue();

            System.out.println("servers re-homed after " + millis + " ms; direct " + direct.calls + " calls, "
                    + direct.failures.size() + " failed; relayed " + relayed.calls + ", " + relayed.failures.size()
                    + " failed");
            assertThat(direct.failures).isEmpty();
            assertThat(direct.executions).hasSize(direct.calls.get()).allSatisfy((call, times) -> assertThat(times)
                    .isEqualTo(1));
            assertThat(relayed.executions.values()).allMatch(times -> times == 1);
            relayed.failures.forEach((call, failure) -> {
                boolean isHonest = failure.maybeExecuted() || !relayed.executions.containsKey(call);
                assertThat(isHonest).as("call %d: %s", call, failure).isTrue();
            });
            assertThat(millis).isLessThan(10_000);
        } finally {
            goesOn.set(false);
            callers.shutdownNow();
            nodes.forEach(Node::close);
        }
    }

    /** The port of a broker that has servers, but is not the one of the client. */
    private static int mostUsed(Node client, List<Endpoint> endpoints) {
        Map<String, Long> used = new TreeMap<>();
        homes(client).values().forEach(home -> used.merge(home, 1L, Long::sum));
        used.remove("here");
        return endpoints.stream()
                .filter(endpoint -> used.containsKey("broker " + endpoint))
                .findFirst()
                .orElse(endpoints.get(0))
                .port();
    }

    private static Map<String, String> homes(Node node) {
        Map<String, String> homes = new TreeMap<>();
        for (Services.Service service : node.list()) {
            for (Services.Replica replica : service.replicas()) {
                homes.put(replica.name(), replica.isElsewhere() ? replica.address() : "here");
            }
        }
        return homes;
    }

    private static void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
