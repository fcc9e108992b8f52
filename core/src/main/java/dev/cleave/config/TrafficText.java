package dev.cleave.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads how the calls of a service or method travel. */
final class TrafficText {

    static final List<String> AGGREGATE = List.of("bytes", "delay");

    private TrafficText() {}

    /** Reads a section; its own settings override the form of communication that it names. */
    static Traffic read(Section section) {
        Communication form = section.value("communication", Values.oneOf(Communication.class));
        Traffic own = new Traffic(section.value("transport", Carrier::of), aggregate(section));
        return form == null ? own : own.over(form.traffic());
    }

    /**
     * Refuses a transport on route relay: callers dial the broker alone, so no other connection can carry their calls.
     */
    static void checkDialled(Section section) {
        Carrier carrier = section.value("transport", Carrier::of);
        if (carrier != null && !carrier.equals(Carrier.AUTO)) {
            throw section.place("transport")
                    .mistake(
                            section.text("transport")
                                    + " on route relay, where calls take the connection to the broker (expected: route: direct)");
        }
    }

    private static @Nullable Aggregate aggregate(Section parent) {
        Section section = parent.section("aggregate").orElse(null);
        if (section == null) {
            return null;
        }
        section.allow(AGGREGATE);
        Integer bytes = section.value("bytes", Units::aggregateBytes);
        Duration delay = section.value("delay", Units::aggregateDelay);
        return new Aggregate(
                bytes == null ? Aggregate.USUAL_BYTES : bytes, delay == null ? Aggregate.USUAL_DELAY : delay);
    }
}
