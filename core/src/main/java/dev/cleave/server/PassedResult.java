package dev.cleave.server;

import dev.cleave.call.Link;
import dev.cleave.serial.LateValue;
import dev.cleave.stream.Outflow;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import java.util.List;

/**
 * A result that is passed on while it arrives here. Its reply has gone; if it does not come whole its receiver hears why.
 *
 * @param link over which it goes on
 * @param peer the relayed client, or 0
 * @param id the call
 * @param flow the rest of it
 */
record PassedResult(Link link, int peer, long id, Outflow flow) {

    /** Watches the values that a result has, or is. */
    static void watch(Invocation call, Outflow flow, List<LateValue> sources) {
        PassedResult passed = new PassedResult(call.link(), call.peer(), call.id(), flow);
        sources.forEach(source -> source.onArrival(() -> passed.arrived(source)));
    }

    private void arrived(LateValue source) {
        ErrorCode code = source.failure();
        if (code == null || !link.blocks().stop(flow)) {
            return;
        }
        link.write(new Failure(peer, id, code, Execution.EXECUTED, source.why())
                .write(link.connection().allocator()));
        link.flush();
    }
}
