package dev.cleave.examples.experiment;

import dev.cleave.broker.cli.CommandException;
import dev.cleave.broker.cli.Progress;
import dev.cleave.broker.process.Member;
import dev.cleave.examples.pipeline.Chain;
import dev.cleave.examples.pipeline.Far;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** The CORD paper's Figures 1c, 3 and 4: results that go from call to call, as written and with the agent. */
final class PipelineExperiment implements Experiment {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int LINK_MICROS = 20_000;
    private static final int WARM_UP = 5; // cold, ten processes of two cores compile each hop anew
    private static final String STAGES = "stages";
    private static final String WRITTEN = "/as-written";

    private final Supplier<Path> file;
    private final List<Chain> chains;
    private final boolean isShort;
    private final Map<String, String> results = new HashMap<>(); // by case

    /**
     * Creates one.
     *
     * @param file the application file, with a service for each station
     */
    PipelineExperiment(Supplier<Path> file, List<Chain> chains) {
        this(file, chains, false);
    }

    private PipelineExperiment(Supplier<Path> file, List<Chain> chains, boolean isShort) {
        this.isShort = isShort;
        this.file = file;
        this.chains = List.copyOf(chains);
    }

    static PipelineExperiment ofAllChains() {
        return new PipelineExperiment(() -> Home.file("pipeline.yaml"), Chain.all());
    }

    @Override
    public String title() {
        return "pipelining";
    }

    @Override
    public String question() {
        return "How often does a client wait when each call needs the result before it? (CORD, Figs. 1c, 3, 4)";
    }

    @Override
    public Headline headline(Figures figures) {
        return new Headline(
                "one trip, in a figure without numbers",
                String.format(
                        Locale.ROOT,
                        "%.0f of 8 trips; eight servers %.0f of 8",
                        figures.value("chain/8", "round-trips"),
                        figures.value("chain/8/servers", "round-trips")));
    }

    @Override
    public String charts(Figures figures) {
        return DnaPage.pipeline(figures);
    }

    @Override
    public int seconds(int rounds) {
        return isShort ? 95 + (rounds + WARM_UP) * 4 : 140 + (rounds + WARM_UP) * 14;
    }

    @Override
    public Experiment shortened() {
        return new PipelineExperiment(
                file, chains.stream().filter(chain -> !chain.isLarge()).toList(), true);
    }

    @Override
    public String leftOut() {
        return isShort
                ? "values of 64 MiB, and all rounds but one of the stages, which compute (bin/cleave experiment pipeline has them)"
                : "";
    }

    @Override
    public String name() {
        return "pipeline";
    }

    @Override
    public List<String> notes() {
        return List.of(
                "pipeline: calls of which each needs the result of the one before it. The client is "
                        + LINK_MICROS / 1000
                        + " ms (there and back) away from the servers and the broker, which are near to each other.",
                "round-trips: how often the client sends requests for the first time or after it has heard an answer; counted,"
                        + " not timed. .../as-written: the same program without the agent. 64 MiB, and values other than int and records at several places:"
                        + " one round only. ideal of time: one round trip.");
    }

    @Override
    public List<Measurement> run(int rounds, Stage stage, Progress progress) {
        progress.show("pipeline: starting broker and servers");
        Path application = file.get();
        var servers = stage.serve(application, List.of("-Xmx1g"));
        Map<String, Member> clients = new HashMap<>();
        for (Calls calls : Calls.values()) {
            Client client = new Client(
                    "client-" + (calls == Calls.CLEAVED ? "agent" : "plain"),
                    calls,
                    application,
                    servers,
                    Far.class,
                    List.of(Integer.toString(LINK_MICROS)));
            clients.put(calls == Calls.CLEAVED ? "" : WRITTEN, stage.start(client, List.of("-Xmx1g")));
        }
        clients.values().forEach(client -> client.awaitLine("ready", PATIENCE));
        Cases times = new Cases();
        Cases trips = new Cases();
        for (int round = 1 - WARM_UP; round <= rounds; round++) {
            for (Chain chain : chains) {
                progress.show("pipeline: " + (round <= 0 ? "warming up" : "round " + round + " of " + rounds) + ", "
                        + chain.label());
                boolean counts = round > 0;
                for (Map.Entry<String, Member> client : inOrder(clients, round)) {
                    if (isLeftOut(chain, round) || isLeftOut(chain, client.getKey())) {
                        continue;
                    }
                    String label = chain.label() + client.getKey();
                    String[] words = answer(client.getValue(), chain);
                    if (counts) {
                        times.add(label, Double.parseDouble(words[1]));
                        trips.add(label, Double.parseDouble(words[2]));
                    }
                }
            }
        }
        return measurements(times, trips);
    }

    /** The clients of a round: who comes first alternates, since the second one finds servers that have run the code. */
    private static List<Map.Entry<String, Member>> inOrder(Map<String, Member> clients, int round) {
        List<Map.Entry<String, Member>> order = new ArrayList<>(clients.entrySet());
        if (Math.floorMod(round, 2) == 1) {
            Collections.reverse(order);
        }
        return order;
    }

    /**
     * Whether a round does without a chain. Stages take long; their first rounds take more trips, until links are made and helpers have
     * shown themselves. Chains that are counted run in one round, and before it in one that warms up their code, but for large values.
     */
    private boolean isLeftOut(Chain chain, int round) {
        return chain.isCounted()
                ? round != 1 && (round != 0 || chain.isLarge())
                : isShort && chain.label().startsWith(STAGES) && round > 1;
    }

    /** Whether a program is not run: 64 MiB take half a minute as written, and the same time at each place. */
    private static boolean isLeftOut(Chain chain, String way) {
        return chain.isLarge() && chain.placed() != Chain.Placed.ONE && way.equals(WRITTEN);
    }

    private String[] answer(Member client, Chain chain) {
        client.send(chain.label());
        String[] words = client.awaitLine("done ", PATIENCE).split(" ");
        String known = results.putIfAbsent(chain.label(), words[3]);
        if (known != null && !known.equals(words[3])) {
            throw new CommandException("pipeline " + chain.label() + ": the results differ, " + known + " and "
                    + words[3] + "; see " + client.log());
        }
        return words;
    }

    private List<Measurement> measurements(Cases times, Cases trips) {
        List<Measurement> all = new ArrayList<>();
        for (Chain chain : chains) {
            for (String way : List.of("", WRITTEN)) {
                if (isLeftOut(chain, way)) {
                    continue;
                }
                String label = chain.label() + way;
                boolean isOfStages = chain.label().startsWith(STAGES);
                all.add(new Measurement(name(), label, "round-trips", trips.median(label), "trips", null, 1.0));
                all.add(new Measurement(
                                name(),
                                label,
                                "time",
                                times.median(label),
                                "s",
                                null,
                                isOfStages ? null : LINK_MICROS / 1e6)
                        .spread(times.spread(label)));
            }
        }
        return all;
    }
}
