package dev.cleave.broker.cli;

import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.broker.process.Leash;
import dev.cleave.broker.store.StoreProvider;
import dev.cleave.config.Bindings;
import dev.cleave.transport.Endpoint;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cleave broker}: runs a broker until Ctrl-C. */
@Command(name = "broker", description = "Run a broker until Ctrl-C.", mixinStandardHelpOptions = true)
final class BrokerCommand implements Subcommand {

    /** How long relayed calls in flight may take when the process is to end. */
    private static final Duration LEAVE = Duration.ofSeconds(20);

    @Option(names = "--config", paramLabel = "FILE", description = "An application file, for routes and balance.")
    private @Nullable Path config;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description =
                    "Where to listen; else the broker of the file, else localhost:7420. Port 0: any that is free.")
    private @Nullable String listen;

    @Option(names = "--insecure", description = "Listen where other machines reach it, without encryption or identity.")
    private boolean insecure;

    @Option(
            names = "--admin",
            paramLabel = "PORT",
            description =
                    "Answer /ready, /live and /metrics by HTTP at this port of loopback; else at that of the file.")
    private @Nullable Integer admin;

    @Option(
            names = "--cluster",
            paramLabel = "STORE",
            description = "Be a member of the cluster that shares this store: zk://host:port,host:port/path.")
    private @Nullable String cluster;

    @Option(
            names = "--tell",
            paramLabel = "HOST",
            description =
                    "The host at which nodes and the other brokers of the cluster reach this one; else that of --listen.")
    private @Nullable String tell;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private static void leave(Broker broker) {
        boolean unused = broker.drain(LEAVE);
        broker.close();
    }

    @Override
    public Integer call() throws InterruptedException {
        Leash.attach();
        Bindings bindings = config == null ? Bindings.NONE : Bindings.load(config);
        BrokerOptions options = BrokerOptions.at(
                        BrokerEndpoint.of(listen == null ? null : "cleave://" + listen, bindings))
                .with(bindings)
                .with(insecure ? BrokerOptions.Exposure.INSECURE : BrokerOptions.Exposure.LOOPBACK);
        Broker broker = Broker.start(
                cluster == null
                        ? options
                        : options.with(new BrokerOptions.Membership(StoreProvider.openAny(cluster), tell)));
        if (config != null) {
            broker.follow(config);
        }
        Integer port = admin != null
                ? admin
                : Integer.getInteger("cleave.admin", bindings.operation().admin());
        if (port != null) {
            int unused = broker.administer(System.getProperty("cleave.admin.host"), port);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> leave(broker), "broker-end"));
        PrintWriter out = spec.commandLine().getOut();
        Endpoint endpoint = broker.endpoint();
        Sentences.say(out, Application.BROKER_READY + "cleave://" + endpoint.host() + ":" + endpoint.port());
        out.flush();
        new CountDownLatch(1).await(); // Ctrl-C ends the JVM
        return 0;
    }
}
