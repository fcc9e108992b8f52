package dev.cleave.broker.cli;

import dev.cleave.config.ServiceBinding;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;

/** Makes the object that serves a service, from the class that the application file names. */
final class Implementation {

    private Implementation() {}

    /**
     * Makes the object.
     *
     * @param options the replica's options in the file; passed to a constructor that takes a {@code Map}, if there is
     * one
     */
    static Object create(ServiceBinding service, Map<String, String> options) {
        String name = service.contract().implementation();
        if (name == null) {
            throw new CommandException("service " + service.name() + ": no implementation in the application file");
        }
        String what = "service " + service.name() + ": implementation " + name;
        try {
            Class<?> type = Class.forName(name, true, Thread.currentThread().getContextClassLoader());
            for (Constructor<?> constructor : type.getConstructors()) {
                if (constructor.getParameterCount() == 1 && constructor.getParameterTypes()[0] == Map.class) {
                    return constructor.newInstance(options);
                }
            }
            if (!options.isEmpty()) {
                throw new CommandException(what + " takes no options (expected: a public constructor with a Map, or no"
                        + " options: in the file)");
            }
            return type.getConstructor().newInstance();
        } catch (ClassNotFoundException e) {
            throw new CommandException(
                    what + " is not on the class path (classpath: in the file adds to it, and CLEAVE_CLASSPATH)", e);
        } catch (InvocationTargetException e) {
            throw new CommandException(what + " could not be made: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new CommandException(
                    what + " cannot be made (expected: a public class with a public constructor that takes nothing,"
                            + " or a Map): " + e.getMessage(),
                    e);
        }
    }
}
