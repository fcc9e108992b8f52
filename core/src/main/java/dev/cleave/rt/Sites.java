package dev.cleave.rt;

import dev.cleave.call.BlockedTime;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.stream.Collectors;

/**
 * All rewritten calls of this process that were reached: their counters, and the switches that make them run as
 * written.
 *
 * <p>A call is switched off by a name: {@code *} for all, words of the place ({@code com.shop.Search}, {@code
 * Search.best}, {@code Search.best:41}), or of the remote method ({@code Compare.score}). It may happen at any time,
 * also in the middle of a loop: no call is sent ahead from then on, and calls that have been sent are still taken at
 * their places. The names in the system property {@code cleave.off}, separated by commas, are switched off from the
 * start. With {@code -Dcleave.jmx=true} all of this is also the MBean {@code dev.cleave:type=Sites}. Safe for use by
 * any thread.
 */
public final class Sites {

    private static final ConcurrentMap<String, Site> ALL = new ConcurrentHashMap<>();
    private static final Set<SiteName> OFF = new CopyOnWriteArraySet<>();
    private static final Map<Object, Set<SiteName>> BY_FILE = new ConcurrentHashMap<>(); // by owner
    private static volatile boolean enabled = true;

    static {
        for (String name : System.getProperty("cleave.off", "").split(",")) {
            if (!name.isBlank()) {
                switchOff(name.strip());
            }
        }
        if (Boolean.getBoolean("cleave.jmx")) {
            SitesBean.register();
        }
    }

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

    /** The counters as text for code that knows this class by name only: a line per call, tab separated. */
    public static String text() {
        StringBuilder text = new StringBuilder();
        for (SiteCounters site : counters()) {
            text.append(site.toLine()).append('\n');
        }
        return text.toString();
    }

    /**
     * How long the program was blocked for calls, as text for code that knows this class by name only: nanoseconds from the first call
     * to the end of the last wait, and those of them in which a thread was blocked, rewritten or not; separated by a tab.
     */
    public static String blockedText() {
        BlockedTime.Figures time = BlockedTime.figures();
        return time.spanNanos() + "\t" + time.blockedNanos();
    }

    /** Makes every send decline from now on: the program runs as written. */
    public static void switchOff() {
        switchOff(SiteName.ALL.text());
    }

    /** Makes the sends of the calls of this name decline from now on, those not yet reached included. */
    public static void switchOff(String name) {
        OFF.add(new SiteName(name));
        apply();
    }

    /** Lets all calls be sent again. */
    public static void switchOn() {
        OFF.clear();
        apply();
    }

    /** Takes back one {@link #switchOff(String)} of the same name; says whether there was one. */
    public static boolean switchOn(String name) {
        boolean wasOff = OFF.remove(new SiteName(name));
        apply();
        return wasOff;
    }

    /**
     * Makes the sends of the calls of these names decline, and no longer those of the names that the owner gave before: an
     * application file that has changed wants them otherwise than the rewritten code.
     *
     * @param owner who has read the file, a node
     */
    public static void switchOffByFile(Object owner, Collection<String> names) {
        if (names.isEmpty()) {
            BY_FILE.remove(owner);
        } else {
            BY_FILE.put(owner, names.stream().map(SiteName::new).collect(Collectors.toUnmodifiableSet()));
        }
        apply();
    }

    /** The names that are switched off now. */
    public static List<String> switchedOff() {
        return OFF.stream().map(SiteName::text).toList();
    }

    /** Whether no name switches off all calls. */
    static boolean isEnabled() {
        return enabled;
    }

    static Site of(String place, int line, String call) {
        Site site = ALL.computeIfAbsent(place + ':' + line + ':' + call, key -> new Site(place, line, call));
        site.switchTo(off()); // a name that came meanwhile is applied by its thread to the site in the map
        return site;
    }

    private static synchronized void apply() {
        enabled = !OFF.contains(SiteName.ALL);
        Set<SiteName> names = off();
        for (Site site : ALL.values()) {
            site.switchTo(names);
        }
    }

    private static Set<SiteName> off() {
        if (BY_FILE.isEmpty()) {
            return OFF;
        }
        Set<SiteName> all = new HashSet<>(OFF);
        BY_FILE.values().forEach(all::addAll);
        return all;
    }
}
