package dev.cleave.server;

import dev.cleave.CallContext;
import dev.cleave.Inline;
import dev.cleave.call.LaneResults;
import dev.cleave.call.RemoteMethod;
import dev.cleave.concurrent.Timer;
import dev.cleave.serial.WrittenValue;
import java.util.concurrent.CompletableFuture;

/** Gives other servers the results of calls of this one, from the lanes that their callers share. */
final class KeptResults implements LaneResults {

    private final Lanes lanes;
    private final Timer timer;

    KeptResults(Lanes lanes, Timer timer) {
        this.lanes = lanes;
        this.timer = timer;
    }

    @Override
    @Inline
    public CompletableFuture<WrittenValue.Parts> result(long high, long low, int call) {
        Lanes.Key key = new Lanes.Key(high, low);
        CompletableFuture<WrittenValue> fetch =
                lanes.fetch(key, call, CallContext.current().caller());
        if (!fetch.isDone()) {
            Timer.Timeout unshared =
                    timer.schedule(RemoteMethod.Conduct.DEFAULT_DEADLINE, () -> lanes.giveUpFetches(key));
            return fetch.whenComplete((result, failure) -> unshared.cancel()).thenApply(WrittenValue::parts);
        }
        return fetch.thenApply(WrittenValue::parts);
    }
}
