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
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.LinkProfile;
import dev.cleave.transport.LinkTransport;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The round trips of a client that is far away, as written and woven, on real nodes around a real broker. */
@Timeout(300)
class ChainTest {

    private static final Duration WAY = Duration.ofMillis(20); // there, and the same back
    private static final int STATIONS = 8;

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
    void eachChainTakesOneRoundTripOfTheClient() throws Exception {
        Broker broker = opened(Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0))));
        for (int i = 0; i < STATIONS; i++) {
            Node server = opened(node(broker, "server" + i, null));
            server.bind("server" + i, new PlainStation());
            if (i == 0) {
                for (int j = 0; j < STATIONS; j++) {
                    server.bind("service" + j, new PlainStation());
                }
            }
        }
        SystemTimer precise = opened(SystemTimer.precise("link"));
        Transport link =
                opened(new LinkTransport(NettyTransport.create(), new LinkProfile(WAY, 0, Duration.ZERO), precise));
        Station[] far = stations(opened(node(broker, "far", link)), "server");
        Station[] farServices = stations((Node) open.get(open.size() - 1), "service");
        Node near = opened(node(broker, "near", null));
        Station[] nearServers = stations(near, "server");
        Station[] nearServices = stations(near, "service");

        Map<String, Double> trips = new LinkedHashMap<>();
        Line[] woven = woven();
        for (Chain chain : Chain.values()) {
            if (chain == Chain.LARGE) {
                continue;
            }
            boolean isOfServers = chain.placed() == Chain.Placed.SERVERS;
            Station[] there = isOfServers ? far : farServices;
            Station[] here = isOfServers ? nearServers : nearServices;
            Line line = woven[chain.ordinal()];
            Object expected = chain.run(here, 3);
            for (int i = 0; i < 3; i++) {
                assertThat(line.run(here, 3)).as(chain.label()).isEqualTo(expected);
                assertThat(line.run(there, 3)).as(chain.label()).isEqualTo(expected);
            }
            double best = Double.MAX_VALUE;
            for (int i = 0; i < 5; i++) {
                best = Math.min(best, seconds(line, there) - seconds(line, here));
            }
            trips.put(chain.label(), best * 1e9 / (2 * WAY.toNanos()));
        }
        trips.forEach((label, count) -> System.out.printf(Locale.ROOT, "trips %-24s %.2f%n", label, count));

        System.out.println(dev.cleave.rt.Sites.text());
        assertThat(trips).allSatisfy((label, count) -> assertThat(count).as(label).isLessThan(1.3));
    }

    private static double seconds(Line line, Station[] stations) {
        long begin = System.nanoTime();
        Object unused = line.run(stations, 3);
        return (System.nanoTime() - begin) / 1e9;
    }

    private static Node node(Broker broker, String name, Transport transport) {
        NodeOptions options = NodeOptions.DEFAULT
                .withName(name)
                .withBindings(Bindings.NONE)
                .withBroker(broker.endpoint())
                .withTransport(transport);
        return Node.connect(options);
    }

    private static Station[] stations(Node node, String name) {
        Station[] stations = new Station[STATIONS];
        for (int i = 0; i < STATIONS; i++) {
            stations[i] = node.lookup(name + i, Station.class);
        }
        return stations;
    }

    /** The chains as the agent rewrites them. */
    private static Line[] woven() throws ReflectiveOperationException {
        String chains = Chain.class.getName();
        Set<String> own = Set.of(chains, Lines.class.getName(), Chain.Placed.class.getName());
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
        return (Line[]) loader.loadClass(chains).getMethod("values").invoke(null);
    }
}
