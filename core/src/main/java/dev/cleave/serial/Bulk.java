package dev.cleave.serial;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/** Moves primitive arrays as blocks, little endian. */
final class Bulk {

    private Bulk() {}

    static void write(ByteBuf target, int bytes, Consumer<ByteBuffer> filler) {
        target.ensureWritable(bytes);
        filler.accept(target.internalNioBuffer(target.writerIndex(), bytes).order(ByteOrder.LITTLE_ENDIAN));
        target.writerIndex(target.writerIndex() + bytes);
    }

    static void read(ByteBuf source, int bytes, Consumer<ByteBuffer> taker) {
        taker.accept(source.nioBuffer(source.readerIndex(), bytes).order(ByteOrder.LITTLE_ENDIAN));
        source.skipBytes(bytes);
    }
}
