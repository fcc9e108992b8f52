package dev.cleave.broker.cli;

import dev.cleave.broker.report.TextTable;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.Names;
import dev.cleave.wire.Services;
import dev.cleave.wire.Welcome;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cleave brokers}: lists the brokers of a cluster. */
@Command(
        name = "brokers",
        description = "List the brokers of a cluster, and how many replicas are connected to each.",
        mixinStandardHelpOptions = true)
final class BrokersCommand implements Subcommand {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    @Option(
            names = "--broker",
            paramLabel = "ENDPOINT",
            description = "One of them or some, cleave://host:port,host:port.")
    private @Nullable String broker;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<Endpoint> endpoints = BrokerEndpoint.all(broker, Bindings.NONE);
        try (Node node = Node.connect(CommandNode.options("cleave-brokers", endpoints))) {
            long until = System.nanoTime() + PATIENCE.toNanos();
            while (node.brokers().isEmpty() && System.nanoTime() - until < 0) {
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            }
            PrintWriter out = spec.commandLine().getOut();
            List<Welcome.Broker> brokers = node.brokers();
            if (brokers.isEmpty()) {
                Sentences.say(out, "the broker at " + endpoints.get(0) + " is alone: it is no member of a cluster");
            } else {
                table(brokers, node.broker().orElse(""), replicas(node.list()))
                        .lines()
                        .forEach(out::println);
            }
            out.flush();
        }
        return 0;
    }

    /** Counts replicas by the address of their broker; those of the broker that was asked have none. */
    private static Map<String, Integer> replicas(List<Services.Service> services) {
        Map<String, Integer> counts = new TreeMap<>();
        services.forEach(service -> service.replicas()
                .forEach(replica -> counts.merge(replica.isElsewhere() ? replica.address() : "", 1, Integer::sum)));
        return counts;
    }

    private static TextTable table(List<Welcome.Broker> brokers, String asked, Map<String, Integer> replicas) {
        TextTable table = new TextTable("broker", "endpoint", "epoch", "started", "replicas");
        for (Welcome.Broker each : brokers) {
            String key = each.id().equals(asked) ? "" : "broker " + each.endpoint();
            table.add(
                    Names.shown(each.id()),
                    Names.shown(each.endpoint()),
                    Long.toString(each.fence()),
                    Instant.ofEpochMilli(each.startedMillis())
                            .truncatedTo(ChronoUnit.SECONDS)
                            .toString(),
                    Integer.toString(replicas.getOrDefault(key, 0)));
        }
        return table;
    }
}
