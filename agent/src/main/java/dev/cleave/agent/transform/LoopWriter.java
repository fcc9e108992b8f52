package dev.cleave.agent.transform;

import dev.cleave.agent.ir.CatchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.method.CrossClassGuard;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.placement.LoopPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes a loop that sends ahead: in front of each iteration the copy of the slice runs while the queue has room; each
 * call of the program takes from the queue.
 */
final class LoopWriter implements PlacementWriter {

    static final String ON_QUEUE = "(" + CoreNames.QUEUE + ")V";

    private final Editing editing;
    private final MethodBody body;
    private final List<Op> original;
    private final LoopPlan plan;
    private final RtOps rt;
    private final LoopGates gates;
    private final Set<CrossClassGuard> doors;
    private final List<RunAhead> stages = new ArrayList<>();

    LoopWriter(Editing editing, LoopPlan plan) {
        this.editing = editing;
        this.body = editing.body();
        this.original = editing.original();
        this.plan = plan;
        this.rt = new RtOps(body);
        this.gates = new LoopGates(editing, plan.region());
        this.doors = editing.doors(plan.sends());
        for (SendSlice slice : plan.stages()) {
            stages.add(new RunAhead(editing, plan, slice, !doors.isEmpty()));
        }
    }

    /** Writes the run-ahead and the claims. */
    @Override
    public void write() {
        if (plan.leavesOut()) {
            gates.leave(this::close); // discards calls that were sent and are skipped (R37)
        }
        int position = 0;
        for (int i = 0; i < stages.size(); i++) {
            for (int send : plan.stages().get(i).sends()) {
                writeClaim(send, stages.get(i).queue(), position++);
            }
        }
        for (Map.Entry<Integer, List<Integer>> skip : plan.skips().entrySet()) {
            writeSkips(skip.getKey(), skip.getValue());
        }
        for (int header : plan.steps()) {
            writeRunAhead(header);
        }
        writeEntry();
    }

    /** Writes what happens when an exception leaves the loop. */
    @Override
    public void settle() {
        gates.settle(this::close);
    }

    private List<Op> close() {
        List<Op> ops = new ArrayList<>();
        stages.forEach(stage -> ops.add(rt.call("close", ON_QUEUE, null, stage.queue())));
        return ops;
    }

    private void writeClaim(int call, Register queue, int position) {
        Register taken = body.fresh(RegisterKind.REFERENCE);
        List<Op> take =
                rt.numbered("take", "(" + CoreNames.QUEUE + "I)" + CoreNames.OBJECT, taken, List.of(queue), position);
        editing.replace(original.get(call), editing.claim(call, taken, take, restoresInto(call, taken)), List.of());
    }

    /** Writes that the await changes the arrays that the program has come with, and not those of the copy (R75). */
    private List<Op> restoresInto(int call, Register taken) {
        List<Op> ops = new ArrayList<>();
        List<Integer> changed = plan.changed().getOrDefault(call, List.of());
        for (int i = 0; i < changed.size(); i++) {
            Register array = original.get(call).uses().get(changed.get(i) + 1);
            ops.addAll(rt.numbered(
                    "restoresInto", "(" + CoreNames.OBJECT + CoreNames.OBJECT + "I)V", null, List.of(taken, array), i));
        }
        return ops;
    }

    private void writeSkips(int handler, List<Integer> positions) {
        Op caught = original.get(handler + 1);
        if (!(caught instanceof CatchOp)) {
            throw new IllegalStateException("op: " + caught + " (expected: a catch)");
        }
        List<Op> ops = new ArrayList<>();
        for (int position : positions) {
            ops.addAll(rt.numbered("skip", "(" + CoreNames.QUEUE + "I)V", null, List.of(queueOf(position)), position));
        }
        body.insertAfter(caught, ops);
    }

    private Register queueOf(int position) {
        int call = plan.sends().get(position);
        for (int i = 0; i < stages.size(); i++) {
            if (plan.stages().get(i).sends().contains(call)) {
                return stages.get(i).queue();
            }
        }
        throw new IllegalArgumentException("position: " + position + " (expected: that of a call)");
    }

    /** The run-ahead of all stages, right behind the label of a header. */
    private void writeRunAhead(int index) {
        if (!(original.get(index) instanceof LabelOp header)) {
            throw new IllegalStateException("the loop does not begin with a label");
        }
        List<Op> ops = new ArrayList<>();
        stages.forEach(stage -> ops.add(rt.call("begin", ON_QUEUE, null, stage.queue())));
        stages.forEach(stage -> ops.addAll(stage.write()));
        body.insertAfter(header, ops);
    }

    /** Writes the code in front of the loop: it opens the queues if all tests hold. */
    private void writeEntry() {
        LabelOp entry = body.label();
        LabelOp start = body.label();
        LabelOp end = body.label();
        LabelOp shut = body.label();
        LabelOp ready = body.label();
        List<Op> ops = new ArrayList<>(List.of(entry));
        stages.forEach(stage -> ops.addAll(stage.begin()));
        ops.add(start);
        ops.addAll(new EntryTests(body).write(plan.tests(), shut));
        stages.forEach(stage -> ops.addAll(stage.test(shut)));
        ops.addAll(open());
        ops.add(new GotoOp(ready));
        ops.add(end);
        ops.add(shut);
        stages.forEach(stage -> ops.add(new ConstOp(stage.queue(), null)));
        ops.add(ready);
        gates.enter(entry, ops);
        ExceptionCleanup.leave(body, start, end, shut);
    }

    private List<Op> open() {
        List<Op> ops = new ArrayList<>();
        for (int i = 0; i < stages.size(); i++) {
            Register queue = stages.get(i).queue();
            int sends = plan.stages().get(i).sends().size();
            if (i == 0) {
                ops.add(rt.open(queue, plan.window(), sends));
            } else {
                ops.addAll(rt.numbered(
                        "stage",
                        "(" + CoreNames.QUEUE + "I)" + CoreNames.QUEUE,
                        queue,
                        List.of(stages.get(i - 1).queue()),
                        sends));
            }
            if (plan.leavesOut()) {
                ops.add(rt.call("leaveOut", ON_QUEUE, null, queue));
            }
            ops.addAll(editing.passages().waitFor(doors, CoreNames.RT, CoreNames.QUEUE, queue));
        }
        return ops;
    }
}
