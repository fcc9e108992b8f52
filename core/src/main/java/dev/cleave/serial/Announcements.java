package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import java.util.List;

/** The numbers of a node that one peer has been told. Thread-safe. */
public final class Announcements {

    private final Numbers numbers;
    private final Announcer announcer;
    private volatile int next; // written under the lock of this

    /** Sends an announcement. */
    @FunctionalInterface
    public interface Announcer {

        /** Writes the names with numbers from {@code first} on to the peer, before it returns. */
        void announce(int first, List<String> names);
    }

    /** Creates the announcements to a new peer. */
    public Announcements(Numbers numbers, Announcer announcer) {
        this.numbers = requireNonNull(numbers, "numbers");
        this.announcer = requireNonNull(announcer, "announcer");
    }

    /**
     * Makes sure that the peer knows every number up to {@code highest} before anything written after this call.
     *
     * @param highest a number, or -1 for none
     */
    public void upTo(int highest) {
        if (highest >= next) {
            announce(highest);
        }
    }

    private synchronized void announce(int highest) {
        if (highest >= next) {
            announcer.announce(next, numbers.names(next, highest));
            next = highest + 1;
        }
    }
}
