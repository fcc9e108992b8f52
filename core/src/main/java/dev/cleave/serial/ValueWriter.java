package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.Header;
import io.netty.buffer.ByteBuf;
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
    private final boolean quiet;
    private @Nullable KryoSession session;
    private @Nullable Throwable failure;
    private int failed = -1; // which object, or none
    private int objects;
    private List<Object> departed = List.of();
    private final boolean makesBlocks;
    private List<Block> blocks = List.of(); // a list of its own as soon as there may be one
    private @Nullable LateWriter late; // null if no value is used while it arrives
    private int place; // of the value that is written next, if late
    private List<LateValue> passed = List.of(); // arrays among the values that are still arriving here

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

    /** The values of some places are used while they arrive, and follow in this order. Before any is written. */
    public void later(List<Integer> places) {
        if (makesBlocks && !places.isEmpty()) {
            late = new LateWriter(codec, places, Blocks.MOST / 2, 0);
        }
    }

    /** Some of the values may be arrays that are still arriving here: those that follow go on as they come. */
    public void passesOn(List<LateValue> arriving) {
        passed = arriving;
    }

    /** What the array is that is still arriving here; null if it is whole. */
    private @Nullable LateValue arriving(@Nullable Object array) {
        for (LateValue each : passed) {
            if (each.isArray() && !each.isComplete() && each.begun() == array) {
                return each;
            }
        }
        return null;
    }

    /** Which place the next value has, counted from 0; for arrays, strings and objects. */
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
        if (isStringApart(value, wide)) {
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
        if (value != null && isApart(value, value.length)) {
            return;
        }
        if (length(value == null ? -1 : value.length, 1)) {
            target.writeBytes(requireNonNull(value));
        }
    }

    /** Writes an array of booleans or null. */
    public void putBooleans(boolean @Nullable [] value) {
        if (value != null && isApart(value, value.length)) {
            return;
        }
        if (length(value == null ? -1 : value.length, 1)) {
            for (boolean each : requireNonNull(value)) {
                target.writeBoolean(each);
            }
        }
    }

    /** Writes an array of chars or null. */
    public void putChars(char @Nullable [] value) {
        if (value != null && isApart(value, 2L * value.length)) {
            return;
        }
        if (length(value == null ? -1 : value.length, 2)) {
            Bulk.write(target, 2 * requireNonNull(value).length, b -> b.asCharBuffer()
                    .put(value));
        }
    }

    /** Writes an array of shorts or null. */
    public void putShorts(short @Nullable [] value) {
        if (value != null && isApart(value, 2L * value.length)) {
            return;
        }
        if (length(value == null ? -1 : value.length, 2)) {
            Bulk.write(target, 2 * requireNonNull(value).length, b -> b.asShortBuffer()
                    .put(value));
        }
    }

    /** Writes an array of ints or null. */
    public void putInts(int @Nullable [] value) {
        if (value != null && isApart(value, 4L * value.length)) {
            return;
        }
        if (length(value == null ? -1 : value.length, 4)) {
            Bulk.write(target, 4 * requireNonNull(value).length, b -> b.asIntBuffer()
                    .put(value));
        }
    }

    /** Writes an array of longs or null. */
    public void putLongs(long @Nullable [] value) {
        if (value != null && isApart(value, 8L * value.length)) {
            return;
        }
        if (length(value == null ? -1 : value.length, 8)) {
            Bulk.write(target, 8 * requireNonNull(value).length, b -> b.asLongBuffer()
                    .put(value));
        }
    }

    /** Writes an array of floats or null. */
    public void putFloats(float @Nullable [] value) {
        if (value != null && isApart(value, 4L * value.length)) {
            return;
        }
        if (length(value == null ? -1 : value.length, 4)) {
            Bulk.write(target, 4 * requireNonNull(value).length, b -> b.asFloatBuffer()
                    .put(value));
        }
    }

    /** Writes an array of doubles or null. */
    public void putDoubles(double @Nullable [] value) {
        if (value != null && isApart(value, 8L * value.length)) {
            return;
        }
        if (length(value == null ? -1 : value.length, 8)) {
            Bulk.write(target, 8 * requireNonNull(value).length, b -> b.asDoubleBuffer()
                    .put(value));
        }
    }

    /** Writes any value; objects come after all direct values. */
    public void putObject(@Nullable Object value) {
        if (failure != null) {
            return;
        }
        if (session == null) {
            session = codec.acquire();
            session.quiet(quiet);
            session.output.begin(makesBlocks ? ownBlocks() : null);
            session.output.most(mostBlocks());
            if (makesBlocks) {
                session.output.late(this::within);
            }
        }
        try {
            LateWriter apart = late;
            boolean isLate = apart != null && apart.has(place);
            LateValue source = arriving(value);
            if (source != null && !isLate) {
                source.whole();
            }
            Object given = source != null && isLate ? new ArrivingValue(source) : value;
            session.kryo.writeClassAndObject(
                    session.output, isLate ? requireNonNull(apart).object(place, given) : value);
        } catch (RuntimeException | Error e) { // user code: iterators, entry sets
            failure = e;
            failed = objects;
        }
        objects++;
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
        LateWriter apart = late;
        try {
            if (failure instanceof CallException source) { // of a later value that does not arrive here
                throw source;
            }
            if (failure != null) {
                SerialException known = SerialException.of(failure, SerialException.Reason.REFUSED, "not writable");
                String where = failed < 0 ? "" : place.apply(failed) + ": ";
                throw new SerialException(known.reason(), where + known.getMessage(), failure);
            }
            if (used == null) {
                addLate();
                return -1;
            }
            if (makesBlocks && used.output.position() >= Block.LEAST && blocks.size() <= mostBlocks()) {
                ownBlocks().add(used.output.takeAsBlock());
            } else {
                target.writeBytes(used.output.getBuffer(), 0, used.output.position());
            }
            departed = used.departed();
            addLate();
            if (apart != null && !apart.departed().isEmpty()) {
                departed = new ArrayList<>(departed);
                departed.addAll(apart.departed());
            }
            return Math.max(used.highest(), apart == null ? -1 : apart.highest());
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

    /** Where later values within objects go: together with the others there are no more blocks than there may be. */
    private LateWriter within() {
        LateWriter known = late;
        if (known == null) {
            int room = Blocks.MOST - 1 - ownBlocks().size();
            known = new LateWriter(codec, List.of(), Math.min(Blocks.MOST / 2, room), 0);
            late = known;
            requireNonNull(session).output.most(mostBlocks());
        }
        return known;
    }

    /** Those that are used while they arrive come behind all others. */
    private void addLate() {
        LateWriter apart = late;
        List<Block> following = apart == null ? List.of() : apart.blocks();
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

    private boolean isApart(Object array, long bytes) {
        LateValue source = arriving(array);
        int group = 0;
        LateWriter apart = late;
        if (apart != null && apart.has(place)) {
            group = source == null ? apart.array(place, array, bytes) : apart.passed(place, source);
        }
        if (source != null && group == 0 && !isWhole(source)) {
            return true;
        }
        if (group > 0) {
            target.writeInt(-2 - Apart.GROUPS_AT - group);
            return true;
        }
        if (!makesBlocks || bytes < Block.LEAST || blocks.size() >= mostBlocks()) {
            return false;
        }
        target.writeInt(-2 - blocks.size());
        ownBlocks().add(Block.of(array));
        return true;
    }

    /** Waits for an array that cannot go on as it comes; false if it does not come, and the writing has failed. */
    private boolean isWhole(LateValue source) {
        try {
            source.whole();
            return true;
        } catch (RuntimeException e) { // of the call that it comes with
            failure = e;
            return false;
        }
    }

    /** One less than there may be, for the objects. */
    private int mostBlocks() {
        return (late == null ? Blocks.MOST : Blocks.MOST / 2) - 1;
    }

    private boolean isStringApart(String value, boolean wide) {
        if (!makesBlocks
                || value.length() < Block.LEAST
                || value.length() > Strings.MAX_LENGTH
                || blocks.size() >= mostBlocks()) {
            return false;
        }
        byte[] bytes = wide ? Strings.wideBytes(value) : value.getBytes(StandardCharsets.ISO_8859_1);
        int group = late == null ? 0 : late.array(place, bytes, bytes.length);
        int index = group > 0 ? Apart.GROUPS_AT + group : blocks.size();
        target.writeInt(-1 - (index << 1 | (wide ? 1 : 0)));
        if (group == 0) {
            ownBlocks().add(Block.of(bytes));
        }
        return true;
    }

    /** Writes a length; says whether elements follow. */
    private boolean length(int length, int size) {
        if (!fits((long) length * size)) {
            return false;
        }
        target.writeInt(length);
        return length > 0;
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
