package dev.cleave.call;

import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.EventType;
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

    /** Begins the event of a wait, or returns null if it is not recorded. Only where there may be a recording. */
    static @Nullable WaitedEvent begins(String call) {
        if (!Type.OF.isEnabled()) { // asked without an event, which each call would leave behind
            return null;
        }
        WaitedEvent event = new WaitedEvent();
        event.call = call;
        event.begin();
        return event;
    }

    /** Registers the event when it is asked for first. */
    private static final class Type {

        static final EventType OF = EventType.getEventType(WaitedEvent.class);
    }
}
