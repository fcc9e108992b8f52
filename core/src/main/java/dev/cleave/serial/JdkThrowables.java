package dev.cleave.serial;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds exceptions of the JDK by name. Reads the class file of a name first: no class is loaded before it is known to
 * be an exception.
 */
final class JdkThrowables {

    /** The most superclasses that are read: more than any exception has. */
    private static final int MOST_ABOVE = 32;

    private static final int MAX_NAME = 256;

    private final ClassLoader loader;

    /** Creates a search in a loader of the JDK. */
    JdkThrowables(ClassLoader loader) {
        this.loader = loader;
    }

    /** The exception with a name; null if there is none. */
    @Nullable
    Class<?> named(String name) {
        if (!name.startsWith("java.") && !name.startsWith("javax.")
                || name.length() > MAX_NAME
                || name.indexOf('/') >= 0
                || !isThrowable(name.replace('.', '/'))) {
            return null;
        }
        try {
            Class<?> type = Class.forName(name, false, loader);
            return isJdkThrowable(type) ? type : null;
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    /** Says whether a class is an exception of the JDK. */
    static boolean isJdkThrowable(Class<?> type) {
        return Throwable.class.isAssignableFrom(type) && Jdk.has(type);
    }

    private boolean isThrowable(String internalName) {
        String above = internalName;
        for (int i = 0; i < MOST_ABOVE && above != null; i++) {
            if (above.equals("java/lang/Throwable")) {
                return true;
            }
            if (above.equals("java/lang/Object")) {
                return false;
            }
            above = above(above);
        }
        return false;
    }

    private @Nullable String above(String internalName) {
        try (InputStream file = loader.getResourceAsStream(internalName + ".class")) {
            return file == null ? null : superOf(new DataInputStream(new BufferedInputStream(file)));
        } catch (IOException | RuntimeException e) { // a class file that cannot be read is not allowed
            return null;
        }
    }

    /** The name of the superclass in a class file, of whatever version; null if it has none. */
    private static @Nullable String superOf(DataInputStream file) throws IOException {
        file.readLong(); // magic and version
        int count = file.readUnsignedShort();
        String[] texts = new String[count];
        int[] classes = new int[count];
        for (int i = 1; i < count; i++) {
            int tag = file.readUnsignedByte();
            switch (tag) {
                case 1 -> texts[i] = file.readUTF();
                case 7 -> classes[i] = file.readUnsignedShort();
                case 8, 16, 19, 20 -> file.readUnsignedShort(); // string, method type, module, package
                case 15 -> file.skipNBytes(3); // method handle
                case 3, 4, 9, 10, 11, 12, 17, 18 -> file.readInt(); // numbers, members, names with types, dynamic ones
                case 5, 6 -> { // long and double take two places
                    file.readLong();
                    i++;
                }
                default -> throw new IOException("constant of kind " + tag + " (expected: one of a class file)");
            }
        }
        file.readUnsignedShort(); // access
        file.readUnsignedShort(); // itself
        return texts[classes[file.readUnsignedShort()]];
    }
}
