package dev.cleave.call;

import dev.cleave.metrics.FlightRecording;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * A thread was blocked until a call had ended; the duration is the time for which it was. Rewritten or not. {@code bin/cleave
 * compare} and {@code advise} read it.
 */
@Name("dev.cleave.Waited")
@Label("Waited for a Call")
@Description("A thread was blocked until a call had ended, whether or not the agent has rewritten the call")
@Enabled(false)
@StackTrace(false)
@SuppressWarnings("unused") // read by the flight recorder
final class WaitedEvent extends Event {

    @Label("Call")
    @Description("The remote method")
    String call = "";

    /** Begins the event of a wait, or returns null if it is not recorded. */
    static @Nullable WaitedEvent begins(String call) {
        if (!FlightRecording.isPossible()) {
            return null;
        }
        WaitedEvent event = new WaitedEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.call = call;
        event.begin();
        return event;
    }
}
