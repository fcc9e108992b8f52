package dev.cleave.agent.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The verdicts on the remote calls of a program, and their counters in a run: the contents of every form of the report.
 *
 * @param methods the verdicts of each method
 * @param figures the counters of the calls, empty if the program was not run
 * @param overhead what calls cost in the run; null if the program was not run, or waited for no call
 * @param notes further facts, a sentence each
 */
public record Report(
        List<MethodVerdicts> methods,
        List<SiteFigures> figures,
        @Nullable Overhead overhead,
        List<String> notes) {

    /** Copies the lists. */
    public Report {
        methods = List.copyOf(methods);
        figures = List.copyOf(figures);
        notes = List.copyOf(notes);
    }

    /** A report of a program that was not run. */
    public Report(List<MethodVerdicts> methods, List<String> notes) {
        this(methods, List.of(), null, notes);
    }

    /** Whether the report is empty. */
    public boolean isEmpty() {
        return methods.isEmpty() && notes.isEmpty();
    }

    /** Returns the numbers of verdicts, as one line. */
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
