package dev.cleave.serial;

import org.jspecify.annotations.Nullable;

/**
 * Stands for an object that was skipped, also for a collection of such objects; the program never sees it. Without
 * {@code equals}: two are never equal.
 */
final class Skipped {

    private final String type;

    Skipped(String type) {
        this.type = type;
    }

    /** The first object among some that was skipped; null if all are known here. */
    static @Nullable Skipped among(@Nullable Object[] read) {
        for (Object each : read) {
            if (each instanceof Skipped skipped) {
                return skipped;
            }
        }
        return null;
    }

    /** The refusal of a reference to it from a part that is not skipped. */
    SerialException refusal() {
        return SerialException.refused("type " + type + " is neither named by the remote interface nor allowed");
    }
}
