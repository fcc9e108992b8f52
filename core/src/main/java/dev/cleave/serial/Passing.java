package dev.cleave.serial;

import org.jspecify.annotations.Nullable;

/** Knows which objects stay where they are and travel as references. Thread-safe. */
public interface Passing {

    /** All objects travel themselves. */
    Passing NONE = new Passing() {

        @Override
        public @Nullable Departure leaving(Object object, TypePolicy policy) {
            return null;
        }

        @Override
        public Object arriving(Reference reference, TypePolicy policy, AnnouncedNames from) {
            throw SerialException.refused("reference to " + reference.type() + " (expected: values alone)");
        }
    };

    /**
     * An object as it leaves.
     *
     * @param reference what is written
     * @param object kept by the writer until the reference has been sent
     */
    record Departure(Reference reference, Object object) {}

    /**
     * Asked for each object before it is written.
     *
     * @return what travels in its place, or null if it travels itself
     * @throws SerialException if it may not travel
     */
    @Nullable
    Departure leaving(Object object, TypePolicy policy);

    /**
     * Returns the object to which a reference leads in this node. May wait for other nodes.
     *
     * @param policy of the interface through which it arrived
     * @param from the names of the peer that has sent it
     * @throws SerialException if the interface does not name the type of the object
     */
    Object arriving(Reference reference, TypePolicy policy, AnnouncedNames from);
}
