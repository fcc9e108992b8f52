package dev.cleave.rt;

import java.util.Set;
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

    private static final Set<String> OPENED = ConcurrentHashMap.newKeySet();

    private final String name;
    private volatile boolean open;

    private Entrance(String name) {
        this.name = name;
    }

    /**
     * Returns the entrance of a helper.
     *
     * @param contract describes the helper, equally named by its class and its callers
     */
    static Entrance of(Class<?> type, String contract) {
        return OF_CLASS.get(type).computeIfAbsent(contract, key -> new Entrance(name(type.getName(), contract)));
    }

    /** Closes the entrances of all helpers of a class. */
    static void close(Class<?> type) {
        OF_CLASS.get(type).values().forEach(entrance -> entrance.open = false);
    }

    /** Whether a helper of a class of that name has run in some loader: the class may be looked for, as it is loaded. */
    static boolean hasOpened(String type, String contract) {
        return OPENED.contains(name(type, contract));
    }

    private static String name(String type, String contract) {
        return type + ' ' + contract;
    }

    void open() {
        OPENED.add(name);
        open = true;
    }

    boolean isOpen() {
        return open;
    }
}
