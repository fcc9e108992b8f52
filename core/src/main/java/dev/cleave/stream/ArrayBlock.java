package dev.cleave.stream;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/** An array of primitives, or objects that have been written. */
final class ArrayBlock extends Block {

    private final int size;
    private volatile @Nullable Object array; // made when it is needed; written under the monitor of this

    /** An array as it is, or as it will be when it is read. */
    ArrayBlock(Object array) {
        this(
                array.getClass().getComponentType().descriptorString().charAt(0),
                (long) Array.getLength(array)
                        * Elements.size(array.getClass()
                                .getComponentType()
                                .descriptorString()
                                .charAt(0)));
        this.array = array;
    }

    /** Objects that have been written. */
    ArrayBlock(byte[] bytes, int count) {
        this(OBJECTS, count);
        array = bytes;
    }

    /** Creates a block that is to be received. */
    ArrayBlock(int kind, long bytes) {
        super(kind, bytes);
        size = kind == OBJECTS ? 1 : Elements.size(kind);
    }

    @Override
    int elementSize() {
        return size;
    }

    @Override
    public Block copy() {
        return isObjects() ? this : new ArrayBlock(copied(requireNonNull(array))).like(this);
    }

    @Override
    public Object array() {
        Object known = array;
        return known != null ? known : made();
    }

    @Override
    boolean isMadeElsewhere() {
        return array == null && bytes() >= LEAST_ELSEWHERE;
    }

    @Override
    void make() {
        made();
    }

    @Override
    int elements(long filled) {
        return (int) (filled / size);
    }

    @Override
    void read(long from, int count, ByteBuf to) {
        Elements.read(kind(), requireNonNull(array), (int) (from / size), count / size, to);
    }

    @Override
    void fill(long from, int count, ByteBuf source) {
        Elements.fill(kind(), array(), (int) (from / size), count / size, source);
    }

    private synchronized Object made() {
        Object known = array;
        if (known == null) {
            known = Array.newInstance(isObjects() ? byte.class : Elements.type(kind()), (int) (bytes() / size));
            array = known;
        }
        return known;
    }

    /** Copies an array whose type is not known, as its {@code clone} does. */
    static Object copied(Object array) {
        int length = Array.getLength(array);
        Object copy = Array.newInstance(array.getClass().getComponentType(), length);
        System.arraycopy(array, 0, copy, 0, length);
        return copy;
    }
}
