package dev.cleave.agent.transform;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.plan.analysis.Region;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Writes code where a part of a method with one entry, a loop as a rule, is entered and where it is left. */
final class LoopGates {

    private final Editing editing;
    private final MethodBody body;
    private final List<Op> original;
    private final BitSet ops;
    private final int entry;
    private final Op first;
    private final @Nullable LabelOp header;

    /**
     * Prepares it.
     *
     * @param region a loop that begins with a label, or another part that does not begin with an executable op
     */
    LoopGates(Editing editing, Region region) {
        this.editing = editing;
        this.body = editing.body();
        this.original = editing.original();
        this.ops = region.ops();
        this.entry = region.entry();
        this.first = original.get(entry);
        this.header = first instanceof LabelOp label ? label : null;
        if (first.isExecutable() || header == null && region.repeats()) {
            throw new IllegalStateException("op: " + first + " (expected: the label of a loop, or the mark of a line)");
        }
    }

    /** The op that the part, or each pass of the loop, begins with. */
    Op first() {
        return first;
    }

    /**
     * Leads all ways into the loop, but not those of its passes, through some ops.
     *
     * @param label the label that these begin with
     */
    void enter(LabelOp label, List<Op> added) {
        Set<Op> inLoop = new HashSet<>();
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            inLoop.add(original.get(i));
        }
        if (header != null) {
            editing.enter(header, inLoop, label);
        }
        int index = body.indexOf(first);
        boolean loopFallsIn = index > 0
                && entry > 0
                && inLoop.contains(original.get(entry - 1))
                && original.get(entry - 1).fallsThrough();
        if (header != null && loopFallsIn) {
            List<Op> far = new ArrayList<>(added);
            far.add(new GotoOp(header));
            body.append(far);
        } else {
            body.insertBefore(first, added);
        }
    }

    /** Puts ops wherever the program leaves the loop and nothing is thrown; made anew for each place. */
    void leave(Supplier<List<Op>> added) {
        Map<LabelOp, LabelOp> exits = new LinkedHashMap<>();
        Map<LabelOp, Op> froms = new HashMap<>();
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            Op op = original.get(i);
            if (op.fallsThrough() && !ops.get(i + 1)) {
                body.insertAfter(editing.last(op), added.get());
            }
            for (LabelOp target : new LinkedHashSet<>(op.targets())) {
                if (!isInside(target)) {
                    LabelOp on = editing.target(op, target);
                    LabelOp exit = exits.computeIfAbsent(on, outside -> body.label());
                    froms.put(exit, op);
                    editing.lead(op, target, exit);
                }
            }
        }
        exits.forEach((outside, exit) ->
                editing.appendWay(requireNonNull(froms.get(exit), "from"), exit, added.get(), outside));
    }

    /**
     * Puts ops between an exception and the handlers outside of the loop that it leaves for; once all else is written.
     */
    void settle(Supplier<List<Op>> added) {
        Set<LabelOp> inside = new HashSet<>();
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            if (original.get(i) instanceof LabelOp label) {
                inside.add(label);
            }
        }
        new ExceptionCleanup(body, editing.throwing(ops), inside).add(added);
    }

    private boolean isInside(LabelOp target) {
        return ops.get(original.indexOf(target));
    }
}
