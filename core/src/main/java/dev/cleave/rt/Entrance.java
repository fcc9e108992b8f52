package dev.cleave.rt;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Records whether a helper of a class has run as rewritten code, so that callers in other classes may ask it.
 *
 * <p>The helper's own code opens it when that is linked, so only code that really runs does; it is closed when the
 * class is about to be redefined, since the new code may have no such helper. Safe for use by any thread.
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
     * Returns the entrance of a helper.
     *
     * @param contract describes the helper, equally named by its class and its callers
     */
    static Entrance of(Class<?> type, String contract) {
        return OF_CLASS.get(type).computeIfAbsent(contract, key -> new Entrance());
    }

    /** Closes the entrances of all helpers of a class. */
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
