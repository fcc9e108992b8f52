package dev.cleave.rt;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The common part of the events of a rewritten call: its place in the program, in place of a stack trace. */
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
