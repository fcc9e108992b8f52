package dev.cleave.jmh.bench;

import dev.cleave.broker.report.TextTable;
import dev.cleave.jmh.bench.programs.Program;
import dev.cleave.jmh.bench.programs.ProgramStyle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What programs take, and how far the agent is from programs by hand. */
final class ProgramsTable {

    private static final double MEDIAN_GOAL = 1.15; // agent over by hand, where calls take time
    private static final double WORST_GOAL = 1.6;
    private static final double FREE_GOAL = 1.02; // agent over as written, where they take none

    private static final String GOALS = String.format(
            Locale.ROOT,
            "goals: agent/hand at most %.2f in the median and %.2f at worst where calls take time,"
                    + " agent/plain at most %.2f at worst where they take none",
            MEDIAN_GOAL,
            WORST_GOAL,
            FREE_GOAL);

    private ProgramsTable() {}

    /** A ratio of one program. */
    private record Ratio(Program program, double value) {}

    /** A line for each program that has figures. */
    static List<String> of(ProgramCell cell, List<Program> programs, List<Measurement> all) {
        TextTable table = new TextTable(
                "program", "as written", "agent", "by hand", "virtual threads", "agent/hand", "agent/plain");
        for (Program program : programs) {
            if (all.stream().anyMatch(m -> m.workload().equals(cell.workload(program)))) {
                table.add(
                        program.id(),
                        millis(time(cell, program, ProgramStyle.PLAIN, all)),
                        millis(time(cell, program, ProgramStyle.AGENT, all)),
                        millis(time(cell, program, ProgramStyle.HAND, all)),
                        millis(time(cell, program, ProgramStyle.VIRTUAL_THREADS, all)),
                        text(ratio(cell, program, ProgramStyle.HAND, all)),
                        text(ratio(cell, program, ProgramStyle.PLAIN, all)));
            }
        }
        return table.lines();
    }

    /** A line for each time that calls may take, with goals; a line for all of them. */
    static List<String> summary(List<Measurement> all) {
        TextTable table = new TextTable(
                "link ms",
                "service ms",
                "agent/hand median",
                "worst",
                "of",
                "agent/plain median",
                "worst",
                "of",
                "goals");
        List<Ratio> slow = new ArrayList<>();
        List<Ratio> slowOverPlain = new ArrayList<>();
        for (ProgramCell cell : ProgramCell.ALL) {
            List<Ratio> hand = ratios(cell, ProgramStyle.HAND, all);
            List<Ratio> plain = ratios(cell, ProgramStyle.PLAIN, all);
            if (cell.takesTime()) {
                slow.addAll(hand);
                slowOverPlain.addAll(plain);
            }
            if (!hand.isEmpty() || !plain.isEmpty()) {
                String goals = cell.takesTime() ? goals(hand) : goal(plain.isEmpty(), worst(plain) <= FREE_GOAL);
                add(table, cell.link(), cell.service(), hand, plain, goals);
            }
        }
        if (!slow.isEmpty()) {
            add(table, "-", "-", slow, slowOverPlain, goals(slow));
        }
        List<String> lines = new ArrayList<>(table.lines());
        lines.add("the last line is that of all programs where calls take time");
        lines.add(GOALS);
        lines.add("what the agent does to each call: bin/cleave explain jmh/target/classes");
        return lines;
    }

    private static void add(
            TextTable table, String link, String service, List<Ratio> hand, List<Ratio> plain, String goals) {
        table.add(
                link,
                service,
                text(median(hand)),
                text(hand.isEmpty() ? null : (Double) worst(hand)),
                worstProgram(hand),
                text(median(plain)),
                text(plain.isEmpty() ? null : (Double) worst(plain)),
                worstProgram(plain),
                goals);
    }

    private static String goals(List<Ratio> hand) {
        Double median = median(hand);
        return goal(median == null, median != null && median <= MEDIAN_GOAL && worst(hand) <= WORST_GOAL);
    }

    private static String goal(boolean isUnknown, boolean isReached) {
        return isUnknown ? TextTable.NONE : isReached ? "reached" : "missed";
    }

    private static List<Ratio> ratios(ProgramCell cell, ProgramStyle base, List<Measurement> all) {
        List<Ratio> ratios = new ArrayList<>();
        for (Program program : Program.values()) {
            Double ratio = ratio(cell, program, base, all);
            if (ratio != null) {
                ratios.add(new Ratio(program, ratio));
            }
        }
        return ratios;
    }

    private static @Nullable Double ratio(ProgramCell cell, Program program, ProgramStyle base, List<Measurement> all) {
        Double agent = time(cell, program, ProgramStyle.AGENT, all);
        Double other = time(cell, program, base, all);
        return agent == null || other == null ? null : (Double) (agent / other);
    }

    private static @Nullable Double time(ProgramCell cell, Program program, ProgramStyle style, List<Measurement> all) {
        for (Measurement m : all) {
            if (m.workload().equals(cell.workload(program)) && m.contender().equals(style.id())) {
                return m.value();
            }
        }
        return null;
    }

    private static @Nullable Double median(List<Ratio> ratios) {
        return ratios.isEmpty()
                ? null
                : (Double) new Figures(ratios.stream().map(Ratio::value).toList()).median();
    }

    private static double worst(List<Ratio> ratios) {
        return ratios.stream().mapToDouble(Ratio::value).max().orElse(Double.NaN);
    }

    private static String worstProgram(List<Ratio> ratios) {
        return ratios.stream()
                .max(Comparator.comparingDouble(Ratio::value))
                .map(ratio -> ratio.program().id())
                .orElse(TextTable.NONE);
    }

    private static String millis(@Nullable Double value) {
        return value == null ? TextTable.NONE : String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.0f", value);
    }

    private static String text(@Nullable Double ratio) {
        return ratio == null ? TextTable.NONE : String.format(Locale.ROOT, "%.2f", ratio);
    }
}
