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
 * The reply cache of one connection. It keeps the outcomes of calls until their caller has them, so that a caller
 * whose connection broke can ask for an outcome, and the call is answered, not executed again.
 *
 * <p>Each call has a mark that says whether it has begun and ended; the latest calls also have their reply. The mark
 * stays when the reply is too long, is pushed out by later ones, or carries references. When there are too many marks,
 * because the caller never acknowledges, the oldest are forgotten, and the outcomes of those calls are unknown.
 * Thread-safe.
 */
public final class Remembered {

    /** The most calls of which the server knows whether they ran. */
    static final int MOST_CALLS = 1 << 16;

    private static final int FEW_CALLS = 1 << 6;
    private static final byte[] NO_MARKS = {};
    private static final byte NOT_BEGUN = 0;
    private static final byte BEGUN = 1;
    private static final byte ENDED = 2;

    @GuardedBy("this")
    private final ReplyRing replies;

    @GuardedBy("this")
    private byte[] marks = NO_MARKS; // by the low bits of the call numbers, from floor on

    @GuardedBy("this")
    private long floor = 1; // nothing is known of calls with lower numbers

    @GuardedBy("this")
    private boolean shut;

    @GuardedBy("this")
    private boolean begun; // a call has begun since the last interval

    @GuardedBy("this")
    private boolean everBegun;

    @GuardedBy("this")
    private Map<Long, Asker> questions = Map.of(); // replaced by a HashMap with the first question

    /** A question for the outcome of a call; it is answered once. Thread-safe. */
    public interface Asker {

        /** Answers that the call has no reply, or that its reply is not kept any more. */
        void failed(Execution execution, String why);

        /**
         * Answers with the reply.
         *
         * @param reply the reply, which the caller keeps; its reader index is at the header, which has the number that
         * the call was first sent with
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

    /** Records that a call is about to be executed; returns false if its caller was told that it was not executed. */
    public synchronized boolean begins(long id) {
        if (shut) {
            return false;
        }
        begun = true;
        everBegun = true;
        if (id >= floor) {
            reach(id);
            marks[slot(id)] = BEGUN;
        }
        return true;
    }

    /** Whether any call has begun. */
    synchronized boolean hasBegun() {
        return everBegun;
    }

    /** Records that a call which had begun was not executed after all. */
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
     * Records that a call has been executed.
     *
     * @param reply the answer, which the caller keeps, its reader index at the header; null if it cannot be sent again
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

    /** Records that the caller has the outcomes of all calls below a number. */
    public synchronized void settled(long mark) {
        replies.settled(mark);
        if (mark > floor) {
            rise(mark);
        }
    }

    /** Handles an interval of pings: if no call has begun in it, frees the memory that is not needed until one does. */
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

    /** Lets no call begin any more: a call that has not begun by now is not executed. */
    public synchronized void shut() {
        shut = true;
    }

    /** Answers a question for the outcome of a call, now or when the call has ended. Only after {@link #shut}. */
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

    /** Returns the bytes of memory that replies take. */
    synchronized int bytes() {
        return replies.capacity();
    }

    /** Frees the replies: no question comes any more. */
    synchronized void forget() {
        replies.close();
    }

    /** Grows or moves the array of marks until it has a mark for the number. */
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
