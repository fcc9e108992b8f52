package dev.cleave.agent.ir;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * One row of the exception table: what is thrown between two labels goes to a third.
 *
 * @param start the first op covered is the one behind this label
 * @param end the last op covered is the one before this label
 * @param target a label that is followed at once by a {@link CatchOp} and that nothing else goes to or falls into
 * @param type internal name of the class of exceptions, null for all
 */
public record Handler(
        LabelOp start,
        LabelOp end,
        LabelOp target,
        @Nullable String type) {

    public Handler {
        requireNonNull(start, "start");
        requireNonNull(end, "end");
        requireNonNull(target, "target");
    }
}
