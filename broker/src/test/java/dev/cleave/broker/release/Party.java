package dev.cleave.broker.release;

import dev.cleave.Cleave;
import dev.cleave.DeadlineException;
import dev.cleave.Pending;
import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * A broker, server or client of one release. Asked in words that both releases understand: {@code broker}, {@code serve URL
 * NAME}, {@code call URL SERVICE}, {@code drain}.
 */
public final class Party implements UnaryOperator<String>, AutoCloseable {

    private static final String FILE = "services:\n  relayed: {route: relay}\n";

    private final List<AutoCloseable> open = new ArrayList<>();
    private Node node;

    @Override
    public String apply(String words) {
        String[] said = words.split(" ");
        return switch (said[0]) {
            case "broker" -> broker();
            case "serve" -> serve(said[1], said[2]);
            case "call" -> call(said[1], said[2]);
            case "count" -> count(said[1], said[2]);
            default -> drain();
        };
    }

    private String broker() {
        Broker broker = Broker.start(
                BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(Bindings.parse(FILE, "cleave.yaml")));
        open.add(broker);
        return "cleave://localhost:" + broker.endpoint().port();
    }

    private String serve(String broker, String name) {
        node = connect(broker, name);
        RealDepot depot = new RealDepot();
        node.bind("direct", depot);
        node.bind("relayed", depot);
        return name;
    }

    private String drain() {
        node.drain();
        return "drained";
    }

    private Node connect(String broker, String name) {
        Node made = Node.connect(
                NodeOptions.DEFAULT.withBroker(Endpoint.parse(broker)).withName(name));
        open.add(made);
        return made;
    }

    /** Makes many plain calls; returns how many have come back right. */
    private String count(String broker, String service) {
        Depot depot = connect(broker, "counter").lookup(service, Depot.class);
        return String.valueOf(
                IntStream.range(0, 200).filter(i -> depot.add(i, 1) == i + 1).count());
    }

    /** Makes calls of all kinds; returns what has come of them. */
    private String call(String broker, String service) {
        Node client = connect(broker, "client-" + service);
        Depot depot = client.lookup(service, Depot.class);
        List<String> story = new ArrayList<>();
        story.add("add " + depot.add(20, 22));
        List<Pending<String>> window = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            String text = "ž" + i;
            window.add(Cleave.async(() -> depot.echo(text)));
        }
        story.add("echoes "
                + window.stream().map(Pending::await).reduce("", String::concat).length());
        story.add("crate " + depot.pack(new Depot.Crate("inner", List.of(1, 2), Map.of())));
        double[] scaled = depot.scaled(new double[200_000], 2);
        story.add("scaled " + scaled.length + " " + Arrays.stream(scaled).sum());
        byte[] ones = new byte[300_000];
        Arrays.fill(ones, (byte) 1);
        story.add("sum " + depot.sum(ones));
        try {
            depot.fail("on purpose");
        } catch (IllegalStateException e) {
            story.add("failed " + e.getMessage());
        }
        int before = depot.noted();
        for (int i = 0; i < 10; i++) {
            depot.note(i);
        }
        story.add("noted " + (depot.noted() - before));
        story.add("watched " + depot.watch(value -> value * 6));
        story.add(depot.soon("it is").join());
        story.add("attached " + Cleave.withAttachments(depot, Map.of("tenant", "acme")).attached("tenant"));
        try {
            story.add("slow "
                    + Cleave.withDeadline(depot, Duration.ofMillis(50)).slow());
        } catch (DeadlineException e) {
            story.add("late");
        }
        story.add("services " + client.list().size());
        return String.join("\n", story);
    }

    @Override
    public void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }
}
