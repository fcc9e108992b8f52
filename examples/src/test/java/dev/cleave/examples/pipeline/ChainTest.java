package dev.cleave.examples.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.Weaver;
import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.concurrent.SystemTimer;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.rt.Sites;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.LinkProfile;
import dev.cleave.transport.LinkTransport;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The round trips of a client that is far away, as written and woven, on real nodes around a real broker. */
@Tag("one-jdk")
@Timeout(300)
class ChainTest {

    private static final Duration WAY = Duration.ofMillis(10); // there, and the same back
    private static final int RUNS = 8; // of which a slow machine may spoil some

    /** Chains that take more than one round trip. */
    private static final Predicate<Chain> LONGER =
            chain -> chain.isLarge() || chain.label().startsWith("stages");

    /** The services that are called over the broker. */
    private static final Bindings RELAYED = Bindings.parse(
            Stream.concat(IntStream.range(0, Chain.STATIONS).boxed(), Stream.of("beside"))
                    .map(which -> "relay-" + which + ": {route: relay}")
                    .collect(Collectors.joining(", ", "services: {", "}")),
            "pipeline.yaml");

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private <T extends AutoCloseable> T opened(T what) {
        open.add(what);
        return what;
    }

    @Test
    @Tag("full")
    void eachChainTakesOneRoundTripOfTheClient() throws Exception {
        Broker broker = opened(Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0))));
        for (int i = 0; i < Chain.STATIONS; i++) {
            Node server = opened(node(broker, "station-" + i, null));
            server.bind("server-" + i, new PlainStation());
            server.bind("relay-" + i, new PlainStation());
            if (i == 0) {
                server.bind("relay-beside", new PlainStation());
                for (int j = 0; j < Chain.STATIONS; j++) {
                    server.bind("service-" + j, new PlainStation());
                }
            }
        }
        SystemTimer precise = opened(SystemTimer.precise("link"));
        RoundTrips link = opened(new RoundTrips(
                new LinkTransport(NettyTransport.create(), new LinkProfile(WAY, 0, Duration.ZERO), precise)));
        Node far = opened(node(broker, "far", link));
        Station[] here = new Station[Chain.STATIONS];
        Arrays.setAll(here, i -> new PlainStation());

        Map<String, Integer> trips = new LinkedHashMap<>();
        Map<String, Line> woven = woven();
        for (Chain chain : Chain.all()) {
            if (LONGER.test(chain)) {
                continue;
            }
            Line line = woven.get(chain.label());
            Station[] there = stations(far, chain.placed());
            Object expected = chain.run(chain.kind() == Chain.Kind.REFERENCES ? there : here, 3);
            int least = Integer.MAX_VALUE;
            for (int i = 0; i < RUNS && least > 1; i++) {
                link.begin();
                assertThat(line.run(there, 3)).as(chain.label()).isEqualTo(expected);
                least = Math.min(least, link.count());
            }
            trips.put(chain.label(), least);
        }

        assertThat(trips)
                .allSatisfy((label, count) -> assertThat(count).as(label).isEqualTo(1));
        assertThat(Sites.counters())
                .filteredOn(site -> site.place().endsWith("Lines.mibAround"))
                .anySatisfy(site -> assertThat(site.stayedBytes()).isGreaterThanOrEqualTo(8 << 17));
    }

    private static Node node(Broker broker, String name, Transport transport) {
        NodeOptions options = NodeOptions.DEFAULT
                .withName(name)
                .withBindings(RELAYED)
                .withBroker(broker.endpoint())
                .withTransport(transport);
        return Node.connect(options);
    }

    private static Station[] stations(Node node, Chain.Placed placed) {
        Station[] stations = new Station[Chain.STATIONS];
        Arrays.setAll(stations, i -> node.lookup(placed.service(i), Station.class));
        return stations;
    }

    /** The chains as the agent rewrites them. */
    private static Map<String, Line> woven() throws ReflectiveOperationException {
        String chains = Chain.class.getName();
        Set<String> own =
                Set.of(chains, Lines.class.getName(), Chain.Placed.class.getName(), Chain.Kind.class.getName());
        RemoteInterfaceIndex index = new RemoteInterfaceIndex(ClassFileSource::ofResources, CallSettings.NONE);
        Weaver weaver = new Weaver(index, ClassFileSource::ofResources);
        ClassLoader outer = ChainTest.class.getClassLoader();
        ClassLoader loader = new ClassLoader(outer) {
            @Override
            protected Class<?> loadClass(String wanted, boolean resolve) throws ClassNotFoundException {
                Class<?> known = findLoadedClass(wanted);
                if (known != null || !own.contains(wanted)) {
                    return known != null ? known : super.loadClass(wanted, resolve);
                }
                byte[] written = ClassFileSource.ofResources(outer, wanted.replace('.', '/'));
                byte[] woven = wanted.equals(Lines.class.getName())
                        ? weaver.weave(outer, written).classFile()
                        : written;
                return defineClass(wanted, woven, 0, woven.length);
            }
        };
        Map<String, Line> woven = new HashMap<>();
        for (Object chain : (List<?>) loader.loadClass(chains).getMethod("all").invoke(null)) {
            woven.put(chain.toString(), (Line) chain);
        }
        return woven;
    }
}
