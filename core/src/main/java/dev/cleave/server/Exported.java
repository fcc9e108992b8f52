package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.RemoteInterface;
import dev.cleave.serial.Codec;

/**
 * An object that is served.
 *
 * @param contract the interface it is served through
 * @param target the object
 * @param skeleton calls its methods
 * @param codec reads and writes their values
 * @param dispatcher runs the calls
 */
record Exported(RemoteInterface contract, Object target, Skeleton skeleton, Codec codec, Dispatcher dispatcher) {

    Exported {
        requireNonNull(contract, "contract");
        requireNonNull(target, "target");
        requireNonNull(skeleton, "skeleton");
        requireNonNull(codec, "codec");
        requireNonNull(dispatcher, "dispatcher");
    }
}
