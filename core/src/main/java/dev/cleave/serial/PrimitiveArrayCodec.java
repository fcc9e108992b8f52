package dev.cleave.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;

/**
 * An array of primitives inside an object: its length, its elements in bulk; or, lowest bit 1, the number of a block.
 */
final class PrimitiveArrayCodec extends Serializer<Object> {

    @Override
    public void write(Kryo kryo, Output output, Object array) {
        int length = java.lang.reflect.Array.getLength(array);
        int block = ((PlainOutput) output).block(array);
        if (block >= 0) {
            output.writeVarLong((long) block << 1 | 1, true);
            return;
        }
        output.writeVarLong((long) length << 1, true);
        switch (ValueKind.of(array.getClass())) {
            case BOOLEANS -> output.writeBooleans((boolean[]) array, 0, length);
            case BYTES -> output.writeBytes((byte[]) array);
            case CHARS -> output.writeChars((char[]) array, 0, length);
            case SHORTS -> output.writeShorts((short[]) array, 0, length);
            case INTS -> output.writeInts((int[]) array, 0, length);
            case LONGS -> output.writeLongs((long[]) array, 0, length);
            case FLOATS -> output.writeFloats((float[]) array, 0, length);
            case DOUBLES -> output.writeDoubles((double[]) array, 0, length);
            default -> throw new AssertionError(array.getClass());
        }
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<?> type) {
        long coded = input.readVarLong(true);
        if ((coded & 1) != 0) {
            return ((BoundedInput) input).block(coded >>> 1, ValueKind.of(type));
        }
        int length = (int) Math.min(coded >>> 1, Integer.MAX_VALUE);
        return switch (ValueKind.of(type)) {
            case BOOLEANS -> input.readBooleans(length);
            case BYTES -> input.readBytes(length);
            case CHARS -> input.readChars(length);
            case SHORTS -> input.readShorts(length);
            case INTS -> input.readInts(length);
            case LONGS -> input.readLongs(length);
            case FLOATS -> input.readFloats(length);
            case DOUBLES -> input.readDoubles(length);
            default -> throw new AssertionError(type);
        };
    }
}
