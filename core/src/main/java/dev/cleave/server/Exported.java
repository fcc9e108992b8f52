package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.RemoteInterface;
import dev.cleave.serial.Codec;
import org.jspecify.annotations.Nullable;

/**
 * An object that is served.
 *
 * @param contract the interface it is served through
 * @param target the object
 * @param skeleton calls its methods
 * @param codec reads and writes their values
 * @param order order in which its calls run, and the threads that run them
 */
record Exported(RemoteInterface contract, Object target, Skeleton skeleton, Codec codec, Order order) {

    /**
     * The order in which the calls of an object run.
     *
     * @param dispatcher runs them
     * @param ratings their priorities
     * @param gate lets one in at a time; null for objects that need not be served so
     * @param inline which run on the event thread, without order
     * @param early which begin before all of their arguments have arrived
     */
    record Order(
            Dispatcher dispatcher,
            Ratings ratings,
            @Nullable SerialGate gate,
            InlineMethods inline,
            EarlyMethods early) {

        Order {
            requireNonNull(dispatcher, "dispatcher");
            requireNonNull(ratings, "ratings");
            requireNonNull(inline, "inline");
            requireNonNull(early, "early");
        }
    }

    Exported {
        requireNonNull(contract, "contract");
        requireNonNull(target, "target");
        requireNonNull(skeleton, "skeleton");
        requireNonNull(codec, "codec");
        requireNonNull(order, "order");
    }

    Dispatcher dispatcher() {
        return order.dispatcher();
    }
}
