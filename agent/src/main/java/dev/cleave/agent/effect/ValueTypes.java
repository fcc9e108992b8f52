package dev.cleave.agent.effect;

import java.util.Set;
import org.objectweb.asm.Type;

/** Types whose values are immutable, and whose {@code equals}, {@code hashCode} and {@code toString} are the JDK's. */
public final class ValueTypes {

    private static final Set<String> VALUES = Set.of(
            "java/lang/String",
            "java/lang/Boolean",
            "java/lang/Byte",
            "java/lang/Character",
            "java/lang/Short",
            "java/lang/Integer",
            "java/lang/Long",
            "java/lang/Float",
            "java/lang/Double",
            "java/lang/Class",
            "java/util/UUID",
            "java/time/Duration",
            "java/time/Instant",
            "java/time/LocalDate",
            "java/time/LocalDateTime",
            "java/time/LocalTime",
            "java/time/YearMonth",
            "java/time/Period");

    private ValueTypes() {}

    /** Whether values of the type are primitive or such an object. */
    public static boolean isValue(Type type) {
        return type.getSort() < Type.ARRAY || type.getSort() == Type.OBJECT && VALUES.contains(type.getInternalName());
    }
}
