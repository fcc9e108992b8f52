package dev.cleave.agent.premain;

import dev.cleave.agent.plan.helper.HelperUse;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.report.HelperFates;
import dev.cleave.agent.report.Notes;
import dev.cleave.agent.transform.Rewritten;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the verdicts on all classes so far. Safe for use by any thread. */
final class Findings {

    private final Map<String, Found> byClass = new LinkedHashMap<>(); // guarded by this
    private final Map<String, List<HelperUse>> uses = new LinkedHashMap<>(); // guarded by this
    private final Set<String> woven = new LinkedHashSet<>(); // guarded by this

    /**
     * The verdicts on one class.
     *
     * @param loader its loader, held weakly
     * @param verdicts by name and descriptor of the method
     */
    record Found(WeakReference<ClassLoader> loader, String name, Map<String, List<Verdict>> verdicts) {}

    /** Adds the verdicts on a class; a class that is transformed again replaces its earlier verdicts. */
    synchronized void add(ClassLoader loader, Rewritten rewritten) {
        uses.put(rewritten.name(), rewritten.uses());
        byClass.put(rewritten.name(), new Found(new WeakReference<>(loader), rewritten.name(), rewritten.verdicts()));
    }

    /** Whether there are verdicts on a class. */
    synchronized boolean has(String name) {
        return byClass.containsKey(name);
    }

    /** Notes that a class was woven before it was loaded. */
    synchronized void addWoven(String name) {
        woven.add(name);
    }

    /** Whether there is nothing to report. */
    synchronized boolean isEmpty() {
        return byClass.isEmpty() && woven.isEmpty();
    }

    /** Returns all verdicts; calls in helpers have the best verdict of their callers. */
    synchronized List<Found> all() {
        HelperFates fates = new HelperFates();
        uses.values().forEach(fates::add);
        return byClass.values().stream()
                .map(found -> new Found(found.loader(), found.name(), fates.on(found.name(), found.verdicts())))
                .toList();
    }

    /** Returns further facts about the classes, for the report. */
    synchronized List<String> notes() {
        return woven.isEmpty() ? List.of() : List.of(Notes.woven(woven));
    }
}
