package dev.cleave.rt;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;

/** The program has awaited a sent call; the duration is the time for which it was blocked. */
@Name("dev.cleave.Await")
@Label("Call Awaited")
@Description("The program waited for a remote call that was sent before")
@Threshold("1 ms")
final class AwaitEvent extends CallEvent {

    @Label("Overlapped")
    @Description("Time between the send and the beginning of the wait")
    @Timespan(Timespan.NANOSECONDS)
    long overlapped;
}
