package dev.cleave.client;

import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.replica.Attempts;
import dev.cleave.replica.FailureClass;
import org.jspecify.annotations.Nullable;

/**
 * What is known of how a call was sent that has failed where it was sent, or was sent besides.
 *
 * <p>Thread-safe as far as a call goes from way to way by one thread at a time.
 */
final class SentBefore {

    /** How often it is tried to send a call again that was not executed, while no connection can be made. */
    private static final int MOST_MISSED = 10;

    private volatile Attempts attempts = Attempts.NONE;
    private volatile boolean isDoubtful; // it was lost where it may have been executed, and sent again
    private volatile boolean isBesides; // it may be executed where it was sent besides
    private volatile @Nullable Recalls recalls; // of where it was sent last
    private volatile int missed; // since it was sent last

    /** The attempts that count. */
    Attempts attempts() {
        return attempts;
    }

    /** It has been sent again. */
    void isSent() {
        recalls = null;
        attempts = attempts.begun();
        missed = 0;
    }

    /** It has failed where it was sent last, by the way {@code way}; null if it has not been sent anywhere. */
    void failed(FailureClass failure, @Nullable Hop way) {
        String replica = way == null ? null : way.replica();
        attempts = attempts.failed(failure, replica == null ? "" : replica, recalls != null);
    }

    /** It is sent again, though it may have been executed. */
    void isInDoubt() {
        isDoubtful = true;
    }

    /** Another replica has been asked besides, and may execute it, or is known not to. */
    void mayRunBesides(boolean may) {
        isBesides = may;
    }

    /** Whether it may have been executed, though it was not where it was sent last. */
    boolean mayHaveRun() {
        return isDoubtful || isBesides;
    }

    /** Asks what has become of it where it was sent last. */
    Recalls recalls(ResentCall call, Hop broken) {
        Recalls known = recalls;
        if (known == null) {
            known = new Recalls(call, broken);
            recalls = known;
        }
        return known;
    }

    /** There is no way for it now: says whether there may be one later, since its server lived when it was asked for the call. */
    boolean mayFindWayLater(FailureClass failure) {
        return failure == FailureClass.UNSENT && recalls != null && !attempts.areAllMade() && ++missed <= MOST_MISSED;
    }
}
