package dev.cleave.config;

import org.jspecify.annotations.Nullable;

/**
 * The settings of a file for how calls travel.
 *
 * @param carrier their transport; null if not set
 * @param aggregate when gathered calls are sent; if null, the connection decides
 */
public record Traffic(@Nullable Carrier carrier, @Nullable Aggregate aggregate) {

    /** Sets nothing. */
    public static final Traffic NONE = new Traffic(null, null);

    /** The transport; {@link Carrier#AUTO} if none is set. */
    public Carrier carrierOrAuto() {
        return carrier == null ? Carrier.AUTO : carrier;
    }

    /** Returns these settings, and those of {@code wider} where these are null. */
    public Traffic over(Traffic wider) {
        return new Traffic(carrier != null ? carrier : wider.carrier, aggregate != null ? aggregate : wider.aggregate);
    }
}
