package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Reads the fields of one frame, each checked against the bytes that are left. */
final class FrameReader {

    private final FrameKind kind;
    private final int peer;
    private final long id;
    private final ByteBuf frame;

    private FrameReader(FrameKind kind, int peer, long id, ByteBuf frame) {
        this.kind = kind;
        this.peer = peer;
        this.id = id;
        this.frame = frame;
    }

    /** Checks the header, and moves to the body. */
    static FrameReader open(ByteBuf frame, FrameKind kind) {
        check(frame, kind);
        FrameReader reader = new FrameReader(kind, Header.peer(frame), Header.id(frame), frame);
        frame.skipBytes(Header.LENGTH);
        return reader;
    }

    /** Checks the header. */
    static void check(ByteBuf frame, FrameKind kind) {
        if (frame.readableBytes() < Header.LENGTH) {
            throw new WireException(
                    ErrorCode.PROTOCOL,
                    "frame of " + frame.readableBytes() + " bytes (expected: at least " + Header.LENGTH + ")");
        }
        long first = Header.first(frame);
        if (Header.lengthOf(first) == frame.readableBytes()
                && Header.kindOf(first) == kind
                && frame.readableBytes() <= kind.maxLength()) {
            return;
        }
        int length = Header.frameLength(frame, kind.maxLength());
        if (length != frame.readableBytes()) {
            throw new WireException(
                    ErrorCode.PROTOCOL, "frame length: " + length + " (expected: " + frame.readableBytes() + ")");
        }
        if (Header.kind(frame) != kind) {
            throw new WireException(
                    ErrorCode.PROTOCOL, "frame kind: " + Header.kind(frame) + " (expected: " + kind + ")");
        }
    }

    int peer() {
        return peer;
    }

    long id() {
        return id;
    }

    int u8() {
        need(Byte.BYTES);
        return frame.readUnsignedByte();
    }

    int u16() {
        need(Short.BYTES);
        return frame.readUnsignedShort();
    }

    int u32() {
        int value = bits32();
        if (value < 0) {
            throw broken("number: " + Integer.toUnsignedString(value) + " (expected: 0..2147483647)");
        }
        return value;
    }

    int bits32() {
        need(Integer.BYTES);
        return frame.readInt();
    }

    long u64() {
        long value = bits64();
        if (value < 0) {
            throw broken("number: " + Long.toUnsignedString(value) + " (expected: 0.." + Long.MAX_VALUE + ")");
        }
        return value;
    }

    long bits64() {
        need(Long.BYTES);
        return frame.readLong();
    }

    String string() {
        int length = u16();
        need(length);
        try {
            String value = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(frame.nioBuffer(frame.readerIndex(), length))
                    .toString();
            frame.skipBytes(length);
            return value;
        } catch (CharacterCodingException e) {
            throw broken("string of " + length + " bytes that are not UTF-8");
        }
    }

    List<String> strings() {
        return list(Short.BYTES, FrameReader::string);
    }

    /** Reads a list; {@code least} is the least number of bytes of an element. */
    <T> List<T> list(int least, Function<FrameReader, T> element) {
        int count = u16();
        need(count * least);
        List<T> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(element.apply(this));
        }
        return values;
    }

    /** Reads all bytes that are left, without copying them. */
    ByteBuf rest() {
        return frame.readSlice(frame.readableBytes());
    }

    /** Checks that the body ends here. */
    void end() {
        if (frame.isReadable()) {
            throw broken(frame.readableBytes() + " bytes after the end (expected: none)");
        }
    }

    private void need(int bytes) {
        if (bytes > frame.readableBytes()) {
            throw broken(bytes + " bytes wanted, " + frame.readableBytes() + " left");
        }
    }

    private WireException broken(String what) {
        return new WireException(ErrorCode.PROTOCOL, kind + " frame: " + what);
    }
}
