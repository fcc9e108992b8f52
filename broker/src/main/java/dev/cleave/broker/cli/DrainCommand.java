package dev.cleave.broker.cli;

import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.Names;
import dev.cleave.wire.Services;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave drain}: drains a replica. */
@Command(
        name = "drain",
        description =
                "Let a replica leave: it takes no new calls, and ends when those under way have ended. No call is lost.",
        mixinStandardHelpOptions = true)
final class DrainCommand implements Subcommand {

    private static final Duration MOST = Duration.ofSeconds(10);
    private static final long LOOK_MILLIS = 50;

    @Parameters(paramLabel = "REPLICA", description = "Its name, as `cleave services` shows it: that of its node.")
    private String replica = "";

    @Option(names = "--broker", paramLabel = "ENDPOINT", description = "The broker, cleave://host:port.")
    private @Nullable String broker;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        drain(BrokerEndpoint.all(broker, Bindings.NONE));
        return 0;
    }

    private void drain(List<Endpoint> endpoints) throws InterruptedException {
        try (Node node = Node.connect(CommandNode.options("cleave-drain", endpoints))) {
            List<String> served = servedBy(node);
            if (served.isEmpty()) {
                throw new CommandException(
                        "no replica " + replica + " at " + endpoints.get(0) + "; see cleave services --all");
            }
            String home = home(node);
            if (!home.isEmpty()) {
                drain(List.of(Endpoint.parse(home))); // connected to another broker of the cluster
                return;
            }
            node.drain(replica);
            long until = System.nanoTime() + MOST.toNanos();
            while (!servedBy(node).isEmpty()) {
                if (System.nanoTime() - until > 0) {
                    throw new CommandException(replica + " has not left within " + MOST.toSeconds() + " s");
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
            PrintWriter out = spec.commandLine().getOut();
            Sentences.say(
                    out,
                    Names.shown(replica) + " gets no new calls of " + Names.shown(String.join(", ", served))
                            + "; it ends when those under way have ended, in " + Node.LEAVE.toSeconds()
                            + " s at the latest");
            out.flush();
        }
    }

    /** The endpoint of the broker to which the replica is connected; empty if that is the one which was asked. */
    private String home(Node node) {
        return node.list().stream()
                .flatMap(service -> service.replicas().stream())
                .filter(each -> each.name().equals(replica) && each.isElsewhere())
                .map(each -> each.address().replaceFirst("^broker ", ""))
                .findFirst()
                .orElse("");
    }

    private List<String> servedBy(Node node) {
        return node.list().stream()
                .filter(service ->
                        service.replicas().stream().map(Services.Replica::name).anyMatch(replica::equals))
                .map(Services.Service::name)
                .toList();
    }
}
