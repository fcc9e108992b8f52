package dev.cleave.call;

import dev.cleave.Selection;
import dev.cleave.config.Balance;
import java.lang.reflect.InvocationTargetException;

/** Makes the objects of the selection classes that application files name. */
final class Selections {

    private Selections() {}

    /**
     * Creates an object of the class.
     *
     * @throws IllegalArgumentException if there is none, or none can be made
     */
    static Selection make(Balance.Chosen chosen) {
        String name = chosen.className();
        String what = "balance: class(" + name + "): ";
        try {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            Class<?> type = Class.forName(name, true, loader != null ? loader : Selections.class.getClassLoader());
            Object made = type.getConstructor().newInstance();
            if (made instanceof Selection selection) {
                return selection;
            }
            throw new IllegalArgumentException(what + "no " + Selection.class.getName());
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(what + "not on the class path of the node that balances the calls", e);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(what + "could not be made: " + e.getCause(), e);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalArgumentException(
                    what + "cannot be made (expected: a public class with a public constructor without parameters): "
                            + e.getMessage(),
                    e);
        }
    }
}
