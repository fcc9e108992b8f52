package dev.cleave.broker.cli;

import dev.cleave.broker.report.TextTable;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.Load;
import dev.cleave.wire.Names;
import dev.cleave.wire.Services;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cleave services}: lists the services of a broker. */
@Command(
        name = "services",
        description = "List the services of a broker, their replicas, state and load.",
        mixinStandardHelpOptions = true)
final class ServicesCommand implements Subcommand {

    @Option(names = "--broker", paramLabel = "ENDPOINT", description = "The broker, cleave://host:port.")
    private @Nullable String broker;

    @Option(names = "--all", description = "Of a cluster: also what is connected to other brokers.")
    private boolean all;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<Endpoint> endpoints = BrokerEndpoint.all(broker, Bindings.NONE);
        try (Node node = Node.connect(CommandNode.options("cleave-services", endpoints))) {
            PrintWriter out = spec.commandLine().getOut();
            List<Services.Service> services = all ? node.list() : here(node.list());
            if (services.isEmpty()) {
                Sentences.say(out, "no services at " + endpoints.get(0));
            } else {
                table(services).lines().forEach(out::println);
            }
            out.flush();
        }
        return 0;
    }

    /** The replicas that are connected to the broker which was asked. */
    private static List<Services.Service> here(List<Services.Service> services) {
        return services.stream()
                .map(service -> new Services.Service(
                        service.name(),
                        service.interfaceName(),
                        service.route(),
                        service.replicas().stream()
                                .filter(replica -> !replica.isElsewhere())
                                .toList()))
                .filter(service -> !service.replicas().isEmpty())
                .toList();
    }

    static TextTable table(List<Services.Service> services) {
        TextTable table = new TextTable(
                "service", "interface", "route", "replica", "state", "endpoint", "queued", "running", "capacity");
        for (Services.Service service : services) {
            for (Services.Replica replica : service.replicas()) {
                table.add(
                        Names.shown(service.name()),
                        Names.shown(service.interfaceName()),
                        word(service.route()),
                        Names.shown(replica.name()),
                        word(replica.state()),
                        Names.shown(replica.endpoint().isEmpty() ? replica.address() : replica.endpoint()),
                        load(replica, replica.load().queued()),
                        load(replica, replica.load().running()),
                        load(replica, replica.load().capacity()));
            }
            if (service.replicas().isEmpty()) {
                table.add(
                        Names.shown(service.name()),
                        Names.shown(service.interfaceName()),
                        word(service.route()),
                        "none",
                        "",
                        "",
                        "-",
                        "-",
                        "-");
            }
        }
        return table;
    }

    /** One number of a load; a broker does not know those of replicas that are connected to other brokers. */
    private static String load(Services.Replica replica, int number) {
        return replica.isElsewhere() && replica.load().equals(Load.NONE) ? "-" : Integer.toString(number);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
