package dev.cleave.stream;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Moves elements of arrays of primitives, little endian. A kind is the descriptor of the elements. */
final class Elements {

    /** The most elements of an array. */
    static final int MOST = Integer.MAX_VALUE - 8;

    private Elements() {}

    /** The bytes of one element, 0 if there is no such kind. */
    static int size(int kind) {
        return switch (kind) {
            case 'Z', 'B' -> 1;
            case 'C', 'S' -> 2;
            case 'I', 'F' -> 4;
            case 'J', 'D' -> 8;
            default -> 0;
        };
    }

    /** The type of the elements. */
    static Class<?> type(int kind) {
        return switch (kind) {
            case 'Z' -> boolean.class;
            case 'B' -> byte.class;
            case 'C' -> char.class;
            case 'S' -> short.class;
            case 'I' -> int.class;
            case 'J' -> long.class;
            case 'F' -> float.class;
            case 'D' -> double.class;
            default -> throw new AssertionError(kind);
        };
    }

    /** Appends elements to a buffer. */
    static void read(int kind, Object source, int at, int elements, ByteBuf to) {
        if (source instanceof byte[] array) {
            to.writeBytes(array, at, elements);
            return;
        }
        if (source instanceof boolean[] array) {
            for (int i = at; i < at + elements; i++) {
                to.writeBoolean(array[i]);
            }
            return;
        }
        int count = elements * size(kind);
        to.ensureWritable(count);
        ByteBuffer view = to.internalNioBuffer(to.writerIndex(), count);
        view.order(ByteOrder.LITTLE_ENDIAN);
        switch (kind) {
            case 'C' -> view.asCharBuffer().put((char[]) source, at, elements);
            case 'S' -> view.asShortBuffer().put((short[]) source, at, elements);
            case 'I' -> view.asIntBuffer().put((int[]) source, at, elements);
            case 'J' -> view.asLongBuffer().put((long[]) source, at, elements);
            case 'F' -> view.asFloatBuffer().put((float[]) source, at, elements);
            case 'D' -> view.asDoubleBuffer().put((double[]) source, at, elements);
            default -> throw new AssertionError(kind);
        }
        view.order(ByteOrder.BIG_ENDIAN); // later users of the pool's memory get the same view, and expect that
        to.writerIndex(to.writerIndex() + count);
    }

    /** Takes elements from a buffer. */
    static void fill(int kind, Object target, int at, int elements, ByteBuf source) {
        if (target instanceof byte[] array) {
            source.readBytes(array, at, elements);
            return;
        }
        if (target instanceof boolean[] array) {
            for (int i = at; i < at + elements; i++) {
                array[i] = source.readBoolean();
            }
            return;
        }
        int count = elements * size(kind);
        ByteBuffer view = source.internalNioBuffer(source.readerIndex(), count);
        view.order(ByteOrder.LITTLE_ENDIAN);
        switch (kind) {
            case 'C' -> view.asCharBuffer().get((char[]) target, at, elements);
            case 'S' -> view.asShortBuffer().get((short[]) target, at, elements);
            case 'I' -> view.asIntBuffer().get((int[]) target, at, elements);
            case 'J' -> view.asLongBuffer().get((long[]) target, at, elements);
            case 'F' -> view.asFloatBuffer().get((float[]) target, at, elements);
            case 'D' -> view.asDoubleBuffer().get((double[]) target, at, elements);
            default -> throw new AssertionError(kind);
        }
        view.order(ByteOrder.BIG_ENDIAN);
        source.skipBytes(count);
    }
}
