package dev.cleave.jexl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that belong together go to one replica. */
@Tag("one-jdk")
@Timeout(120)
class AffinityTest {

    /** A part of an assembly. */
    public record Part(String name, double[] points) {}

    /** Says who serves it. */
    @Remote
    public interface Clearance {

        /** Has what the affinity names. */
        String between(long id, Part part, boolean exact, String other);

        /** Has not. */
        String version();
    }

    private final NettyTransport transport = NettyTransport.create();
    private final FakeBroker broker = FakeBroker.start(transport, Endpoint.tcp("localhost", 0));
    private final List<Node> nodes = new ArrayList<>();

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
        broker.close();
        transport.close();
    }

    private Node node(String name, String file) {
        Node node = Node.connect(NodeOptions.DEFAULT
                .withName(name)
                .withBroker(broker.endpoint())
                .withTransport(transport)
                .withBindings(Bindings.parse(file, "cleave.yaml")));
        nodes.add(node);
        return node;
    }

    private Node client(String expression) {
        for (String name : List.of("a", "b", "c")) {
            node(name, "").bind("clearance", new Clearance() {
                @Override
                public String between(long id, Part part, boolean exact, String other) {
                    return name;
                }

                @Override
                public String version() {
                    return name;
                }
            });
        }
        return node("client", "services: {clearance: {balance: affinity(" + expression + ")}}");
    }

    @Test
    void equalKeysMeetAtOneReplica() {
        Clearance clearance = client("part.name()").lookup("clearance", Clearance.class);
        Map<String, Set<String>> servedBy = new HashMap<>();
        for (int i = 0; i < 300; i++) {
            Part part = new Part("part " + i % 30, new double[i]);
            servedBy.computeIfAbsent(part.name(), n -> new HashSet<>())
                    .add(clearance.between(i, part, i % 2 == 0, "x" + i));
        }

        assertThat(servedBy)
                .hasSize(30)
                .allSatisfy((part, replicas) -> assertThat(replicas).as(part).hasSize(1));
        Set<String> used = new HashSet<>();
        servedBy.values().forEach(used::addAll);
        assertThat(used)
                .as("30 parts meet all three but with a chance of 1 : 60,000")
                .hasSize(3);
        assertThat(clearance.version())
                .as("a method without the parameter has no key")
                .isIn("a", "b", "c");
        assertThat(clearance.between(1, null, true, "no key can be computed")).isIn("a", "b", "c");
    }

    @Test
    void anExpressionThatFitsNoMethodIsToldAtTheLookup() {
        Node client = client("assembly.name()");

        assertThatThrownBy(() -> client.lookup("clearance", Clearance.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("affinity \"assembly.name()\": unknown parameter assembly");
    }
}
