package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.wire.Execution;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What a server remembers of the calls that came over one connection until their caller has their outcomes, so that a call can
 * be asked for again when the connection has broken, and is answered, never executed again.
 *
 * <p>Of each call a mark says whether it has begun and ended, of the last ones there is the reply. A reply that is too long, is
 * pushed out by later ones, or carries references leaves its mark; where there are too many marks, or the caller never says what
 * it has, the oldest are forgotten, and those calls are in doubt. Thread-safe.
 */
public final class Remembered {

    /** The most calls of which it is known whether they ran. */
    static final int MOST_CALLS = 1 << 16;

    private static final int FEW_CALLS = 1 << 6;
    private static final byte[] NO_MARKS = {};
    private static final byte NOT_BEGUN = 0;
    private static final byte BEGUN = 1;
    private static final byte ENDED = 2;

    @GuardedBy("this")
    private final ReplyRing replies;

    @GuardedBy("this")
    private byte[] marks = NO_MARKS; // by the low bits of their numbers, from floor on

    @GuardedBy("this")
    private long floor = 1; // of what is below nothing is known

    @GuardedBy("this")
    private boolean shut;

    @GuardedBy("this")
    private boolean begun; // any call, since the last interval

    @GuardedBy("this")
    private Map<Long, Asker> questions = Map.of(); // one that takes some once there are any

    /** Who asks what has become of a call; told once. Thread-safe. */
    public interface Asker {

        /** It has no reply, or that is not there any more. */
        void failed(Execution execution, String why);

        /**
         * The reply.
         *
         * @param reply stays the caller's, its reader index at the header, which names the call as it was first sent
         * @param highestType the highest number of a type in it, or -1
         */
        void replied(ByteBuf reply, int highestType);
    }

    /** Remembers nothing yet. */
    public Remembered() {
        this(new ReplyRing(new AtomicLong()));
    }

    Remembered(ReplyRing replies) {
        this.replies = requireNonNull(replies, "replies");
    }

    /** A call is about to be executed; false if it may not be any more: its caller has been told that it was not. */
    public synchronized boolean begins(long id) {
        if (shut) {
            return false;
        }
        begun = true;
        if (id >= floor) {
            reach(id);
            marks[slot(id)] = BEGUN;
        }
        return true;
    }

    /** A call that had begun was not executed after all. */
    public void notExecuted(long id) {
        @Nullable Asker question;
        synchronized (this) {
            if (id < floor || id - floor >= marks.length || marks[slot(id)] != BEGUN) {
                return;
            }
            marks[slot(id)] = NOT_BEGUN;
            question = questions.isEmpty() ? null : questions.remove(id);
        }
        if (question != null) {
            question.failed(Execution.NOT, "not executed");
        }
    }

    /**
     * A call has been executed.
     *
     * @param reply the answer, which stays the caller's, its reader index at the header; null if it cannot be given again
     * @param highestType the highest number of a type in it, or -1
     */
    public void ended(long id, @Nullable ByteBuf reply, int highestType) {
        @Nullable Asker question;
        synchronized (this) {
            if (id >= floor && id - floor < marks.length) {
                marks[slot(id)] = ENDED;
            }
            question = questions.isEmpty() ? null : questions.remove(id);
            if (reply != null) {
                replies.add(id, reply, highestType);
            }
        }
        if (question != null && reply != null) {
            question.replied(reply, highestType);
        } else if (question != null) {
            question.failed(Execution.EXECUTED, "executed, and its result went with the connection");
        }
    }

    /** The caller has the outcomes of all calls below a number. */
    public synchronized void settled(long mark) {
        replies.settled(mark);
        if (mark > floor) {
            rise(mark);
        }
    }

    /** An interval has passed: if no call has begun in it, gives back what is not needed until one does. */
    synchronized void interval() {
        boolean rests = !begun;
        begun = false;
        if (!rests) {
            return;
        }
        replies.rest();
        for (byte mark : marks) {
            if (mark != NOT_BEGUN) {
                return;
            }
        }
        marks = NO_MARKS;
    }

    /** No call begins any more: what has not by now was not executed. */
    public synchronized void shut() {
        shut = true;
    }

    /** Answers what has become of a call, now or when it has come to its end. Only after {@link #shut}. */
    public void recall(long id, Asker question) {
        byte mark;
        ReplyRing.@Nullable Kept kept = null;
        synchronized (this) {
            if (id < floor) {
                mark = -1;
            } else {
                mark = id - floor < marks.length ? marks[slot(id)] : NOT_BEGUN;
                if (mark == BEGUN) {
                    questions = questions.isEmpty() ? new HashMap<>() : questions;
                    questions.put(id, question);
                } else if (mark == ENDED) {
                    kept = replies.find(id);
                }
            }
        }
        if (mark == NOT_BEGUN) {
            question.failed(Execution.NOT, "not executed: the connection broke before");
        } else if (mark == ENDED && kept != null) {
            question.replied(kept.reply(), kept.highestType());
        } else if (mark == ENDED) {
            question.failed(Execution.EXECUTED, "executed, and its result is not kept any more");
        } else if (mark != BEGUN) {
            question.failed(Execution.MAYBE, "nothing is known of the call any more");
        }
    }

    /** How many bytes of replies there is room for. */
    synchronized int bytes() {
        return replies.capacity();
    }

    /** Nobody will ask any more: gives back what it has. */
    synchronized void forget() {
        replies.close();
    }

    /** Makes the mark of a number one of those that there are. */
    @GuardedBy("this")
    private void reach(long id) {
        while (id - floor >= marks.length && marks.length < MOST_CALLS) {
            byte[] more = new byte[Math.max(FEW_CALLS, marks.length * 2)];
            for (long i = floor; i < floor + marks.length; i++) {
                more[(int) i & more.length - 1] = marks[slot(i)];
            }
            marks = more;
        }
        if (id - floor >= marks.length) {
            rise(id - marks.length + 1);
        }
    }

    @GuardedBy("this")
    private void rise(long to) {
        if (to - floor >= marks.length) {
            Arrays.fill(marks, NOT_BEGUN);
        } else {
            for (long i = floor; i < to; i++) {
                marks[slot(i)] = NOT_BEGUN;
            }
        }
        floor = to;
    }

    @GuardedBy("this")
    private int slot(long id) {
        return (int) id & marks.length - 1;
    }
}
