package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes an enum constant as its ordinal. The names of the constants are announced with the class, so the ordinals of
 * another version of the enum are understood by their names.
 */
final class EnumCodec extends Serializer<Enum<?>> {

    private final @Nullable Enum<?>[] constants; // by the ordinals of the sender; null if it is not known here
    private final List<String> names; // of the sender

    /** Creates the codec for the constants of an enum as they are here. */
    EnumCodec(Class<?> type) {
        this(type, names(type));
    }

    /** Creates the codec for constants of the names that a sender has, in its order. */
    EnumCodec(Class<?> type, List<String> names) {
        this.names = names;
        constants = names.stream()
                .map(name -> Arrays.stream(type.getEnumConstants())
                        .map(c -> (Enum<?>) c)
                        .filter(c -> c.name().equals(name))
                        .findAny()
                        .orElse(null))
                .toArray(Enum<?>[]::new);
    }

    private static List<String> names(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(c -> ((Enum<?>) c).name())
                .toList();
    }

    @Override
    public void write(Kryo kryo, Output output, Enum<?> object) {
        output.writeVarInt(object.ordinal(), true);
    }

    @Override
    public Enum<?> read(Kryo kryo, Input input, Class<? extends Enum<?>> type) {
        int place = input.readVarInt(true);
        if (place < 0 || place >= constants.length) {
            throw SerialException.malformed(
                    type.getName() + " constant: " + place + " (expected: 0.." + (constants.length - 1) + ")");
        }
        Enum<?> constant = constants[place];
        if (constant == null) {
            throw SerialException.refused("constant " + names.get(place) + " of " + type.getName()
                    + " is not known here (the other side has another version of the enum)");
        }
        return constant;
    }
}
