package dev.cleave.agent.scan;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds classes that may implement methods of remote interfaces with {@code @Later} parameters. Checks the interfaces
 * of a class and of its superclasses: the file of each is read once for each loader, and no class is loaded. Layout:
 * JVM Specification, 4.1. Safe for use by any thread.
 */
final class LaterScanner {

    private static final int DEEPEST = 64;

    private final RemoteInterfaceIndex index;
    private final ClassFileSource files;
    private final ConcurrentHashMap<String, Boolean> ofBootLoader = new ConcurrentHashMap<>();
    private final Map<ClassLoader, ConcurrentHashMap<String, Boolean>> ofLoader =
            new WeakHashMap<>(); // guarded by itself

    LaterScanner(RemoteInterfaceIndex index, ClassFileSource files) {
        this.index = index;
        this.files = files;
    }

    /**
     * Whether a class or a superclass has an interface with such methods.
     *
     * @param offsets the offsets of the entries of its constant pool, followed by that of the end of the pool
     */
    boolean implementsLater(@Nullable ClassLoader loader, byte[] file, int[] offsets, RemoteCallScanner.Sight sight) {
        return implementsLater(loader, file, offsets, sight, 0);
    }

    private boolean implementsLater(
            @Nullable ClassLoader loader, byte[] file, int[] offsets, RemoteCallScanner.Sight sight, int depth) {
        int end = offsets[offsets.length - 1];
        int interfaces = RemoteCallScanner.u16(file, end + 6);
        for (int i = 0; i < interfaces; i++) {
            int type = RemoteCallScanner.u16(file, end + 8 + 2 * i);
            ScannedInterface found =
                    isOfJdk(file, offsets, type) ? null : index.find(loader, className(file, offsets, type));
            if (found != null && found.hasLaterParameters()) {
                return true;
            }
        }
        int above = RemoteCallScanner.u16(file, end + 4);
        return above != 0
                && depth < DEEPEST
                && !isOfJdk(file, offsets, above)
                && inherits(loader, className(file, offsets, above), sight, depth);
    }

    private boolean inherits(
            @Nullable ClassLoader loader, String internalName, RemoteCallScanner.Sight sight, int depth) {
        if (!ProgramClasses.mayCallRemote(internalName)) {
            return false;
        }
        ConcurrentHashMap<String, Boolean> known = known(loader);
        Boolean found = known.get(internalName);
        if (found == null) {
            if (!sight.reaches(loader)) {
                return false;
            }
            byte[] file = files.readLikely(loader, internalName);
            int[] offsets = file == null ? null : RemoteCallScanner.offsets(file);
            found = file != null && offsets != null && implementsLater(loader, file, offsets, sight, depth + 1);
            known.put(internalName, found);
        }
        return found;
    }

    /** Whether a superclass is the platform's; makes no string, since most classes have such a superclass. */
    private static boolean isOfJdk(byte[] file, int[] offsets, int type) {
        int name = offsets[RemoteCallScanner.u16(file, offsets[type] + 1)] + 3;
        return file[name] == 'j'
                && file[name + 1] == 'a'
                && file[name + 2] == 'v'
                && file[name + 3] == 'a'
                && file[name + 4] == '/';
    }

    private static String className(byte[] file, int[] offsets, int type) {
        int name = offsets[RemoteCallScanner.u16(file, offsets[type] + 1)];
        return new String(file, name + 3, RemoteCallScanner.u16(file, name + 1), StandardCharsets.UTF_8);
    }

    private ConcurrentHashMap<String, Boolean> known(@Nullable ClassLoader loader) {
        if (loader == null) {
            return ofBootLoader;
        }
        synchronized (ofLoader) {
            ConcurrentHashMap<String, Boolean> known = ofLoader.get(loader);
            if (known == null) {
                known = new ConcurrentHashMap<>();
                ofLoader.put(loader, known);
            }
            return known;
        }
    }
}
