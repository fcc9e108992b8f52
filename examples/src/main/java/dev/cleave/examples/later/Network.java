package dev.cleave.examples.later;

import dev.cleave.transport.LinkProfile;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The networks of the paper. */
public enum Network {
    /** This machine's own. */
    LOOPBACK(0, 0),
    /** The paper's Ethernet: 10 Mbit/s. */
    LAN(1_250_000, 0.5),
    /** The paper's way from Argonne to INRIA. */
    WAN(125_000, 60);

    private final int bytesPerSecond; // 0 is without limit
    private final double delayMillis;

    Network(int bytesPerSecond, double delayMillis) {
        this.bytesPerSecond = bytesPerSecond;
        this.delayMillis = delayMillis;
    }

    static Network of(String id) {
        return valueOf(id.toUpperCase(Locale.ROOT));
    }

    /** Its name in lower case. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The seconds that a number of bytes take, by the paper's clock; 0 on a network without a limit. */
    public double seconds(long bytes) {
        return bytesPerSecond == 0 ? 0 : bytes / (double) bytesPerSecond + delayMillis / 1e3;
    }

    /**
     * Returns the network scaled so that {@code scale} of the paper's seconds pass in one, or null for the machine's
     * own network.
     */
    @Nullable
    LinkProfile scaled(int scale) {
        return bytesPerSecond == 0
                ? null
                : new LinkProfile(
                        Duration.ofNanos(Math.round(delayMillis * 1e6 / scale)),
                        (long) bytesPerSecond * scale,
                        Duration.ZERO);
    }
}
