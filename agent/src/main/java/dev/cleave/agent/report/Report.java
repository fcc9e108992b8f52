package dev.cleave.agent.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What became of the remote calls of a program, and what they did in a run: the same for every form of the report.
 *
 * @param methods what was decided, a method each
 * @param figures what the calls did, empty if nothing was run
 * @param notes what else there is to say, a sentence each
 */
public record Report(List<MethodVerdicts> methods, List<SiteFigures> figures, List<String> notes) {

    /** Copies the lists. */
    public Report {
        methods = List.copyOf(methods);
        figures = List.copyOf(figures);
        notes = List.copyOf(notes);
    }

    /** Whether there is nothing to say. */
    public boolean isEmpty() {
        return methods.isEmpty() && notes.isEmpty();
    }

    /** The verdicts counted, as one line. */
    public String summary() {
        return "cleave: " + Tally.of(methods).sentence();
    }

    /** The methods of each class, classes by name. */
    Map<String, List<MethodVerdicts>> byClass() {
        Map<String, List<MethodVerdicts>> byClass = new TreeMap<>();
        for (MethodVerdicts method : methods) {
            byClass.computeIfAbsent(method.type(), type -> new ArrayList<>()).add(method);
        }
        return byClass;
    }
}
