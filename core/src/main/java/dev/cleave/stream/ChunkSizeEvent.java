package dev.cleave.stream;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A link sends large values in chunks of another size from now on. */
@Name("dev.cleave.ChunkSize")
@Label("Chunk Size")
@Description("The size of the chunks of large values has been chosen anew")
@StackTrace(false)
@SuppressWarnings("unused") // read by the flight recorder
final class ChunkSizeEvent extends Event {

    @Label("Link")
    String link = "";

    @Label("Bytes")
    @DataAmount
    int bytes;

    @Label("Rate")
    @Description("Bytes a second that the link takes")
    @DataAmount
    long rate;

    @Label("Round Trip")
    @Timespan(Timespan.NANOSECONDS)
    long roundTrip;
}
