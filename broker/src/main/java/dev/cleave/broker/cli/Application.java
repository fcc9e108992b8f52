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
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The servers of an application file as processes on this machine: the broker, and each replica in its own JVM. */
public final class Application {

    static final String BROKER_READY = "broker ready at ";
    /** The class with the commands of servers and brokers; named by text, as it knows the command that starts them. */
    private static final String COMMANDS = Application.class.getPackageName() + ".Main";

    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration STOP = Duration.ofSeconds(30);

    private final Plan plan;
    private final Fleet fleet;
    private final BiConsumer<String, String> listener;
    private final String broker;
    private final int servers; // brokers and their store, the first of the members
    private final Map<String, Member> members = new LinkedHashMap<>(); // guarded by itself

    private Application(
            Plan plan, Fleet fleet, BiConsumer<String, String> listener, List<Member> servers, String broker) {
        this.plan = plan;
        this.fleet = fleet;
        this.listener = listener;
        this.broker = broker;
        servers.forEach(server -> members.put(server.name(), server));
        this.servers = servers.size();
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
        List<Member> servers = new ArrayList<>();
        String endpoint = startBrokers(plan, fleet, listener, servers);
        Application started = new Application(plan, fleet, listener, servers, endpoint);
        started.start(servicesOf(Bindings.load(plan.file())).keySet());
        return started;
    }

    /** Starts replicas of the file that do not run, and waits until they are ready; returns those started. */
    List<Member> start(Collection<String> replicas) {
        List<String> path = ApplicationClasses.path(plan.file(), Bindings.load(plan.file()));
        List<Member> started = new ArrayList<>();
        for (String replica : replicas) {
            Member member = fleet.start(
                    command(
                            replica,
                            plan,
                            path,
                            plan.args("serve", plan.file().toString(), "--replica", replica, "--broker", broker)),
                    line -> listener.accept(replica, line));
            started.add(member);
            synchronized (members) {
                members.put(replica, member);
            }
        }
        started.forEach(member -> member.awaitLine(ready(member.name()), START));
        return started;
    }

    /** Asks replicas to end when their calls have ended, and waits for that. */
    void stop(Collection<String> replicas) throws InterruptedException {
        List<Member> leaving = new ArrayList<>();
        synchronized (members) {
            for (String replica : replicas) {
                Member member = members.remove(replica);
                if (member != null) {
                    leaving.add(member);
                }
            }
        }
        leaving.forEach(Member::stop);
        for (Member member : leaving) {
            if (!member.awaitEnd(STOP)) {
                member.kill();
            }
        }
    }

    /** Starts the replicas that another version of the file adds, and stops those that it no longer names. */
    void follow(Bindings changed) throws InterruptedException {
        List<String> wanted = List.copyOf(servicesOf(changed).keySet());
        List<String> there = replicas();
        start(wanted.stream().filter(name -> !there.contains(name)).toList());
        stop(there.stream().filter(name -> !wanted.contains(name)).toList());
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

    /** The names of the replicas that were started, and not stopped. */
    List<String> replicas() {
        return members().stream().skip(servers).map(Member::name).toList();
    }

    /** The broker, or the brokers and their store; then the replicas. */
    public List<Member> members() {
        synchronized (members) {
            return List.copyOf(members.values());
        }
    }

    private static JvmCommand command(String name, Plan plan, List<String> path, List<String> args) {
        List<String> options = new ArrayList<>(Overrides.options());
        options.addAll(plan.jvmOptions());
        return new JvmCommand(name, options, COMMANDS, args).behind(path);
    }
}
