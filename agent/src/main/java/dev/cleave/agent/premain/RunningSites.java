package dev.cleave.agent.premain;

import dev.cleave.agent.report.Overhead;
import dev.cleave.agent.report.SiteFigures;
import dev.cleave.agent.transform.CoreNames;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the counters that the core keeps while rewritten programs run. */
public final class RunningSites {

    private RunningSites() {}

    /** Returns the counters so far; none if the loader has no core. */
    public static List<SiteFigures> figures(ClassLoader core) {
        try {
            return figures(Class.forName(CoreNames.SITES_CLASS, true, core));
        } catch (ReflectiveOperationException | LinkageError e) {
            return List.of();
        }
    }

    /**
     * Returns the counters so far of each core among some loaded classes: programs in jars of jars, in web applications
     * and in restarted class loaders have theirs below the system class loader, and may have several.
     */
    static List<SiteFigures> figures(Class<?>[] loaded) {
        List<SiteFigures> figures = new ArrayList<>();
        for (Class<?> type : loaded) {
            if (type.getName().equals(CoreNames.SITES_CLASS)) {
                try {
                    figures.addAll(figures(type));
                } catch (ReflectiveOperationException
                        | RuntimeException
                        | LinkageError e) { // its loader has been closed
                    continue;
                }
            }
        }
        return figures;
    }

    /** Returns what calls have cost so far; of several cores, that of the one that has made calls for the longest time. */
    static @Nullable Overhead overhead(Class<?>[] loaded) {
        Overhead longest = null;
        for (Class<?> type : loaded) {
            if (type.getName().equals(CoreNames.SITES_CLASS)) {
                try {
                    Overhead each = Overhead.parse(
                            type.getMethod("blockedText").invoke(null).toString());
                    longest =
                            longest == null || each != null && each.spanNanos() > longest.spanNanos() ? each : longest;
                } catch (ReflectiveOperationException
                        | RuntimeException
                        | LinkageError e) { // a core of another version, or its loader has been closed
                    continue;
                }
            }
        }
        return longest;
    }

    private static List<SiteFigures> figures(Class<?> sites) throws ReflectiveOperationException {
        return SiteFigures.parse(sites.getMethod("text").invoke(null).toString());
    }
}
