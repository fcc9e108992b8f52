package dev.cleave.agent.scan;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Says from its constant pool alone whether a class may call a remote method, so that all others cost next to nothing.
 *
 * <p>Walks the pool once and looks at the owners of interface methods that are not the platform's. Layout: JVM
 * Specification, 4.4.
 */
public final class RemoteCallScanner {

    private static final int MAGIC = 0xCAFEBABE;
    private static final int POOL_AT = 10;

    private final RemoteInterfaceIndex index;

    /** Creates a scanner that asks {@code index} about interfaces. */
    public RemoteCallScanner(RemoteInterfaceIndex index) {
        this.index = requireNonNull(index, "index");
    }

    /** Whether the class calls a method of an interface that its loader knows as remote. False for what is no class file. */
    public boolean callsRemote(@Nullable ClassLoader loader, byte[] classFile) {
        try {
            return scan(loader, classFile);
        } catch (ArrayIndexOutOfBoundsException e) {
            return false; // cut short: not a class file
        }
    }

    private boolean scan(@Nullable ClassLoader loader, byte[] file) {
        if (file.length < POOL_AT || i32(file, 0) != MAGIC) {
            return false;
        }
        int count = u16(file, 8);
        int[] offsets = new int[count];
        boolean anyInterfaceCall = false;
        int at = POOL_AT;
        for (int i = 1; i < count; i++) {
            offsets[i] = at;
            int tag = file[at];
            anyInterfaceCall |= tag == 11;
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
                    return false; // a pool entry of the future
                }
            }
        }
        return anyInterfaceCall && ownsRemote(loader, file, offsets);
    }

    private boolean ownsRemote(@Nullable ClassLoader loader, byte[] file, int[] offsets) {
        int last = 0;
        for (int i = 1; i < offsets.length; i++) {
            int at = offsets[i];
            if (at == 0 || file[at] != 11) {
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

    private static int u16(byte[] file, int at) {
        return (file[at] & 0xff) << 8 | file[at + 1] & 0xff;
    }

    private static int i32(byte[] file, int at) {
        return u16(file, at) << 16 | u16(file, at + 2);
    }
}
