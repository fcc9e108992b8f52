package dev.cleave.agent.packed;

/** The sizes of the entries of a class file's constant pool (JVMS 4.4). */
final class ConstantPool {

    static final int UTF8 = 1;

    /** Magic, version, and the count of the pool's entries. */
    static final int HEAD = 10;

    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    /** By tag; what is behind the tag of an entry other than a string. */
    private static final int[] SIZES = {0, 0, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2};

    private ConstantPool() {}

    /** How many bytes follow the tag of an entry that is no string. */
    static int size(int tag) {
        if (tag <= UTF8 || tag >= SIZES.length || SIZES[tag] == 0) {
            throw new IllegalArgumentException("constant pool tag " + tag);
        }
        return SIZES[tag];
    }

    /** How many numbers an entry takes. */
    static int slots(int tag) {
        return tag == LONG || tag == DOUBLE ? 2 : 1;
    }

    static int unsignedShort(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }
}
