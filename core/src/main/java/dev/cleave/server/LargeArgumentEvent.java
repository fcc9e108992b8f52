package dev.cleave.server;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A method that was given a large argument has returned; what {@code bin/cleave measure} reads. */
@Name("dev.cleave.LargeArgument")
@Label("Large Argument")
@Description("How a large argument arrived beside its method")
@Enabled(false)
@StackTrace(false)
@SuppressWarnings("unused") // read by the flight recorder
final class LargeArgumentEvent extends Event {

    @Label("Service")
    String service = "";

    @Label("Method")
    String method = "";

    @Label("Parameter")
    String parameter = "";

    @Label("Later")
    @Description("Whether the method could begin before it had arrived")
    boolean later;

    @Label("Bytes")
    @DataAmount
    long bytes;

    @Label("Transfer")
    @Description("From the arrival of the request until all of it was there")
    @Timespan(Timespan.NANOSECONDS)
    long transfer;

    @Label("First Wait")
    @Description("From the beginning of the method until it waited for it; negative if it never did")
    long firstWait;

    @Label("Waited")
    @Timespan(Timespan.NANOSECONDS)
    long waited;

    @Label("Running")
    @Description("From the beginning of the method to its end")
    @Timespan(Timespan.NANOSECONDS)
    long running;
}
