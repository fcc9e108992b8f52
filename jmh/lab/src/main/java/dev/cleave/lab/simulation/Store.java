package dev.cleave.lab.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The store of all replicas, which outlives them: each call appends itself to the list of its key, and returns its
 * position.
 */
final class Store {

    private static final int KEYS = 7;
    private static final int PLACE_BITS = 16;

    private final Map<Long, List<Long>> written = new TreeMap<>();

    static long keyOf(long call) {
        return call % KEYS;
    }

    /** The part of a result that says whose it is. */
    static long callPart(long result) {
        return result >>> PLACE_BITS << PLACE_BITS;
    }

    /** The part of a result that says where it was written. */
    static int placePart(long result) {
        return (int) result & (1 << PLACE_BITS) - 1;
    }

    /** The result of a call that was written at a place. */
    static long result(long call, int place) {
        return Simulation.resultOf(call) | place;
    }

    /** How many calls of the key of a call are written. */
    int size(long call) {
        return list(call).size();
    }

    /** Writes a call behind the others of its key; returns its place. */
    int append(long call) {
        list(call).add(call);
        return size(call) - 1;
    }

    /** Writes a call to a place, over what is there. */
    void write(long call, int place) {
        if (place < size(call)) {
            list(call).set(place, call);
        } else {
            append(call);
        }
    }

    /** The calls of each key in the order in which they are written. */
    Map<Long, List<Long>> written() {
        return written;
    }

    private List<Long> list(long call) {
        return written.computeIfAbsent(keyOf(call), k -> new ArrayList<>());
    }
}
