package dev.cleave.call;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.reflect.Constructor;
import org.objectweb.asm.ClassWriter;

/** Defines generated classes beside remote interfaces: in their package, by their loader, without a name to collide. */
public final class HiddenClasses {

    private HiddenClasses() {}

    /** A writer that computes frames; at each place where paths meet, our code has parameters alone. */
    public static ClassWriter writer() {
        return new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
            @Override
            protected String getCommonSuperClass(String a, String b) {
                return "java/lang/Object";
            }
        };
    }

    /** The internal name of a class generated for an interface. */
    public static String name(Class<?> type, String suffix) {
        return type.getName().replace('.', '/') + suffix;
    }

    /**
     * Defines a class beside an interface and makes an instance of it.
     *
     * @throws IllegalArgumentException if that is not possible; the message says what to change
     */
    public static Object define(Class<?> type, byte[] bytes, Class<?>[] parameters, Object... arguments) {
        try {
            Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            Class<?> made = lookup.defineHiddenClass(bytes, true).lookupClass();
            Constructor<?> constructor = made.getDeclaredConstructor(parameters);
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
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
