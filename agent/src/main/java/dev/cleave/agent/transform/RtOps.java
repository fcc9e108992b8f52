package dev.cleave.agent.transform;

import static java.util.Objects.requireNonNull;

import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.method.OwnIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Makes the ops that call the core. */
final class RtOps {

    private final MethodBody body;
    private final String place;

    RtOps(MethodBody body) {
        this(body, body.owner(), body.original().name);
    }

    /** For a body that holds a copy of what another method does: calls count as that one's. */
    RtOps(MethodBody body, String owner, String method) {
        this.body = body;
        this.place = owner.replace('/', '.') + "." + method;
    }

    /** {@code sent = send(receiver, arguments...)}. */
    Op send(InsnOp call, int line, Register sent, List<Register> operands) {
        return send("send", call, line, sent, operands);
    }

    /** {@code result = later(receiver, arguments...)}. */
    Op later(InsnOp call, int line, Register result) {
        return send("later", call, line, result, call.uses());
    }

    private Op send(String name, InsnOp call, int line, Register sent, List<Register> operands) {
        MethodInsnNode method = methodOf(call);
        StringBuilder descriptor = new StringBuilder("(L").append(method.owner).append(';');
        for (Type argument : Type.getArgumentTypes(method.desc)) {
            descriptor.append(argument.getDescriptor());
        }
        descriptor.append(')').append(CoreNames.OBJECT);
        Handle bootstrap = new Handle(Opcodes.H_INVOKESTATIC, CoreNames.RT, name, CoreNames.SEND, false);
        return new InsnOp(
                new InvokeDynamicInsnNode(method.name, descriptor.toString(), bootstrap, place, line), sent, operands);
    }

    /** {@code sent = sendChained(receiver, chain, arguments...)}. */
    Op sendChained(InsnOp call, int line, Register sent, Register chain, List<Register> operands) {
        MethodInsnNode method = methodOf(call);
        StringBuilder descriptor =
                new StringBuilder("(L").append(method.owner).append(';').append(CoreNames.OBJECT);
        for (Type argument : Type.getArgumentTypes(method.desc)) {
            descriptor.append(argument.getDescriptor());
        }
        descriptor.append(')').append(CoreNames.OBJECT);
        List<Register> all = new ArrayList<>(operands);
        all.add(1, chain);
        Handle bootstrap = new Handle(Opcodes.H_INVOKESTATIC, CoreNames.RT, "sendChained", CoreNames.SEND, false);
        return new InsnOp(
                new InvokeDynamicInsnNode(method.name, descriptor.toString(), bootstrap, place, line), sent, all);
    }

    /**
     * {@code sent = sendDependent(receiver, chain, arguments...)}, in front of each argument that is a result the call
     * that has it.
     *
     * @param operands null where the argument is a result and nothing else
     * @param sources by parameter, what was sent; where there is an operand, it counts if that is null
     * @param uses for how many arguments of later calls, and nothing else, the result is; 0 if it is for more
     */
    List<Op> sendDependent(
            InsnOp call,
            int line,
            Register sent,
            Register chain,
            List<? extends @Nullable Register> operands,
            Map<Integer, Register> sources,
            int uses) {
        MethodInsnNode method = methodOf(call);
        Type[] types = Type.getArgumentTypes(method.desc);
        StringBuilder descriptor =
                new StringBuilder("(L").append(method.owner).append(';').append(CoreNames.OBJECT);
        List<Register> all = new ArrayList<>(List.of(requireNonNull(operands.get(0)), chain));
        List<Op> ops = new ArrayList<>();
        int bits = 0;
        for (int i = 0; i < types.length; i++) {
            Register source = sources.get(i);
            Register operand = operands.get(i + 1);
            if (source != null) {
                bits |= 1 << i;
                descriptor.append(CoreNames.OBJECT);
                all.add(source);
            }
            if (operand == null) {
                operand = body.fresh(RegisterKind.of(types[i])); // the core does not read it
                ops.add(nothing(operand));
            }
            descriptor.append(types[i].getDescriptor());
            all.add(operand);
        }
        descriptor.append(')').append(CoreNames.OBJECT);
        String made = descriptor.toString();
        InvokeDynamicInsnNode insn = uses == 0
                ? new InvokeDynamicInsnNode(
                        method.name, made, bootstrap("sendDependent", CoreNames.SEND_DEPENDENT), place, line, bits)
                : new InvokeDynamicInsnNode(
                        method.name, made, bootstrap("sendStaying", CoreNames.SEND_STAYING), place, line, bits, uses);
        ops.add(new InsnOp(insn, sent, all));
        return ops;
    }

    private static Handle bootstrap(String name, String descriptor) {
        return new Handle(Opcodes.H_INVOKESTATIC, CoreNames.RT, name, descriptor, false);
    }

    /** The constant that a register holds while it holds nothing. */
    private static @Nullable Object nothing(RegisterKind kind) {
        return switch (kind) {
            case INT -> 0;
            case LONG -> 0L;
            case FLOAT -> 0f;
            case DOUBLE -> 0d;
            case REFERENCE -> null;
        };
    }

    /** A second iterator of what a loop of the program runs over, made right behind the op that makes the program's. */
    Register iterator(Op made, OwnIterator own) {
        Register iterator = body.fresh(RegisterKind.REFERENCE);
        body.insertAfter(made, List.of(iterator(iterator, own, own.collection())));
        return iterator;
    }

    /** {@code iterator = iterator(collection)}, or that of a copy. */
    Op iterator(Register iterator, OwnIterator own, Register collection) {
        String name = own.isOfCopy() ? "iteratorOfCopy" : "iterator";
        return call(name, "(Ljava/lang/Object;)Ljava/util/Iterator;", iterator, collection);
    }

    /** {@code register = 0} or {@code null}. */
    static Op nothing(Register register) {
        return new ConstOp(register, nothing(register.kind()));
    }

    /** {@code queue = open()}. */
    Op open(Register queue, int window, int sends) {
        Handle bootstrap = new Handle(Opcodes.H_INVOKESTATIC, CoreNames.RT, "open", CoreNames.OPEN, false);
        return new InsnOp(
                new InvokeDynamicInsnNode("open", "()" + CoreNames.QUEUE, bootstrap, window, sends), queue, List.of());
    }

    /** {@code result = await(sent)}, with the cast that belongs to it. */
    List<Op> await(InsnOp call, Register sent) {
        Type type = Type.getReturnType(methodOf(call).desc);
        Register result = call.def();
        if (type.getSort() == Type.VOID || result == null) {
            return List.of(call("awaitVoid", "(" + CoreNames.OBJECT + ")V", null, sent));
        }
        return switch (RegisterKind.of(type)) {
            case INT -> List.of(call("awaitInt", "(" + CoreNames.OBJECT + ")I", result, sent));
            case LONG -> List.of(call("awaitLong", "(" + CoreNames.OBJECT + ")J", result, sent));
            case FLOAT -> List.of(call("awaitFloat", "(" + CoreNames.OBJECT + ")F", result, sent));
            case DOUBLE -> List.of(call("awaitDouble", "(" + CoreNames.OBJECT + ")D", result, sent));
            case REFERENCE -> awaitObject(type, result, sent);
        };
    }

    private List<Op> awaitObject(Type type, Register result, Register sent) {
        Register object = body.fresh(RegisterKind.REFERENCE);
        List<Op> ops = new ArrayList<>();
        ops.add(call("await", "(" + CoreNames.OBJECT + ")" + CoreNames.OBJECT, object, sent));
        ops.add(InsnOp.checkCast(type.getInternalName(), result, object));
        return ops;
    }

    /** Asks the servers not to begin calls, the last one first: before any of them is waited for. */
    List<Op> withdraw(List<Register> sent) {
        List<Op> ops = new ArrayList<>();
        for (int i = sent.size() - 1; i >= 0; i--) {
            ops.add(call("withdraw", "(" + CoreNames.OBJECT + ")V", null, sent.get(i)));
        }
        return ops;
    }

    /** Discards a call if it is in flight, and sets its register to null. */
    List<Op> discard(Register sent) {
        return List.of(call("discard", "(" + CoreNames.OBJECT + ")V", null, sent), new ConstOp(sent, null));
    }

    /** {@code holds = whether a guard holds for an object}. */
    List<Op> holds(Guard guard, Register object, Register holds) {
        if (guard.kind() == Guard.Kind.PLAIN) {
            return List.of(call("isPlain", "(Ljava/lang/Object;)Z", holds, object));
        }
        if (guard.kind() == Guard.Kind.VALUE) {
            String name = guard.type().equals(Guard.ELEMENTS) ? "holdsValues" : "isValue";
            return List.of(call(name, "(Ljava/lang/Object;)Z", holds, object));
        }
        if (guard.kind() == Guard.Kind.CLASS_NAMED) {
            return List.of(ElsewhereOps.isOf(object, guard.type(), holds));
        }
        Register type = body.fresh(RegisterKind.REFERENCE);
        return List.of(
                new ConstOp(type, Type.getObjectType(guard.type())),
                call("isExactly", "(Ljava/lang/Object;Ljava/lang/Class;)Z", holds, object, type));
    }

    /** A call of a static method of the core. */
    Op call(String name, String descriptor, @Nullable Register result, Register... operands) {
        return InsnOp.invokeStatic(CoreNames.RT, name, descriptor, result, List.of(operands));
    }

    /** A call of a static method of the core that takes the queue and a number. */
    List<Op> numbered(String name, String rest, @Nullable Register result, List<Register> operands, int number) {
        Register constant = body.fresh(RegisterKind.INT);
        List<Register> all = new ArrayList<>(operands);
        all.add(constant);
        return List.of(new ConstOp(constant, number), InsnOp.invokeStatic(CoreNames.RT, name, rest, result, all));
    }

    static MethodInsnNode methodOf(InsnOp call) {
        MethodInsnNode method = call.method();
        if (method == null) {
            throw new IllegalArgumentException("op: " + call + " (expected: a call)");
        }
        return method;
    }
}
