package dev.cleave.rt;

import dev.cleave.call.Handle;
import jdk.jfr.EventType;
import org.jspecify.annotations.Nullable;

/** A sent call that reports to the flight recorder. */
final class RecordedCall extends SentCall {

    private @Nullable AwaitEvent wait;

    RecordedCall(Handle handle, Site site, long sentAt) {
        super(handle, site, sentAt);
        SendEvent sent = new SendEvent();
        if (sent.shouldCommit()) {
            sent.place = site.place();
            sent.line = site.line();
            sent.call = site.call();
            sent.commit();
        }
    }

    /** Whether any of the events is switched on. */
    static boolean isWanted() {
        return Types.AWAIT.isEnabled() || Types.SEND.isEnabled() || Types.DISCARD.isEnabled();
    }

    @Override
    void waiting() {
        AwaitEvent event = new AwaitEvent();
        event.begin();
        wait = event;
    }

    @Override
    void waited(Site at, long overlapped) {
        AwaitEvent event = wait;
        if (event == null) {
            return;
        }
        event.end();
        if (event.shouldCommit()) {
            event.place = at.place();
            event.line = at.line();
            event.call = at.call();
            event.overlapped = overlapped;
            event.commit();
        }
    }

    @Override
    void givenUp(Site at) {
        DiscardEvent event = new DiscardEvent();
        if (event.shouldCommit()) {
            event.place = at.place();
            event.line = at.line();
            event.call = at.call();
            event.commit();
        }
    }

    /** The kinds of events, which are asked without making one; registers them when they are asked for first. */
    private static final class Types {

        static final EventType AWAIT = EventType.getEventType(AwaitEvent.class);
        static final EventType SEND = EventType.getEventType(SendEvent.class);
        static final EventType DISCARD = EventType.getEventType(DiscardEvent.class);
    }
}
