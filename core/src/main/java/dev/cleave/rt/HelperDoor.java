package dev.cleave.rt;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Guards the way from a class to a helper of another class (R63, R68): open once that helper is known to run as
 * rewritten code.
 *
 * <p>A class and its helpers in other classes are not rewritten together: the other class may have been loaded before
 * the agent, or be refused, or be changed by another agent. So a caller asks no helper before the helper has run
 * rewritten: the beginning of a rewritten helper is linked when it runs for the first time, and opens its
 * {@link Entrance} then. A caller looks for that entrance only after a call that it has made as written, so that no
 * class is loaded or initialised earlier than by the program. The name of an entrance includes a description of the
 * helper: a caller that was planned for another class file finds none.
 *
 * <p>Called by rewritten bytecode. Safe for use by any thread; nothing here throws.
 */
public final class HelperDoor {

    private static final ClassValue<ConcurrentHashMap<String, HelperDoor>> OF_CALLER = new ClassValue<>() {
        @Override
        protected ConcurrentHashMap<String, HelperDoor> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };
    private static final MethodHandle ENTER;

    static {
        try {
            ENTER = MethodHandles.lookup()
                    .findVirtual(Passage.class, "enter", MethodType.methodType(Object.class, String.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Class<?> caller;
    private final String named;
    private final String declaring;
    private final String contract;
    private volatile @Nullable Entrance entrance;

    private HelperDoor(Class<?> caller, String named, String declaring, String contract) {
        this.caller = caller;
        this.named = named;
        this.declaring = declaring;
        this.contract = contract;
    }

    /**
     * Links a door: {@code () -> HelperDoor}, the same for all methods of a class.
     *
     * @param caller the class that calls the helper
     * @param name of no meaning
     * @param named the class that the call names, as a binary name
     * @param declaring the class that declares the helper, that class or a superclass
     * @param contract describes the helper
     */
    public static CallSite door(
            MethodHandles.Lookup caller,
            String name,
            MethodType type,
            String named,
            String declaring,
            String contract) {
        Class<?> from = caller.lookupClass();
        HelperDoor door = OF_CALLER
                .get(from)
                .computeIfAbsent(
                        named + ' ' + declaring + ' ' + contract,
                        key -> new HelperDoor(from, named, declaring, contract));
        return new ConstantCallSite(
                MethodHandles.constant(HelperDoor.class, door).asType(type));
    }

    /**
     * Links the beginning of a helper, {@code (Passage) -> Object} as {@link Passage#enter}, and opens its entrances.
     *
     * @param helper the class that holds it
     * @param name of no meaning
     * @param key names the helper among all methods
     * @param contracts descriptions of it, one for each way to ask it
     */
    public static CallSite enter(
            MethodHandles.Lookup helper, String name, MethodType type, String key, String... contracts) {
        for (String contract : contracts) {
            Entrance.of(helper.lookupClass(), contract).open();
        }
        return new ConstantCallSite(MethodHandles.insertArguments(ENTER, 1, key).asType(type));
    }

    /** Closes the entrances of a class that is about to be redefined: its helpers must run again first. */
    public static void redefined(Class<?> type) {
        Entrance.close(type);
    }

    /** Says whether the helper may be asked. */
    public boolean isOpen() {
        Entrance known = entrance;
        return known != null && known.isOpen();
    }

    /** Called when the helper was called as written and has returned. */
    public void reached() {
        if (entrance == null) {
            find();
        }
    }

    /** Finds the entrance in the class whose code has just run: the class of that name in the caller's loader. */
    private void find() {
        try {
            Class<?> type = Class.forName(named, false, caller.getClassLoader());
            while (type != null && !type.getName().equals(declaring)) {
                type = type.getSuperclass();
            }
            if (type != null) {
                entrance = Entrance.of(type, contract);
            }
        } catch (ClassNotFoundException | LinkageError e) { // the door stays shut: calls are made as written
            entrance = null;
        }
    }
}
