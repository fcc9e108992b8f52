package dev.cleave.rt;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether a helper of a class has been entered as rewritten code, so that others may ask it.
 *
 * <p>It is opened by the helper's own code when that is linked, so by nothing but code that really runs; and closed when the
 * class is about to be redefined, since the new code may have no helper any more. Safe for use by any thread.
 */
final class Entrance {

    private static final ClassValue<ConcurrentHashMap<String, Entrance>> OF_CLASS = new ClassValue<>() {
        @Override
        protected ConcurrentHashMap<String, Entrance> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    private volatile boolean open;

    private Entrance() {}

    /**
     * The entrance of a helper.
     *
     * @param contract what the helper offers, as its class and its callers name it
     */
    static Entrance of(Class<?> type, String contract) {
        return OF_CLASS.get(type).computeIfAbsent(contract, key -> new Entrance());
    }

    /** Closes those of all helpers of a class. */
    static void close(Class<?> type) {
        OF_CLASS.get(type).values().forEach(entrance -> entrance.open = false);
    }

    void open() {
        open = true;
    }

    boolean isOpen() {
        return open;
    }
}
