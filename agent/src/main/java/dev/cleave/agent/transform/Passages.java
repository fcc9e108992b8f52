package dev.cleave.agent.transform;

import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.CatchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.method.CrossClassGuard;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.PrefetchHelper;
import dev.cleave.agent.plan.placement.StrandHelper;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Writes how a method and its helpers hand calls over to each other (R63, R68). */
final class Passages {

    private static final String STRING = "Ljava/lang/String;";
    private static final String GIVEN = "given";

    private final MethodBody body;
    private final List<Asked> asked = new ArrayList<>();
    private final Set<Op> handed = new HashSet<>();
    private final Map<Op, Register> givers = new LinkedHashMap<>();
    private final Set<Op> hiding = new HashSet<>();
    private final Map<String, StrandHelper> functions = new HashMap<>(); // to which nests are given, by name
    private final Map<CrossClassGuard, Register> doors = new LinkedHashMap<>();
    private @Nullable Register passage;

    /** A call that asks a helper to send, and the register of its answer, which is zero or null if it throws. */
    private record Asked(LabelOp start, LabelOp end, LabelOp behind, Register answer) {}

    Passages(MethodBody body) {
        this.body = body;
    }

    /** {@code sent = what the helper has sent}, null if it declined or threw. */
    List<Op> ask(InsnOp call, Helper helper, Register sent, List<Register> operands) {
        return asked(
                call,
                helper.exact(call),
                isElsewhere(helper.body()) ? helper.doorsFrom(body.owner(), RtOps.methodOf(call)) : List.of(),
                operands,
                keyed("ask", "(" + STRING + ")V", helper.key(), List.of(), null),
                call("asked", "()" + CoreNames.OBJECT, sent, List.of()));
    }

    /** {@code goesOn = whether the helper has sent into a queue, and running ahead is not over}. */
    List<Op> askAhead(InsnOp call, PrefetchHelper helper, Ahead ahead, Register goesOn, List<Register> operands) {
        return asked(
                call,
                helper.exact(call),
                isElsewhere(helper.body()) ? helper.doorsFrom(body.owner(), RtOps.methodOf(call)) : List.of(),
                operands,
                ahead("askAhead", helper, ahead),
                call("askedAhead", "(" + CoreNames.PREFETCH_QUEUE + ")Z", goesOn, List.of(ahead.queue())));
    }

    private boolean isElsewhere(MethodBody helper) {
        return !helper.owner().equals(body.owner());
    }

    private List<Op> asked(
            InsnOp call,
            @Nullable Guard exact,
            List<CrossClassGuard> doors,
            List<Register> operands,
            List<Op> wish,
            Op answer) {
        if (answer.def() == null) {
            throw new AssertionError(answer);
        }
        Asked ask = new Asked(body.label(), body.label(), body.label(), answer.def());
        asked.add(ask);
        Register unused = call.def() == null ? null : body.fresh(call.def().kind());
        List<Op> ops = new ArrayList<>();
        if (!doors.isEmpty()) {
            boolean isAhead = answer.def().kind() == RegisterKind.INT;
            ops.add(new ConstOp(answer.def(), isAhead ? 1 : null)); // other helpers may still send
            ops.addAll(unlessOpen(doors, ask.behind()));
        }
        if (exact != null) {
            ops.add(RtOps.nothing(answer.def()));
            ops.addAll(unlessExactly(exact, operands.get(0), ask.behind()));
        }
        ops.add(ask.start());
        ops.addAll(wish);
        ops.add(new InsnOp(call.insn(), unused, operands));
        ops.add(answer);
        ops.add(ask.end());
        ops.add(ask.behind());
        return ops;
    }

    /**
     * Calls a helper as written, and gives it the call that was sent, if any.
     *
     * @param ops the call, with what else is to be handed over
     */
    List<Op> hand(List<Op> ops, Op call, Helper helper, Register sent) {
        handed.add(call);
        List<Op> all = new ArrayList<>();
        all.addAll(keyed("hand", "(" + STRING + CoreNames.OBJECT + ")V", helper.key(), List.of(sent), null));
        all.addAll(ops);
        all.add(call("handed", "()V", null, List.of()));
        all.addAll(reached(call, helper.body(), helper.contract()));
        return all;
    }

    /** Behind a helper of another class that was called as written: it may be asked from now on, if it is rewritten. */
    private List<Op> reached(Op call, MethodBody helper, String contract) {
        if (!isElsewhere(helper)) {
            return List.of();
        }
        MethodInsnNode method = RtOps.methodOf((InsnOp) call);
        return look(CrossClassGuard.between(body.owner(), method, helper.owner(), contract, List.of()));
    }

    /** Looks for the helpers behind doors in their classes, which are loaded: they may be asked once they have run. */
    List<Op> look(List<CrossClassGuard> all) {
        List<Op> ops = new ArrayList<>();
        for (CrossClassGuard door : all) {
            ops.add(InsnOp.invokeVirtual(CoreNames.HELPER_DOOR, "reached", "()V", null, List.of(door(door))));
        }
        return ops;
    }

    /** Goes to a label if some helper of another class cannot be asked. */
    List<Op> unlessOpen(Collection<CrossClassGuard> all, LabelOp otherwise) {
        List<Op> ops = new ArrayList<>();
        for (CrossClassGuard door : all) {
            Register isOpen = body.fresh(RegisterKind.INT);
            ops.add(InsnOp.invokeVirtual(CoreNames.HELPER_DOOR, "isOpen", "()Z", isOpen, List.of(door(door))));
            ops.add(new BranchOp(Opcodes.IFEQ, List.of(isOpen), otherwise));
        }
        return ops;
    }

    /** Makes the run-ahead wait for helpers of other classes. */
    List<Op> waitFor(Collection<CrossClassGuard> all, String type, String descriptor, Register ahead) {
        List<Op> ops = new ArrayList<>();
        for (CrossClassGuard door : all) {
            ops.add(InsnOp.invokeStatic(
                    type,
                    "waitFor",
                    "(" + descriptor + "L" + CoreNames.HELPER_DOOR + ";)V",
                    null,
                    List.of(ahead, door(door))));
        }
        return ops;
    }

    private Register door(CrossClassGuard door) {
        return doors.computeIfAbsent(door, key -> body.fresh(RegisterKind.REFERENCE));
    }

    private static Op link(CrossClassGuard door, Register register) {
        Handle bootstrap = new Handle(Opcodes.H_INVOKESTATIC, CoreNames.HELPER_DOOR, "door", CoreNames.DOOR, false);
        return new InsnOp(
                new InvokeDynamicInsnNode(
                        "door",
                        "()L" + CoreNames.HELPER_DOOR + ";",
                        bootstrap,
                        door.named(),
                        door.declaring(),
                        door.contract()),
                register,
                List.of());
    }

    /** Calls a helper as written, and gives it the queue that it claims from, if any. */
    List<Op> handAhead(Op call, PrefetchHelper helper, Ahead ahead) {
        handed.add(call);
        List<Op> ops = new ArrayList<>();
        Guard exact = helper.exact((InsnOp) call);
        List<CrossClassGuard> needed =
                isElsewhere(helper.body()) ? helper.doorsFrom(body.owner(), RtOps.methodOf((InsnOp) call)) : List.of();
        if (exact == null && needed.isEmpty()) {
            ops.addAll(ahead("handAhead", helper, ahead));
        } else {
            LabelOp other = body.label();
            LabelOp known = body.label();
            ops.addAll(unlessOpen(needed, other));
            if (exact != null) {
                ops.addAll(unlessExactly(exact, call.uses().get(0), other));
            }
            ops.addAll(ahead("handAhead", helper, ahead));
            ops.add(new GotoOp(known));
            ops.add(other);
            ops.add(new PrefetchOps(body).call("stale", ")V", null, ahead.queue()));
            ops.add(known);
        }
        ops.add(call);
        ops.add(call("handed", "()V", null, List.of()));
        ops.addAll(reached(call, helper.body(), helper.contract()));
        return ops;
    }

    /** Gives the helper that is called next the nest, if there is one, and the first row of the helper's calls. */
    List<Op> handNest(String key, Register nest, Register row) {
        return keyed("handNest", "(" + STRING + CoreNames.OBJECT + "I)V", key, List.of(nest, row), null);
    }

    /** Behind the call of that helper. */
    List<Op> handedNest(Op call) {
        handed.add(call);
        return List.of(call("handed", "()V", null, List.of()));
    }

    /** The nest that is given at a call hides what was given for the same functions before, so no other code has to. */
    void hides(Op call) {
        hiding.add(call);
    }

    /**
     * Calls a method that is given functions, which take from a nest while it runs.
     *
     * @param row holds the first row of the functions
     * @param ops what makes the call, the call among it
     */
    List<Op> give(StrandHelper helper, Register nest, Register row, Op call, List<Op> ops) {
        return give("give", helper, nest, row, call, ops);
    }

    /** The same in a method that was handed the nest; {@code original} is the call. */
    List<Op> giveHanded(StrandHelper helper, Register nest, Register row, Op original, Op call, List<Op> ops) {
        return give(hiding.contains(original) ? "giveAlso" : "give", helper, nest, row, call, ops);
    }

    private List<Op> give(String name, StrandHelper helper, Register nest, Register row, Op call, List<Op> ops) {
        Register before = body.fresh(RegisterKind.REFERENCE);
        List<Op> all = new ArrayList<>(List.of(new InsnOp(field(Opcodes.GETFIELD, GIVEN), before, List.of(passage()))));
        for (StrandHelper.Given given : helper.functions()) {
            Register at = row;
            if (given.row() > 0) {
                Register offset = body.fresh(RegisterKind.INT);
                at = body.fresh(RegisterKind.INT);
                all.add(new ConstOp(offset, given.row()));
                all.add(new InsnOp(new InsnNode(Opcodes.IADD), at, List.of(row, offset)));
            }
            MethodNode lambda = given.helper().method();
            String key = Helper.key(body.owner(), lambda.name, lambda.desc);
            functions.put(key, given.helper());
            all.addAll(keyed(name, "(" + STRING + CoreNames.OBJECT + "I)V", key, List.of(nest, at), null));
        }
        all.addAll(ops);
        all.addAll(takeBack(before));
        givers.put(call, before); // the outermost, which comes last, puts back what was there before all
        return all;
    }

    /** The functions to which nests are given, by the names under which that is done. */
    Map<String, StrandHelper> functions() {
        return functions;
    }

    private List<Op> takeBack(Register before) {
        return List.of(new InsnOp(field(Opcodes.PUTFIELD, GIVEN), null, List.of(passage(), before)));
    }

    private List<Op> ahead(String name, PrefetchHelper helper, Ahead ahead) {
        Register position = body.fresh(RegisterKind.INT);
        List<Op> ops = new ArrayList<>(ahead.position(body, position));
        ops.addAll(keyed(
                name,
                "(" + STRING + CoreNames.PREFETCH_QUEUE + "I)V",
                helper.key(),
                List.of(ahead.queue(), position),
                null));
        return ops;
    }

    /** Goes to a label unless an object is of exactly one class, so that no other class's method is called. */
    private List<Op> unlessExactly(Guard exact, Register object, LabelOp other) {
        Register holds = body.fresh(RegisterKind.INT);
        List<Op> ops = new ArrayList<>(new RtOps(body).holds(exact, object, holds));
        ops.add(new BranchOp(Opcodes.IFEQ, List.of(holds), other));
        return ops;
    }

    /** Discards, if an op throws, the call that it handed over and that the helper has not taken. */
    void cover(Op op) {
        passage();
        handed.add(op);
    }

    /**
     * {@code entered = what this activation was handed}.
     *
     * @param contracts what the helper offers to callers of other classes
     */
    List<Op> enter(String helper, Set<String> contracts, Register entered) {
        if (!contracts.isEmpty()) {
            List<Object> arguments = new ArrayList<>(List.of(helper));
            arguments.addAll(contracts);
            Handle bootstrap =
                    new Handle(Opcodes.H_INVOKESTATIC, CoreNames.HELPER_DOOR, "enter", CoreNames.ENTER, false);
            InvokeDynamicInsnNode site = new InvokeDynamicInsnNode(
                    "enter", "(L" + CoreNames.PASSAGE + ";)" + CoreNames.OBJECT, bootstrap, arguments.toArray());
            return List.of(new InsnOp(site, entered, List.of(passage())));
        }
        return keyed("enter", "(" + STRING + ")" + CoreNames.OBJECT, helper, List.of(), entered);
    }

    /** A call of the passage of this thread. */
    Op call(String name, String descriptor, @Nullable Register result, List<Register> operands) {
        List<Register> all = new ArrayList<>(List.of(passage()));
        all.addAll(operands);
        return InsnOp.invokeVirtual(CoreNames.PASSAGE, name, descriptor, result, all);
    }

    /** Adds the handlers and the code at the start of the method that the passages need; to be called last. */
    void finish() {
        body.insertAtStart(doors.entrySet().stream()
                .map(door -> link(door.getKey(), door.getValue()))
                .toList());
        if (passage == null) {
            return;
        }
        new ExceptionCleanup(body, handed, Set.of()).add(this::drop);
        givers.forEach(
                (call, before) -> new ExceptionCleanup(body, Set.of(call), Set.of()).add(() -> takeBack(before)));
        for (Asked ask : asked) {
            Register thrown = body.fresh(RegisterKind.REFERENCE);
            LabelOp failed = body.label();
            List<Op> ops = new ArrayList<>(List.of(failed, new CatchOp(thrown)));
            ops.addAll(clear());
            ops.add(RtOps.nothing(ask.answer()));
            ops.add(new GotoOp(ask.behind()));
            body.append(ops);
            body.addHandlerFirst(new Handler(ask.start(), ask.end(), failed, null));
        }
        body.insertAtStart(List.of(InsnOp.invokeStatic(
                CoreNames.PASSAGE, "current", "()L" + CoreNames.PASSAGE + ";", passage(), List.of())));
    }

    private List<Op> drop() {
        Register missed = body.fresh(RegisterKind.REFERENCE);
        List<Op> ops = new ArrayList<>();
        ops.add(new InsnOp(field(Opcodes.GETFIELD), missed, List.of(passage())));
        ops.addAll(clear());
        ops.add(call("drop", "(" + STRING + ")V", null, List.of(missed)));
        return ops;
    }

    private List<Op> clear() {
        Register none = body.fresh(RegisterKind.REFERENCE);
        return List.of(new ConstOp(none, null), new InsnOp(field(Opcodes.PUTFIELD), null, List.of(passage(), none)));
    }

    private static FieldInsnNode field(int opcode) {
        return new FieldInsnNode(opcode, CoreNames.PASSAGE, "key", STRING);
    }

    private static FieldInsnNode field(int opcode, String name) {
        return new FieldInsnNode(opcode, CoreNames.PASSAGE, name, CoreNames.OBJECT);
    }

    private List<Op> keyed(
            String name, String descriptor, String helper, List<Register> operands, @Nullable Register result) {
        Register key = body.fresh(RegisterKind.REFERENCE);
        List<Register> all = new ArrayList<>(List.of(key));
        all.addAll(operands);
        return List.of(new ConstOp(key, helper), call(name, descriptor, result, all));
    }

    private Register passage() {
        if (passage == null) {
            passage = body.fresh(RegisterKind.REFERENCE);
        }
        return passage;
    }
}
