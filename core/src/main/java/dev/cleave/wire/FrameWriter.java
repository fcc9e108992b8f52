package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Writes the fields of one frame. */
final class FrameWriter {

    private static final int CONTROL_CAPACITY = 128;
    private static final int MAX_U16 = 0xffff;

    private final ByteBuf frame;

    private FrameWriter(ByteBuf frame) {
        this.frame = frame;
    }

    /** Writes a complete frame; the caller owns it. */
    static ByteBuf frame(ByteBufAllocator allocator, Address address, Consumer<FrameWriter> body) {
        ByteBuf frame = begin(allocator, CONTROL_CAPACITY, address, body);
        try {
            Header.finish(frame);
            return frame;
        } catch (WireException e) {
            frame.release();
            throw e;
        }
    }

    /** Begins a frame, which the caller owns, appends to and finishes. */
    static ByteBuf begin(ByteBufAllocator allocator, int capacity, Address address, Consumer<FrameWriter> body) {
        ByteBuf frame = allocator.buffer(capacity);
        try {
            Header.begin(frame, address.kind(), address.peer(), address.id());
            body.accept(new FrameWriter(frame));
            return frame;
        } catch (RuntimeException | Error e) {
            frame.release();
            throw e;
        }
    }

    FrameWriter u8(int value) {
        frame.writeByte(value);
        return this;
    }

    FrameWriter u16(int value) {
        if (value < 0 || value > MAX_U16) {
            throw new IllegalArgumentException("number: " + value + " (expected: 0..65535)");
        }
        frame.writeShort(value);
        return this;
    }

    /** Writes a number that fits into a Java int: 31 bits. */
    FrameWriter u32(int value) {
        if (value < 0) {
            throw new IllegalArgumentException("number: " + value + " (expected: 0..2147483647)");
        }
        frame.writeInt(value);
        return this;
    }

    /** Writes any 32 bits. */
    FrameWriter bits32(int value) {
        frame.writeInt(value);
        return this;
    }

    /** Writes a number that fits into a Java long: 63 bits. */
    FrameWriter u64(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("number: " + value + " (expected: 0.." + Long.MAX_VALUE + ")");
        }
        frame.writeLong(value);
        return this;
    }

    /** Writes any 64 bits. */
    FrameWriter bits64(long value) {
        frame.writeLong(value);
        return this;
    }

    FrameWriter string(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MAX_U16) {
            throw new WireException(
                    ErrorCode.TOO_LARGE,
                    "string of " + bytes.length + " bytes (expected: at most " + MAX_U16 + "): "
                            + value.substring(0, 40) + "...");
        }
        frame.writeShort(bytes.length).writeBytes(bytes);
        return this;
    }

    FrameWriter bytes(ByteBuf value) {
        frame.writeBytes(value);
        return this;
    }

    FrameWriter strings(List<String> values) {
        return list(values, FrameWriter::string);
    }

    <T> FrameWriter list(List<T> values, BiConsumer<FrameWriter, T> element) {
        if (values.size() > MAX_U16) {
            throw new WireException(
                    ErrorCode.TOO_LARGE, "list of " + values.size() + " (expected: at most " + MAX_U16 + ")");
        }
        frame.writeShort(values.size());
        values.forEach(value -> element.accept(this, value));
        return this;
    }

    /** The kind, peer and id in the header of a frame. */
    record Address(FrameKind kind, int peer, long id) {}
}
