package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.SafeLog;
import dev.cleave.metrics.Refusals;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.GoAway;
import org.jspecify.annotations.Nullable;

/** How one link comes to its end: its peer leaves when its calls have ended, or has closed, or is given up. */
final class Parting {

    private static final System.Logger LOG = SafeLog.of(Parting.class);

    private final Link link;
    private final CallTable calls;
    private volatile @Nullable String why;
    private volatile boolean leaving;

    Parting(Link link, CallTable calls) {
        this.link = requireNonNull(link, "link");
        this.calls = requireNonNull(calls, "calls");
    }

    /** Why this side has closed, or the peer says it has; null if nothing is known. */
    @Nullable
    String why() {
        return why;
    }

    boolean isLeaving() {
        return leaving;
    }

    /** The peer is to get no more calls, or has closed; says whether it is the former. Event thread only. */
    boolean isAsked(GoAway said) {
        if (!said.isPatient()) {
            why = said.text();
            link.close();
            return false;
        }
        calls.refuseMore();
        leaving = true;
        return true;
    }

    /** Closes when the peer wishes to leave and no call is under way there. */
    void closeIfDone() {
        if (leaving && calls.size() == 0 && link.streams().results() == 0) {
            link.close();
        }
    }

    /** Gives the peer up, of which nothing is heard. */
    void lose(String because) {
        Refusals.count("given-up");
        LOG.log(
                System.Logger.Level.WARNING,
                "giving up {0} at {1}: {2}",
                link.peer().node(),
                link.connection().peer(),
                because);
        why = because;
        link.close();
    }

    /** Tells the peer what is wrong, and closes. */
    void giveUp(ErrorCode code, String because) {
        Refusals.count("closed." + code);
        LOG.log(
                System.Logger.Level.WARNING,
                "closing the connection to {0}: {1}",
                link.connection().peer(),
                because);
        why = because;
        link.write(new GoAway(code, because).write(link.connection().allocator()));
        link.flush();
        link.close();
    }
}
