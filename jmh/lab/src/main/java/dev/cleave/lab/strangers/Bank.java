package dev.cleave.lab.strangers;

import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.concurrent.SystemTimer;
import dev.cleave.config.Bindings;
import dev.cleave.config.KeyFiles;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.TestKeys;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyOptions;
import dev.cleave.transport.netty.NettyTransport;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Services;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A broker, a server and a client with keys and rights, and what strangers must not change. */
final class Bank implements AutoCloseable {

    private static final String FILE = """
            security:
              rights:
                - {identity: server, register: [vault]}
                - {identity: client, call: [vault]}
                - {identity: admin, administer: [drain, list]}
                - {identity: guest, call: [lobby]}
                - {identity: ann, call: [vault]}
            """;

    private final TestKeys keys;
    private final Bindings bindings = Bindings.parse(FILE, "strangers.yaml");
    private final List<AutoCloseable> open = new ArrayList<>();
    private final AtomicLong opened = new AtomicLong();
    private final SystemTimer timer = open(SystemTimer.create("cleave-strangers"));
    private final Broker broker;
    private final Vault vault;
    private final Node admin;
    private final Endpoint serverEndpoint;
    private long due; // calls that had the right
    private long made; // values that had the right

    /** Opens for business; the keys go to a directory. */
    Bank(Path directory) {
        keys = new TestKeys(directory);
        broker = open(Broker.start(
                BrokerOptions.at(Endpoint.tcp("127.0.0.1", 0)).with(bindings).with(keys.takingTokens("broker"))));
        Node server = node("server"); // takes tokens, too
        server.bind("vault", new Vault() {
            @Override
            public long open() {
                return opened.incrementAndGet();
            }

            @Override
            public void put(Loot loot) {}
        });
        vault = node("client").lookup("vault", Vault.class);
        admin = node("admin");
        serverEndpoint = Endpoint.parse(replicas().get(0).endpoint());
    }

    SystemTimer timer() {
        return timer;
    }

    TestKeys keys() {
        return keys;
    }

    Endpoint brokerEndpoint() {
        return broker.endpoint();
    }

    Endpoint serverEndpoint() {
        return serverEndpoint;
    }

    List<Endpoint> ports() {
        return List.of(brokerEndpoint(), serverEndpoint);
    }

    /** A transport of a peer with some keys. */
    Transport transport(KeyFiles files) {
        return open(NettyTransport.create(NettyOptions.DEFAULT, files));
    }

    /** Records a call that had the right to be made. */
    void expectCall() {
        due++;
    }

    /** Says what strangers have gained; empty if nothing. Also calls as a peer that may. */
    String gained() {
        List<String> gains = new ArrayList<>();
        vault.open();
        due++;
        vault.put(new Vault.Loot("mine"));
        made += 2; // here, and at the server
        if (opened.get() != due) {
            gains.add(opened.get() - due + " calls of vault.open");
        }
        if (Vault.Loot.MADE.get() != made) {
            gains.add(Vault.Loot.MADE.get() - made + " values decoded");
        }
        List<Services.Replica> replicas = replicas();
        if (replicas.size() != 1
                || !replicas.get(0).endpoint().equals(serverEndpoint.toString())
                || replicas.get(0).state() != ReplicaState.UP) {
            gains.add("replicas " + replicas);
        }
        return String.join(", ", gains);
    }

    private List<Services.Replica> replicas() {
        List<Services.Service> services = admin.list();
        return services.size() == 1 && services.get(0).name().equals("vault")
                ? services.get(0).replicas()
                : List.of();
    }

    private Node node(String identity) {
        return open(Node.connect(NodeOptions.DEFAULT
                .withName(identity)
                .withBroker(broker.endpoint())
                .withBindings(bindings)
                .withKeys(keys.takingTokens(identity))));
    }

    private <T extends AutoCloseable> T open(T one) {
        open.add(one);
        return one;
    }

    @Override
    public void close() {
        for (int i = open.size() - 1; i >= 0; i--) {
            try {
                open.get(i).close();
            } catch (Exception e) { // of a node or broker
                throw new IllegalStateException(e);
            }
        }
    }
}
