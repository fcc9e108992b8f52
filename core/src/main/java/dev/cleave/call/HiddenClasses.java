package dev.cleave.call;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.reflect.Constructor;
import java.util.concurrent.atomic.AtomicLong;
import org.objectweb.asm.ClassWriter;

/**
 * Defines generated classes beside remote interfaces, in their package and by their loader: as hidden classes where
 * the JVM allows it, that is for interfaces of our own module, elsewhere under a unique name.
 */
public final class HiddenClasses {

    private static final AtomicLong COUNT = new AtomicLong();

    private HiddenClasses() {}

    /** Creates a writer that computes frames; where branches join, our code has only parameters on the frame. */
    public static ClassWriter writer() {
        return new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
            @Override
            protected String getCommonSuperClass(String a, String b) {
                return "java/lang/Object";
            }
        };
    }

    /** Returns an internal name, never returned before, for a class generated for an interface. */
    public static String name(Class<?> type, String suffix) {
        return type.getName().replace('.', '/') + suffix + COUNT.incrementAndGet();
    }

    /** Makes an instance of a generated class. */
    public static Object make(Constructor<?> constructor, Object... arguments) {
        try {
            return constructor.newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e); // its constructor only assigns
        }
    }

    /**
     * Defines a class beside an interface, and returns its constructor with these parameters.
     *
     * @throws IllegalArgumentException if that is not possible; the message says what to change
     */
    public static Constructor<?> define(Class<?> type, byte[] bytes, Class<?>... parameters) {
        try {
            Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            Class<?> made = lookup.hasFullPrivilegeAccess()
                    ? lookup.defineHiddenClass(bytes, true).lookupClass()
                    : lookup.defineClass(bytes);
            Constructor<?> constructor = made.getDeclaredConstructor(parameters);
            constructor.setAccessible(true);
            return constructor;
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(
                    type.getName() + ": package " + type.getPackageName() + " is not open to "
                            + HiddenClasses.class.getModule() + " (add 'opens " + type.getPackageName()
                            + "' to module-info of " + type.getModule() + ")",
                    e);
        } catch (NoClassDefFoundError e) {
            throw new IllegalArgumentException(
                    type.getName() + ": its class loader does not see " + e.getMessage()
                            + " (make Cleave visible to the loader of the interface)",
                    e);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalArgumentException(
                    type.getName() + ": no class can be defined beside it: " + e.getMessage(), e);
        }
    }
}
