package dev.cleave.config;

import java.time.Duration;

/**
 * The forms of communication in distributed programs (the CORD paper, 3.1.3), each with the transport and the gathering
 * that suit it.
 */
public enum Communication {
    /** The transport is the best that both sides have, and each connection gathers as its frames need it. */
    AUTO(new Traffic(Carrier.AUTO, Aggregate.MEASURED)),
    /** Few small calls now and then: a datagram each, at once. */
    INTERMITTENT(new Traffic(Carrier.UDP, new Aggregate(1, Duration.ZERO))),
    /**
     * A series of small calls one after the other: a stream, gathered for as long as one call takes on a fast network.
     */
    INCREMENTAL(new Traffic(Carrier.AUTO, new Aggregate(4 << 10, Duration.ofNanos(50_000)))),
    /** Much data in many calls: a stream, gathered into large parts. */
    BULK(new Traffic(Carrier.AUTO, new Aggregate(64 << 10, Duration.ofMillis(1))));

    private final Traffic traffic;

    Communication(Traffic traffic) {
        this.traffic = traffic;
    }

    /** The transport and gathering of this form. */
    public Traffic traffic() {
        return traffic;
    }
}
