package dev.cleave.config;

import org.jspecify.annotations.Nullable;

/**
 * What a file says about how calls travel; null where it says nothing.
 *
 * @param carrier what carries them
 * @param aggregate how much is gathered before it is sent; what suits the moment if nothing is said
 */
public record Traffic(@Nullable Carrier carrier, @Nullable Aggregate aggregate) {

    /** Says nothing. */
    public static final Traffic NONE = new Traffic(null, null);

    /** The carrier, also if nothing is said. */
    public Carrier carrierOrAuto() {
        return carrier == null ? Carrier.AUTO : carrier;
    }

    /** This, and what {@code wider} says where this says nothing. */
    public Traffic over(Traffic wider) {
        return new Traffic(carrier != null ? carrier : wider.carrier, aggregate != null ? aggregate : wider.aggregate);
    }
}
