package dev.cleave.rt;

import dev.cleave.call.Handle;
import dev.cleave.transport.WaitCondition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The state that the activations of a method that calls itself have in common: their strands that can go on or wait, and the
 * bounds (R71). Strands that want to go on do so in the order of the program, so what the program needs first is sent
 * first. Confined to one thread.
 */
final class StrandTree {

    /** The most activations that the program has not left; the second half is for those nearest to the program. */
    static final int MOST_NODES = 2_048;

    private static final long MOST_UNCLAIMED = 16_384;

    /** How many of the strands that have waited longest for a result are asked whether they can go on. */
    private static final int ASKED = 16;

    /** The most calls whose end can let a strand go on. */
    static final int MOST_AWAITED = ASKED + 1;

    /**
     * A strand of each activation.
     *
     * @param example the strand of the first activation, which makes those of others
     */
    private record Kind(Strand example, String sends, String windows, String looks, String begins) {}

    /** An activation, in the order in which the program comes to what strands have not done yet. */
    interface Activation extends Comparable<Activation> {

        /** Gets a strand. */
        void add(Strand strand, String sends, String windows, String looks, String begins);
    }

    /** The nest whose strands begin the first activations. */
    interface Around {

        /** Lets all strands go on that can, those of its activations included. */
        void pump();

        /** Waits for a call, and lets strands go on meanwhile. */
        void await(SentCall call);
    }

    /** A strand of an activation, which waits for its turn. */
    private record Turn(Activation node, Strand strand) {}

    private final int rows;
    private final @Nullable Around nest;
    private final List<Kind> kinds = new ArrayList<>();
    private final Flight[] flights;
    private final PriorityQueue<Turn> ready = new PriorityQueue<>((a, b) -> a.node.compareTo(b.node));
    private final Deque<Turn> waiting = new ArrayDeque<>(); // for results
    private final Deque<Turn> still = new ArrayDeque<>(); // empty but while they are asked
    private final @Nullable Handle[] handles = new Handle[MOST_AWAITED];
    private int credit;
    private int nodes;
    private long unclaimed;
    private boolean isNearest;
    private boolean pumping;
    private @Nullable SentCall current;
    private @Nullable StrandRow currentRow;

    /** The calls of one call of the program's text that are in flight, in the order in which they were sent. */
    private static final class Flight {

        private final int window;
        private final Deque<SentCall> calls = new ArrayDeque<>();
        private @Nullable SentCall last;
        private boolean isUnflushed;

        Flight(int window) {
            this.window = window;
        }

        int size() {
            for (SentCall first = calls.peek(); first != null && first.isDone(); first = calls.peek()) {
                calls.remove();
            }
            return calls.size();
        }
    }

    /**
     * Prepares it.
     *
     * @param rows the number of calls in the method's text, of itself included
     * @param nest the nest whose strands begin the first activations, null if there is none
     */
    StrandTree(int rows, @Nullable Around nest) {
        this.rows = rows;
        this.nest = nest;
        this.flights = new Flight[rows];
    }

    int rows() {
        return rows;
    }

    void add(Strand strand, String sends, String windows, String looks, String begins) {
        kinds.add(new Kind(strand, sends, windows, looks, begins));
        for (int i = 0; i < sends.length(); i++) {
            flights[sends.charAt(i)] = new Flight(windows.charAt(i));
            credit += windows.charAt(i);
        }
    }

    /**
     * Gives an activation its strands, and lets them go on when it is their turn.
     *
     * @param values what the activation's strands begin with, null for the first one
     */
    void begin(Activation node, Object @Nullable [] values) {
        nodes++;
        for (Kind kind : kinds) {
            Strand strand = values == null ? kind.example() : kind.example().fresh(values);
            node.add(strand, kind.sends(), kind.windows(), kind.looks(), kind.begins());
            await(node, strand);
        }
    }

    /** An activation is left. */
    void left() {
        nodes--;
    }

    /** Lets a strand wait for its turn. */
    private void await(Activation node, Strand strand) {
        if (!strand.hasEnded() && !strand.waitsForValue() && strand.queues()) {
            Turn turn = new Turn(node, strand);
            if (strand.waitsForResult()) {
                waiting.add(turn);
            } else {
                ready.add(turn);
            }
        }
    }

    private void run(Turn turn) {
        turn.strand.unqueues();
        turn.strand.run();
        await(turn.node, turn.strand);
    }

    /** A strand asks again whether an activation has given its value. */
    void wake(Activation node, Strand strand) {
        if (strand.queues()) {
            ready.add(new Turn(node, strand));
        }
    }

    /** Runs a strand out of turn. */
    void goOn(Activation node, Strand strand) {
        strand.run();
        await(node, strand);
    }

    /** Runs a strand whatever the bounds: the program is where it has not been yet. */
    void force(Activation node, Strand strand) {
        StrandCounts.FORCED.increment();
        goOn(node, strand);
    }

    /** Lets all strands go on that can, those of the nest around included. */
    void pump() {
        if (nest == null) {
            goOn();
        } else {
            nest.pump();
        }
    }

    /** Lets the strands of activations go on. */
    void goOn() {
        if (pumping) {
            return;
        }
        pumping = true;
        try {
            resume();
            isNearest = true;
            for (Turn first = ready.peek(); first != null; first = ready.peek()) {
                if (first.strand.hasEnded()) {
                    ready.remove();
                } else if (first.strand.waitsForValue() && !first.strand.mayGoOn()) { // it is woken
                    ready.remove();
                    first.strand.unqueues();
                } else if (first.strand.waitsForResult()) { // it went on out of turn
                    ready.remove();
                    waiting.add(first);
                } else if (first.strand.mayGoOn()) {
                    ready.remove();
                    run(first);
                } else {
                    return;
                }
            }
        } finally {
            isNearest = false;
            pumping = false;
        }
    }

    /** Lets strands go on whose results have come. */
    private void resume() {
        for (int i = 0; i < ASKED; i++) {
            Turn turn = waiting.poll();
            if (turn == null) {
                break;
            }
            if (turn.strand.hasEnded()) {
                continue;
            }
            if (!turn.strand.waitsForResult()) { // it went on out of turn
                ready.add(turn);
            } else if (turn.strand.mayGoOn()) {
                run(turn);
                i--;
            } else {
                still.add(turn);
            }
        }
        for (Turn turn = still.pollLast(); turn != null; turn = still.pollLast()) {
            waiting.addFirst(turn);
        }
    }

    boolean hasRoomForNode() {
        return nodes < (isNearest ? MOST_NODES : MOST_NODES / 2);
    }

    boolean hasRoom(int row) {
        Flight own = flights[row];
        if (own.size() >= own.window || unclaimed >= MOST_UNCLAIMED) {
            return false;
        }
        int all = 0;
        for (Flight flight : flights) {
            if (flight != null) {
                all += flight.size();
                if (unclaimed > 0 && flight.last != null && !flight.last.mayBeFollowedBy(1)) {
                    return false;
                }
            }
        }
        return all < credit;
    }

    @Nullable
    Handle oldestInFlight(int row) {
        Flight flight = flights[row];
        return flight == null || flight.size() == 0
                ? null
                : flight.calls.element().handle();
    }

    void sent(SentCall call, int row) {
        flights[row].calls.add(call);
        flights[row].last = call;
        flights[row].isUnflushed = true;
        unclaimed++;
        StrandCounts.SENT.increment();
    }

    /** The program takes a call, and awaits it. */
    void taken(SentCall call, StrandRow row) {
        unclaimed--;
        current = call;
        currentRow = row;
        if (!call.isDone()) {
            await(call);
        }
    }

    /** Calls are given up. */
    void givenUp(long calls) {
        unclaimed -= calls;
        StrandCounts.UNCLAIMED.add(calls);
    }

    /** The program has gone on behind the call that it took last. */
    void passed() {
        SentCall last = current;
        if (last == null || currentRow == null) {
            return;
        }
        if (last.handle().wasOverload()) {
            credit = Math.max(1, credit / 2);
        }
        currentRow.passed();
        current = null;
        currentRow = null;
    }

    private void await(SentCall call) {
        if (nest != null) {
            nest.await(call);
            return;
        }
        Thread me = Thread.currentThread();
        call.handle().wakes(me);
        boolean isOver;
        do {
            pump();
            flush();
            isOver = call.awaitOr(awaited(me));
        } while (!isOver && isWaiting());
    }

    /** Flushes the calls that were written to connections. */
    void flush() {
        for (Flight flight : flights) {
            if (flight != null && flight.isUnflushed && flight.last != null) {
                flight.last.handle().hurry();
                flight.isUnflushed = false;
            }
        }
    }

    /** Whether a strand waits for anything. */
    boolean isWaiting() {
        return !(waiting.isEmpty() && ready.isEmpty());
    }

    /** The end of any call with which a strand could go on. */
    private WaitCondition awaited(Thread me) {
        return anyOf(handles, addAwaited(me, handles, 0));
    }

    /** The end of any of the first of some calls. */
    static WaitCondition anyOf(@Nullable Handle[] handles, int count) {
        return () -> {
            for (int i = 0; i < count; i++) {
                Handle handle = handles[i];
                if (handle != null && handle.isDone()) {
                    return true;
                }
            }
            return false;
        };
    }

    /** Adds the calls with whose end a strand could go on; returns how many there are then. */
    int addAwaited(Thread me, @Nullable Handle[] all, int before) {
        int found = before;
        int asked = 0;
        for (Turn turn : waiting) {
            if (asked++ == ASKED) {
                break;
            }
            found = addAwaited(turn, me, all, found);
        }
        return ready.isEmpty() ? found : addAwaited(ready.element(), me, all, found);
    }

    private static int addAwaited(Turn turn, Thread me, @Nullable Handle[] handles, int found) {
        Handle handle = turn.strand.waited();
        if (handle == null) {
            return found;
        }
        if (turn.strand.isWokenBy(handle)) {
            handle.wakes(me);
        }
        handles[found] = handle;
        return found + 1;
    }
}
