package dev.cleave.agent.fuzz;

import dev.cleave.agent.completeness.Makespan;
import dev.cleave.agent.conformance.NamedMakespans;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Prints how much of what the data flow allows is reached: of random programs by their shapes, of named ones by class. */
final class CompletenessReport {

    private static final int SIZE = 17;
    private static final int WORST = 12;
    private static final int WAITS = 30;

    private final PrintWriter out;

    CompletenessReport(PrintWriter out) {
        this.out = out;
    }

    void run(long seed, int programs, Consumer<String> progress) {
        FuzzMakespans random = new FuzzMakespans();
        random.run(seed, programs, done -> progress.accept("completeness: " + done + " of " + programs + " programs"));
        progress.accept("");
        out.println(
                "Round trips in virtual time, of the programs that could be faster; completeness is ideal over rewritten.");
        out.println();
        table("random programs with", random.ofShapes());
        line("all", random.all());
        out.println();
        out.println("| what the rewritten random ones wait for | round trips |");
        out.println("|---|---|");
        random.waits()
                .dearest(WAITS)
                .forEach(reason -> out.printf(Locale.ROOT, "| %s | %d |%n", reason.getKey(), reason.getValue()));
        out.println();
        progress.accept("completeness: named programs");
        Map<String, List<Makespan>> named = NamedMakespans.ofClasses(SIZE);
        progress.accept("");
        table("named programs of", named);
        List<Makespan> all = named.values().stream().flatMap(List::stream).toList();
        line("all", all);
        line(
                "all that overlap",
                all.stream().filter(one -> one.rewritten() < one.written()).toList());
        out.println();
        worst("random", random.all());
        worst("named", all);
    }

    private void table(String title, Map<String, List<Makespan>> groups) {
        out.println(
                "| " + title + " | programs | could be faster | written | rewritten | ideal | saved of what can be |"
                        + " ideal within windows | saved | completeness, mean | at their ideal |");
        out.println("|---|---|---|---|---|---|---|---|---|---|---|");
        groups.forEach(this::line);
    }

    private void line(String name, List<Makespan> group) {
        List<Makespan> slow = group.stream().filter(Makespan::isSlow).toList();
        long written = slow.stream().mapToLong(Makespan::written).sum();
        long rewritten = slow.stream().mapToLong(Makespan::rewritten).sum();
        long within = slow.stream().mapToLong(Makespan::within).sum();
        long ideal = slow.stream().mapToLong(Makespan::ideal).sum();
        out.printf(
                Locale.ROOT,
                "| %s | %d | %d | %d | %d | %d | %.0f %% | %d | %.0f %% | %.2f | %.0f %% |%n",
                name,
                group.size(),
                slow.size(),
                written,
                rewritten,
                ideal,
                100.0 * (written - rewritten) / Math.max(1, written - ideal),
                within,
                100.0 * (written - rewritten) / Math.max(1, written - within),
                slow.stream().mapToDouble(Makespan::completeness).average().orElse(1),
                100.0 * slow.stream().filter(one -> one.completeness() == 1).count() / Math.max(1, slow.size()));
    }

    private void worst(String title, List<Makespan> all) {
        out.println("The worst of the " + title + " ones (written, rewritten, ideal):");
        all.stream()
                .filter(Makespan::isSlow)
                .sorted(Comparator.comparingDouble(Makespan::completeness).thenComparing(Makespan::name))
                .limit(WORST)
                .forEach(one -> out.printf(
                        Locale.ROOT, "  %s %d %d %d%n", one.name(), one.written(), one.rewritten(), one.ideal()));
    }
}
