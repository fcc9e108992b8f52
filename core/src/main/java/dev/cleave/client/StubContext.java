package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.LinkContext;
import dev.cleave.intercept.Interceptors;
import dev.cleave.ref.References;
import java.util.function.Function;

/**
 * The parts that all stubs of a node share.
 *
 * @param context shared by the links of the node
 * @param references the references that the node has given out and holds
 * @param resends sends calls again
 * @param oneWays the one-way calls that have not been answered
 * @param interceptors what stands around the calls of a service, by its name
 * @param stubs the stubs of services that the program holds
 * @param objectGroups the calls of groups to objects
 * @param results fetches results that servers keep
 */
record StubContext(
        LinkContext context,
        References references,
        Resends resends,
        OneWays oneWays,
        Function<String, Interceptors> interceptors,
        LiveStubs stubs,
        GroupLanes objectGroups,
        ResultSource results) {

    StubContext {
        requireNonNull(stubs, "stubs");
        requireNonNull(context, "context");
        requireNonNull(references, "references");
        requireNonNull(resends, "resends");
        requireNonNull(oneWays, "oneWays");
        requireNonNull(interceptors, "interceptors");
        requireNonNull(objectGroups, "objectGroups");
        requireNonNull(results, "results");
    }
}
