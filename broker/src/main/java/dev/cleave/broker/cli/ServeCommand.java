package dev.cleave.broker.cli;

import dev.cleave.broker.process.Leash;
import dev.cleave.config.Bindings;
import dev.cleave.transport.Endpoint;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cleave serve}: runs one replica of an application file in this JVM. */
@Command(
        name = "serve",
        description = "Run one replica of an application file: its objects are bound to every service that names it.",
        footer = "Its classes are looked for on the classpath: of the file, then on CLEAVE_CLASSPATH.",
        mixinStandardHelpOptions = true)
final class ServeCommand implements Subcommand {

    @Parameters(paramLabel = "FILE", description = "The application file.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Option(names = "--replica", required = true, paramLabel = "NAME", description = "The replica to run.")
    private String replica = "";

    @Option(
            names = "--broker",
            paramLabel = "ENDPOINT",
            description = "The broker, cleave://host:port; else that of the file, else cleave://localhost:7420.")
    private @Nullable String broker;

    @Option(names = "--insecure", description = "Listen where other machines reach it, without encryption or identity.")
    private boolean insecure;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException, IOException {
        Leash.attach();
        Bindings bindings = Bindings.load(file);
        ApplicationClasses.addToContext(file, bindings);
        List<Endpoint> endpoints = BrokerEndpoint.all(broker, bindings);
        ReplicaHost host = ReplicaHost.start(replica, file, bindings, endpoints, insecure);
        Runtime.getRuntime().addShutdownHook(new Thread(host::drain, "serve-end"));
        PrintWriter out = spec.commandLine().getOut();
        Sentences.say(out, Application.ready(replica) + String.join(", ", host.services()));
        out.flush();
        host.await();
        return 0;
    }
}
