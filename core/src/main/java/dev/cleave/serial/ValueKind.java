package dev.cleave.serial;

/**
 * How a value of a declared type travels: the direct kinds by one call on {@link ValueWriter} and {@link ValueReader},
 * everything else as an object.
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
    /** Anything else; in a frame objects follow all direct values. */
    OBJECT("Ljava/lang/Object;");

    private final String descriptor;

    ValueKind(String descriptor) {
        this.descriptor = descriptor;
    }

    /** The kind of values declared as {@code type}. */
    public static ValueKind of(Class<?> type) {
        String descriptor = type.descriptorString();
        for (ValueKind kind : values()) {
            if (kind.descriptor.equals(descriptor)) {
                return kind;
            }
        }
        if (type == void.class) {
            throw new IllegalArgumentException("type: void (expected: the type of a value)");
        }
        return OBJECT;
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
