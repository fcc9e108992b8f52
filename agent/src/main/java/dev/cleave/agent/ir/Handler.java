package dev.cleave.agent.ir;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * One row of the exception table: exceptions thrown between two labels go to a third.
 *
 * @param start the label before the first op covered
 * @param end the label after the last op covered
 * @param target a label that is followed at once by a {@link CatchOp}; no op goes to it or falls into it
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
