package dev.cleave.lab.chaos;

import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.broker.process.Leash;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.TransportException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** A process that is to be broken: a broker, or one replica of both services. */
public final class ChaosHost {

    static final String READY = "ready at ";
    static final String DIRECT = "direct";
    static final String RELAYED = "relayed";
    static final String FILE =
            "services: {direct: {route: direct, deadline: 10s}, relayed: {route: relay, deadline: 10s}}";
    static final Bindings BINDINGS = Bindings.parse(FILE, "chaos");

    static final String SENT = "sent in ms: ";

    private static final String SINK_NAME = "sink";
    private static final Bindings SINK = Bindings.parse(
            "services: {sink: {route: relay, deadline: 10m, link: {rate: 100MiB/s}, replicas: [{name: sink, host: localhost}]}}",
            "chaos");

    // A JVM that takes 1 GiB at once on a machine that is short of everything may be silent for long.
    private static final Bindings PATIENT = Bindings.parse("pings: {every: 1s, suspect: 10s, down: 30s}", "chaos");

    private static final int ATTEMPTS = 8;
    private static final Duration PAUSE = Duration.ofMillis(250);

    private ChaosHost() {}

    /** {@code broker PORT}, {@code patient-broker PORT}, {@code replica NAME BROKER LOG}, {@code sink BROKER MIB} or {@code sender BROKER MIB}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Leash.attach();
        if (args[0].equals("broker")) {
            broker(Integer.parseInt(args[1]), BINDINGS);
        } else if (args[0].equals("patient-broker")) {
            broker(Integer.parseInt(args[1]), PATIENT);
        } else if (args[0].equals("sink")) {
            sink(args[1], Integer.parseInt(args[2]));
        } else if (args[0].equals("sender")) {
            send(args[1], Integer.parseInt(args[2]));
        } else {
            replica(args[1], args[2], Path.of(args[3]));
        }
    }

    private static void broker(int port, Bindings bindings) throws InterruptedException {
        Broker broker =
                Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", port)).with(bindings));
        System.out.println(READY + broker.endpoint().port());
        new CountDownLatch(1).await(); // until this process is ended
    }

    /** A node; the broker may be busy with being started, or frozen. */
    static Node connect(NodeOptions options) {
        for (int i = 1; ; i++) {
            try {
                return Node.connect(options);
            } catch (TransportException e) {
                if (i == ATTEMPTS) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    private static void replica(String name, String broker, Path log) throws IOException, InterruptedException {
        Node node = connect(NodeOptions.DEFAULT
                .withBrokers(Endpoint.parseAll(broker))
                .withBindings(BINDINGS)
                .withName(name));
        Runtime.getRuntime().addShutdownHook(new Thread(node::drain, "leave"));
        Probe probe = new LoggedProbe(log);
        node.bind(DIRECT, probe);
        node.bind(RELAYED, probe);
        System.out.println(READY + name);
        node.await();
    }

    private static void sink(String broker, int mib) throws InterruptedException {
        Node node = connect(NodeOptions.DEFAULT
                .withBroker(Endpoint.parse(broker))
                .withBindings(SINK)
                .withArriving((mib + 8L) << 20)
                .withName(SINK_NAME));
        node.bind(SINK_NAME, (Sink) Sink::sum);
        System.out.println(READY + SINK_NAME);
        node.await();
    }

    private static void send(String broker, int mib) {
        byte[] bytes = new byte[mib << 20];
        new Random(mib).nextBytes(bytes);
        long expected = Sink.sum(bytes);
        try (Node node = connect(NodeOptions.DEFAULT
                .withBroker(Endpoint.parse(broker))
                .withBindings(SINK)
                .withName("sender"))) {
            Sink sink = node.lookup(SINK_NAME, Sink.class);
            long began = System.nanoTime();
            long sum = sink.checksum(bytes);
            long took = (System.nanoTime() - began) / 1_000_000;
            if (sum != expected) {
                throw new IllegalStateException("other bytes came than were sent");
            }
            System.out.println(SENT + took);
        }
    }
}
