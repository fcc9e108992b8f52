package dev.cleave.server;

import java.lang.management.ManagementFactory;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A method has run for a call; the duration is that of the method. {@code bin/cleave compare} and {@code advise} read it. */
@Name("dev.cleave.Served")
@Label("Served Call")
@Description("How long a call waited at its server, and how long its method ran")
@Enabled(false)
@StackTrace(false)
@SuppressWarnings("unused") // read by the flight recorder
final class ServedEvent extends Event {

    @Label("Service")
    String service = "";

    @Label("Method")
    String method = "";

    @Label("Queued")
    @Description("From the arrival of the request, or of its turn, until the method began")
    @Timespan(Timespan.NANOSECONDS)
    long queued;

    @Label("Processor Time")
    @Description("Of the thread while it ran the method; negative if the JVM does not know")
    @Timespan(Timespan.NANOSECONDS)
    long processor;

    /** Whether the flight recorder takes such events. Only where there may be a recording. */
    static boolean isWanted() {
        return Type.OF.isEnabled(); // asked without an event, which each call would leave behind
    }

    /** Begins the event of a call whose method begins now; {@code queued} is how long the call has waited, in nanoseconds. */
    static ServedEvent begins(String service, String method, long queued) {
        ServedEvent event = new ServedEvent();
        event.service = service;
        event.method = method;
        event.queued = queued;
        event.processor = processorNanos();
        event.begin();
        return event;
    }

    /** The method has returned. */
    void ends() {
        end();
        long now = processorNanos();
        processor = now < 0 || processor < 0 ? -1 : now - processor;
        commit();
    }

    private static long processorNanos() {
        var threads = ManagementFactory.getThreadMXBean();
        return threads.isCurrentThreadCpuTimeSupported() ? threads.getCurrentThreadCpuTime() : -1;
    }

    /** Registers the event when it is asked for first. */
    private static final class Type {

        static final EventType OF = EventType.getEventType(ServedEvent.class);
    }
}
