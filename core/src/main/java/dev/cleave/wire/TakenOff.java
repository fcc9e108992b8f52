package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import java.util.OptionalLong;

/**
 * A number at the very end of a REQUEST from a client to its broker, which takes it off: a bit of the method says that it is
 * there.
 */
final class TakenOff {

    private final int present;
    private final String what;

    /**
     * Creates one that any number of frames may have.
     *
     * @param bit of the method, from 0
     * @param what a frame is that has it, for messages
     */
    TakenOff(int bit, String what) {
        present = 1 << bit;
        this.what = requireNonNull(what, "what");
    }

    /** Puts a number on a REQUEST that is complete but for it, its reader index at the header, and completes it. */
    void put(long number, ByteBuf frame) {
        int at = frame.readerIndex() + Header.LENGTH;
        frame.setInt(at, frame.getInt(at) | present);
        frame.writeLong(number);
        Header.finish(frame);
    }

    /** Takes the number off a complete REQUEST, its reader index at the header; empty if it has none. */
    OptionalLong take(ByteBuf frame) {
        int at = frame.readerIndex() + Header.LENGTH;
        if (frame.readableBytes() < Request.ARGUMENTS_AT || (frame.getInt(at) & present) == 0) {
            return OptionalLong.empty();
        }
        int end = frame.writerIndex() - Long.BYTES;
        if (end < frame.readerIndex() + Request.ARGUMENTS_AT) {
            throw new WireException(ErrorCode.PROTOCOL, "REQUEST frame of " + frame.readableBytes() + " bytes " + what);
        }
        long number = frame.getLong(end);
        frame.writerIndex(end);
        frame.setInt(at, frame.getInt(at) & ~present);
        Header.finish(frame);
        return OptionalLong.of(number);
    }
}
