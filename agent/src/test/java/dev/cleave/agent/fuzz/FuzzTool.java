package dev.cleave.agent.fuzz;

import dev.cleave.agent.mutation.MutationReport;
import dev.cleave.config.Bindings;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Runs the differential fuzzer, or what else is done with its programs; {@code bin/cleave fuzz} calls it by name. */
public final class FuzzTool {

    private static final int QUEUE = 1024; // calls that wait at a server of two nodes

    static final List<String> VERDICTS = List.of("SPLIT", "PIPELINED", "PREFETCHED", "CHAINED", "SEQUENTIAL");

    private final PrintWriter out;
    private final Terminal terminal;
    private final int programs;
    private final long seed;
    private final int jobs;

    private FuzzTool(PrintWriter out, Terminal terminal, int programs, long seed, int jobs) {
        this.out = out;
        this.terminal = terminal;
        this.programs = programs;
        this.seed = seed;
        this.jobs = jobs;
    }

    /**
     * Compares programs; or prints them, measures how complete their rewriting is, or breaks rules.
     *
     * @param err where progress is shown if it is a terminal
     * @param mutated rules to break, {@code all}, or none for the other things
     * @return whether nothing differs
     */
    public static boolean run(
            PrintWriter out,
            PrintWriter err,
            int programs,
            long seed,
            int jobs,
            boolean prints,
            boolean measures,
            List<String> mutated) {
        Terminal terminal = new Terminal(err);
        FuzzTool tool = new FuzzTool(out, terminal, programs, seed, jobs);
        try {
            if (prints) {
                tool.print();
                return true;
            }
            if (!mutated.isEmpty()) {
                List<String> rules = mutated.equals(List.of("all")) ? List.of() : mutated;
                return new MutationReport(rules, jobs).run(out, terminal::show);
            }
            if (measures) {
                new CompletenessReport(out).run(seed, programs, terminal::show);
                return true;
            }
            return tool.compare();
        } finally {
            out.flush();
            err.flush();
        }
    }

    /**
     * Compares programs whose services are on two nodes.
     *
     * @param broker the endpoint of their broker
     * @return whether nothing differs
     */
    public static boolean run(PrintWriter out, PrintWriter err, int programs, long seed, String broker) {
        Terminal terminal = new Terminal(err);
        NodeFuzz fuzz = new NodeFuzz(seed, programs, QUEUE);
        NodeOptions options = NodeOptions.DEFAULT.withBindings(Bindings.NONE).withBroker(Endpoint.parse(broker));
        List<String> found = fuzz.run(
                options, done -> terminal.show(String.format(Locale.ROOT, "fuzz: %,d of %,d seeds", done, programs)));
        terminal.clear();
        out.println(String.format(
                Locale.ROOT,
                "%,d programs of seeds %d to %d over two nodes, %,d calls promised: %s",
                fuzz.taken(),
                seed,
                seed + programs - 1,
                fuzz.promised(),
                found.isEmpty() ? "none differs" : "a program differs"));
        found.forEach(out::println);
        out.flush();
        return found.isEmpty();
    }

    private void print() {
        for (int i = 0; i < programs; i++) {
            out.println(ProgramGenerator.program("P" + i, seed + i));
        }
    }

    private boolean compare() {
        long begin = System.nanoTime();
        FuzzResult result = new Fuzz(seed, programs, jobs).run(sum -> terminal.show(progress(sum, begin)));
        terminal.clear();
        out.println(summary(result, begin));
        out.println(table(result));
        for (FuzzResult.Divergence divergence : result.divergences()) {
            out.println("program of seed " + divergence.seed() + " differs");
        }
        if (!result.divergences().isEmpty()) {
            show(result.divergences().get(0));
            return false;
        }
        return true;
    }

    private String progress(FuzzResult sum, long begin) {
        double perSecond = perSecond(sum, begin);
        long left = Math.round((programs - sum.programs()) / perSecond);
        return String.format(
                Locale.ROOT,
                "fuzz: %,d of %,d programs, %,d runs, %.0f programs/s, %d:%02d left%s",
                sum.programs(),
                programs,
                sum.runs(),
                perSecond,
                left / 60,
                left % 60,
                sum.divergences().isEmpty() ? "" : ", " + sum.divergences().size() + " differ");
    }

    private String summary(FuzzResult result, long begin) {
        return String.format(
                Locale.ROOT,
                "%,d programs of seeds %d to %d, %,d runs of each form on JDK %d: %d differ;"
                        + " %.0f programs/s, at most %d calls in flight",
                result.programs(),
                seed,
                seed + programs - 1,
                result.runs(),
                Runtime.version().feature(),
                result.divergences().size(),
                perSecond(result, begin),
                result.mostInFlight());
    }

    private static double perSecond(FuzzResult sum, long begin) {
        return sum.programs() * 1e9 / Math.max(1, System.nanoTime() - begin);
    }

    private static String table(FuzzResult result) {
        int calls =
                result.verdicts().values().stream().mapToInt(Integer::intValue).sum();
        StringBuilder text = new StringBuilder("calls: ").append(String.format(Locale.ROOT, "%,d", calls));
        for (String verdict : VERDICTS) {
            text.append(String.format(
                    Locale.ROOT,
                    ", %s %.1f %%",
                    verdict.toLowerCase(Locale.ROOT),
                    100.0 * result.count(verdict) / Math.max(1, calls)));
        }
        text.append(String.format(
                Locale.ROOT,
                "\nstrands sent calls of %.1f %% of the programs, and went on with results in %.1f %%",
                100.0 * result.stranded() / Math.max(1, result.programs()),
                100.0 * result.looking() / Math.max(1, result.programs())));
        text.append("\nprograms with:");
        int column = 0;
        for (String shape : FuzzShape.all()) {
            double share = 100.0 * result.shapes().getOrDefault(shape, 0) / Math.max(1, result.programs());
            text.append(column++ % 3 == 0 ? "\n  " : "")
                    .append(String.format(Locale.ROOT, "%-26s %5.1f %%   ", shape, share));
        }
        return text.toString();
    }

    private void show(FuzzResult.Divergence divergence) {
        terminal.show("fuzz: shrinking the program of seed " + divergence.seed());
        Shrinker.Shrunk shrunk = new Shrinker(divergence.seed()).shrink();
        terminal.clear();
        out.println();
        out.println("The first of them, shrunk from " + shrunk.linesBefore() + " lines to " + shrunk.lines() + ":");
        out.println();
        out.println(shrunk.source());
        out.println(shrunk.differences());
        out.println("again, as generated: bin/cleave fuzz --programs 1 --seed " + divergence.seed());
    }
}
