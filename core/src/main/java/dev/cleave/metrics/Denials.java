package dev.cleave.metrics;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Denials of peers: all are counted. Of one peer and reason the first {@value #MOST_OF_PEER} that differ are logged once each, and
 * then that the others are only counted: what is denied is the peer's choice, and may not fill a log. After {@value #MOST}
 * peers and reasons the process forgets all and begins anew. Thread-safe.
 */
public final class Denials {

    private static final int MOST = 1_024;
    private static final int MOST_OF_PEER = 8;

    private final System.Logger log;

    @GuardedBy("this")
    private final Map<String, Set<String>> logged = new HashMap<>(); // what was denied, by peer and reason

    /** Creates a log of denials that are written to a logger. */
    public Denials(System.Logger log) {
        this.log = requireNonNull(log, "log");
    }

    /**
     * Counts a denial as {@code denied.REASON} of {@link Refusals}, and logs it unless the peer was denied the same
     * before, or too much.
     *
     * @param reason one of a fixed set of words; no part of it may come from a peer
     * @param who names the peer, printable
     * @param what was denied, printable
     */
    public void denied(String reason, String who, String what) {
        Refusals.count("denied." + reason);
        int number = number(reason + ' ' + who, what);
        if (number > 0 && number <= MOST_OF_PEER) {
            log.log(System.Logger.Level.WARNING, "denied to {0}: {1}", who, what);
        } else if (number > MOST_OF_PEER) {
            log.log(
                    System.Logger.Level.WARNING,
                    "denied to {0}: more of this kind, which is only counted from now on (denied.{1})",
                    who,
                    reason);
        }
    }

    /** Returns which denial of a peer and reason this is, from 1; 0 if it is not to be logged. */
    private synchronized int number(String peer, String what) {
        if (logged.size() >= MOST && !logged.containsKey(peer)) {
            logged.clear();
        }
        Set<String> of = logged.computeIfAbsent(peer, p -> new HashSet<>());
        return of.size() <= MOST_OF_PEER && of.add(what) ? of.size() : 0;
    }
}
