package dev.cleave.stream;

import dev.cleave.wire.Blocks;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * An array of a large value, or the bytes of its objects, that travels in chunks behind its message. Its bytes are
 * little endian and move part by part between the array of the program and buffers.
 *
 * <p>One thread fills a block that is received, from its first byte to its last; other threads may read the part that
 * they know to be filled.
 */
public abstract class Block {

    /** From this size on, in bytes, an argument or result is sent as a block. */
    public static final int LEAST = 64 << 10;

    /** From this size on, in bytes, an array within an object is sent as a block, and so is a streamed value. */
    public static final int LEAST_WITHIN = 16 << 10;

    /** From this size on, in bytes, it takes an event thread too long to make the array. */
    static final int LEAST_ELSEWHERE = 1 << 20;

    /** The kind of a block that has the bytes of objects; of others it is the descriptor of their elements. */
    static final int OBJECTS = 'O';

    private final int kind;
    private final long bytes;
    private int value; // set before another thread knows of this

    Block(int kind, long bytes) {
        this.kind = kind;
        this.bytes = bytes;
    }

    static WireException malformed(String message) {
        return new WireException(ErrorCode.PROTOCOL, message);
    }

    /** Makes it a block of the streamed value with a number, at least 1. */
    public final void belongsTo(int number) {
        value = number;
    }

    final Block like(Block other) {
        value = other.value;
        return this;
    }

    /** Whether it is of a streamed value; others are complete before their message is used. */
    public final boolean isStreamed() {
        return value != 0;
    }

    /** Returns the announcement of the block in its message. */
    public final Blocks announcement() {
        return new Blocks(kind, bytes, value);
    }

    /** Returns its length in bytes. */
    public final long bytes() {
        return bytes;
    }

    final int kind() {
        return kind;
    }

    /** Returns how many of its bytes can be read now. */
    long readable() {
        return bytes;
    }

    /** The unit of parts in bytes: the length of each part is a multiple of it. */
    abstract int elementSize();

    /** Returns this block with copies of its arrays. */
    public abstract Block copy();

    /** Whether it has the bytes of objects. */
    public final boolean isObjects() {
        return kind == OBJECTS;
    }

    /** Whether its array is of a class, given as descriptor. */
    public final boolean isOf(String descriptor) {
        return descriptor.equals("[" + (char) kind);
    }

    /** The array, whose elements may still be arriving; null until its length is known. */
    public abstract @Nullable Object array();

    /**
     * How many elements of the array are complete when the first {@code filled} bytes are. Of the thread that fills it.
     */
    abstract int elements(long filled);

    /** Appends the part of {@code count} bytes that begins at {@code from} to a buffer. */
    abstract void read(long from, int count, ByteBuf to);

    /**
     * Whether its array is so large that the event thread leaves it to another thread to {@link #make} it, and is not
     * made.
     */
    abstract boolean isMadeElsewhere();

    /** Makes the array. */
    abstract void make();

    /**
     * Takes the next part from a buffer.
     *
     * @param from how many bytes have been filled
     */
    abstract void fill(long from, int count, ByteBuf source);
}
