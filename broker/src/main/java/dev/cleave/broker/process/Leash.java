package dev.cleave.broker.process;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Ends a process whose parent is gone, however the parent ended: the parent holds the other end of its standard input,
 * and the system closes that end with the parent.
 */
public final class Leash {

    /** The option of a JVM that {@link Fleet} starts on a leash. */
    static final String OPTION = "-Dcleave.leash=stdin";

    private Leash() {}

    /** Ties this process to its parent, if the parent asked for that. */
    public static void attach() {
        if (!"stdin".equals(System.getProperty("cleave.leash"))) {
            return;
        }
        Thread watch = new Thread(Leash::watch, "leash");
        watch.setDaemon(true);
        watch.start();
    }

    private static void watch() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // An input that cannot be read means the same as its end.
        }
        System.exit(0);
    }
}
