package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException;
import dev.cleave.Later;
import dev.cleave.stream.Block;
import dev.cleave.stream.BlockFactory;
import dev.cleave.stream.StreamedValue;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.Header;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes values into a buffer: first all direct ones, then the objects, then {@link #finish}.
 *
 * <p>Used by one thread. Objects written by one writer share references: an object that occurs twice arrives as one
 * object. A value that cannot be written makes {@code finish} throw; no put throws.
 */
public final class ValueWriter {

    private final Codec codec;
    private final ByteBuf target;
    private boolean quiet;
    private @Nullable KryoSession session;
    private ObjectFormat.@Nullable Out formatted; // in the place of the session, if the interface has a format
    private @Nullable Throwable failure;
    private int failed = -1; // which object, or none
    private int objects;
    private List<Object> departed = List.of();
    private final boolean makesBlocks;
    private List<Block> blocks = List.of(); // a list of its own as soon as there may be one
    private @Nullable StreamedValueWriter streamed; // null if no value is streamed
    private int place; // of the value that is written next, if values are streamed
    private List<StreamedValue> sources = List.of(); // arrays that are still arriving here and may be among the values

    ValueWriter(Codec codec, ByteBuf target, Mode mode) {
        quiet = mode == Mode.QUIET;
        makesBlocks = mode == Mode.BLOCKS;
        this.codec = codec;
        this.target = requireNonNull(target, "target");
    }

    /** The modes of a writer. */
    enum Mode {
        /** All go into the buffer. */
        WHOLE,
        /** Like {@link #WHOLE}, but refuses values that cannot be written without running code of the program. */
        QUIET,
        /** Large ones become blocks. */
        BLOCKS
    }

    /**
     * Refuses objects in a format of their own whose writing runs code of the program, since they are written before
     * their place; before one is written.
     */
    public void aheadOfTheirPlace() {
        quiet |= codec.format() != null;
    }

    /** Whether an object has been refused that can be written at its place. */
    public boolean isPremature() {
        return quiet
                && failure instanceof SerialException refused
                && refused.reason() == SerialException.Reason.PREMATURE;
    }

    /** Streams the values of some places, in this order; before one is written. */
    public void streams(List<Integer> places) {
        if (makesBlocks && !places.isEmpty()) {
            streamed = new StreamedValueWriter(codec, places, Blocks.MOST / 2, 0);
        }
    }

    /**
     * Forwards arrays that are still arriving here: one that is written at a place that is streamed goes on as it
     * arrives.
     */
    public void forwards(List<StreamedValue> arriving) {
        sources = arriving;
    }

    /** The value that fills an array which is still arriving here; null if the array is whole. */
    private @Nullable StreamedValue source(@Nullable Object array) {
        for (StreamedValue each : sources) {
            if (each.isArray() && !each.isHere() && each.begun() == array) {
                return each;
            }
        }
        return null;
    }

    /** Says at which place the next value is written, counted from 0; for arrays, strings and objects. */
    public void at(int ofNext) {
        place = ofNext;
    }

    /** Writes a boolean. */
    public void putBoolean(boolean value) {
        target.writeBoolean(value);
    }

    /** Writes a byte. */
    public void putByte(byte value) {
        target.writeByte(value);
    }

    /** Writes a char. */
    public void putChar(char value) {
        target.writeChar(value);
    }

    /** Writes a short. */
    public void putShort(short value) {
        target.writeShort(value);
    }

    /** Writes an int. */
    public void putInt(int value) {
        target.writeInt(value);
    }

    /** Writes a long. */
    public void putLong(long value) {
        target.writeLong(value);
    }

    /** Writes a float. */
    public void putFloat(float value) {
        target.writeFloat(value);
    }

    /** Writes a double. */
    public void putDouble(double value) {
        target.writeDouble(value);
    }

    /** Writes a string or null. */
    public void putString(@Nullable String value) {
        if (value == null) {
            target.writeInt(0);
            return;
        }
        boolean wide = Strings.isWide(value);
        if (isStringBlock(value, wide)) {
            return;
        }
        if (!fits((wide ? 2L : 1L) * value.length())) {
            return;
        }
        target.writeInt(Strings.header(value, wide));
        target.writeBytes(wide ? Strings.wideBytes(value) : value.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Writes an array of bytes or null. */
    public void putBytes(byte @Nullable [] value) {
        if (begins(value, value == null ? -1 : value.length, 1)) {
            target.writeBytes(requireNonNull(value));
        }
    }

    /** Writes an array of booleans or null. */
    public void putBooleans(boolean @Nullable [] value) {
        if (begins(value, value == null ? -1 : value.length, 1)) {
            for (boolean each : requireNonNull(value)) {
                target.writeBoolean(each);
            }
        }
    }

    /** Writes an array of chars or null. */
    public void putChars(char @Nullable [] value) {
        if (begins(value, value == null ? -1 : value.length, 2)) {
            ByteBuffer view = next(2 * requireNonNull(value).length);
            view.asCharBuffer().put(value);
            view.order(ByteOrder.BIG_ENDIAN);
        }
    }

    /** Writes an array of shorts or null. */
    public void putShorts(short @Nullable [] value) {
        if (begins(value, value == null ? -1 : value.length, 2)) {
            ByteBuffer view = next(2 * requireNonNull(value).length);
            view.asShortBuffer().put(value);
            view.order(ByteOrder.BIG_ENDIAN);
        }
    }

    /** Writes an array of ints or null. */
    public void putInts(int @Nullable [] value) {
        if (begins(value, value == null ? -1 : value.length, 4)) {
            ByteBuffer view = next(4 * requireNonNull(value).length);
            view.asIntBuffer().put(value);
            view.order(ByteOrder.BIG_ENDIAN);
        }
    }

    /** Writes an array of longs or null. */
    public void putLongs(long @Nullable [] value) {
        if (begins(value, value == null ? -1 : value.length, 8)) {
            ByteBuffer view = next(8 * requireNonNull(value).length);
            view.asLongBuffer().put(value);
            view.order(ByteOrder.BIG_ENDIAN);
        }
    }

    /** Writes an array of floats or null. */
    public void putFloats(float @Nullable [] value) {
        if (begins(value, value == null ? -1 : value.length, 4)) {
            ByteBuffer view = next(4 * requireNonNull(value).length);
            view.asFloatBuffer().put(value);
            view.order(ByteOrder.BIG_ENDIAN);
        }
    }

    /** Writes an array of doubles or null. */
    public void putDoubles(double @Nullable [] value) {
        if (begins(value, value == null ? -1 : value.length, 8)) {
            ByteBuffer view = next(8 * requireNonNull(value).length);
            view.asDoubleBuffer().put(value);
            view.order(ByteOrder.BIG_ENDIAN);
        }
    }

    /** Writes any value; objects come after all direct values. */
    public void putObject(@Nullable Object value) {
        if (failure != null) {
            return;
        }
        if (codec.format() != null) {
            putFormatted(value);
            return;
        }
        if (session == null) {
            session = codec.acquire();
            session.quiet(quiet);
            session.output.begin(makesBlocks ? ownBlocks() : null);
            session.output.most(mostBlocks());
            if (makesBlocks) {
                session.output.streamed(later -> within().within(later));
            }
        }
        try {
            StreamedValueWriter writer = streamed != null && streamed.has(place) ? streamed : null;
            StreamedValue source = source(value);
            if (source != null && writer == null) {
                source.get();
            }
            session.kryo.writeClassAndObject(
                    session.output, writer == null ? value : writer.object(place, source != null ? source : value));
        } catch (RuntimeException | Error e) { // user code: iterators, entry sets
            failure = e;
            failed = objects;
        }
        objects++;
    }

    /** Returns how many bytes have been written, those of objects included, if none of them has become a block. */
    public int position() {
        return target.readableBytes() + (session == null ? 0 : session.output.position());
    }

    /** Writes a value of a kind. */
    public void put(ValueKind kind, @Nullable Object value) {
        switch (kind) {
            case BOOLEAN -> putBoolean((Boolean) requireNonNull(value));
            case BYTE -> putByte((Byte) requireNonNull(value));
            case CHAR -> putChar((Character) requireNonNull(value));
            case SHORT -> putShort((Short) requireNonNull(value));
            case INT -> putInt((Integer) requireNonNull(value));
            case LONG -> putLong((Long) requireNonNull(value));
            case FLOAT -> putFloat((Float) requireNonNull(value));
            case DOUBLE -> putDouble((Double) requireNonNull(value));
            case STRING -> putString((String) value);
            case BOOLEANS -> putBooleans((boolean[]) value);
            case BYTES -> putBytes((byte[]) value);
            case CHARS -> putChars((char[]) value);
            case SHORTS -> putShorts((short[]) value);
            case INTS -> putInts((int[]) value);
            case LONGS -> putLongs((long[]) value);
            case FLOATS -> putFloats((float[]) value);
            case DOUBLES -> putDoubles((double[]) value);
            case OBJECT -> putObject(value);
        }
    }

    /**
     * Writes an object as {@link #putObject} does, but with nothing that it shares with others, so that its bytes can
     * stand anywhere among theirs.
     *
     * @param number tells it from other such objects of the message
     */
    public void putAlone(@Nullable Object value, int number) {
        StreamedValueWriter writer = within();
        try {
            putObject(value == null ? null : writer.alone(number, value));
        } catch (RuntimeException | Error e) { // user code: iterators, entry sets
            failure = e;
        }
    }

    /** Writes a value that arrives here later as {@link #putAlone} does, also if it is null; waits until it is whole. */
    public void putWholeAlone(Later.Value<?> value, int number) {
        StreamedValueWriter writer = within();
        try {
            putObject(writer.alone(number, value.get()));
        } catch (RuntimeException | Error e) { // of the call that the value comes from, or user code
            failure = e;
        }
    }

    private void putFormatted(@Nullable Object value) {
        try {
            ObjectFormat.Out out = formatted;
            if (out == null) {
                out = requireNonNull(codec.formatted(quiet));
                formatted = out;
            }
            out.put(value);
        } catch (Exception | Error e) { // user code: writeObject and the like
            failure = e;
            failed = objects;
        }
        objects++;
    }

    /** Appends the objects that have a format of their own. */
    private void endFormatted(ObjectFormat.Out out) {
        try {
            byte[] bytes = out.end();
            departed = out.departed();
            putBytes(bytes);
        } catch (Exception | Error e) {
            failure = e;
        }
    }

    /**
     * Ends the writing. To be called once, whatever has happened.
     *
     * @param place names the object with an index, counted among the objects, for the message of a refusal
     * @return the highest type number used, or -1
     */
    public int finish(Function<Integer, String> place) {
        KryoSession used = session;
        session = null;
        StreamedValueWriter values = streamed;
        ObjectFormat.Out out = formatted;
        formatted = null;
        if (out != null && failure == null) {
            endFormatted(out);
        }
        try {
            if (failure instanceof CallException known) { // of a streamed value that does not arrive here
                throw known;
            }
            if (failure != null) {
                SerialException known = SerialException.of(failure, SerialException.Reason.REFUSED, "not writable");
                String where = failed < 0 ? "" : place.apply(failed) + ": ";
                throw new SerialException(known.reason(), where + known.getMessage(), failure);
            }
            if (used == null) {
                addStreamed();
                return -1;
            }
            if (makesBlocks && used.output.position() >= Block.LEAST && blocks.size() <= mostBlocks()) {
                ownBlocks().add(used.output.takeAsBlock());
            } else {
                target.writeBytes(used.output.getBuffer(), 0, used.output.position());
            }
            departed = used.departed();
            addStreamed();
            if (values != null && !values.departed().isEmpty()) {
                departed = new ArrayList<>(departed);
                departed.addAll(values.departed());
            }
            return Math.max(used.highest(), values == null ? -1 : values.highest());
        } finally {
            if (used != null) {
                codec.release(used);
            }
        }
    }

    /** The objects of which references were written; they are to be kept until these have been sent. */
    public List<Object> departed() {
        return departed;
    }

    /** The values that are to follow the buffer, after {@link #finish}; they refer to the arrays of the program. */
    public List<Block> blocks() {
        return blocks;
    }

    /** Writes streamed values within objects, as at most the blocks that other values leave. */
    private StreamedValueWriter within() {
        StreamedValueWriter known = streamed;
        if (known == null) {
            int room = Blocks.MOST - 1 - ownBlocks().size();
            known = new StreamedValueWriter(codec, List.of(), Math.min(Blocks.MOST / 2, room), 0);
            streamed = known;
            if (session != null) {
                session.output.most(mostBlocks());
            }
        }
        return known;
    }

    /** Puts the blocks of streamed values behind all others. */
    private void addStreamed() {
        List<Block> following = streamed == null ? List.of() : streamed.blocks();
        if (!following.isEmpty()) {
            ownBlocks().addAll(following);
        }
    }

    private List<Block> ownBlocks() {
        if (!(blocks instanceof ArrayList)) {
            blocks = new ArrayList<>();
        }
        return blocks;
    }

    /** Whether an array has become a block; also true if it does not arrive here, and the writing has failed. */
    private boolean isBlock(Object array, long bytes) {
        StreamedValue source = source(array);
        int number = 0;
        StreamedValueWriter writer = streamed;
        if (writer != null && writer.has(place)) {
            number = source == null ? writer.array(place, array, bytes) : writer.forwarded(place, source);
        }
        if (source != null && number == 0 && !isWhole(source)) {
            return true;
        }
        if (number > 0) {
            target.writeInt(-2 - Placeholder.VALUES_AT - number);
            return true;
        }
        if (!makesBlocks || bytes < Block.LEAST || blocks.size() >= mostBlocks()) {
            return false;
        }
        target.writeInt(-2 - blocks.size());
        ownBlocks().add(BlockFactory.of(array));
        return true;
    }

    /** Waits for an array that cannot go on as it arrives; false if it does not arrive, and the writing has failed. */
    private boolean isWhole(StreamedValue source) {
        try {
            source.get();
            return true;
        } catch (RuntimeException e) { // of the call that it comes with
            failure = e;
            return false;
        }
    }

    /** One less than there may be, for the objects. */
    private int mostBlocks() {
        return (streamed == null ? Blocks.MOST : Blocks.MOST / 2) - 1;
    }

    private boolean isStringBlock(String value, boolean wide) {
        if (!makesBlocks
                || value.length() < Block.LEAST
                || value.length() > Strings.MAX_LENGTH
                || blocks.size() >= mostBlocks()) {
            return false;
        }
        byte[] bytes = wide ? Strings.wideBytes(value) : value.getBytes(StandardCharsets.ISO_8859_1);
        int number = streamed == null ? 0 : streamed.array(place, bytes, bytes.length);
        int index = number > 0 ? Placeholder.VALUES_AT + number : blocks.size();
        target.writeInt(-1 - (index << 1 | (wide ? 1 : 0)));
        if (number == 0) {
            ownBlocks().add(BlockFactory.of(bytes));
        }
        return true;
    }

    /** Writes the length of an array, or what stands for it as a block; says whether elements are to be written. */
    private boolean begins(@Nullable Object array, int length, int size) {
        long bytes = (long) length * size;
        if (array != null && isBlock(array, bytes) || !fits(bytes)) {
            return false;
        }
        target.writeInt(length);
        return length > 0;
    }

    /** Room for the next bytes, in the view of the buffer that all share: who has used it sets the usual order of bytes again. */
    private ByteBuffer next(int bytes) {
        target.ensureWritable(bytes);
        ByteBuffer view = target.internalNioBuffer(target.writerIndex(), bytes).order(ByteOrder.LITTLE_ENDIAN);
        target.writerIndex(target.writerIndex() + bytes);
        return view;
    }

    private boolean fits(long bytes) {
        if (failure == null && target.readableBytes() + bytes > Header.CALL_LIMIT) {
            failure = new SerialException(
                    SerialException.Reason.TOO_LARGE,
                    "value of " + bytes + " bytes (expected: a frame of at most " + Header.CALL_LIMIT + " bytes)",
                    null);
        }
        return failure == null;
    }
}
