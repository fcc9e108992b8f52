package dev.cleave.broker.cli;

import dev.cleave.config.Bindings;
import dev.cleave.config.Overrides;
import dev.cleave.config.ReplicaBinding;
import dev.cleave.transport.Endpoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The commands that start the processes of an application file by hand, each on its machine, in the order in which they are to be
 * started.
 *
 * @param file the application file, which each machine has
 * @param brokers where the broker listens, or the brokers of a cluster
 * @param insecure whether they may listen without encryption and identity
 * @param withAgent whether the client runs with the agent
 */
record DryRun(Path file, Bindings bindings, List<Endpoint> brokers, boolean insecure, boolean withAgent) {

    List<String> lines() {
        String endpoint = "cleave://"
                + brokers.stream().map(each -> each.host() + ":" + each.port()).collect(Collectors.joining(","));
        List<String> lines = new ArrayList<>();
        for (Endpoint broker : brokers) {
            add(
                    lines,
                    broker.host(),
                    "broker --config " + word(file.toString()) + " --listen " + broker.host() + ":" + broker.port()
                            + (brokers.size() > 1 ? " --cluster STORE" : "")
                            + (insecure ? " --insecure" : ""));
        }
        for (String replica : Application.servicesOf(bindings).keySet()) {
            String host = bindings.services().values().stream()
                    .flatMap(service -> service.replica(replica).stream())
                    .map(ReplicaBinding::host)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse("any host");
            add(
                    lines,
                    host,
                    "serve " + word(file.toString()) + " --replica " + word(replica) + " --broker " + endpoint
                            + (insecure ? " --insecure" : ""));
        }
        if (bindings.client() != null) {
            add(
                    lines,
                    "any host",
                    "run " + word(file.toString()) + " --broker " + endpoint + (withAgent ? "" : " --without-agent"));
        }
        return lines;
    }

    private static void add(List<String> lines, String host, String command) {
        StringBuilder settings = new StringBuilder();
        Overrides.variables()
                .forEach((name, value) ->
                        settings.append(name).append('=').append(word(value)).append(' '));
        lines.add("# on " + host);
        lines.add(settings + "bin/cleave " + command);
    }

    /** Returns a word as a shell reads it. */
    private static String word(String text) {
        return text.matches("[\\w@%+=:,./-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
