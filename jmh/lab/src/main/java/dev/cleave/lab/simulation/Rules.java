package dev.cleave.lab.simulation;

import dev.cleave.call.Remembered;
import dev.cleave.lab.history.Planted;
import dev.cleave.replica.Attempts;
import dev.cleave.replica.FailureClass;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.Replicas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decisions that simulated processes take from production code, and that a planted defect changes. */
final class Rules {

    private final @Nullable Planted planted;

    /** Creates those of production, but for a defect. */
    Rules(@Nullable Planted planted) {
        this.planted = planted;
    }

    boolean has(Planted defect) {
        return planted == defect;
    }

    /** Whether a defect shows in one of some numbers. */
    boolean has(Planted defect, long number, int each) {
        return planted == defect && number % each == 0;
    }

    /** Whether a call may be sent again at all. */
    boolean mayGoOn(FailureClass failure, boolean idempotent) {
        return Attempts.mayGoOn(failure, idempotent || has(Planted.LOST_PLAIN_GOES_ON));
    }

    /** Whether a call that may have been executed has been sent as often as it may be. */
    boolean areAllMade(Attempts history) {
        return history.areAllMade() && !isEndless(history);
    }

    private boolean isEndless(Attempts history) {
        return has(Planted.SIXTY_ATTEMPTS) && history.made() < 60;
    }

    /** The replicas to which a call may be sent again. */
    List<Replicas.Replica> next(
            Attempts history, FailureClass failure, boolean idempotent, long remainingNanos, ReplicaSet set) {
        Attempts said = isEndless(history) ? new Attempts(history.tried(), 0, false) : history;
        return said.next(failure, idempotent || has(Planted.LOST_PLAIN_GOES_ON), remainingNanos, set);
    }

    /** Creates a server's memory of the calls of a connection. */
    RememberedCalls memory() {
        return new RememberedCalls(this, new Remembered());
    }
}
