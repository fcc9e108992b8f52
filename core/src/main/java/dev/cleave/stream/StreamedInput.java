package dev.cleave.stream;

import static java.util.Objects.requireNonNull;

import java.io.InputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the bytes of a streamed array; a read waits for its first byte. Of one thread at a time. */
public final class StreamedInput extends InputStream {

    private final StreamedValue value;
    private byte @Nullable [] bytes;
    private int at;

    /** Reads an array of bytes from its beginning. */
    public StreamedInput(StreamedValue value) {
        this.value = requireNonNull(value, "value");
    }

    @Override
    public int read() {
        byte[] array = bytes();
        if (at >= array.length) {
            return -1;
        }
        value.await(at);
        return array[at++] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, target.length);
        byte[] array = bytes();
        if (length == 0) {
            return 0;
        }
        if (at >= array.length) {
            return -1;
        }
        int count = Math.min(length, value.await(at) - at);
        System.arraycopy(array, at, target, offset, count);
        at += count;
        return count;
    }

    @Override
    public int available() {
        return value.received() - at;
    }

    private byte[] bytes() {
        byte[] known = bytes;
        if (known == null) {
            known = (byte[]) requireNonNull(value.begun());
            bytes = known;
        }
        return known;
    }
}
