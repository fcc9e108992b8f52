package dev.cleave.call;

import org.jspecify.annotations.Nullable;

/** Primitive results as the bits that a reply leaves behind. */
public final class Primitives {

    private Primitives() {}

    /** The value of a primitive type that the bits stand for. */
    public static Object box(Class<?> type, long bits) {
        if (type == long.class) {
            return bits;
        } else if (type == int.class) {
            return (int) bits;
        } else if (type == double.class) {
            return Double.longBitsToDouble(bits);
        } else if (type == boolean.class) {
            return (bits & 1) != 0;
        } else if (type == float.class) {
            return Float.intBitsToFloat((int) bits);
        } else if (type == byte.class) {
            return (byte) bits;
        } else if (type == short.class) {
            return (short) bits;
        } else if (type == char.class) {
            return (char) bits;
        }
        throw new AssertionError(type);
    }

    /** The bits that stand for a boxed primitive. */
    static long bits(Object boxed) {
        if (boxed instanceof Double d) {
            return Double.doubleToRawLongBits(d);
        } else if (boxed instanceof Float f) {
            return Float.floatToRawIntBits(f);
        }
        return boxed instanceof Long l ? l : toInt(boxed);
    }

    /** A boxed boolean, byte, char, short or int as the JVM holds it. */
    public static int toInt(Object boxed) {
        if (boxed instanceof Boolean b) {
            return b ? 1 : 0;
        }
        return boxed instanceof Character c ? c : ((Number) boxed).intValue();
    }

    /**
     * Returns a value as a program passes it for a parameter without computing with it: an object as it is, and for a
     * primitive type what is in a box, widened if need be, in the box of the parameter's type.
     *
     * @return null if the parameter does not take the value, or the value is null
     */
    public static @Nullable Object passed(Class<?> parameter, @Nullable Object value) {
        if (value == null || !parameter.isPrimitive()) {
            return parameter.isInstance(value) ? value : null;
        }
        Object number = value instanceof Character c ? (Object) (int) c : value;
        boolean isInt = number instanceof Byte || number instanceof Short || number instanceof Integer;
        boolean isWhole = isInt || number instanceof Long;
        return switch (parameter.descriptorString()) {
            case "Z" -> value instanceof Boolean ? value : null;
            case "B" -> value instanceof Byte ? value : null;
            case "C" -> value instanceof Character ? value : null;
            case "S" -> value instanceof Short || value instanceof Byte ? ((Number) value).shortValue() : null;
            case "I" -> isInt ? ((Number) number).intValue() : null;
            case "J" -> isWhole ? ((Number) number).longValue() : null;
            case "F" -> isWhole || number instanceof Float ? ((Number) number).floatValue() : null;
            case "D" ->
                isWhole || number instanceof Float || number instanceof Double ? ((Number) number).doubleValue() : null;
            default -> throw new AssertionError(parameter);
        };
    }
}
