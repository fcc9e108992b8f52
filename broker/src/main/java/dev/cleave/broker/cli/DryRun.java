package dev.cleave.broker.cli;

import dev.cleave.config.Bindings;
import dev.cleave.config.Overrides;
import dev.cleave.config.ReplicaBinding;
import dev.cleave.transport.Endpoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The commands that start the processes of an application file by hand, each on its machine, in the order in which they are to be
 * started.
 *
 * @param file the application file, which each machine has
 * @param broker where the broker listens
 * @param insecure whether they may listen without encryption and identity
 * @param withAgent whether the client runs with the agent
 */
record DryRun(Path file, Bindings bindings, Endpoint broker, boolean insecure, boolean withAgent) {

    List<String> lines() {
        String endpoint = "cleave://" + broker.host() + ":" + broker.port();
        List<String> lines = new ArrayList<>();
        add(
                lines,
                broker.host(),
                "broker --config " + word(file.toString()) + " --listen " + broker.host() + ":" + broker.port()
                        + (insecure ? " --insecure" : ""));
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
