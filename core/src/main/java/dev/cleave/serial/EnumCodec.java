package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;

/**
 * Writes an enum constant as its ordinal; the fingerprint of the class ensures that both sides have the same constants.
 */
final class EnumCodec extends Serializer<Enum<?>> {

    private final Object[] constants;

    EnumCodec(Class<?> type) {
        constants = type.getEnumConstants();
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
        return (Enum<?>) constants[place];
    }
}
