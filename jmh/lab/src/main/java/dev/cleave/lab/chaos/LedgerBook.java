package dev.cleave.lab.chaos;

import dev.cleave.lab.history.Model;
import dev.cleave.lab.history.Planted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The store of all replicas, which outlives them. Thread-safe. */
final class LedgerBook {

    private static final int KEYS = 3;

    private final @Nullable Planted planted;
    private final Map<Long, Model> models = new HashMap<>(); // guarded by this, as all below
    private final Map<Long, List<Long>> done = new TreeMap<>();
    private final Map<Long, Integer> executions = new HashMap<>();
    private final Map<Long, Integer> told = new HashMap<>();

    /** Creates an empty one, of servers that have a defect, or null. */
    LedgerBook(@Nullable Planted planted) {
        this.planted = planted;
    }

    static long keyOf(long call) {
        return (call >>> 3) % KEYS;
    }

    synchronized void begins(long call) {
        executions.merge(call, 1, Integer::sum);
    }

    /** A callback of a call has run. */
    synchronized void told(long call) {
        told.merge(call, 1, Integer::sum);
    }

    /** Does something to the model of a call's key, which takes a while; returns what it returns. */
    long apply(long call, Runnable work) {
        if (planted == Planted.LOST_UPDATE) {
            Model read = model(call).copy();
            work.run();
            return replace(call, read);
        }
        work.run();
        if (planted == Planted.ANSWERED_AHEAD) {
            Thread late = new Thread(() -> {
                LockSupport.parkNanos(20_000_000);
                long unused = write(call);
            });
            late.setDaemon(true);
            late.start();
            return model(call).copy().apply(call);
        }
        return write(call);
    }

    private synchronized Model model(long call) {
        return models.computeIfAbsent(keyOf(call), k -> new Model());
    }

    private synchronized long write(long call) {
        list(call).add(call);
        return model(call).apply(call);
    }

    private synchronized long replace(long call, Model by) {
        list(call).add(call);
        models.put(keyOf(call), by);
        return by.apply(call);
    }

    private List<Long> list(long call) {
        return done.computeIfAbsent(keyOf(call), k -> new ArrayList<>());
    }

    /** The calls of each key, in the order in which they were done. */
    synchronized Map<Long, List<Long>> done() {
        Map<Long, List<Long>> copy = new TreeMap<>();
        done.forEach((key, calls) -> copy.put(key, List.copyOf(calls)));
        return copy;
    }

    /** How often each call was begun. */
    synchronized Map<Long, Integer> executions() {
        return Map.copyOf(executions);
    }

    /** How often the callback of each call has run. */
    synchronized Map<Long, Integer> callbacks() {
        return Map.copyOf(told);
    }
}
