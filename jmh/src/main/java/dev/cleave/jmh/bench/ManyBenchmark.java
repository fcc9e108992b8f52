package dev.cleave.jmh.bench;

import dev.cleave.broker.cli.CommandException;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.jmh.bench.calls.CallShape;
import dev.cleave.jmh.bench.calls.Effort;
import dev.cleave.jmh.bench.many.ManyClient;
import dev.cleave.jmh.bench.many.ManyServer;
import dev.cleave.jmh.bench.many.MemoryClient;
import dev.cleave.jmh.bench.many.Role;
import dev.cleave.jmh.bench.talk.Client;
import dev.cleave.jmh.bench.talk.Metric;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Calls of one client beside many connections and many calls that wait, and what one of many costs. */
final class ManyBenchmark implements Benchmark {

    private static final List<CallShape> SHAPES = List.of(CallShape.SYNC_ECHO, CallShape.WINDOW_64);
    private static final String SPREAD = "in-flight-1000";
    private static final String MEMORY = "memory-of-a-";
    private static final String CLEAVE = "cleave";
    private static final List<String> HEAP = List.of("-Xmx4g");

    /**
     * How many there are.
     *
     * @param idle silent connections
     * @param active connections over which one client calls
     * @param pending calls that wait
     * @param measured how many more of each cost the memory that is measured
     */
    private record Counts(int idle, int active, int pending, int measured) {}

    private final Counts counts;
    private final Effort effort;
    private @Nullable Client idle; // who keeps the silent connections

    private ManyBenchmark(Counts counts, Effort effort) {
        this.counts = counts;
        this.effort = effort;
    }

    /** 10,000 idle and 1,000 active connections, 1,000,000 pending calls. */
    static ManyBenchmark usual() {
        return new ManyBenchmark(new Counts(10_000, 1_000, 1_000_000, 1_000), Effort.USUAL);
    }

    /** The same with shorter turns. */
    static ManyBenchmark quick() {
        return new ManyBenchmark(usual().counts, Effort.QUICK);
    }

    @Override
    public String name() {
        return "many";
    }

    @Override
    public String floor() {
        return Role.ALONE.id();
    }

    @Override
    public List<String> contenders() {
        return Stream.concat(Arrays.stream(Role.values()).map(Role::id), Stream.of(CLEAVE))
                .toList();
    }

    @Override
    public List<String> workloads() {
        return Stream.of(
                        SHAPES.stream().map(CallShape::id),
                        Stream.of(SPREAD),
                        Arrays.stream(Memory.values()).map(Memory::workload))
                .flatMap(each -> each)
                .toList();
    }

    @Override
    public List<Turn> prepare(Stage stage, Choice choice, Progress progress) throws IOException {
        String broker = stage.broker("application: bench\n");
        Map<Role, Client> clients = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            if (choice.hasContender(this, role.id())) {
                progress.show("many: starting " + role.id());
                clients.put(role, client(role, broker, stage));
            }
        }
        List<Turn> turns = new ArrayList<>();
        clients.forEach((role, client) -> turns.addAll(turns(role, client)));
        if (choice.hasContender(this, CLEAVE)) {
            Client memory = memory("measured", broker, 0, stage);
            for (Memory each : Memory.values()) {
                String question = each.question(counts.measured());
                turns.add(new Turn(each.workload(), CLEAVE, each.metrics, 1, () -> memory.ask(question)));
            }
        }
        return turns.stream()
                .filter(turn -> choice.hasWorkload(turn.workload()))
                .toList();
    }

    private Client client(Role role, String broker, Stage stage) {
        server(role.id(), broker, stage);
        int count =
                switch (role) {
                    case ALONE -> 0;
                    case IDLE -> counts.idle();
                    case PENDING -> counts.pending();
                    case ACTIVE -> counts.active();
                };
        if (role == Role.IDLE) {
            Client holder = holder(role.id(), broker, count, stage);
            requireOpen(holder, count);
            idle = holder;
        }
        Client client = stage.client(new JvmCommand(
                role.id(), HEAP, ManyClient.class.getName(), List.of(role.name(), broker, Integer.toString(count))));
        client.awaitReady();
        return client;
    }

    private static void requireOpen(Client holder, int count) {
        double open = holder.ask("OPEN 0")[0];
        if (open < count) {
            throw new CommandException("connections: " + (int) open + " (expected: " + count
                    + "); see the limit of open files, ulimit -n");
        }
    }

    private static void server(String name, String broker, Stage stage) {
        stage.server(new JvmCommand(name + "-server", HEAP, ManyServer.class.getName(), List.of(name, broker)));
    }

    private static Client memory(String name, String broker, int count, Stage stage) {
        server(name, broker, stage);
        return holder(name, broker, count, stage);
    }

    private static Client holder(String server, String broker, int count, Stage stage) {
        Client client = stage.client(new JvmCommand(
                server + "-holder",
                HEAP,
                MemoryClient.class.getName(),
                List.of(server, broker, Integer.toString(count))));
        client.awaitReady();
        return client;
    }

    private List<Turn> turns(Role role, Client client) {
        List<Turn> turns = new ArrayList<>();
        if (role != Role.ACTIVE) {
            for (CallShape shape : SHAPES) {
                String question = shape.name() + " " + effort.words();
                turns.add(new Turn(shape.id(), role.id(), shape.metrics(), 2, () -> {
                    double[] figures = client.ask(question);
                    if (role == Role.IDLE && idle != null) {
                        requireOpen(idle, counts.idle());
                    }
                    return figures;
                }));
            }
        }
        if (role == Role.ALONE || role == Role.ACTIVE) {
            String question = ManyClient.SPREAD + " " + effort.words();
            turns.add(
                    new Turn(SPREAD, role.id(), List.of(new Metric("rate", "calls/s")), 2, () -> client.ask(question)));
        }
        return turns;
    }

    /** The things whose memory is measured. */
    private enum Memory {
        CONNECTION("CONNECTIONS", "server"),
        PENDING_CALL("CALLS", "client", "server"),
        SERVICE("SERVICES", "server");

        private static final int CALLS_EACH = 100; // a call is small beside what else a heap has

        private final String words;
        private final List<Metric> metrics;

        Memory(String words, String... sides) {
            this.words = words;
            metrics =
                    Arrays.stream(sides).map(side -> new Metric(side, "bytes")).toList();
        }

        private String workload() {
            return MEMORY + name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        private String question(int count) {
            return words + " "
                    + switch (this) {
                        case CONNECTION -> count;
                        case PENDING_CALL -> CALLS_EACH * count;
                        case SERVICE -> Math.max(1, count / 2); // a broker takes 1,000 of a node
                    };
        }
    }

    @Override
    public List<String> notes(Stage stage) {
        return List.of(
                String.format(
                        Locale.ROOT,
                        "many: idle has %,d silent connections to its server, pending has %,d calls that wait, active"
                                + " calls over %,d connections",
                        counts.idle(),
                        counts.pending(),
                        counts.active()),
                "memory is heap in use after a collection, over that before, for each one more");
    }
}
