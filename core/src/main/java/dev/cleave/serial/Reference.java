package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

/**
 * A reference, which travels in place of an object that stays in its node.
 *
 * @param kind the node that can reach the object
 * @param type the remote interface through which it is called
 * @param service what its methods are called under
 * @param owner where it is; of a service nowhere
 * @param object its number
 * @param sent the number that whoever sends the reference has given it; of {@link Kind#OWN} alone
 */
public record Reference(Kind kind, String type, String service, Owner owner, Number object, Number sent) {

    /** Who can lead to an object. */
    public enum Kind {
        /** Whoever sends the reference has the object. */
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
     * @param incarnation which of its lives
     * @param endpoint where it can be dialled, or empty
     */
    public record Owner(String node, long incarnation, String endpoint) {

        /** Of what is nowhere in particular. */
        public static final Owner NOBODY = new Owner("", 0, "");

        /** Checks its components. */
        public Owner {
            requireNonNull(node, "node");
            requireNonNull(endpoint, "endpoint");
        }
    }

    /**
     * The number of an object. Nobody can guess it.
     *
     * @param high the first half
     * @param low the second half
     */
    public record Number(long high, long low) {

        /** Of what has none. */
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

    /** The name of a service. */
    public static Reference toService(String service, Class<?> type) {
        return new Reference(Kind.SERVICE, type.getName(), service, Owner.NOBODY, Number.NONE, Number.NONE);
    }
}
