package dev.cleave.rt;

import java.util.HashMap;
import java.util.Map;

/**
 * The windows that a changed application file gives to methods while the process runs. The rewritten code holds those of its start.
 * Safe for use by any thread.
 */
public final class Bounds {

    private static final Map<Object, Map<String, Integer>> BY_OWNER = new HashMap<>(); // guarded by Bounds.class
    private static volatile Map<String, Integer> byCall = Map.of();

    private Bounds() {}

    /**
     * Sets the windows that one owner wants, in the place of those that it gave before; of several owners the least counts. A loop that runs has its new window from its next send on.
     *
     * @param owner who has read the file, a node
     * @param windows by remote method, such as {@code Compare.score}; {@link Integer#MAX_VALUE} for the automatic one
     */
    public static synchronized void change(Object owner, Map<String, Integer> windows) {
        if (windows.isEmpty()) {
            BY_OWNER.remove(owner);
        } else {
            BY_OWNER.put(owner, Map.copyOf(windows));
        }
        Map<String, Integer> all = new HashMap<>();
        BY_OWNER.values().forEach(each -> each.forEach((call, window) -> all.merge(call, window, Math::min)));
        byCall = Map.copyOf(all);
    }

    /** The windows; the map is another one after each change. */
    static Map<String, Integer> known() {
        return byCall;
    }
}
