package dev.cleave.server;

import dev.cleave.call.RemoteMethod;
import dev.cleave.metrics.FlightRecording;
import dev.cleave.stream.StreamReceiver;
import dev.cleave.stream.StreamedValue;

/** Tells the flight recorder how the large arguments of a call arrived. Of the thread that runs the call. */
final class ArrivalRecord {

    private static final String PLAIN = "plain arguments";

    private final String service;
    private final RemoteMethod method;
    private final boolean early;
    private final long arrived = System.nanoTime();
    private long began;

    /** The request has arrived. */
    ArrivalRecord(String service, RemoteMethod method, boolean early) {
        this.service = service;
        this.method = method;
        this.early = early;
    }

    /** The method begins. */
    void begins() {
        began = System.nanoTime();
    }

    /** The method has returned. */
    void ends(StreamReceiver blocks) {
        if (!FlightRecording.isPossible() || !new LargeArgumentEvent().isEnabled()) {
            return;
        }
        long running = System.nanoTime() - began;
        if (blocks.ownBytes() > 0) {
            LargeArgumentEvent event = event(PLAIN, blocks.ownBytes(), running);
            event.transfer = blocks.readyNanos() - arrived;
            event.firstWait = -1;
            event.commit();
        }
        for (StreamedValue value : blocks.values()) {
            StreamedValue.Waits waits = value.waits();
            if (value.isHere()) {
                LargeArgumentEvent event = event(name(value.parameter()), value.bytes(), running);
                event.later = early;
                event.transfer = waits.completeNanos() - arrived;
                event.firstWait = early && waits.firstNanos() != 0 ? waits.firstNanos() - began : -1;
                event.waited = early ? waits.sumNanos() : 0;
                event.commit();
            }
        }
    }

    private LargeArgumentEvent event(String parameter, long bytes, long running) {
        LargeArgumentEvent event = new LargeArgumentEvent();
        event.service = service;
        event.method = method.method().getName();
        event.parameter = parameter;
        event.bytes = bytes;
        event.running = running;
        return event;
    }

    private String name(int parameter) {
        var parameters = method.method().getParameters();
        return parameter >= 0 && parameter < parameters.length ? parameters[parameter].getName() : "argument";
    }
}
