package dev.cleave.broker.cli;

import dev.cleave.broker.process.JvmCommand;
import dev.cleave.config.Bindings;
import dev.cleave.config.ClientBinding;
import dev.cleave.config.Overrides;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the command line of an application's client. */
final class ClientCommand {

    private ClientCommand() {}

    /**
     * Returns the command of a client.
     *
     * @param broker the endpoint that it dials
     * @param report where the agent reports; null without the agent
     */
    static JvmCommand of(
            ClientBinding client,
            List<String> args,
            Path file,
            Bindings bindings,
            String broker,
            @Nullable Path report) {
        List<String> options = new ArrayList<>(Agent.clientOptions(file, broker));
        options.addAll(Overrides.options());
        if (report != null) {
            options.add(Agent.required().option(file, report));
        }
        return new JvmCommand("client", options, client.main(), args).behind(ApplicationClasses.path(file, bindings));
    }
}
