package dev.cleave.serial;

/** A class that must never be initialised. */
final class Tripwire {

    static {
        Tripped.now = true;
    }

    /** Says whether it was; a class of its own, so that looking does not trip the wire. */
    static final class Tripped {
        static volatile boolean now;
    }
}
