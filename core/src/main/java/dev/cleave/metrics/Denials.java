package dev.cleave.metrics;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.Set;

/**
 * Denials of peers: all are counted, and each is logged once for a peer and a reason, for {@value #MOST} of them until
 * the process forgets all and begins anew. Thread-safe.
 */
public final class Denials {

    private static final int MOST = 1_024;

    private final System.Logger log;

    @GuardedBy("this")
    private final Set<String> logged = new HashSet<>();

    /** Creates a log of denials that are written to a logger. */
    public Denials(System.Logger log) {
        this.log = requireNonNull(log, "log");
    }

    /**
     * Counts a denial as {@code denied.REASON} of {@link Refusals}, and logs it unless the peer was denied the same
     * before.
     *
     * @param reason one of a fixed set of words; no part of it may come from a peer
     * @param who names the peer, printable
     * @param what was denied, printable
     */
    public void denied(String reason, String who, String what) {
        Refusals.count("denied." + reason);
        if (isFirst(reason + ' ' + who + ' ' + what)) {
            log.log(System.Logger.Level.WARNING, "denied to {0}: {1}", who, what);
        }
    }

    private synchronized boolean isFirst(String denial) {
        if (logged.size() >= MOST) {
            logged.clear();
        }
        return logged.add(denial);
    }
}
