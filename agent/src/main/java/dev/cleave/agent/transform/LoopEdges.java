package dev.cleave.agent.transform;

import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.ReturnOp;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Puts code on the edges into and out of loops; one for all loops of a method, so that those of a nest may share edges.
 */
final class LoopEdges {

    private final Editing editing;
    private final MethodBody body;
    private final List<Op> original;

    LoopEdges(Editing editing) {
        this.editing = editing;
        this.body = editing.body();
        this.original = editing.original();
    }

    /**
     * Leads all ways into a loop, but not those of its iterations, through some ops.
     *
     * @param entry the label that {@code ops} begin with
     */
    void enter(LabelOp header, BitSet indices, LabelOp entry, List<Op> ops) {
        Set<Op> inLoop = opsOf(indices);
        editing.enter(header, inLoop, entry);
        int first = original.indexOf(header);
        boolean loopFallsIn = first > 0
                && inLoop.contains(original.get(first - 1))
                && original.get(first - 1).fallsThrough();
        if (loopFallsIn) {
            List<Op> far = new ArrayList<>(ops);
            far.add(new GotoOp(header));
            body.append(far);
        } else {
            body.insertBefore(header, ops);
        }
    }

    /** Runs ops, made anew for each place, on all ways out of a loop on which nothing is thrown. */
    void leave(BitSet indices, Supplier<List<Op>> ops) {
        Set<Op> inLoop = opsOf(indices);
        for (int i = indices.nextSetBit(0); i >= 0; i = indices.nextSetBit(i + 1)) {
            Op op = original.get(i);
            if (op instanceof ReturnOp) {
                body.insertBefore(editing.first(op), ops.get());
                continue;
            }
            for (LabelOp target : new LinkedHashSet<>(op.targets())) {
                if (!inLoop.contains(target)) {
                    LabelOp way = body.label();
                    LabelOp on = editing.target(op, target);
                    editing.lead(op, target, way);
                    editing.appendWay(op, way, ops.get(), on);
                }
            }
            if (op.fallsThrough() && i + 1 < original.size() && !indices.get(i + 1)) {
                body.insertAfter(editing.last(op), ops.get());
            }
        }
    }

    private Set<Op> opsOf(BitSet indices) {
        Set<Op> ops = new HashSet<>();
        indices.stream().mapToObj(original::get).forEach(ops::add);
        return ops;
    }
}
