package dev.cleave.agent.report;

import dev.cleave.agent.plan.verdict.Overlap;
import java.util.List;
import java.util.Locale;

/** Says in words which calls of a nest overlap, and what would make its critical path shorter. */
final class NestView {

    private final Overlap overlap;
    private final List<SiteFigures> figures;

    /**
     * Looks at a nest.
     *
     * @param figures the counters of the run, none if the program was not run
     */
    NestView(Overlap overlap, List<SiteFigures> figures) {
        this.overlap = overlap;
        this.figures = figures;
    }

    /** Returns the first line: where the nest is, how long its critical path is, and how much overlapped in the run. */
    String title() {
        int calls = overlap.steps().size();
        return place() + ": " + (calls == 1 ? "1 call" : calls + " calls") + path() + reached();
    }

    private String place() {
        return switch (overlap.shape()) {
            case RECURSION -> "recursion";
            case NEST -> "nest at line " + Wording.line(overlap.line());
            case LINE -> "calls from line " + Wording.line(overlap.line()) + " on";
        };
    }

    private String path() {
        int length = overlap.length();
        boolean follows = overlap.steps().stream().anyMatch(Overlap.Step::follows);
        if (length == 1 && !follows) {
            return ", none waits for another one";
        }
        return ", critical path of " + (length == 1 ? "1 call" : length + " calls")
                + (!follows ? "" : overlap.shape() == Overlap.Shape.RECURSION ? " a level" : " a pass");
    }

    private String reached() {
        long blocked = 0;
        long overlapped = 0;
        for (SiteFigures site : figures) {
            for (Overlap.Step step : overlap.steps()) {
                if (site.place().equals(step.place())
                        && site.line() == step.line()
                        && site.call().equals(step.call())) {
                    blocked += site.blockedNanos();
                    overlapped += site.overlappedNanos();
                    break;
                }
            }
        }
        return blocked + overlapped == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; in this run %.0f %% of the time of its calls overlapped",
                        100.0 * overlapped / (blocked + overlapped));
    }

    /** Returns what a call waits for, empty if it waits for nothing. */
    static String waits(Overlap.Step step) {
        List<String> others = step.waitsFor().stream()
                .filter(name -> !name.equals(step.call()))
                .toList();
        String waits = others.isEmpty() ? "" : "waits for " + String.join(", ", others);
        if (!step.follows()) {
            return waits;
        }
        return (waits.isEmpty() ? "" : waits + "; ") + "each waits for one before it";
    }

    /** Returns the one change that would shorten the critical path most, empty if all calls overlap. */
    String change() {
        if (!overlap.stays().isEmpty()) {
            Overlap.Stay stay = overlap.stays().get(0);
            String advice = stay.refusal().advice();
            return "line " + Wording.line(stay.line()) + ", " + stay.call() + " is not sent ahead: "
                    + stay.refusal().reason() + (advice.isEmpty() ? "" : "; " + advice);
        }
        Overlap.Step last = overlap.last();
        if (last == null) {
            return "";
        }
        String where = "line " + Wording.line(last.line()) + ", " + last.call();
        return last.follows()
                ? where + ": a method that gives several of these results at once"
                : where + ": a method that does not need "
                        + last.waitsFor().get(last.waitsFor().size() - 1) + " first, or gives both results at once";
    }
}
