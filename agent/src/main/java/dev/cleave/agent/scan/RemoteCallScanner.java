package dev.cleave.agent.scan;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds out from constant pools alone whether a class may call a remote method, or a method of a class that does, so
 * that all other classes cost next to nothing.
 *
 * <p>Walks the pool once and checks the owners of interface methods that are not the platform's. If none is remote, it
 * checks the owners of all other methods, and the superclass: the file of each is read once for each loader, and no
 * class is loaded. Layout: JVM Specification, 4.4. Safe for use by any thread.
 */
public final class RemoteCallScanner {

    private static final int MAGIC = 0xCAFEBABE;
    private static final int POOL_AT = 10;

    private static final int METHOD = 10;
    private static final int INTERFACE_METHOD = 11;

    private final RemoteInterfaceIndex index;
    private final ClassFileSource files;
    private final LaterScanner laters;
    private final Known ofBootLoader = new Known();
    private final Map<ClassLoader, Known> ofLoader = new WeakHashMap<>(); // guarded by itself

    /** The classes of a loader, and whether they call remote methods. */
    private static final class Known {

        final ConcurrentHashMap<String, Boolean> known = new ConcurrentHashMap<>();
        final ConcurrentHashMap<String, Boolean> likely = new ConcurrentHashMap<>();

        Known() {}
    }

    /** Creates a scanner that asks {@code index} about interfaces, and reads classes from {@code files}. */
    public RemoteCallScanner(RemoteInterfaceIndex index, ClassFileSource files) {
        this.index = requireNonNull(index, "index");
        this.files = requireNonNull(files, "files");
        this.laters = new LaterScanner(index, files);
    }

    /**
     * Whether the class calls a method of an interface that its loader knows as remote. False for bytes that are no
     * class file.
     */
    public boolean callsRemote(@Nullable ClassLoader loader, byte[] classFile) {
        try {
            return scan(loader, classFile);
        } catch (ArrayIndexOutOfBoundsException e) {
            return false; // cut short: not a class file
        }
    }

    /** Decides whether to read the classes that a loader sees. */
    public interface Sight {

        /** Every loader. */
        Sight ALWAYS = new Sight() {
            @Override
            public boolean reaches(@Nullable ClassLoader loader) {
                return true;
            }
        };

        /** Asked before the first class file is read for a class. */
        boolean reaches(@Nullable ClassLoader loader);
    }

    /**
     * Whether the class calls remote methods, or methods of a class of the program that does, or may implement methods with
     * parameters that arrive later.
     *
     * @param internalName of the class, null if it is not known
     */
    public boolean concerns(
            @Nullable ClassLoader loader, @Nullable String internalName, byte[] classFile, Sight sight) {
        try {
            int[] offsets = offsets(classFile);
            boolean calls = offsets != null && ownsRemote(loader, classFile, offsets);
            if (internalName != null) {
                known(loader).put(internalName, calls);
            }
            return calls
                    || offsets != null
                            && (ownsCaller(loader, classFile, offsets, sight)
                                    || laters.implementsLater(loader, classFile, offsets, sight));
        } catch (ArrayIndexOutOfBoundsException e) {
            return false; // cut short: not a class file
        }
    }

    /** Whether a class of the program, by its internal name, calls remote methods. */
    public boolean isCaller(@Nullable ClassLoader loader, String internalName) {
        return isCaller(loader, internalName, known(loader), false);
    }

    /** The same by the file that the loader most likely finds: all that hangs on it is whether a class is looked at. */
    private boolean isLikelyCaller(@Nullable ClassLoader loader, String internalName) {
        return isCaller(loader, internalName, loader(loader).likely, true);
    }

    private boolean isCaller(
            @Nullable ClassLoader loader,
            String internalName,
            ConcurrentHashMap<String, Boolean> answers,
            boolean isLikelyEnough) {
        Boolean found = answers.get(internalName);
        if (found == null) {
            byte[] file = isLikelyEnough ? files.readLikely(loader, internalName) : files.read(loader, internalName);
            found = file != null && callsRemote(loader, file);
            answers.put(internalName, found);
        }
        return found;
    }

    private ConcurrentHashMap<String, Boolean> known(@Nullable ClassLoader loader) {
        return loader(loader).known;
    }

    private Known loader(@Nullable ClassLoader loader) {
        if (loader == null) {
            return ofBootLoader;
        }
        synchronized (ofLoader) {
            Known known = ofLoader.get(loader);
            if (known == null) {
                known = new Known();
                ofLoader.put(loader, known);
            }
            return known;
        }
    }

    private boolean scan(@Nullable ClassLoader loader, byte[] file) {
        int[] offsets = offsets(file);
        return offsets != null && ownsRemote(loader, file, offsets);
    }

    /**
     * The offsets of the entries of the constant pool, followed by that of its end; null for bytes that are no known
     * class file.
     */
    static int @Nullable [] offsets(byte[] file) {
        if (file.length < POOL_AT || i32(file, 0) != MAGIC) {
            return null;
        }
        int count = u16(file, 8);
        int[] offsets = new int[count + 1];
        int at = POOL_AT;
        for (int i = 1; i < count; i++) {
            offsets[i] = at;
            int tag = file[at];
            switch (tag) {
                case 1 -> at += 3 + u16(file, at + 1);
                case 3, 4, 9, 10, 11, 12, 17, 18 -> at += 5;
                case 5, 6 -> {
                    at += 9;
                    i++;
                }
                case 7, 8, 16, 19, 20 -> at += 3;
                case 15 -> at += 4;
                default -> {
                    return null; // a pool entry of the future
                }
            }
        }
        offsets[count] = at;
        return offsets;
    }

    private boolean ownsCaller(@Nullable ClassLoader loader, byte[] file, int[] offsets, Sight sight) {
        int pool = offsets.length - 1;
        int end = offsets[pool];
        int self = u16(file, end + 2);
        int above = u16(file, end + 4);
        Map<String, Boolean> known = known(loader);
        boolean[] seen = new boolean[pool];
        seen[self] = true;
        if (above != 0 && !seen[above]) {
            seen[above] = true;
            if (namesCaller(loader, known, file, offsets, above, sight)) {
                return true;
            }
        }
        for (int i = 1; i < pool; i++) {
            int at = offsets[i];
            if (at == 0 || file[at] != METHOD && file[at] != INTERFACE_METHOD) {
                continue;
            }
            int owner = u16(file, at + 1);
            if (!seen[owner]) {
                seen[owner] = true;
                if (namesCaller(loader, known, file, offsets, owner, sight)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean namesCaller(
            @Nullable ClassLoader loader,
            Map<String, Boolean> known,
            byte[] file,
            int[] offsets,
            int type,
            Sight sight) {
        int name = offsets[u16(file, offsets[type] + 1)];
        int length = u16(file, name + 1);
        if (startsWith(file, name + 3, length, "java/") || startsWith(file, name + 3, length, "[")) {
            return false;
        }
        String internalName = new String(file, name + 3, length, StandardCharsets.UTF_8);
        Boolean found = known.get(internalName);
        return found != null
                ? found
                : ProgramClasses.mayCallRemote(internalName)
                        && sight.reaches(loader)
                        && isLikelyCaller(loader, internalName);
    }

    private boolean ownsRemote(@Nullable ClassLoader loader, byte[] file, int[] offsets) {
        int last = 0;
        for (int i = 1; i < offsets.length - 1; i++) {
            int at = offsets[i];
            if (at == 0 || file[at] != INTERFACE_METHOD) {
                continue;
            }
            int owner = u16(file, at + 1);
            if (owner == last) {
                continue;
            }
            last = owner;
            int name = offsets[u16(file, offsets[owner] + 1)];
            int length = u16(file, name + 1);
            if (startsWith(file, name + 3, length, "java/")) {
                continue;
            }
            if (index.find(loader, new String(file, name + 3, length, StandardCharsets.UTF_8)) != null) {
                return true;
            }
        }
        return false;
    }

    private static boolean startsWith(byte[] file, int at, int length, String prefix) {
        if (length < prefix.length()) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if (file[at + i] != prefix.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    static int u16(byte[] file, int at) {
        return (file[at] & 0xff) << 8 | file[at + 1] & 0xff;
    }

    private static int i32(byte[] file, int at) {
        return u16(file, at) << 16 | u16(file, at + 2);
    }
}
