package dev.cleave.agent.premain;

import dev.cleave.agent.plan.Verdict;
import dev.cleave.agent.report.MethodVerdicts;
import dev.cleave.agent.transform.Rewritten;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was decided so far. Safe for use by any thread. */
final class Findings {

    private final Map<String, List<MethodVerdicts>> byClass = new LinkedHashMap<>(); // guarded by this

    /** Keeps what was decided about a class; a class transformed again replaces what was kept. */
    synchronized void add(Rewritten rewritten) {
        List<MethodVerdicts> methods = new ArrayList<>();
        for (Map.Entry<String, List<Verdict>> method : rewritten.verdicts().entrySet()) {
            String name = method.getKey().substring(0, method.getKey().indexOf('('));
            methods.add(new MethodVerdicts(rewritten.name(), name, method.getValue()));
        }
        byClass.put(rewritten.name(), methods);
    }

    synchronized List<MethodVerdicts> all() {
        List<MethodVerdicts> all = new ArrayList<>();
        byClass.values().forEach(all::addAll);
        return all;
    }
}
