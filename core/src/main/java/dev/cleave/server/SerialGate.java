package dev.cleave.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.wire.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lets the calls of one {@link dev.cleave.Serial} object in: one at a time, in the order in which they arrived, in
 * lanes or not. Those that wait here are in no worker's way. The object is taken from the moment at which a call may
 * run until it is answered, also while it waits for a call of its own.
 *
 * <p>A call that waits here for its own end, because the one that is in waits for a call that led to it, is refused
 * with the place at which that one waits. A call carries the numbers of what waits for it.
 *
 * <p>Thread-safe.
 */
final class SerialGate {

    private static final int MOST_FRAMES = 32;

    @GuardedBy("this")
    private final Deque<Invocation> line = new ArrayDeque<>();

    @GuardedBy("this")
    private @Nullable Invocation inside;

    @GuardedBy("this")
    private long waitsFor; // the call that the one inside waits for; 0 = it does not wait

    @GuardedBy("this")
    private @Nullable Thread waiter;

    /** A call has arrived; false if there is no room for it. */
    boolean arrive(Invocation call) {
        if (!call.dispatcher().hold(call)) {
            return false;
        }
        synchronized (this) {
            line.add(call);
        }
        return true;
    }

    /** A call may run as far as its lane is concerned. */
    void ready(Invocation call) {
        String cycle = null;
        synchronized (this) {
            call.turn().ready();
            if (waitsFor != 0 && call.isBehind(waitsFor)) {
                cycle = cycle();
            }
        }
        if (cycle != null) {
            refuse(call, cycle);
        }
        advance();
    }

    /** A call has been answered, or will never run. */
    void ended(Invocation call) {
        synchronized (this) {
            if (inside == call) {
                inside = null;
                waitsFor = 0;
                waiter = null;
            } else {
                line.remove(call);
            }
        }
        call.dispatcher().release(call);
        advance();
    }

    /** The call that is in waits for one that it has made. */
    void waits(Invocation call, long number, Thread thread) {
        List<Invocation> stuck = new ArrayList<>();
        String cycle = "";
        synchronized (this) {
            if (inside != call || number == 0) {
                return;
            }
            waitsFor = number;
            waiter = thread;
            for (Invocation behind : line) {
                if (behind.isBehind(number)) {
                    stuck.add(behind);
                }
            }
            cycle = stuck.isEmpty() ? "" : cycle();
        }
        for (Invocation behind : stuck) {
            refuse(behind, cycle);
        }
    }

    /** The call that is in waits no more. */
    synchronized void goesOn(Invocation call) {
        if (inside == call) {
            waitsFor = 0;
            waiter = null;
        }
    }

    private void advance() {
        Invocation next;
        synchronized (this) {
            next = line.peek();
            if (inside != null || next == null || !next.turn().isReady()) {
                return;
            }
            line.remove();
            inside = next;
        }
        next.dispatcher().admit(next);
    }

    private static void refuse(Invocation call, String why) {
        if (call.claim()) {
            call.refuse(ErrorCode.WAIT_CYCLE, why);
            call.link().flush();
        }
    }

    @GuardedBy("this")
    private String cycle() {
        Invocation in = inside;
        Thread thread = waiter;
        String holder = in == null ? "another call" : in.label();
        String stack = thread == null
                ? ""
                : Arrays.stream(thread.getStackTrace())
                        .filter(SerialGate::isOfApplication)
                        .limit(MOST_FRAMES)
                        .map(frame -> "\n\tat " + frame.getClassName() + "." + frame.getMethodName() + "("
                                + frame.getFileName() + ":" + frame.getLineNumber() + ")")
                        .collect(Collectors.joining());
        return "it would wait for itself: the object is @Serial, and " + holder
                + ", which it serves, waits for a call that led to this one; it waits" + stack;
    }

    private static boolean isOfApplication(StackTraceElement frame) {
        String name = frame.getClassName();
        return !name.startsWith("dev.cleave.call.")
                && !name.startsWith("dev.cleave.client.")
                && !name.startsWith("dev.cleave.server.")
                && !name.contains("$Cleave")
                && !name.startsWith("java.util.concurrent.locks.")
                && !name.startsWith("jdk.internal.");
    }
}
