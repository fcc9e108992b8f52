package dev.cleave.lab.chaos;

import io.netty.buffer.ByteBuf;

/**
 * A defect of a process that changes the frames of one connection. Methods of one direction are called by one thread at
 * a time.
 */
interface FrameDefect {

    /** None. */
    FrameDefect NONE = new FrameDefect() {};

    /** A frame comes; says whether the process gets it. */
    default boolean in(ByteBuf frame) {
        return true;
    }

    /** A frame is to leave; says whether it does. One that does not is the caller's to release. */
    default boolean out(ByteBuf frame) {
        return true;
    }
}
