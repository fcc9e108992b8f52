package dev.cleave.call;

/** Primitive results as the bits that a reply leaves behind. */
public final class Primitives {

    private Primitives() {}

    /** The value of a primitive type that the bits stand for. */
    public static Object box(Class<?> type, long bits) {
        return switch (type.descriptorString()) {
            case "Z" -> (bits & 1) != 0;
            case "B" -> (byte) bits;
            case "C" -> (char) bits;
            case "S" -> (short) bits;
            case "I" -> (int) bits;
            case "J" -> bits;
            case "F" -> Float.intBitsToFloat((int) bits);
            case "D" -> Double.longBitsToDouble(bits);
            default -> throw new AssertionError(type);
        };
    }

    /** A boxed boolean, byte, char, short or int as the JVM holds it. */
    public static int toInt(Object boxed) {
        if (boxed instanceof Boolean b) {
            return b ? 1 : 0;
        }
        return boxed instanceof Character c ? c : ((Number) boxed).intValue();
    }
}
