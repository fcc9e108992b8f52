package dev.cleave.broker.cli;

import dev.cleave.config.Bindings;
import dev.cleave.config.ReplicaBinding;
import dev.cleave.config.ServiceBinding;
import dev.cleave.node.Node;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Services;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave reload}: applies an application file to the processes that run. */
@Command(
        name = "reload",
        description = "Apply an application file to the broker, replicas and clients that run; no call is lost.",
        footer = {
            "Styles, windows, deadlines, hedges, transports, balance, migration, rights and emulated links change at once.",
            "Replicas that the file no longer names are drained; the command says how to start those that are missing.",
            "Where rights exist, its identity needs administer: [reload, list, drain]."
        },
        mixinStandardHelpOptions = true)
final class ReloadCommand implements Subcommand {

    @Parameters(paramLabel = "FILE", description = "The application file.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Option(names = "--broker", paramLabel = "ENDPOINT", description = "The broker, cleave://host:port.")
    private @Nullable String broker;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        Bindings bindings = Bindings.load(file);
        List<Endpoint> endpoints = BrokerEndpoint.all(broker, bindings);
        PrintWriter out = spec.commandLine().getOut();
        List<String> outcomes = new ArrayList<>();
        for (Endpoint endpoint :
                endpoints) { // each broker of a cluster passes it on to the nodes that are connected to it
            boolean isLast = endpoint == endpoints.get(endpoints.size() - 1);
            try (Node node =
                    Node.connect(CommandNode.options("cleave-reload", List.of(endpoint), bindings.security()))) {
                outcomes.addAll(node.reload(file));
                if (isLast) {
                    outcomes.forEach(outcome -> Sentences.say(out, outcome));
                    replicas(node, bindings, endpoint).forEach(line -> Sentences.say(out, line));
                    out.flush();
                }
            }
        }
        List<String> bad = outcomes.stream()
                .filter(line -> line.contains(": refused: ") || line.endsWith("no answer yet"))
                .toList();
        if (!bad.isEmpty()) {
            throw new CommandException(
                    bad.size() + " of " + outcomes.size() + " have not applied " + file + ": " + bad.get(0));
        }
        return 0;
    }

    /** Drains the replicas that the file no longer names, and says which it names and are not there. */
    private List<String> replicas(Node node, Bindings bindings, Endpoint endpoint) {
        List<Services.Service> running = node.list();
        Set<String> gone = new LinkedHashSet<>();
        Set<String> missing = new LinkedHashSet<>();
        for (ServiceBinding service : bindings.services().values()) {
            List<String> wanted =
                    service.replicas().stream().map(ReplicaBinding::name).toList();
            List<String> there = running.stream()
                    .filter(each -> each.name().equals(service.name()))
                    .flatMap(each -> each.replicas().stream())
                    .filter(each -> each.state() != ReplicaState.DOWN && each.state() != ReplicaState.DRAINING)
                    .map(Services.Replica::name)
                    .toList();
            there.stream()
                    .filter(name -> !wanted.isEmpty() && !wanted.contains(name))
                    .forEach(gone::add);
            wanted.stream().filter(name -> !there.contains(name)).forEach(missing::add);
        }
        gone.removeIf(name -> Application.servicesOf(bindings).containsKey(name));
        List<String> lines = new ArrayList<>();
        for (String name : gone) {
            node.drain(name);
            lines.add(name + ": gets no new calls, and ends when those under way have ended");
        }
        for (String name : missing) {
            lines.add(name + ": is not there; bin/cleave up starts it, or: bin/cleave serve " + file + " --replica "
                    + name + " --broker cleave://" + endpoint.host() + ":" + endpoint.port());
        }
        return lines;
    }
}
