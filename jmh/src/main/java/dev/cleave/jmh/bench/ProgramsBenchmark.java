package dev.cleave.jmh.bench;

import dev.cleave.broker.cli.Agent;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.process.JvmCommand;
import dev.cleave.broker.process.Launcher;
import dev.cleave.jmh.bench.programs.Program;
import dev.cleave.jmh.bench.programs.ProgramClient;
import dev.cleave.jmh.bench.programs.ProgramServer;
import dev.cleave.jmh.bench.programs.ProgramStyle;
import dev.cleave.jmh.bench.talk.Client;
import dev.cleave.jmh.bench.talk.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Ordinary programs whose calls take one time: as written, with the agent, by hand, and with virtual threads. For each such time its own
 * JVMs, for what the agent learns where calls are slow does not hold where they are fast.
 */
final class ProgramsBenchmark implements Benchmark {

    static final Metric TIME = new Metric("time", "ms");

    private static final String APPLICATION = "application: bench\n";

    private final ProgramCell cell;
    private final List<Program> programs;
    private final String warmUp;
    private final String turn;

    /**
     * Creates a benchmark. A turn and a warm-up have a number of runs and a time, and end with the first of the two.
     */
    private ProgramsBenchmark(ProgramCell cell, List<Program> programs, String warmUp, String turn) {
        this.cell = cell;
        this.programs = List.copyOf(programs);
        this.warmUp = warmUp;
        this.turn = turn;
    }

    /**
     * All times that calls may take; a fifth of a second for each turn, at least one run, after 1,500 runs or four seconds. After a tenth
     * of that the JIT has compiled less of the rewritten code than of the code by hand.
     */
    static List<Benchmark> usual(List<Program> programs) {
        return each(programs, "1500 4000", "1000 200");
    }

    /** All times that calls may take, and up to five runs for each turn. */
    static List<Benchmark> quick(List<Program> programs) {
        return each(programs, "20 100", "5 20");
    }

    private static List<Benchmark> each(List<Program> programs, String warmUp, String turn) {
        return ProgramCell.ALL.stream()
                .<Benchmark>map(cell -> new ProgramsBenchmark(cell, programs, warmUp, turn))
                .toList();
    }

    /** One run of each program, to see that all of it works. */
    static ProgramsBenchmark tiny(ProgramCell cell, List<Program> programs) {
        return new ProgramsBenchmark(cell, programs, "1 0", "1 0");
    }

    @Override
    public String name() {
        return "programs, " + times();
    }

    @Override
    public String floor() {
        return ProgramStyle.HAND.id();
    }

    @Override
    public List<String> contenders() {
        return Stream.of(ProgramStyle.values()).map(ProgramStyle::id).toList();
    }

    @Override
    public List<String> workloads() {
        return programs.stream().map(cell::workload).toList();
    }

    @Override
    public List<Turn> prepare(Stage stage, Choice choice, Progress progress) throws IOException {
        progress.show(name() + ": starting broker, server and clients");
        for (Program program : programs) {
            Files.writeString(stage.directory().resolve(ProgramClient.file(program)), program.expected());
        }
        String broker = stage.broker(APPLICATION);
        List<String> args =
                List.of(broker, Integer.toString(cell.linkMicros()), Integer.toString(cell.serviceMicros()));
        stage.server(new JvmCommand("server", List.of(), ProgramServer.class.getName(), args));
        Map<ProgramStyle, Client> clients = clients(stage, broker, choice);
        List<Turn> turns = new ArrayList<>();
        for (Program program : programs) {
            String workload = cell.workload(program);
            if (choice.hasWorkload(workload)) {
                clients.forEach((style, client) ->
                        turns.add(new Turn(workload, style.id(), List.of(TIME), 1, figures(client, program))));
            }
        }
        return turns;
    }

    @Override
    public List<String> table(List<Measurement> measurements) {
        List<String> lines = new ArrayList<>();
        lines.add(times() + "; medians in ms");
        lines.addAll(ProgramsTable.of(cell, programs, measurements));
        return lines;
    }

    @Override
    public List<String> notes(Stage stage) {
        return List.of();
    }

    private String times() {
        return "link " + cell.link() + " ms, service " + cell.service() + " ms";
    }

    /** The first turn is the warm-up. */
    private Supplier<double[]> figures(Client client, Program program) {
        return new Supplier<>() {

            private boolean warm;

            @Override
            public double[] get() {
                String effort = warm ? turn : warmUp;
                warm = true;
                return client.ask(program.name() + " " + effort);
            }
        };
    }

    /** Started one after the other: what starts beside others starts slowly. */
    private Map<ProgramStyle, Client> clients(Stage stage, String broker, Choice choice) throws IOException {
        Optional<Launcher> virtualThreads = VirtualThreadJdk.find();
        Map<ProgramStyle, Client> clients = new EnumMap<>(ProgramStyle.class);
        for (ProgramStyle style : ProgramStyle.values()) {
            if (!choice.hasContender(this, style.id())
                    || style == ProgramStyle.VIRTUAL_THREADS && virtualThreads.isEmpty()) {
                continue;
            }
            List<String> options = style == ProgramStyle.AGENT
                    ? List.of("-javaagent:" + Agent.required().jar() + "=quiet")
                    : List.of();
            List<String> args = List.of(style.name(), broker, stage.directory().toString());
            JvmCommand command = new JvmCommand(style.id(), options, ProgramClient.class.getName(), args);
            Launcher launcher = style == ProgramStyle.VIRTUAL_THREADS ? virtualThreads.get() : command.launcher();
            Client client = stage.client(command.with(launcher));
            client.awaitReady();
            clients.put(style, client);
        }
        return clients;
    }
}
