package dev.cleave.rmi;

import org.jspecify.annotations.Nullable;

/** Finds the classes of values, without initialising them. */
final class ClassFinder {

    private ClassFinder() {}

    /** Looks for a class with a loader, then with that of the thread, as RMI does. */
    static Class<?> find(String name, @Nullable ClassLoader loader) throws ClassNotFoundException {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
            if (ofThread == null || ofThread == loader) {
                throw e;
            }
            return Class.forName(name, false, ofThread);
        }
    }
}
