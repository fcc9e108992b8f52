package dev.cleave.client;

import dev.cleave.stream.AheadRoom;
import dev.cleave.stream.ReceiveBudget;
import org.jspecify.annotations.Nullable;

/** The room and count of a call that is sent before the program has come to its place. */
final class SentAhead {

    /** For a call that the program has come to before it is sent. */
    static final SentAhead NONE = new SentAhead();

    /** How far the program has come. */
    private enum Claim {
        /** The program has not come to the place of the call. */
        NONE,
        /** The program has come to its place. */
        TAKEN,
        /** The program never comes there. */
        GIVEN_UP
    }

    private volatile Claim claim = Claim.NONE; // written by the program
    private volatile @Nullable TakenRoom room;
    private @Nullable OwnCalls own; // the calls that it is counted among; set before it is sent

    /** Counts the call as in flight, for the current thread and the node, until it has ended. */
    void count(Resends resends) {
        if (this == NONE) {
            return;
        }
        OwnCalls here = OwnCalls.here();
        own = here;
        here.sent();
        resends.sentAhead();
    }

    /**
     * Takes room for the bytes of arguments and a result; false if there is none for the arguments. Before it is sent.
     */
    boolean takesRoom(AheadRoom of, long arguments, long result) {
        if (this == NONE || arguments + result < AheadRoom.LEAST) {
            return true;
        }
        TakenRoom taken = TakenRoom.of(of, arguments, result);
        room = taken;
        return taken != null;
    }

    /** Takes room as {@link #takesRoom}, even if there is none. */
    void takesRoomAnyway(AheadRoom of, long arguments, long result) {
        if (this != NONE && arguments + result >= AheadRoom.LEAST) {
            room = TakenRoom.always(of, arguments, result);
        }
    }

    /** Gives back the room that was taken, if any: the call is not sent. */
    void roomIsLeft() {
        TakenRoom known = room;
        if (known != null) {
            known.release();
        }
    }

    /** The bytes that another call like this one would need, as far as is known. */
    long needed() {
        TakenRoom known = room;
        return known == null ? 0 : known.needed();
    }

    /** Whether the program has neither come to the call nor given it up. */
    boolean isUnclaimed() {
        return claim == Claim.NONE;
    }

    /** Whether the program never comes to the call. */
    boolean isGivenUp() {
        return claim == Claim.GIVEN_UP;
    }

    /** Records that the program gives the call up. */
    void giveUp() {
        if (this != NONE) {
            claim = Claim.GIVEN_UP;
        }
    }

    /** Records that the program has come to the call, or leaves it: the room of its result is the program's. */
    void taken(boolean hasEnded) {
        if (this != NONE && isUnclaimed()) {
            claim = Claim.TAKEN;
        }
        TakenRoom known = room;
        if (known != null) {
            known.taken(hasEnded);
        }
    }

    /** Chooses the room for a result of {@code bytes} bytes of an unclaimed call. */
    ReceiveBudget.Room arrives(AheadRoom of, long bytes, boolean hasEnded) {
        return held(of, hasEnded).fits(bytes) ? ReceiveBudget.Room.MADE : ReceiveBudget.Room.LATER;
    }

    /** Counts a result of {@code bytes} bytes of an unclaimed call. */
    void arrived(AheadRoom of, long bytes, boolean hasEnded) {
        if (bytes >= AheadRoom.LEAST) {
            held(of, hasEnded).holds(bytes);
        }
    }

    private TakenRoom held(AheadRoom of, boolean hasEnded) {
        TakenRoom known = room;
        if (known == null) {
            known = TakenRoom.always(of, 0, 0);
            room = known;
            if (!isUnclaimed()) { // claimed meanwhile
                known.taken(hasEnded);
            }
        }
        return known;
    }

    /**
     * Counts that the call has ended.
     *
     * @param mayBeMadeAnew whether it is made again when the program comes to it
     */
    void ended(boolean hasResult, boolean mayBeMadeAnew, Resends resends) {
        TakenRoom known = room;
        if (known != null) {
            known.ended(hasResult, mayBeMadeAnew);
        }
        OwnCalls among = own;
        if (among != null) {
            resends.endedAhead();
            among.ended();
        }
    }
}
