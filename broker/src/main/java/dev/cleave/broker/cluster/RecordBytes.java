package dev.cleave.broker.cluster;

import dev.cleave.wire.Names;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads and writes the fields of a record in the store: numbers of fixed length, and strings of UTF-8 behind their length
 * of two bytes. A reader checks every length before it allocates.
 */
final class RecordBytes {

    /** The first byte of every record: the version of this format. */
    static final int FORMAT = 1;

    private static final int MOST_STRING_BYTES = 3 * Names.MOST;

    private final ByteBuffer in;

    private RecordBytes(ByteBuffer in) {
        this.in = in;
    }

    /** Begins to read a record. */
    static RecordBytes read(byte[] value) throws RecordException {
        RecordBytes opened = new RecordBytes(ByteBuffer.wrap(value));
        int format = opened.u8();
        if (format != FORMAT) {
            throw new RecordException("format: " + format + " (expected: " + FORMAT + ")");
        }
        return opened;
    }

    int u8() throws RecordException {
        need(1);
        return in.get() & 0xff;
    }

    long bits64() throws RecordException {
        need(Long.BYTES);
        return in.getLong();
    }

    /** Reads a name: of plain characters, and not longer than names may be; it may be empty. */
    String string() throws RecordException {
        need(Short.BYTES);
        int length = in.getShort() & 0xffff;
        if (length > MOST_STRING_BYTES) {
            throw new RecordException("string: " + length + " bytes (expected: at most " + MOST_STRING_BYTES + ")");
        }
        String text = utf8(length);
        if (!Names.isPlain(text)) {
            throw new RecordException("string: " + Names.shown(text) + " (expected: at most " + Names.MOST
                    + " characters without control characters)");
        }
        return text;
    }

    /** Reads a text of any characters, behind its length of four bytes. */
    String text(int mostBytes) throws RecordException {
        need(Integer.BYTES);
        int length = in.getInt();
        if (length < 0 || length > mostBytes) {
            throw new RecordException("text: " + length + " bytes (expected: at most " + mostBytes + ")");
        }
        return utf8(length);
    }

    private String utf8(int length) throws RecordException {
        need(length);
        ByteBuffer bytes = in.slice().limit(length);
        in.position(in.position() + length);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            throw new RecordException("string: no UTF-8");
        }
    }

    /** Checks that nothing follows. */
    void end() throws RecordException {
        if (in.hasRemaining()) {
            throw new RecordException(in.remaining() + " bytes after the end");
        }
    }

    private void need(int bytes) throws RecordException {
        if (in.remaining() < bytes) {
            throw new RecordException("ends at byte " + in.limit());
        }
    }

    /** Writes the fields of a record. */
    interface Fields {

        void write(DataOutputStream out) throws IOException;
    }

    /** Returns the bytes of a record. */
    static byte[] write(Fields fields) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            fields.write(out);
        } catch (IOException e) { // of memory
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static void string(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeShort(bytes.length);
        out.write(bytes);
    }

    static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }
}
