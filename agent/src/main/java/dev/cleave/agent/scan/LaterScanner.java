package dev.cleave.agent.scan;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which classes may implement methods of remote interfaces whose parameters arrive later. Asks the interfaces of a class, and of
 * those above it: the file of each is read once for each loader, and nothing is loaded. Layout: JVM Specification, 4.1. Safe for
 * use by any thread.
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
     * Whether a class has an interface with such methods, itself or above it.
     *
     * @param offsets where each entry of its pool begins, and behind them where the pool ends
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
        if (!ProgramClasses.isProgram(internalName)) {
            return false;
        }
        ConcurrentHashMap<String, Boolean> known = known(loader);
        Boolean found = known.get(internalName);
        if (found == null) {
            if (!sight.reaches(loader)) {
                return false;
            }
            byte[] file = files.read(loader, internalName);
            int[] offsets = file == null ? null : RemoteCallScanner.offsets(file);
            found = file != null && offsets != null && implementsLater(loader, file, offsets, sight, depth + 1);
            known.put(internalName, found);
        }
        return found;
    }

    /** Without a string for each of the many classes that have nothing else above them. */
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
