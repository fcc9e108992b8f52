package dev.cleave.agent.fuzz;

import dev.cleave.agent.mutation.MutationReport;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** The command line of the differential fuzzer; {@code bin/cleave fuzz} calls it by name. */
public final class FuzzTool {

    private static final String USAGE =
            " (expected: [--programs N] [--seed S] [--jobs J] [--print] [--completeness]" + " [--mutate RULE,...|all])";
    static final List<String> VERDICTS = List.of("SPLIT", "PIPELINED", "PREFETCHED", "CHAINED", "SEQUENTIAL");

    private final PrintWriter out;
    private final Terminal terminal;
    private int programs = 1_000;
    private long seed = System.nanoTime() & 0xffffff;
    private int jobs = Runtime.getRuntime().availableProcessors();
    private boolean prints;
    private boolean measures;
    private List<String> mutated = List.of();

    private FuzzTool(PrintWriter out, Terminal terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /**
     * Runs the command.
     *
     * @return the exit code: 0 nothing differs, 1 something does, 2 the command line is not understood
     */
    public static int run(PrintWriter out, PrintWriter err, String... words) {
        try {
            FuzzTool tool = new FuzzTool(out, new Terminal(err));
            tool.read(words);
            return tool.run();
        } catch (IllegalArgumentException e) {
            err.println("cleave: " + e.getMessage());
            return 2;
        } catch (IllegalStateException e) {
            err.println("cleave: " + e.getMessage());
            return 1;
        } finally {
            out.flush();
            err.flush();
        }
    }

    private void read(String[] words) {
        for (int i = 0; i < words.length; i++) {
            switch (words[i]) {
                case "--programs" -> programs = (int) number(words, ++i, 1, 100_000_000);
                case "--seed" -> seed = number(words, ++i, Long.MIN_VALUE, Long.MAX_VALUE);
                case "--jobs" -> jobs = (int) number(words, ++i, 1, 256);
                case "--print" -> prints = true;
                case "--completeness" -> measures = true;
                case "--mutate" -> mutated = ++i < words.length ? List.of(words[i].split(",")) : List.of("all");
                default -> throw new IllegalArgumentException(words[i] + ": not understood" + USAGE);
            }
        }
    }

    private static long number(String[] words, int at, long least, long most) {
        try {
            long number = Long.parseLong(words[at]);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            // told below
        }
        String found = at < words.length ? words[at] : "nothing";
        throw new IllegalArgumentException(
                words[at - 1] + ": " + found + " (expected: a number from " + least + " to " + most + ")");
    }

    private int run() {
        if (prints) {
            for (int i = 0; i < programs; i++) {
                out.println(ProgramGenerator.program("P" + i, seed + i));
            }
            return 0;
        }
        if (!mutated.isEmpty()) {
            List<String> rules = mutated.equals(List.of("all")) ? List.of() : mutated;
            return new MutationReport(rules, jobs).run(out, terminal::show) ? 0 : 1;
        }
        if (measures) {
            new CompletenessReport(out).run(seed, programs, terminal::show);
            return 0;
        }
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
            return 1;
        }
        return 0;
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
