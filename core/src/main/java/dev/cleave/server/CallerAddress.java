package dev.cleave.server;

import org.jspecify.annotations.Nullable;

/** The host that has called the method that the current thread runs, for objects of RMI programs. */
public final class CallerAddress {

    private static final ThreadLocal<String> HOST = new ThreadLocal<>();

    private CallerAddress() {}

    /** The numeric address of the caller; null if the thread runs no method for one. */
    public static @Nullable String current() {
        return HOST.get();
    }

    static void enter(String host) {
        HOST.set(host);
    }

    static void leave() {
        HOST.remove();
    }
}
