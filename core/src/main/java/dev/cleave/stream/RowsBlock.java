package dev.cleave.stream;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An array of arrays of primitives, which arrives row by row.
 *
 * <pre>
 *   i32 rows | i32 0 | i32 length * rows | to a multiple of 8 | elements of the rows, one behind the other | to a
 *   multiple of 8
 * </pre>
 *
 * Its kind is the descriptor of the elements in lower case. A length of -1 is a null in the place of a row, -2 - k a
 * second reference to row k. Everything is little endian; parts are multiples of 8 bytes, so no element is parted.
 */
final class RowsBlock extends Block {

    /** The unit of parts: their lengths are multiples of it. */
    static final int UNIT = 8;

    private static final int NONE = -1;
    private static final int HEAD = 2 * Integer.BYTES;

    private final int element; // kind
    private final int size; // of an element

    private volatile Object @Nullable [] rows; // known when all lengths are
    private int[] lengths = {};
    private long[] starts = {}; // of each row behind the lengths, and at the end that of the padding

    private int count = -1; // of the rows; this and those below: of the thread that fills it
    private int known; // how many lengths have come
    private int row; // the first that is not complete
    private int at; // how many elements of it have come

    /** Creates a block that is to be received. */
    RowsBlock(int kind, long bytes) {
        super(kind, bytes);
        element = kind - 'a' + 'A';
        size = Elements.size(element);
    }

    private RowsBlock(Object[] array, int element, int[] lengths, long[] starts, long bytes) {
        super(element - 'A' + 'a', bytes);
        this.element = element;
        size = Elements.size(element);
        rows = array;
        count = array.length;
        this.lengths = lengths;
        this.starts = starts;
    }

    /** Whether that is the kind of such a block. */
    static boolean isRows(int kind) {
        return kind >= 'a' && Elements.size(kind - 'a' + 'A') > 0;
    }

    /** Whether a value is an array of arrays of primitives. */
    static boolean isRows(Object value) {
        Class<?> type = value.getClass().getComponentType();
        return type != null && type.isArray() && type.getComponentType().isPrimitive();
    }

    /** Rows as they are, or as they will be when they are read; which array each is stays as it is now. */
    static RowsBlock ofRows(Object value) {
        Object[] array = ((Object[]) value).clone();
        int element = array.getClass()
                .getComponentType()
                .getComponentType()
                .descriptorString()
                .charAt(0);
        int[] lengths = new int[array.length];
        long[] starts = new long[array.length + 1];
        Map<Object, Integer> seen = new IdentityHashMap<>();
        long end = 0;
        for (int i = 0; i < array.length; i++) {
            starts[i] = end;
            Object row = array[i];
            Integer before = row == null ? null : seen.putIfAbsent(row, i);
            lengths[i] = row == null ? NONE : before != null ? NONE - 1 - before : Array.getLength(row);
            end += (long) Math.max(0, lengths[i]) * Elements.size(element);
        }
        starts[array.length] = end;
        return new RowsBlock(array, element, lengths, starts, dataAt(array.length) + padded(end));
    }

    @Override
    int elementSize() {
        return UNIT;
    }

    @Override
    public Block copy() {
        Object[] copies = requireNonNull(rows).clone();
        for (int i = 0; i < copies.length; i++) {
            copies[i] = lengths[i] < 0 ? copies[i] : ArrayBlock.copied(copies[i]);
        }
        return new RowsBlock(copies, element, lengths, starts, bytes()).like(this);
    }

    @Override
    public Object @Nullable [] array() {
        return rows;
    }

    @Override
    boolean isMadeElsewhere() {
        return false; // row by row
    }

    @Override
    void make() {}

    @Override
    int elements(long filled) {
        return row;
    }

    @Override
    void read(long from, int length, ByteBuf to) {
        to.ensureWritable(length);
        long place = from;
        long end = from + length;
        while (place < Math.min(end, dataAt(count))) {
            int index = (int) (place / Integer.BYTES) - HEAD / Integer.BYTES;
            to.writeIntLE(index == -2 ? count : index < 0 || index >= count ? 0 : lengths[index]);
            place += Integer.BYTES;
        }
        while (place < end) {
            long inData = place - dataAt(count);
            if (inData >= starts[count]) {
                to.writeZero((int) (end - place));
                return;
            }
            int which = Arrays.binarySearch(starts, inData);
            which = which >= 0 ? which : -2 - which; // the row that begins there, or around it
            while (starts[which + 1] <= inData) { // those without elements begin at the same place
                which++;
            }
            int first = (int) ((inData - starts[which]) / size);
            int elements = (int) Math.min(lengths[which] - first, (end - place) / size);
            Elements.read(element, requireNonNull(rows)[which], first, elements, to);
            place += (long) elements * size;
        }
    }

    @Override
    void fill(long from, int length, ByteBuf source) {
        int end = source.readerIndex() + length;
        if (count < 0) {
            count = source.readIntLE();
            source.skipBytes(Integer.BYTES);
            if (count < 0 || dataAt(count) > bytes()) {
                throw malformed("rows: " + count + " in a block of " + bytes() + " bytes");
            }
            lengths = new int[count];
        }
        while (rows == null && source.readerIndex() < end) {
            takeLengths(source);
        }
        if (rows == null && known == count) { // there are none
            begin();
        }
        while (row < count && source.readerIndex() < end) {
            takeElements(source, end);
        }
        source.readerIndex(end); // the padding
    }

    private void takeLengths(ByteBuf source) {
        for (int i = 0; i < UNIT / Integer.BYTES; i++) {
            int length = source.readIntLE();
            if (known < count) {
                lengths[known++] = length;
            }
        }
        if (known == count) {
            begin();
        }
    }

    /** All lengths are known. */
    private void begin() {
        long data = 0;
        long[] begins = new long[count + 1];
        for (int i = 0; i < count; i++) {
            int length = lengths[i];
            begins[i] = data;
            int before = NONE - 1 - length;
            if (length < NONE && (before >= i || lengths[before] < 0) || length > Elements.MOST) {
                throw malformed("length of row " + i + ": " + length);
            }
            data += (long) Math.max(0, length) * size;
        }
        if (dataAt(count) + padded(data) != bytes()) {
            throw malformed(
                    "rows of " + data + " bytes in a block of " + bytes() + " (expected: as many as the block has)");
        }
        begins[count] = data;
        starts = begins;
        Class<?> type = Array.newInstance(Elements.type(element), 0).getClass();
        rows = (Object[]) Array.newInstance(type, count);
        passRowsWithoutElements();
    }

    private void takeElements(ByteBuf source, int end) {
        @Nullable Object[] target = requireNonNull(rows);
        Object array = target[row];
        if (array == null) {
            array = Array.newInstance(Elements.type(element), lengths[row]);
            target[row] = array;
        }
        int elements = Math.min(lengths[row] - at, (end - source.readerIndex()) / size);
        Elements.fill(element, array, at, elements, source);
        at += elements;
        if (at == lengths[row]) {
            at = 0;
            row++;
            passRowsWithoutElements();
        }
    }

    private void passRowsWithoutElements() {
        @Nullable Object[] target = requireNonNull(rows);
        while (row < count && lengths[row] <= 0) {
            int length = lengths[row];
            target[row] = length == 0
                    ? Array.newInstance(Elements.type(element), 0)
                    : length == NONE ? null : target[NONE - 1 - length];
            row++;
        }
    }

    private static long dataAt(int rows) {
        return HEAD + padded((long) rows * Integer.BYTES);
    }

    private static long padded(long bytes) {
        return (bytes + UNIT - 1) / UNIT * UNIT;
    }
}
