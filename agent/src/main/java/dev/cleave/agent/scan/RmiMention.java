package dev.cleave.agent.scan;

import org.jspecify.annotations.Nullable;

/** Finds out from constant pools alone whether a class mentions RMI, so that all others cost next to nothing. */
public final class RmiMention {

    private static final String PACKAGE = "java/rmi/";
    private static final int TEXT = 1;

    private RmiMention() {}

    /**
     * Whether the class names a class of {@code java.rmi} or one of its packages. False for bytes that are no class
     * file.
     */
    public static boolean isIn(byte[] classFile) {
        try {
            int @Nullable [] offsets = RemoteCallScanner.offsets(classFile);
            if (offsets == null) {
                return false;
            }
            for (int i = 1; i < offsets.length - 1; i++) {
                int at = offsets[i];
                if (at != 0 && classFile[at] == TEXT && mentions(classFile, at + 3)) {
                    return true;
                }
            }
            return false;
        } catch (ArrayIndexOutOfBoundsException e) {
            return false; // cut short: not a class file
        }
    }

    private static boolean mentions(byte[] file, int from) {
        int end = from + RemoteCallScanner.u16(file, from - 2);
        if (end - from < PACKAGE.length()) {
            return false;
        }
        byte first = file[from];
        if (first != 'j' && first != 'L' && first != '(') {
            return false; // neither the name of a class nor a descriptor
        }
        for (int at = from; at <= end - PACKAGE.length(); at++) {
            if (file[at] == 'j' && isPackage(file, at)) {
                return true;
            }
            if (first == 'j') {
                return false;
            }
        }
        return false;
    }

    private static boolean isPackage(byte[] file, int at) {
        for (int i = 0; i < PACKAGE.length(); i++) {
            if (file[at + i] != PACKAGE.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
