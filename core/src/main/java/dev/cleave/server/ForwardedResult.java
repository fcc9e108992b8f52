package dev.cleave.server;

import dev.cleave.call.Link;
import dev.cleave.stream.StreamSender;
import dev.cleave.stream.StreamedValue;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import java.util.List;

/**
 * A result that is forwarded while it arrives here. Its reply has been sent; if it does not arrive whole, its receiver is told why.
 *
 * @param link over which it goes on
 * @param peer the relayed client, or 0
 * @param id the call
 * @param stream the rest of it
 */
record ForwardedResult(Link link, int peer, long id, StreamSender stream) {

    /** Watches the streamed values that a result has, or is. */
    static void watch(Invocation call, StreamSender stream, List<StreamedValue> sources) {
        ForwardedResult forwarded = new ForwardedResult(call.link(), call.peer(), call.id(), stream);
        sources.forEach(source -> source.onArrival(() -> forwarded.arrived(source)));
    }

    private void arrived(StreamedValue source) {
        ErrorCode code = source.failure();
        if (code == null || !link.streams().stop(stream)) {
            return;
        }
        link.write(new Failure(peer, id, code, Execution.EXECUTED, source.why())
                .write(link.connection().allocator()));
        link.flush();
    }
}
