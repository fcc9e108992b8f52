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

/** What was decided so far. Safe for use by any thread. */
final class Findings {

    private final Map<String, Found> byClass = new LinkedHashMap<>(); // guarded by this
    private final Map<String, List<HelperUse>> uses = new LinkedHashMap<>(); // guarded by this
    private final Set<String> woven = new LinkedHashSet<>(); // guarded by this

    /**
     * What was decided about one class.
     *
     * @param loader its loader, held weakly
     * @param verdicts by name and descriptor of the method
     */
    record Found(WeakReference<ClassLoader> loader, String name, Map<String, List<Verdict>> verdicts) {}

    /** Keeps what was decided about a class; a class transformed again replaces what was kept. */
    synchronized void add(ClassLoader loader, Rewritten rewritten) {
        uses.put(rewritten.name(), rewritten.uses());
        byClass.put(rewritten.name(), new Found(new WeakReference<>(loader), rewritten.name(), rewritten.verdicts()));
    }

    /** Whether something was decided about a class before. */
    synchronized boolean has(String name) {
        return byClass.containsKey(name);
    }

    /** Keeps that a class was woven before it was loaded. */
    synchronized void addWoven(String name) {
        woven.add(name);
    }

    /** Whether there is nothing to tell. */
    synchronized boolean isEmpty() {
        return byClass.isEmpty() && woven.isEmpty();
    }

    /** All that was decided; calls in helpers share the fate of those of their callers. */
    synchronized List<Found> all() {
        HelperFates fates = new HelperFates();
        uses.values().forEach(fates::add);
        return byClass.values().stream()
                .map(found -> new Found(found.loader(), found.name(), fates.on(found.name(), found.verdicts())))
                .toList();
    }

    /** What else there is to say about the classes. */
    synchronized List<String> notes() {
        return woven.isEmpty() ? List.of() : List.of(Notes.woven(woven));
    }
}
