package dev.cleave.rt;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** All rewritten calls of this process that were reached, with their counters. */
public final class Sites {

    private static final ConcurrentMap<String, Site> ALL = new ConcurrentHashMap<>();
    private static volatile boolean enabled = true;

    private Sites() {}

    /** The counters of all calls that were reached, by place and line. */
    public static List<SiteCounters> counters() {
        return ALL.values().stream()
                .map(Site::counters)
                .sorted((a, b) -> {
                    int byPlace = a.place().compareTo(b.place());
                    return byPlace != 0 ? byPlace : Integer.compare(a.line(), b.line());
                })
                .toList();
    }

    /** The counters as text for readers that know this class by name only: a line per call, tab separated. */
    public static String text() {
        StringBuilder text = new StringBuilder();
        for (SiteCounters site : counters()) {
            text.append(site.toLine()).append('\n');
        }
        return text.toString();
    }

    /** Lets calls be sent again. */
    public static void switchOn() {
        enabled = true;
    }

    /** Makes every send decline from now on: the program runs as written. */
    public static void switchOff() {
        enabled = false;
    }

    static boolean isEnabled() {
        return enabled;
    }

    static Site of(String place, int line, String call) {
        return ALL.computeIfAbsent(place + ':' + line + ':' + call, key -> new Site(place, line, call));
    }
}
