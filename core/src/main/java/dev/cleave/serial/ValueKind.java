package dev.cleave.serial;

import static java.util.Map.entry;

import java.util.HashMap;
import java.util.Map;

/**
 * How a value of a declared type travels: the direct kinds by one call on {@link ValueWriter} and {@link ValueReader},
 * all other values as objects.
 */
public enum ValueKind {
    BOOLEAN("Z"),
    BYTE("B"),
    CHAR("C"),
    SHORT("S"),
    INT("I"),
    LONG("J"),
    FLOAT("F"),
    DOUBLE("D"),
    STRING("Ljava/lang/String;"),
    BOOLEANS("[Z"),
    BYTES("[B"),
    CHARS("[C"),
    SHORTS("[S"),
    INTS("[I"),
    LONGS("[J"),
    FLOATS("[F"),
    DOUBLES("[D"),
    /** Any other value; in a frame objects follow all direct values. */
    OBJECT("Ljava/lang/Object;");

    private static final Map<Class<?>, ValueKind> DIRECT = Map.ofEntries(
            entry(boolean.class, BOOLEAN),
            entry(byte.class, BYTE),
            entry(char.class, CHAR),
            entry(short.class, SHORT),
            entry(int.class, INT),
            entry(long.class, LONG),
            entry(float.class, FLOAT),
            entry(double.class, DOUBLE),
            entry(String.class, STRING),
            entry(boolean[].class, BOOLEANS),
            entry(byte[].class, BYTES),
            entry(char[].class, CHARS),
            entry(short[].class, SHORTS),
            entry(int[].class, INTS),
            entry(long[].class, LONGS),
            entry(float[].class, FLOATS),
            entry(double[].class, DOUBLES));

    private static final Map<String, ValueKind> BY_DESCRIPTOR = byDescriptor();

    private final String descriptor;

    ValueKind(String descriptor) {
        this.descriptor = descriptor;
    }

    private static Map<String, ValueKind> byDescriptor() {
        Map<String, ValueKind> kinds = new HashMap<>();
        for (ValueKind kind : values()) {
            kinds.put(kind.descriptor, kind);
        }
        return Map.copyOf(kinds);
    }

    /** The kind of values declared as {@code type}. */
    public static ValueKind of(Class<?> type) {
        if (type == void.class) {
            throw new IllegalArgumentException("type: void (expected: the type of a value)");
        }
        return DIRECT.getOrDefault(type, OBJECT);
    }

    /** The kind of values declared as the type with a descriptor. */
    static ValueKind ofDescriptor(String descriptor) {
        return BY_DESCRIPTOR.getOrDefault(descriptor, OBJECT);
    }

    /** Whether it is of a primitive type. */
    public boolean isPrimitive() {
        return descriptor.length() == 1;
    }

    /** The JVM descriptor of the type that is written and read. */
    public String descriptor() {
        return descriptor;
    }

    /** The name of the method that writes it, {@code void putX(X)}. */
    public String writer() {
        return "put" + camel();
    }

    /** The name of the method that reads it, {@code X takeX()}. */
    public String reader() {
        return "take" + camel();
    }

    private String camel() {
        return name().charAt(0) + name().substring(1).toLowerCase(java.util.Locale.ROOT);
    }
}
