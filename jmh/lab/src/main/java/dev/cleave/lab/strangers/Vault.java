package dev.cleave.lab.strangers;

import dev.cleave.Remote;
import java.util.concurrent.atomic.AtomicLong;

/** The secret that strangers try to reach. */
@Remote
public interface Vault {

    /** Counts how often it was called. */
    long open();

    /** Takes a value, whose constructor counts that it was decoded. */
    void put(Loot loot);

    /** A value; its constructor runs when it is decoded. */
    record Loot(String what) {

        static final AtomicLong MADE = new AtomicLong();

        /** Counts that a value was made. */
        public Loot {
            MADE.incrementAndGet();
        }
    }
}
