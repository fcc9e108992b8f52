package dev.cleave.rt;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** What the events of one rewritten call have in common: where it stands, which saves the stack trace. */
@Category({"Cleave", "Calls"})
@StackTrace(false)
abstract class CallEvent extends Event {

    @Label("Place")
    @Description("Class and method that the call is written in")
    @Nullable
    String place;

    @Label("Line")
    int line;

    @Label("Call")
    @Description("The remote method")
    @Nullable
    String call;
}
