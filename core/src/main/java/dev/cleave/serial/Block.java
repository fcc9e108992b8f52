package dev.cleave.serial;

import dev.cleave.wire.Blocks;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A large value that travels beside its frame, little endian, moved part by part between the arrays of the program and
 * buffers.
 *
 * <p>One that arrives is filled by one thread, part behind part; what has been filled may be read by whoever knows of it.
 */
public abstract class Block {

    /** The least bytes for which a value is a block: an argument or result. */
    static final int LEAST = 64 << 10;

    /** The least bytes for which an array within an object is one, and for which a value is used while it arrives. */
    static final int LEAST_WITHIN = 16 << 10;

    /** From so many bytes on it takes an event thread too long to make the array. */
    static final int LEAST_ELSEWHERE = 1 << 20;

    private final int kind;
    private final long bytes;
    private int group; // before anybody else knows of it

    Block(int kind, long bytes) {
        this.kind = kind;
        this.bytes = bytes;
    }

    /** An array as it is, or as it will be when it is read. */
    static Block of(Object array) {
        return new ArrayBlock(array);
    }

    /** The objects of a frame. */
    static Block ofObjects(byte[] bytes, int count) {
        return new ArrayBlock(bytes, count);
    }

    /**
     * A block that is to arrive.
     *
     * @throws SerialException if there cannot be such a one
     */
    public static Block arriving(Blocks announced) {
        int kind = announced.kind();
        long bytes = announced.bytes();
        if (RowsBlock.isRows(kind) && bytes % RowsBlock.UNIT == 0) {
            return new RowsBlock(kind, bytes);
        }
        int size = kind == ArrayBlock.OBJECTS ? 1 : Elements.size(kind);
        if (size == 0 || bytes % size != 0 || bytes / size > Elements.MOST) {
            throw SerialException.malformed("block of kind " + kind + " with " + bytes
                    + " bytes (expected: an array of primitives, or of such arrays)");
        }
        return new ArrayBlock(kind, bytes);
    }

    /** It is of a value that is used while it arrives. */
    final void belongsTo(int ofGroup) {
        group = ofGroup;
    }

    final Block like(Block other) {
        group = other.group;
        return this;
    }

    /** Whether it is of a value that is used while it arrives. */
    public final boolean isLate() {
        return group != 0;
    }

    /** How it is announced. */
    public final Blocks announcement() {
        return new Blocks(kind, bytes, group);
    }

    /** How many bytes it has. */
    public final long bytes() {
        return bytes;
    }

    final int kind() {
        return kind;
    }

    /** How many of its bytes can be read now. */
    public long readable() {
        return bytes;
    }

    /** The value that it passes on while that arrives; null if all of it is here. */
    public @Nullable LateValue source() {
        return null;
    }

    /** The bytes that stay together: a part has some times as many. */
    public abstract int elementSize();

    /** This with arrays that nobody else has. */
    public abstract Block copy();

    final boolean isObjects() {
        return kind == ArrayBlock.OBJECTS;
    }

    /** Whether it is an array of that kind. */
    final boolean isOf(ValueKind wanted) {
        return wanted.descriptor().equals("[" + (char) kind);
    }

    /** The array, whose elements may still be arriving; null if that many are not known yet. */
    abstract @Nullable Object array();

    /** How many elements of the array have come when so many bytes have. Of the thread that fills it. */
    abstract int elements(long filled);

    /** Appends a part to a buffer. */
    public abstract void read(long from, int count, ByteBuf to);

    /** Whether the array is so large that the event thread leaves it to another to {@link #make} it, which has not been done. */
    public abstract boolean isMadeElsewhere();

    /** Makes the array. */
    public abstract void make();

    /**
     * Takes the next part from a buffer.
     *
     * @param from how many bytes have been filled
     */
    public abstract void fill(long from, int count, ByteBuf source);
}
