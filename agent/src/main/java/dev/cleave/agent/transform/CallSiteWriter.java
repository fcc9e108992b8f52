package dev.cleave.agent.transform;

import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.LineOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.placement.SinkPlan;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.objectweb.asm.Opcodes;

/**
 * Writes the code at the places of straight-line calls and at the places of their awaits (Groups C and D).
 *
 * <p>A call whose await moves has a register: what was sent and is not yet awaited, or null. Its await, with the casts
 * and moves that belong to it, is written wherever a path comes to something that has to come later, and does nothing
 * if the register is null: on paths that did not come by the call, that awaited it already, or where the call was made
 * as written. A call that is made as written first awaits all that stands before it.
 */
final class CallSiteWriter implements PlacementWriter {

    private static final int ORDINARY = Integer.MAX_VALUE;

    private final Editing editing;
    private final MethodBody body;
    private final List<Op> original;
    private final List<SinkPlan> sinks;
    private final RtOps rt;
    private final List<Register> pending = new ArrayList<>();
    private final Map<Op, Integer> awaiting = new HashMap<>();
    private final Landing landing;
    private final BitSet replaced = new BitSet();

    /** Prepares the writer; the sinks are in the order of the program. */
    CallSiteWriter(Editing editing, List<SinkPlan> sinks) {
        this.editing = editing;
        this.body = editing.body();
        this.original = editing.original();
        this.sinks = sinks;
        this.rt = new RtOps(body);
        for (int i = 0; i < sinks.size(); i++) {
            pending.add(body.fresh(RegisterKind.REFERENCE));
        }
        this.landing = new Landing(
                body,
                sinks.stream()
                        .map(sink -> body.handlersOf(original.get(sink.call())))
                        .toList());
    }

    /** Writes the awaits; before anything else is written. The calls are left to {@link #writeOthers}. */
    @Override
    public void write() {
        body.insertAtStart(
                pending.stream().map(register -> new ConstOp(register, null)).toList());
        TreeSet<Integer> places = new TreeSet<>();
        sinks.forEach(sink -> {
            places.addAll(sink.awaits());
            places.addAll(sink.tests().keySet());
        });
        for (int place : places) {
            List<Op> ops = new ArrayList<>();
            for (int i = 0; i < sinks.size(); i++) {
                if (sinks.get(i).awaits().contains(place)) {
                    ops.addAll(await(i, editing.line(place)));
                }
            }
            for (int i = 0; i < sinks.size(); i++) {
                List<Guard> guards = sinks.get(i).tests().get(place);
                if (guards != null) {
                    ops.addAll(awaitUnless(i, guards, place));
                }
            }
            editing.insertBefore(original.get(place), ops);
        }
        for (SinkPlan sink : sinks) {
            sink.glued().forEach(glued -> editing.replace(original.get(glued), List.of(), List.of()));
        }
    }

    /**
     * Replaces a call.
     *
     * @param sent holds the sent call, or null
     * @param take puts it there
     * @param ahead what else to do if the call was sent; handles its own exceptions
     */
    void replace(int index, Register sent, List<Op> take, List<Op> ahead) {
        InsnOp call = (InsnOp) original.get(index);
        replaced.set(index);
        if (editing.callsHelper(index)) { // nothing is in flight here: no await moves over a helper
            List<Op> settled = new ArrayList<>(ahead);
            settled.addAll(take);
            editing.replace(call, editing.claim(index, sent, take, ahead), settled);
            return;
        }
        int sink = sinkOf(index);
        ClaimWriter claim = editing.claim(index);
        List<Op> earlier = awaitEarlier(index);
        List<Op> ops =
                sink < 0 ? claim.write(sent, take, ahead, earlier) : leave(sink, claim, sent, take, ahead, earlier);
        editing.replace(call, ops, ahead);
    }

    /** Writes the calls that no group has written: those whose awaits move, and those that others' awaits move over. */
    void writeOthers() {
        BitSet others = new BitSet();
        for (SinkPlan sink : sinks) {
            others.set(sink.call());
            sink.crossed().forEach(others::set);
        }
        others.andNot(replaced);
        for (int i = others.nextSetBit(0); i >= 0; i = others.nextSetBit(i + 1)) {
            Register sent = body.fresh(RegisterKind.REFERENCE);
            replace(i, sent, editing.send(i, sent, original.get(i).uses()), List.of());
        }
    }

    /** Writes what happens when something throws while calls are not yet awaited. */
    @Override
    public void settle() {
        Map<Op, Integer> covered = new HashMap<>();
        for (SinkPlan sink : sinks) {
            BitSet ops = (BitSet) sink.region().clone();
            editing.throwing(ops).forEach(op -> covered.put(op, awaiting.getOrDefault(op, ORDINARY)));
        }
        if (sinks.size() > 1) {
            for (Op op : body.ops()) {
                if (awaiting.containsKey(op) && op.mayThrow()) {
                    covered.put(op, awaiting.get(op));
                }
            }
        }
        landing.write(covered, this::awaitNow, rt, pending);
    }

    /** Returns the handles of calls that the landing pad discards when an exception leaves by these handlers. */
    List<Register> behind(List<Handler> leaving) {
        return landing.behind(leaving, pending);
    }

    /** Writes code that leaves the call in flight. */
    private List<Op> leave(
            int sink, ClaimWriter claim, Register sent, List<Op> take, List<Op> ahead, List<Op> earlier) {
        SinkPlan plan = sinks.get(sink);
        LabelOp inFlight = body.label();
        LabelOp asWritten = body.label();
        LabelOp done = body.label();
        InsnOp call = (InsnOp) original.get(plan.call());
        List<Op> ops = new ArrayList<>(take);
        ops.add(new BranchOp(Opcodes.IFNONNULL, List.of(sent), inFlight));
        if (take.size() > 1) { // the earlier send has not run: send here
            ops.addAll(editing.send(plan.call(), sent, call.uses()));
            ops.add(new BranchOp(Opcodes.IFNONNULL, List.of(sent), inFlight));
        }
        ops.add(new GotoOp(asWritten));
        ops.add(inFlight);
        ops.addAll(ahead);
        ops.add(rt.call("origin", "(Ljava/lang/Object;)V", null, sent));
        ops.add(new MoveOp(pending.get(sink), sent));
        ops.addAll(placeholders(plan));
        ops.add(new GotoOp(done));
        ops.add(asWritten);
        ops.addAll(earlier);
        ops.addAll(claim.written());
        ops.addAll(glued(plan));
        ops.add(done);
        return ops;
    }

    /**
     * Writes zero or null to the registers of the result, as the verifier asks for a value before the result is there.
     */
    private List<Op> placeholders(SinkPlan plan) {
        List<Op> ops = new ArrayList<>();
        Register result = original.get(plan.call()).def();
        if (result != null) {
            ops.add(RtOps.nothing(result));
        }
        for (int glued : plan.glued()) {
            Register def = original.get(glued).def();
            if (def != null) {
                ops.add(RtOps.nothing(def));
            }
        }
        return ops;
    }

    private List<Op> glued(SinkPlan plan) {
        List<Op> ops = new ArrayList<>();
        for (int glued : plan.glued()) {
            if (editing.line(glued) >= 0) {
                ops.add(new LineOp(editing.line(glued)));
            }
            ops.add(original.get(glued)
                    .copy(UnaryOperator.identity(), UnaryOperator.identity(), UnaryOperator.identity()));
        }
        return ops;
    }

    /** Writes the awaits of earlier calls that may be in flight where a call is made as written. */
    private List<Op> awaitEarlier(int index) {
        List<Op> ops = new ArrayList<>();
        for (int i = 0; i < sinks.size(); i++) {
            if (sinks.get(i).region().get(index)) {
                ops.addAll(await(i, editing.line(index)));
            }
        }
        return ops;
    }

    /** Awaits a call if it is in flight, on its own line; code of a line follows. */
    private List<Op> await(int sink, int line) {
        LabelOp skip = body.label();
        List<Op> ops = new ArrayList<>();
        ops.add(new BranchOp(Opcodes.IFNULL, List.of(pending.get(sink)), skip));
        ops.addAll(awaitNow(sink));
        ops.add(skip);
        if (line >= 0) {
            ops.add(new LineOp(line));
        }
        ops.forEach(op -> awaiting.put(op, sink));
        return ops;
    }

    /** Awaits a call that is in flight, on its own line. */
    private List<Op> awaitNow(int sink) {
        SinkPlan plan = sinks.get(sink);
        List<Op> ops = new ArrayList<>();
        if (editing.line(plan.call()) >= 0) {
            ops.add(new LineOp(editing.line(plan.call())));
        }
        Register taken = body.fresh(RegisterKind.REFERENCE);
        ops.add(new MoveOp(taken, pending.get(sink)));
        ops.add(new ConstOp(pending.get(sink), null));
        ops.addAll(rt.await((InsnOp) original.get(plan.call()), taken));
        ops.addAll(glued(plan));
        return ops;
    }

    /** Awaits a call if it is in flight and the code that follows is not known to be harmless. */
    private List<Op> awaitUnless(int sink, List<Guard> guards, int place) {
        LabelOp skip = body.label();
        LabelOp wait = body.label();
        List<Op> ops = new ArrayList<>();
        ops.add(new BranchOp(Opcodes.IFNULL, List.of(pending.get(sink)), skip));
        for (Guard guard : guards) {
            Register holds = body.fresh(RegisterKind.INT);
            ops.addAll(rt.holds(guard, guard.object(), holds));
            ops.add(new BranchOp(Opcodes.IFEQ, List.of(holds), wait));
        }
        ops.add(new GotoOp(skip));
        ops.add(wait);
        ops.addAll(await(sink, editing.line(place)));
        ops.add(skip);
        return ops;
    }

    private int sinkOf(int call) {
        for (int i = 0; i < sinks.size(); i++) {
            if (sinks.get(i).call() == call) {
                return i;
            }
        }
        return -1;
    }
}
