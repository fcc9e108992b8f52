package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Ratings;
import dev.cleave.call.RemoteInterface;
import dev.cleave.ref.References;
import dev.cleave.serial.Codec;
import org.jspecify.annotations.Nullable;

/**
 * An object that is served.
 *
 * @param contract the interface it is served through
 * @param targets the object, and what is called in its place
 * @param skeleton calls its methods
 * @param codec reads and writes their values
 * @param order order in which its calls run, and the threads that run them
 */
record Exported(RemoteInterface contract, Targets targets, Skeleton skeleton, Codec codec, Order order) {

    /**
     * An object, and what stands around it.
     *
     * @param object the object itself
     * @param called what the skeleton calls: the object, or a proxy that runs interceptors around it
     * @param around restores the context of its calls
     */
    record Targets(Object object, Object called, Interception around) {

        Targets {
            requireNonNull(object, "object");
            requireNonNull(called, "called");
            requireNonNull(around, "around");
        }
    }

    /**
     * The order in which the calls of an object run.
     *
     * @param dispatcher runs them
     * @param ratings their priorities
     * @param gate lets one in at a time; null for objects that need not be served so
     * @param inline which run on the event thread, without order
     * @param early which begin before all of their arguments have arrived
     * @param paces how long they take
     */
    record Order(
            Dispatcher dispatcher,
            Ratings ratings,
            @Nullable SerialGate gate,
            InlineMethods inline,
            EarlyMethods early,
            Paces paces) {

        Order {
            requireNonNull(dispatcher, "dispatcher");
            requireNonNull(ratings, "ratings");
            requireNonNull(inline, "inline");
            requireNonNull(early, "early");
            requireNonNull(paces, "paces");
        }
    }

    Exported {
        requireNonNull(contract, "contract");
        requireNonNull(targets, "targets");
        requireNonNull(skeleton, "skeleton");
        requireNonNull(codec, "codec");
        requireNonNull(order, "order");
    }

    /** The object. */
    Object target() {
        return targets.object();
    }

    /** The name that a program knows: of an object without a name, that of its interface. */
    String publicName() {
        return contract.service().startsWith(References.MARK) ? contract.type().getName() : contract.service();
    }

    Dispatcher dispatcher() {
        return order.dispatcher();
    }
}
