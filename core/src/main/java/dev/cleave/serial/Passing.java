package dev.cleave.serial;

import org.jspecify.annotations.Nullable;

/** Decides which objects stay in their node and travel as references. Thread-safe. */
public interface Passing {

    /** Lets all objects travel by value. */
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
     * An object that is passed by reference.
     *
     * @param reference the reference that is written
     * @param object the object, which the writer keeps until the reference has been sent
     */
    record Departure(Reference reference, Object object) {}

    /**
     * Called for each object before it is written.
     *
     * @return the reference that travels in its place, or null if it travels by value
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
