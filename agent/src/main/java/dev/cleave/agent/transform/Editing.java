package dev.cleave.agent.transform;

import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A body being edited, and what it was when it was planned: plans name ops by their index then. */
final class Editing {

    private final MethodBody body;
    private final List<Op> original;
    private final List<Integer> lines = new ArrayList<>();
    private final Map<Op, List<Op>> standIns = new HashMap<>();

    Editing(MethodBody body) {
        this.body = body;
        this.original = List.copyOf(body.ops());
        for (Op op : original) {
            lines.add(body.lineOf(op));
        }
    }

    MethodBody body() {
        return body;
    }

    /** All ops as they were. */
    List<Op> original() {
        return original;
    }

    Op original(int index) {
        return original.get(index);
    }

    int line(int index) {
        return lines.get(index);
    }

    /**
     * Puts ops in the place of an original one.
     *
     * @param ahead those of them that handle their own exceptions
     */
    void replace(Op op, List<Op> replacement, List<Op> ahead) {
        body.replace(op, replacement);
        List<Op> standIn = new ArrayList<>(replacement);
        standIn.removeAll(ahead);
        standIns.put(op, standIn);
    }

    /** The last of the ops that stand in the place of an original one. */
    Op last(Op op) {
        List<Op> standIn = standIns.getOrDefault(op, List.of(op));
        return standIn.get(standIn.size() - 1);
    }

    /** The first of the ops that stand in the place of an original one. */
    Op first(Op op) {
        return standIns.getOrDefault(op, List.of(op)).get(0);
    }

    /** The ops that may throw and now do what some original ops did. */
    Set<Op> throwing(BitSet indices) {
        Set<Op> throwing = new HashSet<>();
        for (int i = indices.nextSetBit(0); i >= 0; i = indices.nextSetBit(i + 1)) {
            for (Op op : standIns.getOrDefault(original.get(i), List.of(original.get(i)))) {
                if (op.mayThrow()) {
                    throwing.add(op);
                }
            }
        }
        return throwing;
    }
}
