package dev.cleave.agent.transform;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.ir.ReturnOp;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.placement.StraightLinePrefetchPlan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;

/**
 * Writes the calls of a row that are prefetched: copies of their slices send them at one place, each claims what was
 * sent for it, or is made as written. Calls that were not claimed are discarded at the end of the method, and when the
 * program comes to the place of the sends again.
 */
final class StraightLinePrefetchWriter {

    private final Editing editing;
    private final MethodBody body;
    private final List<Op> original;
    private final StraightLinePrefetchPlan plan;
    private final Prefetching prefetching;

    private StraightLinePrefetchWriter(Editing editing, StraightLinePrefetchPlan plan) {
        this.editing = editing;
        this.body = editing.body();
        this.original = editing.original();
        this.plan = plan;
        this.prefetching = new Prefetching(editing, Map.of());
    }

    /** Writes all such rows of a method. */
    static PlacementWriter of(Editing editing, List<StraightLinePrefetchPlan> plans) {
        List<StraightLinePrefetchWriter> stretches = plans.stream()
                .map(plan -> new StraightLinePrefetchWriter(editing, plan))
                .toList();
        return new PlacementWriter() {
            @Override
            public void write() {
                stretches.forEach(StraightLinePrefetchWriter::write);
            }

            @Override
            public void settle() {
                StraightLinePrefetchWriter.settle(editing, stretches);
            }
        };
    }

    private void write() {
        List<Integer> calls = plan.calls();
        for (int i = 0; i < calls.size(); i++) {
            prefetching.writeClaim(calls.get(i), i);
        }
        prefetching.writeMarks(plan.stale(), plan.remote(), plan.guards());
        for (int i = plan.behind().nextSetBit(0); i >= 0; i = plan.behind().nextSetBit(i + 1)) {
            if (original.get(i) instanceof ReturnOp) {
                body.insertBefore(original.get(i), List.of(prefetching.close()));
            }
        }
        List<Op> ahead = ahead();
        Op nothing = new ConstOp(prefetching.queue(), null);
        if (plan.start() < 0) {
            ahead.add(0, nothing);
            body.insertAtStart(ahead);
            return;
        }
        body.insertAtStart(List.of(nothing));
        Op place = original.get(plan.start());
        if (place instanceof LabelOp) {
            body.insertAfter(place, ahead);
        } else {
            body.insertBefore(editing.first(place), ahead);
        }
    }

    /** Writes what happens when an exception ends the method, for all stretches of a method. */
    private static void settle(Editing editing, List<StraightLinePrefetchWriter> stretches) {
        if (stretches.isEmpty()) {
            return;
        }
        MethodBody body = editing.body();
        Set<LabelOp> inside = new HashSet<>();
        Set<Op> throwing = new HashSet<>();
        for (Op op : body.ops()) {
            if (op instanceof LabelOp label) {
                inside.add(label);
            } else if (op.mayThrow()) {
                throwing.add(op);
            }
        }
        Set<Integer> behind = new HashSet<>();
        stretches.forEach(stretch -> stretch.plan.behind().stream().forEach(behind::add));
        for (int i = 0; i < editing.original().size(); i++) {
            if (!behind.contains(i)) {
                throwing.removeAll(editing.opsOf(i));
            }
        }
        new ExceptionCleanup(body, throwing, inside).add(() -> stretches.stream()
                .map(stretch -> stretch.prefetching.close())
                .toList());
    }

    private List<Op> ahead() {
        PrefetchOps ops = prefetching.ops();
        Register queue = prefetching.queue();
        LabelOp behind = body.label();
        List<Op> code = new ArrayList<>();
        code.addAll(editing.unlessHandedOver(plan.calls(), behind));
        code.add(ops.stretch(queue, plan.reads()));
        code.add(new BranchOp(Opcodes.IFNULL, List.of(queue), behind));
        for (int i = 0; i < plan.slices().size(); i++) {
            code.addAll(ahead(plan.slices().get(i), i));
        }
        code.add(ops.call("ahead", ")V", null, queue));
        code.add(behind);
        return code;
    }

    /** Sends one call; an exception ends the copy of its slice. */
    private List<Op> ahead(SendSlice slice, int position) {
        LabelOp start = body.label();
        LabelOp end = body.label();
        LabelOp behind = body.label();
        RegisterCopies bank = new RegisterCopies(body, slice);
        SliceWriter writer = new SliceWriter(body, original, slice, bank, new SliceWriter.Ends(behind, behind, behind));
        Register wants = body.fresh(RegisterKind.INT);
        Register number = body.fresh(RegisterKind.INT);
        List<Op> ahead = new ArrayList<>();
        ahead.add(new ConstOp(number, position));
        ahead.add(prefetching.ops().call("wants", "I)Z", wants, prefetching.queue(), number));
        ahead.add(new BranchOp(Opcodes.IFEQ, List.of(wants), behind));
        ahead.addAll(bank.copyIn(slice));
        ahead.add(start);
        ahead.addAll(writer.write(prefetching.sender(slice, bank, call -> position)));
        ahead.add(end);
        ahead.add(behind);
        ExceptionCleanup.leave(body, start, end, behind);
        return ahead;
    }
}
