package dev.cleave.replica;

import static java.util.Objects.requireNonNull;

import dev.cleave.Selection;
import dev.cleave.Selection.Candidate;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.wire.Replicas;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Picks the replica that a class of the application selects, or, if it throws or names no candidate, the replica with
 * the fewest calls.
 */
final class UserSelection implements BalancePolicy {

    private static final System.Logger LOG = SafeLog.of(UserSelection.class);

    private final Selection selection;
    private final AtomicBoolean told = new AtomicBoolean();
    private int next; // index at which the search for the fewest calls begins

    UserSelection(Selection selection) {
        this.selection = requireNonNull(selection, "selection");
    }

    @Override
    public boolean pulls() {
        return true;
    }

    @Override
    public Replicas.@Nullable Replica pick(
            List<Replicas.Replica> candidates, InFlightCounts inFlight, @Nullable Object key) {
        List<Candidate> offered = candidates.stream()
                .map(replica -> new Candidate(
                        replica.name(), inFlight.outstanding(replica.name()), inFlight.waiting(replica.name())))
                .toList();
        String name;
        try {
            name = selection.select(offered, key);
        } catch (RuntimeException | Error e) { // user code
            tell("threw " + e.getClass().getName() + ": " + SafeLog.text(e), e);
            return LeastPending.of(candidates, inFlight, next++);
        }
        if (name == null) {
            boolean isQuiet = offered.stream().allMatch(candidate -> candidate.outstanding() == 0);
            return isQuiet ? candidates.get(0) : null; // no call is in flight whose end would place the waiting call
        }
        for (Replicas.Replica candidate : candidates) {
            if (candidate.name().equals(name)) {
                return candidate;
            }
        }
        tell(
                "selected " + name + " (expected: one of "
                        + offered.stream().map(Candidate::name).toList() + ", or null)",
                null);
        return LeastPending.of(candidates, inFlight, next++);
    }

    private void tell(String what, @Nullable Throwable cause) {
        if (told.compareAndSet(false, true)) {
            String text = "selection " + selection.getClass().getName() + " " + what
                    + "; such calls go to the replica with the fewest calls";
            LOG.log(System.Logger.Level.ERROR, text, cause);
        }
    }
}
