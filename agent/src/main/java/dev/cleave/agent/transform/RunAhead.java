package dev.cleave.agent.transform;

import static java.util.Objects.requireNonNull;

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
import dev.cleave.agent.ir.SwitchOp;
import dev.cleave.agent.plan.method.Carried;
import dev.cleave.agent.plan.method.OwnIterator;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.order.PipelinedResult;
import dev.cleave.agent.plan.placement.LoopPlan;
import dev.cleave.agent.plan.slice.Slicer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Writes the run-ahead of one stage of a loop: the copy of its slice, with registers and a queue of its own.
 *
 * <p>In a nest it goes from step to step: at the header of a loop that holds calls it keeps what it needs and asks the
 * queue for room; without room it stops there, and goes on from there when the program asks the next time. It is
 * written once for each header of the program, and each copy goes on where any other stopped.
 */
final class RunAhead {

    private static final String ITERATOR = "Ljava/util/Iterator;";
    private static final String FOLLOW = "(" + ITERATOR + CoreNames.OBJECT + ")" + ITERATOR;

    private final Editing editing;
    private final MethodBody body;
    private final LoopPlan plan;
    private final SendSlice slice;
    private final boolean waits;
    private final RtOps rt;
    private final RegisterCopies bank;
    private final Register queue;
    private final Register step;
    private final Register mute;
    private final Map<Integer, Register> lastSent = new LinkedHashMap<>(); // by call whose result is passed on
    private final List<List<Register>> carried = new ArrayList<>();
    private final List<Map<Register, Register>> kept = new ArrayList<>();

    /**
     * Prepares it.
     *
     * @param waits whether passes may be quiet, because a helper of another class cannot be asked yet
     */
    RunAhead(Editing editing, LoopPlan plan, SendSlice slice, boolean waits) {
        this.waits = waits;
        this.editing = editing;
        this.body = editing.body();
        this.plan = plan;
        this.slice = slice;
        this.rt = new RtOps(body);
        this.bank = new RegisterCopies(body, slice);
        this.queue = body.fresh(RegisterKind.REFERENCE);
        this.step = body.fresh(RegisterKind.INT);
        this.mute = body.fresh(RegisterKind.INT);
        for (Map<Integer, PipelinedResult> results : plan.passed().values()) {
            for (PipelinedResult result : results.values()) {
                lastSent.computeIfAbsent(result.source(), source -> body.fresh(RegisterKind.REFERENCE));
            }
        }
        if (isNest()) {
            Carried all = new Carried(slice);
            for (int header : plan.steps()) {
                Map<Register, Register> keeps = new LinkedHashMap<>();
                all.at(header).forEach(register -> keeps.put(register, body.fresh(register.kind())));
                carried.add(all.at(header));
                kept.add(keeps);
            }
        }
    }

    /** Holds the queue in which the stage keeps the calls that it has sent. */
    Register queue() {
        return queue;
    }

    private boolean isNest() {
        return plan.steps().size() > 1;
    }

    private boolean looks() {
        return !slice.looks().isEmpty();
    }

    /** Writes the first values of the copy's registers, where the loop is entered. */
    List<Op> begin() {
        List<Op> ops = new ArrayList<>(bank.copyIn(slice));
        lastSent.values().forEach(register -> ops.add(RtOps.nothing(register)));
        for (OwnIterator own : slice.iterators()) {
            if (own.arrives()) {
                Register none = body.fresh(RegisterKind.REFERENCE);
                ops.add(RtOps.nothing(none));
                ops.add(rt.call("follow", FOLLOW, bank.of(own.iterator()), none, own.iterator()));
            } else if (!slice.region().ops().get(own.made())) {
                Register second = rt.iterator(editing.original(own.made()), own);
                ops.add(new MoveOp(bank.of(own.iterator()), second));
                if (own == arriving()) {
                    ops.add(rt.call("follow", FOLLOW, bank.of(own.iterator()), second, own.iterator()));
                }
            }
        }
        if (isNest()) {
            ops.add(new ConstOp(step, 0));
            for (int i = 0; i < kept.size(); i++) {
                for (Map.Entry<Register, Register> keep : kept.get(i).entrySet()) {
                    boolean isFirst = i == 0 && slice.copiedIn().contains(keep.getKey());
                    ops.add(
                            isFirst
                                    ? new MoveOp(keep.getValue(), bank.of(keep.getKey()))
                                    : RtOps.nothing(keep.getValue()));
                }
            }
        }
        return ops;
    }

    /**
     * The iterator whose elements may be arriving from another node: a remote call has returned it, or what the loop runs over is
     * known as something iterable, and each pass begins with the question whether there is one more. Null if there is none.
     */
    private @Nullable OwnIterator arriving() {
        if (isNest() || slice.iterators().size() != 1) {
            return null;
        }
        OwnIterator own = slice.iterators().get(0);
        boolean isIterable = !slice.region().ops().get(own.made())
                && editing.original(own.made()) instanceof InsnOp made
                && made.method() != null
                && made.method().owner.equals("java/lang/Iterable");
        return own.arrives() || isIterable && Slicer.asksFirst(editing::original, slice.region(), own.iterator())
                ? own
                : null;
    }

    /** Writes branches to the label that are taken if the copy has not got all iterators of its own. */
    List<Op> test(LabelOp shut) {
        List<Op> ops = new ArrayList<>();
        for (OwnIterator own : slice.iterators()) {
            if (!slice.region().ops().get(own.made())) {
                ops.add(new BranchOp(Opcodes.IFNULL, List.of(bank.of(own.iterator())), shut));
            }
        }
        return ops;
    }

    /** The run-ahead for one place in the program; falls through behind it. */
    List<Op> write() {
        LabelOp check = body.label();
        LabelOp again = body.label();
        LabelOp out = body.label();
        LabelOp start = body.label();
        LabelOp end = body.label();
        LabelOp program = body.label();
        Register room = body.fresh(RegisterKind.INT);
        LabelOp pass = body.label();
        Map<Integer, LabelOp> steps = new HashMap<>();
        if (isNest()) {
            plan.steps().forEach(header -> steps.put(header, body.label()));
            steps.put(plan.steps().get(0), pass);
        }
        SliceWriter writer =
                new SliceWriter(body, editing.original(), slice, bank, new SliceWriter.Ends(again, out, out, steps));
        List<Op> ops = new ArrayList<>();
        ops.add(check);
        OwnIterator arriving = arriving();
        ops.add(
                arriving == null
                        ? rt.call("hasRoom", "(" + CoreNames.QUEUE + ")Z", room, queue)
                        : rt.call(
                                "hasRoom",
                                "(" + CoreNames.QUEUE + ITERATOR + ")Z",
                                room,
                                queue,
                                bank.of(arriving.iterator())));
        ops.add(new BranchOp(Opcodes.IFEQ, List.of(room), program));
        ops.add(start);
        if (waits) {
            ops.add(rt.call("isQuiet", "(" + CoreNames.QUEUE + ")Z", mute, queue));
        } else if (looks()) {
            ops.add(new ConstOp(mute, 0));
        }
        ops.addAll(goOn(writer));
        ops.addAll(writer.write(plan.steps(), new Sends(program, out)));
        steps.forEach((header, label) -> ops.addAll(keep(header, label, check)));
        ops.add(again);
        if (isNest()) {
            ops.add(new GotoOp(pass));
        } else {
            ops.add(rt.call("ahead", LoopWriter.ON_QUEUE, null, queue));
            ops.add(new GotoOp(check));
        }
        ops.add(end);
        ops.add(out);
        ops.add(rt.call("finish", LoopWriter.ON_QUEUE, null, queue));
        ops.add(program);
        ExceptionCleanup.leave(body, start, end, out);
        return ops;
    }

    /** Writes the jump to the step at which the copy has stopped. */
    private List<Op> goOn(SliceWriter writer) {
        if (!isNest()) {
            return List.of(new GotoOp(writer.begin(slice.region().entry())));
        }
        List<Integer> keys = new ArrayList<>();
        List<LabelOp> cases = new ArrayList<>();
        List<Op> ops = new ArrayList<>();
        for (int i = 0; i < plan.steps().size(); i++) {
            LabelOp label = body.label();
            keys.add(i);
            cases.add(label);
            ops.add(label);
            kept.get(i).forEach((register, keep) -> ops.add(new MoveOp(bank.of(register), keep)));
            ops.add(new GotoOp(writer.begin(plan.steps().get(i))));
        }
        ops.add(0, new SwitchOp(step, cases.get(0), keys, cases));
        return ops;
    }

    /** Writes the end of a step: the registers that the next step needs are kept. */
    private List<Op> keep(int header, LabelOp label, LabelOp check) {
        int number = plan.steps().indexOf(header);
        List<Op> ops = new ArrayList<>(List.of(label));
        kept.get(number).forEach((register, keep) -> ops.add(new MoveOp(keep, bank.of(register))));
        ops.add(new ConstOp(step, number));
        ops.add(rt.call("ahead", LoopWriter.ON_QUEUE, null, queue));
        ops.add(new GotoOp(check));
        return ops;
    }

    private final class Sends implements SliceWriter.Sender {

        private final LabelOp declined;
        private final LabelOp out;

        Sends(LabelOp declined, LabelOp out) {
            this.declined = declined;
            this.out = out;
        }

        @Override
        public List<Op> send(int position, LabelOp away) {
            int index = slice.sends().get(position);
            InsnOp call = (InsnOp) editing.original(index);
            Register sent = body.fresh(RegisterKind.REFERENCE);
            Register isKept = body.fresh(RegisterKind.INT);
            LabelOp behind = body.label();
            List<Op> ops = new ArrayList<>();
            if (looks() || waits) {
                ops.add(new BranchOp(Opcodes.IFNE, List.of(mute), behind));
            }
            List<Register> operands = call.uses().stream().map(bank::of).toList();
            if (plan.chain().contains(index)) {
                Register chain = body.fresh(RegisterKind.REFERENCE);
                String of = plan.isDependent() ? "dependentChainOf" : "chainOf";
                ops.add(rt.call(of, "(" + CoreNames.QUEUE + ")" + CoreNames.OBJECT, chain, queue));
                ops.addAll(chained(index, sent, chain, operands));
            } else {
                LabelOp put = body.label();
                ops.addAll(unlessChanged(index, sent, operands, put));
                ops.addAll(editing.send(index, sent, operands));
                ops.add(put);
            }
            ops.addAll(rt.numbered(
                    "put",
                    "(" + CoreNames.QUEUE + CoreNames.OBJECT + "I)Z",
                    isKept,
                    List.of(queue, sent),
                    plan.sends().indexOf(index)));
            ops.add(new BranchOp(Opcodes.IFEQ, List.of(isKept), declined));
            Register last = lastSent.get(index);
            if (last != null) {
                ops.add(new MoveOp(last, sent));
            }
            ops.add(behind);
            return ops;
        }

        /** Sends nothing if a call in flight changes an array that is given to this one to be changed (R75). */
        private List<Op> unlessChanged(int index, Register sent, List<Register> operands, LabelOp put) {
            List<Op> ops = new ArrayList<>();
            for (int parameter : plan.changed().getOrDefault(index, List.of())) {
                Register free = body.fresh(RegisterKind.INT);
                ops.add(new ConstOp(sent, null));
                ops.add(rt.call(
                        "mayChange",
                        "(" + CoreNames.QUEUE + CoreNames.OBJECT + ")Z",
                        free,
                        queue,
                        operands.get(parameter + 1)));
                ops.add(new BranchOp(Opcodes.IFEQ, List.of(free), put));
            }
            return ops;
        }

        private List<Op> chained(int index, Register sent, Register chain, List<Register> operands) {
            InsnOp call = (InsnOp) editing.original(index);
            Map<Integer, PipelinedResult> results = plan.passed().getOrDefault(index, Map.of());
            if (results.isEmpty()) {
                return editing.unlessHanded(
                        index, sent, List.of(rt.sendChained(call, editing.line(index), sent, chain, operands)));
            }
            List<Op> ops = new ArrayList<>();
            List<@Nullable Register> values = new ArrayList<>(operands);
            Map<Integer, Register> sources = new TreeMap<>();
            results.forEach((parameter, result) -> {
                Register source = requireNonNull(lastSent.get(result.source()));
                sources.put(parameter, source);
                Register initially = result.initially();
                values.set(parameter + 1, initially == null ? null : bank.of(initially));
                if (initially == null) {
                    ops.add(new BranchOp(Opcodes.IFNULL, List.of(source), out));
                }
            });
            ops.addAll(editing.unlessHanded(
                    index, sent, rt.sendDependent(call, editing.line(index), sent, chain, values, sources, 0)));
            return ops;
        }

        /**
         * The run-ahead ends with a call that fails; if the loop itself handles the failure, only what the copy would
         * send in the rest of the pass is left out, for it knows no result.
         */
        @Override
        public List<Op> look(int index, IntFunction<LabelOp> ways) {
            InsnOp call = (InsnOp) editing.original(index);
            LabelOp failed = body.label();
            LabelOp behind = body.label();
            Register isHere = body.fresh(RegisterKind.INT);
            List<Op> ops = new ArrayList<>();
            if (waits && call.def() != null) {
                ops.add(RtOps.nothing(bank.of(call.def())));
            }
            if (waits) {
                ops.add(new BranchOp(Opcodes.IFNE, List.of(mute), behind));
            }
            ops.addAll(rt.numbered(
                    "look",
                    "(" + CoreNames.QUEUE + "I)Z",
                    isHere,
                    List.of(queue),
                    plan.sends().indexOf(index)));
            ops.add(new BranchOp(Opcodes.IFEQ, List.of(isHere), failed));
            if (call.def() != null) {
                ops.addAll(seen(call, bank.of(call.def())));
            }
            ops.add(new GotoOp(behind));
            ops.add(failed);
            if (isNest() || !slice.region().handles(index)) {
                ops.add(new GotoOp(out));
            } else {
                ops.add(new ConstOp(mute, 1));
                if (call.def() != null) {
                    ops.add(RtOps.nothing(bank.of(call.def())));
                }
            }
            ops.add(behind);
            return ops;
        }

        private List<Op> seen(InsnOp call, Register result) {
            Type type = Type.getReturnType(RtOps.methodOf(call).desc);
            String on = "(" + CoreNames.QUEUE + ")";
            return switch (RegisterKind.of(type)) {
                case INT -> List.of(rt.call("seenInt", on + "I", result, queue));
                case LONG -> List.of(rt.call("seenLong", on + "J", result, queue));
                case FLOAT -> List.of(rt.call("seenFloat", on + "F", result, queue));
                case DOUBLE -> List.of(rt.call("seenDouble", on + "D", result, queue));
                case REFERENCE -> {
                    Register object = body.fresh(RegisterKind.REFERENCE);
                    yield List.of(
                            rt.call("seen", on + CoreNames.OBJECT, object, queue),
                            InsnOp.checkCast(type.getInternalName(), result, object));
                }
            };
        }
    }
}
