package dev.cleave.agent.premain;

import dev.cleave.agent.report.MethodVerdicts;
import dev.cleave.agent.report.Notes;
import dev.cleave.agent.transform.Rewritten;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What was decided so far. Safe for use by any thread. */
final class Findings {

    private final Map<String, List<MethodVerdicts>> byClass = new LinkedHashMap<>(); // guarded by this
    private final Set<String> woven = new LinkedHashSet<>(); // guarded by this

    /** Keeps what was decided about a class; a class transformed again replaces what was kept. */
    synchronized void add(Rewritten rewritten) {
        byClass.put(rewritten.name(), MethodVerdicts.of(rewritten.name(), rewritten.verdicts()));
    }

    /** Keeps that a class was woven before it was loaded. */
    synchronized void addWoven(String name) {
        woven.add(name);
    }

    synchronized List<MethodVerdicts> all() {
        List<MethodVerdicts> all = new ArrayList<>();
        byClass.values().forEach(all::addAll);
        return all;
    }

    /** What else there is to say about the classes. */
    synchronized List<String> notes() {
        return woven.isEmpty() ? List.of() : List.of(Notes.woven(woven));
    }
}
