package dev.cleave.agent.transform;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.LineOp;
import dev.cleave.agent.ir.LocalVariable;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.RegionCopy;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.later.LaterPlan;
import dev.cleave.agent.plan.later.LaterPlan.FastLoop;
import dev.cleave.agent.plan.later.LaterPlan.Fixed;
import dev.cleave.agent.plan.later.LaterPlan.Kind;
import dev.cleave.agent.plan.later.LaterPlan.Wait;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Gives a method a second copy of its body, which waits for parameters that arrive while it runs. The method runs its
 * own body, as written, if nothing was handed over.
 *
 * <p>Of innermost loops there is a third copy, which never waits: where something is missing it goes on at the same
 * place of the second one, and that comes back with the next pass. So what tells whether something is missing does not
 * change in it, and the JIT takes it for a bound of the loop. Of a pass of the loops around those there is a copy too,
 * for when all is there that it needs.
 */
final class LaterWriter {

    private final MethodBody body;
    private final LaterPlan plan;
    private final Register taken;
    private final LaterOps waits;
    private final @Nullable RegionCopy checked; // null if the body itself is what waits
    private final List<Op> written;
    private final Map<Register, Register> renamed = new HashMap<>();
    private final Map<Register, Register> holds =
            new LinkedHashMap<>(); // which parameter a mixed register holds, from 1
    private final Set<Op> open = Collections.newSetFromMap(new IdentityHashMap<>()); // while results are missing
    private final Map<Op, Integer> lines = new IdentityHashMap<>(); // of calls whose results are used while they arrive
    private final Map<Op, LabelOp> places = new IdentityHashMap<>(); // by op as written, in front of its waits

    private LaterWriter(MethodBody body, LaterPlan plan) {
        this.body = body;
        this.plan = plan;
        this.taken = body.fresh(RegisterKind.REFERENCE);
        this.waits = new LaterOps(body, plan, taken);
        this.written = List.copyOf(body.ops());
        this.checked = plan.hasResults() ? null : RegionCopy.of(body, written, this::renamed, UnaryOperator.identity());
        plan.mixed().forEach(register -> holds.put(register, body.fresh(RegisterKind.INT)));
    }

    /**
     * Edits a body.
     *
     * @param names under which methods what it takes may have been handed over
     * @param passesOn whether it only leads to another method of its class that takes them itself
     */
    static void write(MethodBody body, LaterPlan plan, String names, boolean passesOn) {
        LaterWriter writer = new LaterWriter(body, plan);
        if (writer.checked == null) {
            writer.writeInPlace(names);
        } else {
            writer.write(names, passesOn, writer.checked);
        }
    }

    /** Where results of calls may be missing: there is no code that is sure never to wait. */
    private void writeInPlace(String names) {
        HeldLocks locks = new HeldLocks(body);
        LabelOp begin = body.label();
        List<Op> ops = new ArrayList<>();
        waits.beginWhole(ops);
        if (plan.parameters().stream().anyMatch(parameter -> parameter.call() == null)) {
            take(ops, names);
            ops.add(new BranchOp(Opcodes.IFNULL, List.of(taken), begin));
            waits.takeOthers(ops);
            waits.begin(ops);
        }
        ops.add(begin);
        holds.forEach((register, held) -> LaterOps.set(ops, held, parameterIn(register)));
        for (LaterPlan.Parameter parameter : plan.parameters()) {
            InsnOp call = parameter.call();
            if (call != null && body.lineOf(call) >= 0) {
                lines.put(call, body.lineOf(call));
            }
        }
        body.insertAtStart(ops);
        editAll();
        new ExceptionCleanup(body, open, Set.of()).add(this::settle);
        locks.cover();
    }

    /** Writes the waits for the results of calls that run when an exception comes while results are missing. */
    private List<Op> settle() {
        List<Op> ops = new ArrayList<>();
        for (int i = 0; i < plan.parameters().size(); i++) {
            InsnOp call = plan.parameters().get(i).call();
            if (call != null) { // its failure has the line of the call
                Integer line = lines.get(call);
                if (line != null) {
                    ops.add(new LineOp(line));
                }
                waits.awaitWhole(ops, i);
            }
        }
        return ops;
    }

    private void take(List<Op> ops, String names) {
        Register method = body.fresh(RegisterKind.REFERENCE);
        String descriptor = "(Ljava/lang/String;)L" + CoreNames.LATER_ARGUMENTS + ";";
        ops.add(new ConstOp(method, names));
        ops.add(InsnOp.invokeStatic(CoreNames.LATER_ARGUMENTS, "take", descriptor, taken, List.of(method)));
    }

    /** Values of the second copy do not share their registers with those of the first; locals do. */
    private Register renamed(Register register) {
        return plan.hasResults() || register.isLocal()
                ? register
                : renamed.computeIfAbsent(register, r -> body.fresh(r.kind()));
    }

    private void write(String names, boolean passesOn, RegionCopy copy) {
        LabelOp later = body.label();
        LabelOp asWritten = body.label();
        List<Op> first = new ArrayList<>();
        take(first, names);
        first.add(new BranchOp(Opcodes.IFNONNULL, List.of(taken), later));
        first.add(asWritten);
        body.insertAtStart(first);
        List<Op> begin = new ArrayList<>(List.of(later));
        if (passesOn) {
            passOn(begin, asWritten);
        }
        waits.takeOthers(begin);
        waits.begin(begin);
        holds.forEach((register, held) -> LaterOps.set(begin, held, parameterIn(register)));
        body.append(begin);
        body.append(copy.ops());
        copy.addHandlers();
        nameVariables(copy);
        editAll();
    }

    private void editAll() {
        List<Map<Op, Op>> fast = plan.loops().stream().map(this::copy).toList();
        written.forEach(op -> edit(op, copyOf(op), null));
        for (int i = 0; i < fast.size(); i++) {
            FastLoop loop = plan.loops().get(i);
            Map<Op, Op> copies = fast.get(i);
            loop.ops().forEach(op -> edit(op, requireNonNull(copies.get(op)), loop));
            enter(loop, (LabelOp) requireNonNull(copies.get(loop.header())));
        }
    }

    /** Hands the arguments on to the method of this class, without a wait, if the object is of exactly this class. */
    private void passOn(List<Op> ops, LabelOp asWritten) {
        LabelOp waiting = body.label();
        Register type = body.fresh(RegisterKind.REFERENCE);
        Register own = body.fresh(RegisterKind.REFERENCE);
        List<Register> self = List.of(body.parameters().get(0));
        ops.add(InsnOp.invokeVirtual("java/lang/Object", "getClass", "()Ljava/lang/Class;", type, self));
        ops.add(new ConstOp(own, Type.getObjectType(body.owner())));
        ops.add(new BranchOp(Opcodes.IF_ACMPNE, List.of(type, own), waiting));
        ops.add(InsnOp.invokeVirtual(CoreNames.LATER_ARGUMENTS, "handOver", "()V", null, List.of(taken)));
        ops.add(new GotoOp(asWritten));
        ops.add(waiting);
    }

    private int parameterIn(Register register) {
        for (int i = 0; i < plan.parameters().size(); i++) {
            if (plan.parameters().get(i).register() == register) {
                return i + 1;
            }
        }
        return 0;
    }

    private void nameVariables(RegionCopy copy) {
        List<LocalVariable> variables = new ArrayList<>(body.variables());
        for (LocalVariable variable : body.variables()) {
            LabelOp start = copy.labelOf(variable.start());
            LabelOp end = copy.labelOf(variable.end());
            if (start != null && end != null) {
                variables.add(new LocalVariable(
                        variable.name(), variable.descriptor(), variable.signature(), variable.slot(), start, end));
            }
        }
        body.setVariables(variables);
    }

    private Op copyOf(Op op) {
        return checked == null ? op : requireNonNull(checked.cloneOf(op));
    }

    /** Adds a copy of a loop behind all others; returns its ops by those as written. */
    private Map<Op, Op> copy(FastLoop loop) {
        List<Op> region = loop.ops().stream().map(this::copyOf).toList();
        RegionCopy copy = RegionCopy.of(body, region, UnaryOperator.identity(), UnaryOperator.identity());
        List<Op> ops = new ArrayList<>(copy.ops());
        Map<Op, Op> copies = new IdentityHashMap<>();
        if (loop.isPass()) {
            LabelOp begin = body.label();
            ops.add(0, begin);
            copies.put(loop.header(), begin);
        }
        int before = -1;
        for (Op op : loop.ops()) {
            Op original = copyOf(op);
            Op own = requireNonNull(copy.cloneOf(original));
            copies.put(op, own);
            int line = body.lineOf(original);
            if (line >= 0 && body.indexOf(original) != before + 1) {
                ops.add(ops.indexOf(own) + (own instanceof LabelOp ? 1 : 0), new LineOp(line));
            }
            before = body.indexOf(original);
        }
        Map<Op, LabelOp> left = new LinkedHashMap<>();
        loop.leaves().forEach((last, next) -> {
            LabelOp label = left.computeIfAbsent(next, n -> body.label());
            ops.add(ops.indexOf(copies.get(last)) + 1, new GotoOp(label));
        });
        body.append(ops);
        copy.addHandlers();
        left.forEach((next, label) -> body.insertBefore(copyOf(next), List.of(label)));
        return copies;
    }

    /** Puts what belongs to an op around its copy, in the second copy of the body or in that of a loop. */
    private void edit(Op op, Op copy, @Nullable FastLoop loop) {
        List<Wait> needed = plan.waits().getOrDefault(op, List.of());
        Register held = op.def() == null ? null : holds.get(op.def());
        int result = resultOf(op);
        boolean isOpen = plan.open().contains(op);
        if (needed.isEmpty() && held == null && result < 0) {
            if (isOpen) {
                open.add(copy);
            }
            return;
        }
        List<Op> around = new ArrayList<>();
        if (loop == null) {
            LabelOp place = body.label();
            places.put(op, place);
            around.add(place);
            needed.forEach(wait -> await(wait, around));
        } else {
            needed.stream()
                    .filter(wait -> (wait.values() & loop.whole()) == 0)
                    .forEach(wait -> leave(wait, requireNonNull(places.get(op)), loop.checked(), around));
        }
        Op own = needed.isEmpty() ? copy : copy.copy(use -> value(use, needed), def -> def, label -> label);
        if (result < 0) {
            around.add(own);
        } else {
            waits.call(around, result, (InsnOp) own, body.lineOf(copy));
        }
        if (isOpen) {
            open.addAll(around);
        }
        if (held != null) {
            hold(op, held, around);
        }
        body.replace(copy, around);
    }

    /** Returns the number of the result that an op makes, -1 if it makes none that is used while it arrives. */
    private int resultOf(Op op) {
        for (int i = 0; i < plan.parameters().size(); i++) {
            if (plan.parameters().get(i).call() == op) {
                return i;
            }
        }
        return -1;
    }

    /** The register that has the value of a parameter for sure, instead of one that may hold nothing yet. */
    private Register value(Register use, List<Wait> needed) {
        for (Wait wait : needed) {
            int parameter = Integer.numberOfTrailingZeros(wait.values());
            if (renamed(wait.value()) == use && LaterPlan.isOne(wait.values()) && !waits.isResult(parameter)) {
                return waits.value(parameter);
            }
        }
        return use;
    }

    private void await(Wait wait, List<Op> ops) {
        int parameter = Integer.numberOfTrailingZeros(wait.values());
        switch (wait.kind()) {
            case NONE -> {}
            case LENGTH -> waits.awaitLength(ops, parameter);
            case STUB, PASS ->
                waits.awaitUnlessSent(ops, parameter, renamed(requireNonNull(wait.index())), wait.kind() == Kind.PASS);
            case ELEMENT -> waits.awaitElement(ops, parameter, renamed(requireNonNull(wait.index())));
            case WHOLE -> {
                if (LaterPlan.isOne(wait.values())) {
                    waits.awaitWhole(ops, parameter);
                } else {
                    awaitHeld(wait, ops);
                }
            }
        }
    }

    private void awaitHeld(Wait wait, List<Op> ops) {
        Register held = requireNonNull(holds.get(wait.value()));
        for (int i = 0; i < plan.parameters().size(); i++) {
            if ((wait.values() & 1 << i) != 0 && !waits.isResult(i)) {
                LabelOp next = body.label();
                ops.add(new BranchOp(Opcodes.IF_ICMPNE, List.of(held, waits.constant(ops, i + 1)), next));
                waits.awaitWhole(ops, i);
                ops.add(new MoveOp(renamed(wait.value()), waits.value(i)));
                LaterOps.set(ops, held, 0);
                ops.add(next);
            }
        }
    }

    /** Goes to where the second copy waits, if there is something to wait for. */
    private void leave(Wait wait, LabelOp place, Set<Wait> tested, List<Op> ops) {
        int parameter = Integer.numberOfTrailingZeros(wait.values());
        if (wait.kind() == Kind.ELEMENT && tested.contains(wait)) {
            waits.unlessThere(ops, parameter, renamed(requireNonNull(wait.index())), place);
        } else if (wait.kind() == Kind.WHOLE && LaterPlan.isOne(wait.values())) {
            waits.unlessWhole(ops, parameter, place);
        } else if (wait.kind() == Kind.WHOLE) {
            ops.add(new BranchOp(Opcodes.IFNE, List.of(requireNonNull(holds.get(wait.value()))), place));
        }
    }

    /** Notes behind an op which parameter the register holds that it writes. */
    private void hold(Op op, Register held, List<Op> ops) {
        int values = op instanceof MoveOp ? plan.moved().getOrDefault(op, 0) : LaterPlan.OTHER;
        Register source = op instanceof MoveOp move && !LaterPlan.isOne(values) ? holds.get(move.use()) : null;
        if (source != null) {
            ops.add(new MoveOp(held, source));
        } else {
            LaterOps.set(ops, held, LaterPlan.isOne(values) ? Integer.numberOfTrailingZeros(values) + 1 : 0);
        }
    }

    /** At the header of a loop, goes to the copy that never waits if nothing is missing that all passes need. */
    private void enter(FastLoop loop, LabelOp fast) {
        LabelOp missing = body.label();
        List<Op> ops = new ArrayList<>();
        for (int i = 0; i < plan.parameters().size(); i++) {
            if ((loop.begun() & 1 << i) != 0) {
                waits.unlessBegun(ops, i, missing);
            }
            if ((loop.whole() & 1 << i) != 0) {
                waits.unlessAll(ops, i, missing);
            }
        }
        for (Fixed fixed : loop.fixed()) {
            Register index = fixed.register();
            Register there = index == null ? waits.constant(ops, fixed.constant()) : renamed(index);
            waits.unlessThere(ops, fixed.parameter(), there, missing);
        }
        ops.add(new GotoOp(fast));
        ops.add(missing);
        body.insertAfter(copyOf(loop.header()), ops);
    }
}
