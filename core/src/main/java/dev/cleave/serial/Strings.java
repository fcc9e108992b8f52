package dev.cleave.serial;

/**
 * The form of strings: a header {@code ((length << 1) | wide) + 1}, 0 for null, then one byte for each character, or
 * two, little endian, if any is above 255. Every string comes back exactly, unpaired surrogates included.
 */
final class Strings {

    /** The longest string that is written: its header is an int. */
    static final int MAX_LENGTH = (1 << 29) - 1;

    private Strings() {}

    static boolean isWide(String text) {
        int bits = 0;
        for (int i = 0; i < text.length(); i++) {
            bits |= text.charAt(i);
        }
        return bits > 0xff;
    }

    static int header(String text, boolean wide) {
        if (text.length() > MAX_LENGTH) {
            throw SerialException.refused(
                    "string of " + text.length() + " characters (expected: at most " + MAX_LENGTH + ")");
        }
        return (text.length() << 1 | (wide ? 1 : 0)) + 1;
    }

    static byte[] wideBytes(String text) {
        byte[] bytes = new byte[2 * text.length()];
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bytes[2 * i] = (byte) c;
            bytes[2 * i + 1] = (byte) (c >>> 8);
        }
        return bytes;
    }

    static String wide(byte[] bytes, int from, int length) {
        char[] chars = new char[length];
        for (int i = 0; i < length; i++) {
            chars[i] = (char) (bytes[from + 2 * i] & 0xff | bytes[from + 2 * i + 1] << 8);
        }
        return new String(chars);
    }
}
