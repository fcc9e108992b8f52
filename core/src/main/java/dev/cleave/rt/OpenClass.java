package dev.cleave.rt;

import org.jspecify.annotations.Nullable;

/**
 * A class that one other class calls static methods of, and whether it takes what strands of that class send for one of them (R71).
 * It is looked for once its method has run: it is loaded then, and initialised or about to be by the thread that runs it.
 */
final class OpenClass {

    private final Class<?> caller;
    private final String name;
    private final String contract;
    private volatile @Nullable Entrance entrance;

    OpenClass(Class<?> caller, String name, String contract) {
        this.caller = caller;
        this.name = name;
        this.contract = contract;
    }

    /** Whether the method has run, and its class was not redefined since. */
    boolean isOpen() {
        Entrance known = entrance;
        if (known == null && Entrance.hasOpened(name, contract)) {
            known = find();
            entrance = known;
        }
        return known != null && known.isOpen();
    }

    private @Nullable Entrance find() {
        try {
            Class<?> type = Class.forName(name, false, caller.getClassLoader());
            return OtherClass.isMate(caller, type) ? Entrance.of(type, contract) : null;
        } catch (ClassNotFoundException | LinkageError e) {
            return null; // the calls are made as written
        }
    }
}
