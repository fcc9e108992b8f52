package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes values into a buffer: first all direct ones, then the objects, then {@link #finish}.
 *
 * <p>Of one thread. Objects written by one writer share references: what is one object here is one object there. A value
 * that cannot be written is remembered and thrown by {@code finish}; no put throws.
 */
public final class ValueWriter {

    private final Codec codec;
    private final ByteBuf target;
    private @Nullable Session session;
    private @Nullable Throwable failure;
    private int failed;
    private int objects;

    ValueWriter(Codec codec, ByteBuf target) {
        this.codec = codec;
        this.target = requireNonNull(target, "target");
    }

    public void putBoolean(boolean value) {
        target.writeBoolean(value);
    }

    public void putByte(byte value) {
        target.writeByte(value);
    }

    public void putChar(char value) {
        target.writeChar(value);
    }

    public void putShort(short value) {
        target.writeShort(value);
    }

    public void putInt(int value) {
        target.writeInt(value);
    }

    public void putLong(long value) {
        target.writeLong(value);
    }

    public void putFloat(float value) {
        target.writeFloat(value);
    }

    public void putDouble(double value) {
        target.writeDouble(value);
    }

    public void putString(@Nullable String value) {
        if (value == null) {
            target.writeInt(0);
            return;
        }
        boolean wide = Strings.isWide(value);
        target.writeInt(Strings.header(value, wide));
        target.writeBytes(wide ? Strings.wideBytes(value) : value.getBytes(StandardCharsets.ISO_8859_1));
    }

    public void putBytes(byte @Nullable [] value) {
        if (length(value == null ? -1 : value.length)) {
            target.writeBytes(requireNonNull(value));
        }
    }

    public void putBooleans(boolean @Nullable [] value) {
        if (length(value == null ? -1 : value.length)) {
            for (boolean each : requireNonNull(value)) {
                target.writeBoolean(each);
            }
        }
    }

    public void putChars(char @Nullable [] value) {
        if (length(value == null ? -1 : value.length)) {
            Bulk.write(target, 2 * requireNonNull(value).length, b -> b.asCharBuffer()
                    .put(value));
        }
    }

    public void putShorts(short @Nullable [] value) {
        if (length(value == null ? -1 : value.length)) {
            Bulk.write(target, 2 * requireNonNull(value).length, b -> b.asShortBuffer()
                    .put(value));
        }
    }

    public void putInts(int @Nullable [] value) {
        if (length(value == null ? -1 : value.length)) {
            Bulk.write(target, 4 * requireNonNull(value).length, b -> b.asIntBuffer()
                    .put(value));
        }
    }

    public void putLongs(long @Nullable [] value) {
        if (length(value == null ? -1 : value.length)) {
            Bulk.write(target, 8 * requireNonNull(value).length, b -> b.asLongBuffer()
                    .put(value));
        }
    }

    public void putFloats(float @Nullable [] value) {
        if (length(value == null ? -1 : value.length)) {
            Bulk.write(target, 4 * requireNonNull(value).length, b -> b.asFloatBuffer()
                    .put(value));
        }
    }

    public void putDoubles(double @Nullable [] value) {
        if (length(value == null ? -1 : value.length)) {
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
        }
        try {
            session.kryo.writeClassAndObject(session.output, value);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) { // user code: iterators, entry sets
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
        Session used = session;
        session = null;
        if (used == null) {
            return -1;
        }
        try {
            if (failure != null) {
                SerialException known = SerialException.of(failure, SerialException.Reason.REFUSED, "not writable");
                throw new SerialException(known.reason(), place.apply(failed) + ": " + known.getMessage(), failure);
            }
            target.writeBytes(used.output.getBuffer(), 0, used.output.position());
            return used.highest();
        } finally {
            codec.release(used);
        }
    }

    private boolean length(int length) {
        target.writeInt(length);
        return length > 0;
    }
}
