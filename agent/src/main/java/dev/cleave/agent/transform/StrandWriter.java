package dev.cleave.agent.transform;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.CatchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.OwnIterator;
import dev.cleave.agent.plan.placement.StrandPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/**
 * Writes a nest of loops, or calls in straight line, whose calls are sent by strands: code at the entry makes the strands, and each call takes the
 * call that a strand has sent.
 */
final class StrandWriter implements PlacementWriter {

    private static final String ON_NEST = "(" + CoreNames.STRANDS_TYPE + ")V";

    private final Editing editing;
    private final MethodBody body;
    private final StrandPlan plan;
    private final RtOps rt;
    private final LoopGates gates;
    private final Register nest;
    private final StrandOpening opening;
    private final List<Map<Register, Register>> iterators = new ArrayList<>(); // of each strand, by the program's

    StrandWriter(Editing editing, StrandPlan plan) {
        this.editing = editing;
        this.body = editing.body();
        this.plan = plan;
        this.rt = new RtOps(body);
        this.gates = new LoopGates(editing, plan.own());
        this.nest = body.fresh(RegisterKind.REFERENCE);
        this.opening = new StrandOpening(editing, plan, this::named);
    }

    /** Writes the code that makes the strands, and the claims. */
    @Override
    public void write() {
        gates.leave(this::close);
        plan.claims().forEach(this::writeClaim);
        plan.hands().forEach((call, hand) -> writeHand(call, hand));
        plan.mappings().forEach(this::writeMapping);
        plan.entries().forEach(this::writeWalk);
        body.insertAfter(gates.first(), List.of(call("begin", ON_NEST, null, nest)));
        writeEntry();
    }

    /** Writes what happens when an exception leaves the nest. */
    @Override
    public void settle() {
        gates.settle(this::close);
    }

    private List<Op> close() {
        return List.of(call("close", ON_NEST, null, nest));
    }

    static Op call(String name, String descriptor, @Nullable Register result, Register... operands) {
        return InsnOp.invokeStatic(CoreNames.STRANDS, name, descriptor, result, List.of(operands));
    }

    private void writeClaim(int call, int row) {
        Register taken = body.fresh(RegisterKind.REFERENCE);
        Register number = body.fresh(RegisterKind.INT);
        Integer asks = plan.keys().get(call);
        Op takes = asks == null
                ? call("take", "(" + CoreNames.STRANDS_TYPE + "I)" + CoreNames.OBJECT, taken, nest, number)
                : takeFor(taken, nest, number, keepKey(editing, asks));
        List<Op> take = List.of(new ConstOp(number, row), takes);
        editing.replace(editing.original(call), editing.claim(call, taken, take, List.of()), List.of());
    }

    /** {@code taken = the call that was sent for a key}. */
    static Op takeFor(Register taken, Register nest, Register row, Register key) {
        String descriptor = "(" + CoreNames.STRANDS_TYPE + "I" + CoreNames.OBJECT + ")" + CoreNames.OBJECT;
        return call("takeFor", descriptor, taken, nest, row, key);
    }

    /** Keeps the key for which an op asks a map. */
    static Register keepKey(Editing editing, int asks) {
        Register key = editing.body().fresh(RegisterKind.REFERENCE);
        Op get = editing.original(asks);
        editing.insertBefore(get, List.of(new MoveOp(key, get.uses().get(1))));
        return key;
    }

    /** Writes the code that gives a helper the nest and the first row of the helper's calls. */
    private void writeHand(int index, StrandPlan.Hand hand) {
        InsnOp original = (InsnOp) editing.original(index);
        Register row = body.fresh(RegisterKind.INT);
        List<Op> ops = new ArrayList<>(List.of(new ConstOp(row, hand.row())));
        if (!hand.helper().functions().isEmpty()) {
            editing.passages().hides(original);
            List<Op> written = editing.claim(index).written();
            Op call = written.stream()
                    .filter(op -> op instanceof InsnOp made && made.insn() == original.insn())
                    .findFirst()
                    .orElseThrow();
            ops.addAll(editing.passages().give(hand.helper(), nest, row, call, written));
            editing.replace(original, ops, List.of());
            return;
        }
        String key = Helper.key(
                hand.helper().owner(),
                hand.helper().method().name,
                hand.helper().method().desc);
        ops.addAll(editing.passages().handNest(key, nest, row));
        for (Op op : editing.claim(index).written()) {
            ops.add(op);
            if (op instanceof InsnOp call && call.insn() == original.insn()) {
                ops.addAll(editing.passages().handedNest(call));
            }
        }
        editing.replace(original, ops, List.of());
    }

    /** Writes the code that gives a method that calls itself what strands have begun for it. */
    private void writeWalk(int index, int row) {
        if (plan.walks().values().stream().anyMatch(walk -> walk.row() == row)) {
            Register number = body.fresh(RegisterKind.INT);
            Register node = body.fresh(RegisterKind.REFERENCE);
            RecursionWriter.hand(editing, index, new ConstOp(number, row), enter(node, nest, number), number);
        }
    }

    /** {@code node = what strands have begun for the walk of a row}. */
    static Op enter(Register node, Register nest, Register row) {
        return call("enter", "(" + CoreNames.STRANDS_TYPE + "I)" + CoreNames.OBJECT, node, nest, row);
    }

    private void writeMapping(int index, StrandPlan.Mapping mapping) {
        InsnOp call = (InsnOp) editing.original(index);
        Register row = body.fresh(RegisterKind.INT);
        List<Op> ops = new ArrayList<>(List.of(new ConstOp(row, mapping.row())));
        ops.addAll(ElsewhereOps.mapping(body, call, nest, row, mapping.filling()));
        editing.replace(call, ops, List.of());
    }

    /** The register of the program that a register of the planned code stands for. */
    private Register named(Register register) {
        return plan.region() == plan.own() ? register : body.local(register.position(), register.kind());
    }

    private void writeEntry() {
        LabelOp entry = body.label();
        LabelOp start = body.label();
        LabelOp end = body.label();
        LabelOp shut = body.label();
        LabelOp ready = body.label();
        LabelOp failed = body.label();
        List<Op> ops = new ArrayList<>(List.of(entry, start));
        List<Integer> calls = new ArrayList<>(plan.claims().keySet());
        calls.addAll(plan.hands().keySet());
        ops.addAll(editing.unlessHandedOver(calls, shut));
        ops.addAll(new EntryTests(body, this::named, plan.elsewhere()).write(plan.tests(), shut));
        ops.addAll(ownIterators(shut));
        ops.addAll(opening.open(nest, iterators, shut));
        ops.add(new GotoOp(ready));
        ops.add(end);
        ops.add(shut);
        ops.add(new ConstOp(nest, null));
        ops.add(ready);
        gates.enter(entry, ops);
        if (!plan.own().repeats()) {
            body.insertAtStart(List.of(new ConstOp(nest, null))); // a try around it may begin before it
        }
        Register thrown = body.fresh(RegisterKind.REFERENCE);
        body.append(List.of(failed, new CatchOp(thrown), new GotoOp(shut)));
        body.addHandlerFirst(new Handler(start, end, failed, null));
    }

    /** Writes the making of iterators for each strand, right behind the making of the program's. */
    private List<Op> ownIterators(LabelOp shut) {
        List<Op> ops = new ArrayList<>();
        for (StrandPlan.Strand strand : opening.withIterators()) {
            Map<Register, Register> made = new HashMap<>();
            for (OwnIterator own : strand.slice().iterators()) {
                if (!plan.region().ops().get(own.made())) {
                    Register iterator = body.fresh(RegisterKind.REFERENCE);
                    Op program =
                            editing.original(requireNonNull(plan.iterators().get(own.made()), "iterator"));
                    body.insertAfter(
                            program,
                            List.of(rt.iterator(iterator, own, program.uses().get(0))));
                    ops.add(new BranchOp(Opcodes.IFNULL, List.of(iterator), shut));
                    made.put(own.iterator(), iterator);
                }
            }
            iterators.add(made);
        }
        return ops;
    }
}
