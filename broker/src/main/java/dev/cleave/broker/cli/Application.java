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
     * @param listen the address of the broker, as {@code host:port}; port 0 for any free one; of the brokers of a cluster
     *     {@code host:port,host:port}
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
        String endpoint = startBrokers(plan, fleet, listener, members);
        int servers = members.size();
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
        members.stream().skip(servers).forEach(member -> member.awaitLine(ready(member.name()), START));
        return new Application(endpoint, members);
    }

    /** Starts the broker; or, if there are to be several, a store and the brokers of a cluster. Returns their endpoints. */
    private static String startBrokers(
            Plan plan, Fleet fleet, BiConsumer<String, String> listener, List<Member> members) {
        String[] listens = plan.listen().split(",");
        StoreNodes store = listens.length == 1 ? null : StoreNodes.start(fleet);
        List<Member> brokers = new ArrayList<>();
        for (int i = 0; i < listens.length; i++) {
            String name = store == null ? "broker" : "broker-" + (i + 1);
            List<String> args = plan.args("broker", "--config", plan.file().toString(), "--listen", listens[i].strip());
            if (store != null) {
                args.addAll(List.of("--cluster", store.address()));
            }
            brokers.add(fleet.start(
                    command(name, plan, store == null ? List.of() : StoreNodes.path(), args),
                    line -> listener.accept(name, line)));
        }
        List<String> endpoints = brokers.stream()
                .map(broker -> broker.awaitLine(BROKER_READY, START).substring(BROKER_READY.length()))
                .toList();
        members.addAll(brokers);
        if (store != null) {
            members.addAll(store.members());
        }
        return String.join(",", endpoints);
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

    /** The broker's endpoint, or those of the brokers of a cluster. */
    public String broker() {
        return broker;
    }

    /** The endpoint of one of the brokers, by the name of its process. */
    String broker(String name) {
        String[] all = broker.split(",");
        String number = name.substring(name.lastIndexOf('-') + 1);
        return all.length == 1 ? broker : all[Integer.parseInt(number) - 1]; // broker-1, broker-2 ...
    }

    /** The broker, or the brokers and their store; then the replicas. */
    public List<Member> members() {
        return members;
    }

    private static JvmCommand command(String name, Plan plan, List<String> path, List<String> args) {
        List<String> options = new ArrayList<>(Overrides.options());
        options.addAll(plan.jvmOptions());
        return new JvmCommand(name, options, Main.class.getName(), args).behind(path);
    }
}
