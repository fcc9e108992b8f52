package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException.CallSite;
import dev.cleave.CallException.Execution;
import dev.cleave.call.ChainLane;
import dev.cleave.call.Failures;
import dev.cleave.call.LaneResults;
import dev.cleave.call.Link;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.serial.TimeLimit;
import dev.cleave.serial.WrittenValue;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.SharedLane;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Fetches results of calls from the lanes of their servers. */
final class LaneFetch {

    private static final RemoteInterface CONTRACT = LaneResults.contract();

    /** The endpoint in the name of a lane that no other node fetches from. */
    private static final String HERE = "here";

    private LaneFetch() {}

    /** Fetches over a link; the future ends within the deadline of calls. */
    static CompletableFuture<WrittenValue> begin(StubContext side, Link link, SharedLane lane, int call) {
        LaneResults results =
                (LaneResults) StubFactory.stub(CONTRACT, new ServiceCalls(CONTRACT, side, new LinkRoute(link)));
        return results.result(lane.high(), lane.low(), call).thenApply(WrittenValue::of);
    }

    /**
     * Fetches the result of a call of this node that has stayed at its server.
     *
     * @throws dev.cleave.CallException if it is lost
     */
    static @Nullable Object result(
            CalledService service, RemoteMethod method, ChainLane lane, int call, TimeLimit limit, CallSite site) {
        try {
            WrittenValue value = begin(service.side(), lane.link(), lane.shared(HERE), call)
                    .join();
            return value.read(
                    service.codec(), requireNonNull(method.plan().result()).declared(), limit);
        } catch (CompletionException e) {
            throw Failures.exception(
                    ErrorCode.CONNECTION_LOST,
                    Execution.MAYBE_EXECUTED,
                    "its result stayed at the server, and is lost: " + e.getCause(),
                    site,
                    e.getCause());
        }
    }
}
