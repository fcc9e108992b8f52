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
import dev.cleave.agent.plan.Helper;
import dev.cleave.agent.plan.PrefetchHelper;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.FieldInsnNode;

/** Writes how a method and its helpers hand calls over to each other (R63, R68). */
final class Passages {

    private static final String STRING = "Ljava/lang/String;";

    private final MethodBody body;
    private final List<Asked> asked = new ArrayList<>();
    private final Set<Op> handed = new HashSet<>();
    private @Nullable Register passage;

    /** The call of a helper that is asked, and the register that says what came of it: nothing if it throws. */
    private record Asked(LabelOp start, LabelOp end, LabelOp behind, Register answer) {}

    Passages(MethodBody body) {
        this.body = body;
    }

    /** {@code sent = what the helper has sent}, null if it declined or threw. */
    List<Op> ask(InsnOp call, Helper helper, Register sent, List<Register> operands) {
        return asked(
                call,
                helper.exact(),
                operands,
                keyed("ask", "(" + STRING + ")V", helper.key(), List.of(), null),
                call("asked", "()" + CoreNames.OBJECT, sent, List.of()));
    }

    /** {@code goesOn = whether the helper has sent into a queue, and running ahead is not over}. */
    List<Op> askAhead(InsnOp call, PrefetchHelper helper, Ahead ahead, Register goesOn, List<Register> operands) {
        return asked(
                call,
                helper.exact(),
                operands,
                ahead("askAhead", helper, ahead),
                call("askedAhead", "(" + CoreNames.PREFETCH_QUEUE + ")Z", goesOn, List.of(ahead.queue())));
    }

    private List<Op> asked(InsnOp call, @Nullable String exact, List<Register> operands, List<Op> wish, Op answer) {
        if (answer.def() == null) {
            throw new AssertionError(answer);
        }
        Asked ask = new Asked(body.label(), body.label(), body.label(), answer.def());
        asked.add(ask);
        Register unused = call.def() == null ? null : body.fresh(call.def().kind());
        List<Op> ops = new ArrayList<>();
        if (exact != null) {
            ops.add(nothing(answer.def()));
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
        return all;
    }

    /** Calls a helper as written, and gives it the queue that it claims from, if any. */
    List<Op> handAhead(Op call, PrefetchHelper helper, Ahead ahead) {
        handed.add(call);
        List<Op> ops = new ArrayList<>();
        String exact = helper.exact();
        if (exact == null) {
            ops.addAll(ahead("handAhead", helper, ahead));
        } else {
            LabelOp other = body.label();
            LabelOp known = body.label();
            ops.addAll(unlessExactly(exact, call.uses().get(0), other));
            ops.addAll(ahead("handAhead", helper, ahead));
            ops.add(new GotoOp(known));
            ops.add(other);
            ops.add(new PrefetchOps(body).call("stale", ")V", null, ahead.queue()));
            ops.add(known);
        }
        ops.add(call);
        ops.add(call("handed", "()V", null, List.of()));
        return ops;
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
    private List<Op> unlessExactly(String exact, Register object, LabelOp other) {
        Register holds = body.fresh(RegisterKind.INT);
        List<Op> ops =
                new ArrayList<>(new RtOps(body).holds(new Guard(Guard.Kind.EXACT_CLASS, object, exact), object, holds));
        ops.add(new BranchOp(Opcodes.IFEQ, List.of(holds), other));
        return ops;
    }

    private static Op nothing(Register answer) {
        return new ConstOp(answer, answer.kind() == RegisterKind.INT ? 0 : null);
    }

    /** If an op throws, a call that it handed over, and that was not taken, is given up. */
    void cover(Op op) {
        passage();
        handed.add(op);
    }

    /** {@code entered = what this activation was handed}. */
    List<Op> enter(String helper, Register entered) {
        return keyed("enter", "(" + STRING + ")" + CoreNames.OBJECT, helper, List.of(), entered);
    }

    /** A call of the passage of this thread. */
    Op call(String name, String descriptor, @Nullable Register result, List<Register> operands) {
        List<Register> all = new ArrayList<>(List.of(passage()));
        all.addAll(operands);
        return InsnOp.invokeVirtual(CoreNames.PASSAGE, name, descriptor, result, all);
    }

    /** Adds what all of this needs around it; to be called last. */
    void finish() {
        if (passage == null) {
            return;
        }
        new Settling(body, handed, Set.of()).add(this::drop);
        for (Asked ask : asked) {
            Register thrown = body.fresh(RegisterKind.REFERENCE);
            LabelOp failed = body.label();
            List<Op> ops = new ArrayList<>(List.of(failed, new CatchOp(thrown)));
            ops.addAll(clear());
            ops.add(nothing(ask.answer()));
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
