package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Texts that travel with a call, by key, in the order in which they were added. Immutable.
 *
 * <pre>
 *   (u16 length | UTF-8 of the key | u16 length | UTF-8 of the value)*
 * </pre>
 */
public final class Attachments {

    /** No attachments, as for most calls. */
    public static final Attachments NONE = new Attachments(Map.of(), 0);

    /** The most bytes of all attachments of a call, four bytes of lengths for each included. */
    public static final int MOST_BYTES = 8 << 10;

    /** The most attachments of a call. */
    public static final int MOST = 64;

    private final Map<String, String> texts;
    private final int length;

    private Attachments(Map<String, String> texts, int length) {
        this.texts = texts;
        this.length = length;
    }

    /**
     * Creates attachments.
     *
     * @throws IllegalArgumentException if a key is empty or not {@linkplain Names#isPlain plain}, or there are more than
     *     {@value #MOST} or more than {@value #MOST_BYTES} bytes of them
     */
    public static Attachments of(Map<String, String> texts) {
        if (texts.isEmpty()) {
            return NONE;
        }
        Map<String, String> copy = new LinkedHashMap<>();
        long length = 0;
        for (Map.Entry<String, String> each : texts.entrySet()) {
            String key = Names.check("attachment", requireNonNull(each.getKey(), "key"));
            String value = requireNonNull(each.getValue(), () -> "attachment " + key);
            copy.put(key, value);
            length += 2 * Short.BYTES + bytes(key).length + (long) bytes(value).length;
        }
        if (copy.size() > MOST || length > MOST_BYTES) {
            throw new IllegalArgumentException(copy.size() + " attachments of " + length + " bytes (expected: at most "
                    + MOST + " of " + MOST_BYTES + " bytes together)");
        }
        return new Attachments(Collections.unmodifiableMap(copy), (int) length);
    }

    /** Returns these and others, which replace those of the same keys; throws as {@link #of} does. */
    public Attachments and(Map<String, String> others) {
        if (others.isEmpty()) {
            return this;
        }
        Map<String, String> all = new LinkedHashMap<>(texts);
        all.putAll(others);
        return of(all);
    }

    /** Reads attachments of {@code bytes} bytes, which are there. */
    static Attachments read(ByteBuf frame, int bytes) {
        if (bytes == 0 || bytes > MOST_BYTES) {
            throw broken(bytes + " bytes (expected: 1.." + MOST_BYTES + ")");
        }
        int end = frame.readerIndex() + bytes;
        Map<String, String> read = new LinkedHashMap<>();
        while (frame.readerIndex() < end) {
            String key = text(frame, end);
            String value = text(frame, end);
            if (key.isEmpty() || !Names.isPlain(key) || read.put(key, value) != null || read.size() > MOST) {
                throw broken("key " + Names.shown(key) + " (expected: " + MOST + " plain names, each once)");
            }
        }
        return new Attachments(Collections.unmodifiableMap(read), bytes);
    }

    private static String text(ByteBuf frame, int end) {
        int left = end - frame.readerIndex() - Short.BYTES;
        int length = left < 0 ? Integer.MAX_VALUE : frame.readUnsignedShort();
        if (length > left) {
            throw broken("text beyond their end");
        }
        byte[] utf8 = new byte[length];
        frame.readBytes(utf8);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw broken("no UTF-8");
        }
    }

    private static WireException broken(String what) {
        return new WireException(ErrorCode.PROTOCOL, "REQUEST frame: attachments: " + what);
    }

    /** Writes all of them. */
    void write(ByteBuf out) {
        texts.forEach((key, value) -> {
            write(out, key);
            write(out, value);
        });
    }

    private static void write(ByteBuf out, String text) {
        byte[] utf8 = bytes(text);
        out.writeShort(utf8.length).writeBytes(utf8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8); // a lone surrogate becomes a question mark
    }

    /** The bytes that {@link #write} writes. */
    int length() {
        return length;
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return texts.isEmpty();
    }

    /** The texts by key; unmodifiable. */
    public Map<String, String> texts() {
        return texts;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Attachments attachments && attachments.texts.equals(texts);
    }

    @Override
    public int hashCode() {
        return texts.hashCode();
    }

    @Override
    public String toString() {
        return "Attachments" + texts.keySet(); // values may be secrets
    }
}
