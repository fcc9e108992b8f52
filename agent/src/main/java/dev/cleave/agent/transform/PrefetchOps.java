package dev.cleave.agent.transform;

import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.method.ReadCall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Makes the ops that call the core to prefetch and claim. */
final class PrefetchOps {

    private final MethodBody body;

    PrefetchOps(MethodBody body) {
        this.body = body;
    }

    /**
     * Returns the text that describes a call to the core: place, line, method, kind and greatest age in nanoseconds.
     */
    static String text(ReadCall call) {
        long age = call.reading().maxAge().toNanos();
        return call.place() + '\t' + call.line() + '\t' + call.method() + '\t' + call.kind() + '\t' + age;
    }

    /** {@code queue = open()}. */
    Op open(Register queue, int window, int firstPass, List<ReadCall> calls) {
        List<Object> arguments = new ArrayList<>(List.of(window, firstPass));
        calls.forEach(call -> arguments.add(text(call)));
        Handle bootstrap =
                new Handle(Opcodes.H_INVOKESTATIC, CoreNames.PREFETCH, "open", CoreNames.PREFETCH_OPEN, false);
        return new InsnOp(
                new InvokeDynamicInsnNode("open", "()" + CoreNames.PREFETCH_QUEUE, bootstrap, arguments.toArray()),
                queue,
                List.of());
    }

    /** {@code queue = stretch(queue)}. */
    Op stretch(Register queue, List<ReadCall> calls) {
        Handle bootstrap =
                new Handle(Opcodes.H_INVOKESTATIC, CoreNames.PREFETCH, "stretch", CoreNames.PREFETCH_STRETCH, false);
        return new InsnOp(
                new InvokeDynamicInsnNode(
                        "stretch",
                        "(" + CoreNames.PREFETCH_QUEUE + ")" + CoreNames.PREFETCH_QUEUE,
                        bootstrap,
                        calls.stream().map(PrefetchOps::text).toArray()),
                queue,
                List.of(queue));
    }

    /** {@code goesOn = send(queue, receiver, arguments...)}. */
    Op send(InsnOp call, Ahead ahead, Register goesOn, List<Register> operands) {
        return linked(ahead.base() == null ? "send" : "sendFrom", call, ahead, "Z", goesOn, operands);
    }

    /** {@code sent = claim(queue, receiver, arguments...)}. */
    Op claim(InsnOp call, Ahead ahead, Register sent) {
        String bootstrap = ahead.base() == null ? "claim" : "claimFrom";
        return linked(bootstrap, call, ahead, CoreNames.OBJECT, sent, call.uses());
    }

    /**
     * Tells the queue that its results may become stale; in front of a remote call only if the receiver is no stub.
     *
     * @param guards the tests that the op passes if it runs no code of the program; none if it always runs some
     */
    List<Op> stale(Op op, boolean isRemote, List<Guard> guards, Register queue) {
        if (guards.isEmpty()) {
            return List.of(stale(op, isRemote, queue));
        }
        List<Op> marks = new ArrayList<>();
        for (Guard guard : guards) {
            if (guard.kind() == Guard.Kind.PLAIN) {
                marks.add(call("staleUnlessPlain", CoreNames.OBJECT + ")V", null, queue, guard.object()));
            } else {
                Register type = body.fresh(RegisterKind.REFERENCE);
                marks.add(new ConstOp(type, Type.getObjectType(guard.type())));
                marks.add(call(
                        "staleUnlessExactly",
                        CoreNames.OBJECT + "Ljava/lang/Class;)V",
                        null,
                        queue,
                        guard.object(),
                        type));
            }
        }
        return marks;
    }

    private Op stale(Op op, boolean isRemote, Register queue) {
        return isRemote && op instanceof InsnOp insn && insn.opcode() == Opcodes.INVOKEINTERFACE
                ? call(
                        "staleUnlessStub",
                        CoreNames.OBJECT + ")V",
                        null,
                        queue,
                        op.uses().get(0))
                : call("stale", ")V", null, queue);
    }

    /** Ends a copy in which an array is made that is too large. */
    List<Op> bounded(Op op, Register queue, RegisterCopies bank, LabelOp away) {
        boolean makesArray = op instanceof InsnOp insn
                && (insn.opcode() == Opcodes.ANEWARRAY
                        || insn.insn() instanceof IntInsnNode && insn.opcode() == Opcodes.NEWARRAY);
        if (!makesArray) {
            return List.of();
        }
        Register may = body.fresh(RegisterKind.INT);
        Register length = bank.of(op.uses().get(0));
        return List.of(call("mayMake", "I)Z", may, queue, length), new BranchOp(Opcodes.IFEQ, List.of(may), away));
    }

    /** Ends a copy whose loops make too many steps. */
    List<Op> round(Register queue, LabelOp away) {
        Register may = body.fresh(RegisterKind.INT);
        return List.of(call("step", ")Z", may, queue), new BranchOp(Opcodes.IFEQ, List.of(may), away));
    }

    /** A call of a static method of the core whose first argument is the queue. */
    Op call(String name, String rest, @Nullable Register result, Register... operands) {
        return InsnOp.invokeStatic(
                CoreNames.PREFETCH, name, "(" + CoreNames.PREFETCH_QUEUE + rest, result, List.of(operands));
    }

    private static Op linked(
            String bootstrap, InsnOp call, Ahead ahead, String result, Register def, List<Register> operands) {
        MethodInsnNode method = RtOps.methodOf(call);
        List<Register> all = new ArrayList<>(List.of(ahead.queue()));
        StringBuilder descriptor = new StringBuilder("(").append(CoreNames.PREFETCH_QUEUE);
        if (ahead.base() != null) {
            all.add(ahead.base());
            descriptor.append('I');
        }
        all.addAll(operands);
        descriptor.append('L').append(method.owner).append(';');
        for (Type argument : Type.getArgumentTypes(method.desc)) {
            descriptor.append(argument.getDescriptor());
        }
        descriptor.append(')').append(result);
        Handle handle =
                new Handle(Opcodes.H_INVOKESTATIC, CoreNames.PREFETCH, bootstrap, CoreNames.PREFETCH_CALL, false);
        return new InsnOp(
                new InvokeDynamicInsnNode(method.name, descriptor.toString(), handle, ahead.offset()), def, all);
    }
}
