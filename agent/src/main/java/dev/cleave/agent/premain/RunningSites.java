package dev.cleave.agent.premain;

import dev.cleave.agent.report.SiteFigures;
import dev.cleave.agent.transform.CoreNames;
import java.util.List;

/** Reads the counters that the core keeps while rewritten programs run. */
public final class RunningSites {

    private RunningSites() {}

    /** Returns the counters so far; none if the loader has no core. */
    public static List<SiteFigures> figures(ClassLoader core) {
        try {
            Object text = Class.forName(CoreNames.SITES_CLASS, true, core)
                    .getMethod("text")
                    .invoke(null);
            return SiteFigures.parse(text.toString());
        } catch (ReflectiveOperationException | LinkageError e) {
            return List.of();
        }
    }
}
