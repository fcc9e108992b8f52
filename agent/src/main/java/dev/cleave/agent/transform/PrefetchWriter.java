package dev.cleave.agent.transform;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.method.CrossClassGuard;
import dev.cleave.agent.plan.method.OwnIterator;
import dev.cleave.agent.plan.method.PrefetchHelper;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.placement.PrefetchPlan;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;

/**
 * Writes a loop that prefetches: in front of each pass the copy of the slice runs while the queue has room; each call
 * claims what was sent for it, or is made as written; every way out of the loop gives up the rest.
 */
final class PrefetchWriter implements PlacementWriter {

    private final Editing editing;
    private final LoopEdges edges;
    private final MethodBody body;
    private final List<Op> original;
    private final PrefetchPlan plan;
    private final SendSlice slice;
    private final Prefetching prefetching;
    private final PrefetchOps ops;
    private final RtOps rt;
    private final RegisterCopies bank;
    private final Register queue;

    PrefetchWriter(Editing editing, LoopEdges edges, PrefetchPlan plan) {
        this.editing = editing;
        this.edges = edges;
        this.body = editing.body();
        this.original = editing.original();
        this.plan = plan;
        this.slice = plan.slice();
        this.prefetching = new Prefetching(editing, plan.helpers());
        this.ops = prefetching.ops();
        this.rt = new RtOps(body);
        this.bank = new RegisterCopies(body, slice);
        this.queue = prefetching.queue();
    }

    /** Writes the run-ahead, the claims and the ways out. */
    @Override
    public void write() {
        slice.sends().forEach(send -> prefetching.writeClaim(send, plan.position(send)));
        prefetching.writeMarks(plan.stale(), plan.remote(), plan.guards());
        edges.leave(plan.loop(), () -> List.of(prefetching.close()));
        writeEntry(writeRunAhead());
    }

    /** Writes what happens when an exception leaves the loop. */
    @Override
    public void settle() {
        new ExceptionCleanup(body, editing.throwing(plan.loop()), editing.labels(plan.loop()))
                .add(() -> List.of(prefetching.close()));
    }

    /** The run-ahead, right behind the label of the header; returns that label. */
    private LabelOp writeRunAhead() {
        if (!(original.get(slice.region().entry()) instanceof LabelOp header)) {
            throw new IllegalStateException("the loop does not begin with a label");
        }
        LabelOp check = body.label();
        LabelOp again = body.label();
        LabelOp out = body.label();
        LabelOp start = body.label();
        LabelOp end = body.label();
        LabelOp program = body.label();
        Register room = body.fresh(RegisterKind.INT);
        SliceWriter writer = new SliceWriter(body, original, slice, bank, new SliceWriter.Ends(again, out, out));
        List<Op> code = new ArrayList<>();
        code.add(ops.call("begin", ")V", null, queue));
        code.add(check);
        code.add(ops.call("hasRoom", ")Z", room, queue));
        code.add(new BranchOp(Opcodes.IFEQ, List.of(room), program));
        code.add(start);
        code.addAll(writer.write(prefetching.sender(slice, bank, plan::position)));
        code.add(again);
        code.add(ops.call("ahead", ")V", null, queue));
        code.add(new GotoOp(check));
        code.add(end);
        code.add(out);
        code.add(ops.call("finish", ")V", null, queue));
        code.add(program);
        body.insertAfter(header, code);
        ExceptionCleanup.leave(body, start, end, out);
        return header;
    }

    /** Writes the code in front of the loop: it opens the queue if the run-ahead gets its own iterators. */
    private void writeEntry(LabelOp header) {
        LabelOp entry = body.label();
        LabelOp shut = body.label();
        LabelOp ready = body.label();
        List<Op> code = new ArrayList<>(List.of(entry));
        code.addAll(bank.copyIn(slice));
        for (OwnIterator own : slice.iterators()) {
            code.add(new MoveOp(bank.of(own.iterator()), rt.iterator(editing.original(own.made()), own)));
        }
        for (OwnIterator own : slice.iterators()) {
            code.add(new BranchOp(Opcodes.IFNULL, List.of(bank.of(own.iterator())), shut));
        }
        code.add(ops.open(queue, plan.window(), plan.guesses() ? 1 : 0, plan.reads()));
        code.addAll(editing.passages().waitFor(doors(), CoreNames.PREFETCH, CoreNames.PREFETCH_QUEUE, queue));
        code.add(new GotoOp(ready));
        code.add(shut);
        code.add(new ConstOp(queue, null));
        code.add(ready);
        edges.enter(header, plan.loop(), entry, code);
    }

    /** Returns the guards that the calls of helpers among the sends have to pass. */
    private Set<CrossClassGuard> doors() {
        Set<CrossClassGuard> doors = new LinkedHashSet<>();
        plan.slice().sends().forEach(send -> {
            PrefetchHelper helper = plan.helpers().get(send);
            if (helper != null) {
                doors.addAll(helper.doorsFrom(body.owner(), RtOps.methodOf((InsnOp) original.get(send))));
            }
        });
        return doors;
    }
}
