package dev.cleave.jmh.bench.many;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.config.Bindings;
import dev.cleave.jmh.bench.calls.CallClient;
import dev.cleave.jmh.bench.calls.CallShape;
import dev.cleave.jmh.bench.calls.Effort;
import dev.cleave.jmh.bench.cleave.CleaveContender;
import dev.cleave.jmh.bench.cleave.Echo;
import dev.cleave.jmh.bench.talk.Answers;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import java.util.ArrayList;
import java.util.List;

/**
 * A client among many: {@code ManyClient ROLE BROKER COUNT}, where the count is of what the role has many of. Asked
 * {@code SHAPE NANOS DIVISOR} it makes calls of that shape, asked {@link #SPREAD} with an effort it calls over all of its
 * connections. Of one thread.
 */
public final class ManyClient {

    /** The question for the rate of a number of calls in flight, over all connections. */
    public static final String SPREAD = "SPREAD";

    private static final int IN_FLIGHT = 1000;

    private final Node node;
    private final String server;
    private final CallClient calls;
    private final List<Echo> stubs = new ArrayList<>();
    private final List<Pending<Void>> held = new ArrayList<>();

    private ManyClient(Role role, String broker, int count) throws Exception {
        server = role.id();
        node = Node.connect(options(server, broker));
        calls = CallClient.of(CleaveContender.on(node, ManyServer.ECHO + server));
        stubs.add(node.lookup(ManyServer.ECHO + server, Echo.class));
        if (role == Role.PENDING) {
            hold(count);
        } else if (role == Role.ACTIVE) {
            spread(broker, count);
        }
    }

    /** Answers the questions on its standard input until that ends. */
    public static void main(String[] args) throws Exception {
        ManyClient client = of(Role.valueOf(args[0]), args[1], Integer.parseInt(args[2]));
        Answers.give(client::answer);
        System.exit(0); // whatever threads its nodes have left
    }

    static ManyClient of(Role role, String broker, int count) throws Exception {
        return new ManyClient(role, broker, count);
    }

    /** Calls that are held for long must not reach their deadline. */
    static NodeOptions options(String server, String broker) {
        String file = """
                application: bench
                services:
                  crowd-%s: {interface: dev.cleave.jmh.bench.many.Crowd, deadline: 2h}
                """.formatted(server);
        return NodeOptions.DEFAULT.withBroker(Endpoint.parse(broker)).withBindings(Bindings.parse(file, "many.yaml"));
    }

    double[] answer(String[] words) throws Exception {
        Effort effort = Effort.of(words[1], words[2]);
        return words[0].equals(SPREAD)
                ? new double[] {spreadRate(effort.nanos())}
                : calls.turn(CallShape.valueOf(words[0]), effort);
    }

    void close() {
        calls.close();
        node.close();
    }

    private void hold(int count) {
        Crowd crowd = node.lookup(ManyServer.CROWD + server, Crowd.class);
        for (int i = 0; i < count; i++) {
            held.add(Cleave.async(crowd::hold));
        }
        long unused = stubs.get(0).echo(0); // behind them on their connection: the server has them all
        if (node.pendingCalls() < count) {
            throw new IllegalStateException("pending calls: " + node.pendingCalls() + " (expected: " + count + ")");
        }
    }

    @SuppressWarnings("resource") // open until the JVM ends
    private void spread(String broker, int count) {
        NettyTransport transport = NettyTransport.create();
        for (int i = 1; i < count; i++) {
            Node further = Node.connect(options(server, broker).withTransport(transport));
            stubs.add(further.lookup(ManyServer.ECHO + server, Echo.class));
        }
        for (Echo stub : stubs) {
            long unused = stub.echo(0);
        }
    }

    private double spreadRate(long nanos) {
        List<Pending<Long>> flight = new ArrayList<>();
        long begin = System.nanoTime();
        long end = begin + nanos;
        long calls = 0;
        for (int i = 0; i < IN_FLIGHT; i++) {
            flight.add(send(i));
        }
        do {
            for (int i = 0; i < IN_FLIGHT; i++) {
                check(flight.get(i).await(), i);
                flight.set(i, send(i));
            }
            calls += IN_FLIGHT;
        } while (System.nanoTime() - end < 0);
        for (int i = 0; i < IN_FLIGHT; i++) {
            check(flight.get(i).await(), i);
        }
        return (calls + IN_FLIGHT) / ((System.nanoTime() - begin) / 1e9);
    }

    private Pending<Long> send(int i) {
        Echo stub = stubs.get(i % stubs.size());
        long value = i;
        return Cleave.async(() -> stub.echo(value));
    }

    private static void check(long answer, long expected) {
        if (answer != expected) {
            throw new IllegalStateException("answer: " + answer + " (expected: " + expected + ")");
        }
    }
}
