package dev.cleave.broker.cli;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.process.Fleet;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.broker.process.Member;
import dev.cleave.config.Bindings;
import dev.cleave.config.Overrides;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The servers of an application file as processes on this machine: the broker, and each replica in its own JVM. */
public final class Application {

    static final String BROKER_READY = "broker ready at ";
    private static final Duration START = Duration.ofMinutes(2);

    private final String broker;
    private final List<Member> members;

    private Application(String broker, List<Member> members) {
        this.broker = broker;
        this.members = List.copyOf(members);
    }

    /**
     * The servers to start.
     *
     * @param file the application file
     * @param listen the address of the broker, as {@code host:port}; port 0 for any free one
     * @param jvmOptions options of all JVMs
     * @param insecure whether they may listen where other machines reach them, without encryption or identity
     */
    public record Plan(Path file, String listen, List<String> jvmOptions, boolean insecure) {

        /** Copies its components. */
        public Plan {
            requireNonNull(file, "file");
            requireNonNull(listen, "listen");
            jvmOptions = List.copyOf(jvmOptions);
        }

        private List<String> args(String... words) {
            List<String> args = new ArrayList<>(List.of(words));
            if (insecure) {
                args.add("--insecure");
            }
            return args;
        }
    }

    /**
     * Starts the servers and waits until all are ready.
     *
     * @param listener receives each line that a server prints, with the server's name
     */
    public static Application start(Plan plan, Fleet fleet, BiConsumer<String, String> listener) {
        Bindings bindings = Bindings.load(plan.file());
        List<Member> members = new ArrayList<>();
        Member broker = fleet.start(
                command(
                        "broker",
                        plan,
                        List.of(),
                        plan.args("broker", "--config", plan.file().toString(), "--listen", plan.listen())),
                line -> listener.accept("broker", line));
        members.add(broker);
        String endpoint = broker.awaitLine(BROKER_READY, START).substring(BROKER_READY.length());
        List<String> path = ApplicationClasses.path(plan.file(), bindings);
        for (String replica : servicesOf(bindings).keySet()) {
            members.add(fleet.start(
                    command(
                            replica,
                            plan,
                            path,
                            plan.args("serve", plan.file().toString(), "--replica", replica, "--broker", endpoint)),
                    line -> listener.accept(replica, line)));
        }
        members.stream().skip(1).forEach(member -> member.awaitLine(ready(member.name()), START));
        return new Application(endpoint, members);
    }

    /** The replicas that a file names, each with its services, in the order of the file. */
    static Map<String, List<String>> servicesOf(Bindings bindings) {
        Map<String, List<String>> services = new LinkedHashMap<>();
        bindings.services().values().forEach(service -> service.replicas()
                .forEach(replica -> services.computeIfAbsent(replica.name(), name -> new ArrayList<>())
                        .add(service.name())));
        return services;
    }

    static String ready(String replica) {
        return replica + " ready: ";
    }

    /** The broker's endpoint. */
    public String broker() {
        return broker;
    }

    /** The broker, then the replicas. */
    public List<Member> members() {
        return members;
    }

    private static JvmCommand command(String name, Plan plan, List<String> path, List<String> args) {
        List<String> options = new ArrayList<>(Overrides.options());
        options.addAll(plan.jvmOptions());
        return new JvmCommand(name, options, Main.class.getName(), args).behind(path);
    }
}
