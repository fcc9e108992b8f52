package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.LinkContext;
import dev.cleave.ref.References;
import java.util.concurrent.Executor;

/**
 * What all stubs of a node have in common.
 *
 * @param context of its links
 * @param references what it has given out and holds
 * @param resends runs what may wait for a connection
 * @param oneWays the one-way calls that have not been answered
 */
record ClientSide(LinkContext context, References references, Executor resends, OneWays oneWays) {

    ClientSide {
        requireNonNull(context, "context");
        requireNonNull(references, "references");
        requireNonNull(resends, "resends");
        requireNonNull(oneWays, "oneWays");
    }
}
