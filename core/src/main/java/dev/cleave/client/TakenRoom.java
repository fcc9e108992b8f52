package dev.cleave.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.stream.AheadRoom;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that one call takes of the {@link AheadRoom} of its node: those of its arguments from when it is sent until it has
 * ended, and those of its result, first as many as results of its method have had, until the program takes it. Thread-safe.
 */
final class TakenRoom {

    private final AheadRoom room;
    private final long needed; // at first

    @GuardedBy("this")
    private long arguments;

    @GuardedBy("this")
    private long result;

    @GuardedBy("this")
    private boolean taken; // by the program

    @GuardedBy("this")
    private boolean ended; // the call

    @GuardedBy("this")
    private boolean over;

    private TakenRoom(AheadRoom room, long needed, long arguments, long result) {
        this.room = room;
        this.needed = needed;
        this.arguments = arguments;
        this.result = result;
    }

    /** Takes room for arguments, and for a result if there is more. Null if there is none for the arguments. */
    static @Nullable TakenRoom of(AheadRoom room, long arguments, long result) {
        if (room.reserve(arguments + result)) {
            return new TakenRoom(room, arguments + result, arguments, result);
        }
        if (arguments < AheadRoom.LEAST) {
            return new TakenRoom(room, arguments + result, 0, 0);
        }
        return room.reserve(arguments) ? new TakenRoom(room, arguments + result, arguments, 0) : null;
    }

    /** As {@link #of}, and for the arguments whether there is any or not. */
    static TakenRoom always(AheadRoom room, long arguments, long result) {
        TakenRoom taken = of(room, arguments, result);
        if (taken != null) {
            return taken;
        }
        room.add(arguments);
        return new TakenRoom(room, arguments + result, arguments, 0);
    }

    /** The bytes that another call like this one would need, as far as is known. */
    long needed() {
        return needed;
    }

    /** A result of so many bytes is about to come; whether there is room for it. */
    synchronized boolean fits(long bytes) {
        if (over || bytes > result && !room.reserve(bytes - result)) {
            return false;
        }
        if (bytes < result) {
            room.release(result - bytes);
        }
        result = bytes;
        return true;
    }

    /** A result of so many bytes is there. */
    synchronized void holds(long bytes) {
        if (!over) {
            room.add(bytes - result);
            result = bytes;
        }
    }

    /**
     * The program has come to the call.
     *
     * @param hasEnded whether the call was seen to have ended, before this took any room
     */
    synchronized void taken(boolean hasEnded) {
        taken = true;
        if (hasEnded || ended) { // it may end between the caller's look and this
            release();
        }
    }

    /**
     * The call has ended.
     *
     * @param keepsArguments whether it may be made again
     */
    synchronized void ended(boolean hasResult, boolean keepsArguments) {
        ended = true;
        if (taken || !hasResult && !keepsArguments) {
            release();
            return;
        }
        if (!keepsArguments) {
            room.release(arguments);
            arguments = 0;
        }
        if (!hasResult) {
            room.release(result);
            result = 0;
        }
    }

    /** Gives all back, if it has not been. */
    synchronized void release() {
        over = true;
        room.release(arguments + result);
        arguments = 0;
        result = 0;
    }
}
