package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

/**
 * A reference, which travels in place of an object that stays in its node.
 *
 * @param kind the node that can reach the object
 * @param type the remote interface through which it is called
 * @param service the service name under which its methods are called
 * @param owner the node of the object; {@link Owner#NOBODY} for a service
 * @param object its number at its owner
 * @param sent the number that the sender of the reference has given it; only for {@link Kind#OWN}
 */
public record Reference(Kind kind, String type, String service, Owner owner, Number object, Number sent) {

    /** The node that can reach an object. */
    public enum Kind {
        /** The sender of the reference has the object. */
        OWN,
        /** Another node has the object, and can be dialled. */
        OTHER,
        /** The broker: the object is a service. */
        SERVICE
    }

    /**
     * A node that has objects.
     *
     * @param node its name
     * @param incarnation differs between two processes of the node
     * @param endpoint the endpoint at which it can be dialled, or empty
     */
    public record Owner(String node, long incarnation, String endpoint) {

        /** The owner of a reference to a service. */
        public static final Owner NOBODY = new Owner("", 0, "");

        /** Checks its components. */
        public Owner {
            requireNonNull(node, "node");
            requireNonNull(endpoint, "endpoint");
        }
    }

    /**
     * The number of an object, which cannot be guessed.
     *
     * @param high the first half
     * @param low the second half
     */
    public record Number(long high, long low) {

        /** No number. */
        public static final Number NONE = new Number(0, 0);
    }

    /** Checks its components. */
    public Reference {
        requireNonNull(kind, "kind");
        requireNonNull(type, "type");
        requireNonNull(service, "service");
        requireNonNull(owner, "owner");
        requireNonNull(object, "object");
        requireNonNull(sent, "sent");
    }

    /** Creates a reference to a service. */
    public static Reference toService(String service, Class<?> type) {
        return new Reference(Kind.SERVICE, type.getName(), service, Owner.NOBODY, Number.NONE, Number.NONE);
    }
}
