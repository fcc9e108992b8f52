package dev.cleave.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.stream.AheadRoom;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that one call takes of the {@link AheadRoom} of its node: those of its arguments until it has ended, and
 * those of its result, at first as many as earlier results had, until the program takes it. Thread-safe.
 */
final class TakenRoom {

    private final AheadRoom room;
    private final long needed; // bytes at first

    @GuardedBy("this")
    private long arguments;

    @GuardedBy("this")
    private long result;

    @GuardedBy("this")
    private boolean taken; // the program has come to the call

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

    /** Takes room for arguments, and for a result if there is more; null if there is none for the arguments. */
    static @Nullable TakenRoom of(AheadRoom room, long arguments, long result) {
        if (room.reserve(arguments + result)) {
            return new TakenRoom(room, arguments + result, arguments, result);
        }
        if (arguments < AheadRoom.LEAST) {
            return new TakenRoom(room, arguments + result, 0, 0);
        }
        return room.reserve(arguments) ? new TakenRoom(room, arguments + result, arguments, 0) : null;
    }

    /** Takes room as {@link #of}, for the arguments even if there is none. */
    static TakenRoom always(AheadRoom room, long arguments, long result) {
        TakenRoom taken = of(room, arguments, result);
        if (taken != null) {
            return taken;
        }
        room.add(arguments);
        return new TakenRoom(room, arguments + result, arguments, 0);
    }

    /** Returns the bytes that another call like this one would need, as far as known. */
    long needed() {
        return needed;
    }

    /** Takes room for a result of {@code bytes} bytes; returns whether there is any. */
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

    /** Takes room for a result of {@code bytes} bytes that has come. */
    synchronized void holds(long bytes) {
        if (!over) {
            room.add(bytes - result);
            result = bytes;
        }
    }

    /**
     * Records that the program has come to the call.
     *
     * @param hasEnded whether the call was seen to have ended, before this took any room
     */
    synchronized void taken(boolean hasEnded) {
        taken = true;
        if (hasEnded || ended) { // the call may end between the caller's check and this one
            release();
        }
    }

    /**
     * Records that the call has ended.
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

    /** Gives back all room. */
    synchronized void release() {
        over = true;
        room.release(arguments + result);
        arguments = 0;
        result = 0;
    }
}
