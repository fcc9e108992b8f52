package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Output;
import dev.cleave.serial.Layout.Part;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of another version of a class, matched by name: a field that is missing there has its default, one
 * that is missing here is skipped. Where several classes of a hierarchy have a field of one name, the most special ones
 * match. Immutable; thread-safe.
 */
final class FieldMatch {

    private static final int SKIPPED = -1;

    private final List<Part> sent;
    private final int[] places; // of the slots, by the order in which the fields were sent
    private final List<FieldSlot> slots;

    private FieldMatch(List<Part> sent, int[] places, List<FieldSlot> slots) {
        this.sent = sent;
        this.places = places;
        this.slots = slots;
    }

    /**
     * Matches fields.
     *
     * @param type the name of the class, for messages
     * @throws SerialException if a field has a type that does not fit; the message names it
     */
    static FieldMatch of(String type, List<Part> sent, List<FieldSlot> slots) {
        Map<String, Integer> byName = new HashMap<>();
        for (int i = slots.size() - 1; i >= 0; i--) { // the most special first
            putNext(byName, slots.get(i).name(), i);
        }
        int[] places = new int[sent.size()];
        Map<String, Integer> seen = new HashMap<>();
        for (int i = sent.size() - 1; i >= 0; i--) {
            Part part = sent.get(i);
            places[i] = byName.getOrDefault(putNext(seen, part.name(), i), SKIPPED);
            if (places[i] != SKIPPED
                    && !FieldTypes.fits(
                            part.descriptor(), slots.get(places[i]).type().descriptorString())) {
                throw differs(type, part, slots.get(places[i]).type().getTypeName());
            }
        }
        return new FieldMatch(sent, places, slots);
    }

    /**
     * Finds a field of the other side's version whose type does not fit that here.
     *
     * @param comes whether its values come from there; else they go there
     * @return the difference; null if there is none
     */
    static @Nullable String difference(String type, List<Part> there, List<Part> here, boolean comes) {
        Map<String, Part> own = new HashMap<>();
        for (int i = here.size() - 1; i >= 0; i--) {
            putNext(own, here.get(i).name(), here.get(i));
        }
        Map<String, Part> seen = new HashMap<>();
        for (int i = there.size() - 1; i >= 0; i--) {
            Part part = there.get(i);
            Part match = own.get(putNext(seen, part.name(), part));
            if (match != null
                    && !(comes
                            ? FieldTypes.fits(part.descriptor(), match.descriptor())
                            : FieldTypes.fits(match.descriptor(), part.descriptor()))) {
                return differs(type, part, match.type()).getMessage();
            }
        }
        return null;
    }

    private static SerialException differs(String type, Part there, String here) {
        return SerialException.refused("type " + type + " differs on the other side: field " + there.name() + " is "
                + there.type() + " there and " + here + " here");
    }

    /** Puts a value under a name, or under the name with the first number that is free; returns the key. */
    private static <T> String putNext(Map<String, T> map, String name, T value) {
        String key = name;
        for (int n = 1; map.putIfAbsent(key, value) != null; n++) {
            key = name + '/' + n;
        }
        return key;
    }

    /** Whether the other side sends a value for a slot. */
    boolean isSent(int slot) {
        return Arrays.stream(places).anyMatch(place -> place == slot);
    }

    /**
     * Reads all values that were sent.
     *
     * @param parts the declared types of the slots
     * @return the values of the slots
     */
    @Nullable
    Object[] readAll(Kryo kryo, BoundedInput input, Shape[] parts) {
        @Nullable Object[] values = new @Nullable Object[slots.size()];
        for (int i = 0; i < values.length; i++) {
            Class<?> type = slots.get(i).type();
            values[i] = type.isPrimitive() ? FieldTypes.zero(type) : null;
        }
        for (int i = 0; i < places.length; i++) {
            Part part = sent.get(i);
            if (places[i] == SKIPPED) {
                skip(part.kind(), kryo, input);
                continue;
            }
            FieldSlot slot = slots.get(places[i]);
            try {
                Shape declared = slot.type().isPrimitive() ? Shape.ANYTHING : parts[places[i]];
                Object read = read(part.kind(), kryo, input, declared);
                values[places[i]] = slot.type().isPrimitive() ? widened(read, slot.type()) : checked(read, declared);
            } catch (Mismatch e) {
                throw e.at("." + slot.name());
            }
        }
        return values;
    }

    /** Reads all values that were sent into an object; fields that were not sent are left as they are. */
    void read(Kryo kryo, BoundedInput input, Object object, Shape[] parts) {
        @Nullable Object[] values = readAll(kryo, input, parts);
        for (int place : places) {
            if (place != SKIPPED) {
                slots.get(place).set(object, values[place]);
            }
        }
    }

    private static @Nullable Object checked(@Nullable Object value, Shape declared) {
        declared.check(value);
        return value;
    }

    private static Object widened(@Nullable Object value, Class<?> type) {
        if (value == null) {
            throw SerialException.refused("null for a field that is " + type.getName() + " here");
        }
        Number number = value instanceof Character c ? (Number) (int) c : value instanceof Number n ? n : null;
        if (number == null || type == char.class) {
            return value;
        }
        return switch (ValueKind.of(type)) {
            case SHORT -> number.shortValue();
            case INT -> number.intValue();
            case LONG -> number.longValue();
            case FLOAT -> number.floatValue();
            case DOUBLE -> number.doubleValue();
            default -> value;
        };
    }

    private static @Nullable Object read(ValueKind kind, Kryo kryo, BoundedInput input, Shape declared) {
        return switch (kind) {
            case BOOLEAN -> input.readBoolean();
            case BYTE -> input.readByte();
            case CHAR -> input.readChar();
            case SHORT -> input.readShort();
            case INT -> input.readVarInt(false);
            case LONG -> input.readVarLong(false);
            case FLOAT -> input.readFloat();
            case DOUBLE -> input.readDouble();
            case STRING -> input.readString();
            case BOOLEANS, BYTES, CHARS, SHORTS, INTS, LONGS, FLOATS, DOUBLES, OBJECT -> input.read(kryo, declared);
        };
    }

    /** Reads a value and drops it. */
    static void skip(ValueKind kind, Kryo kryo, BoundedInput input) {
        if (kind == ValueKind.OBJECT || !kind.isPrimitive() && kind != ValueKind.STRING) {
            input.skip(kryo);
        } else {
            read(kind, kryo, input, Shape.ANYTHING);
        }
    }

    /** Writes a value of a kind. */
    static void write(Kryo kryo, Output output, ValueKind kind, @Nullable Object value) {
        switch (kind) {
            case BOOLEAN -> output.writeBoolean(value != null && (boolean) value);
            case BYTE -> output.writeByte(value == null ? 0 : (byte) value);
            case CHAR -> output.writeChar(value == null ? 0 : (char) value);
            case SHORT -> output.writeShort(value == null ? 0 : (short) value);
            case INT -> output.writeVarInt(value == null ? 0 : (int) value, false);
            case LONG -> output.writeVarLong(value == null ? 0 : (long) value, false);
            case FLOAT -> output.writeFloat(value == null ? 0 : (float) value);
            case DOUBLE -> output.writeDouble(value == null ? 0 : (double) value);
            case STRING -> output.writeString((String) value);
            case BOOLEANS, BYTES, CHARS, SHORTS, INTS, LONGS, FLOATS, DOUBLES, OBJECT ->
                kryo.writeClassAndObject(output, value);
        }
    }
}
