package dev.cleave.serial;

import java.util.Set;

/** Tells classes of the JDK from others. */
final class Jdk {

    /** The types of values without identity: never written as back references. */
    private static final Set<Class<?>> PLAIN = Set.of(
            Boolean.class,
            Byte.class,
            Character.class,
            Short.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            String.class);

    private Jdk() {}

    /** Says whether a class belongs to the JDK. */
    static boolean has(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }

    /** Says whether a class is a wrapper of primitives, or String. */
    static boolean isPlain(Class<?> type) {
        return PLAIN.contains(type);
    }
}
