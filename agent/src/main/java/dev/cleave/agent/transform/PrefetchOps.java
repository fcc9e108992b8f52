package dev.cleave.agent.transform;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Makes the ops that call the core to prefetch and claim. */
final class PrefetchOps {

    private final String place;

    PrefetchOps(MethodBody body) {
        this.place = body.owner().replace('/', '.') + "." + body.original().name;
    }

    /** What the core is told of a call. */
    String site(InsnOp call, int line, String kind, long maxAgeNanos) {
        MethodInsnNode method = RtOps.methodOf(call);
        String owner =
                method.owner.substring(Math.max(method.owner.lastIndexOf('/'), method.owner.lastIndexOf('$')) + 1);
        return place + '\t' + line + '\t' + owner + '.' + method.name + '\t' + kind + '\t' + maxAgeNanos;
    }

    /** {@code queue = open()}. */
    Op open(Register queue, int window, int firstPass, List<String> sites) {
        List<Object> arguments = new ArrayList<>(List.of(window, firstPass));
        arguments.addAll(sites);
        Handle bootstrap =
                new Handle(Opcodes.H_INVOKESTATIC, CoreNames.PREFETCH, "open", CoreNames.PREFETCH_OPEN, false);
        return new InsnOp(
                new InvokeDynamicInsnNode("open", "()" + CoreNames.PREFETCH_QUEUE, bootstrap, arguments.toArray()),
                queue,
                List.of());
    }

    /** {@code queue = stretch(queue)}. */
    Op stretch(Register queue, List<String> sites) {
        Handle bootstrap =
                new Handle(Opcodes.H_INVOKESTATIC, CoreNames.PREFETCH, "stretch", CoreNames.PREFETCH_STRETCH, false);
        return new InsnOp(
                new InvokeDynamicInsnNode(
                        "stretch",
                        "(" + CoreNames.PREFETCH_QUEUE + ")" + CoreNames.PREFETCH_QUEUE,
                        bootstrap,
                        sites.toArray()),
                queue,
                List.of(queue));
    }

    /** {@code goesOn = send(queue, receiver, arguments...)}. */
    Op send(InsnOp call, int position, Register goesOn, List<Register> operands) {
        return linked("send", call, position, "Z", goesOn, operands);
    }

    /** {@code sent = claim(queue, receiver, arguments...)}. */
    Op claim(InsnOp call, int position, Register sent, List<Register> operands) {
        return linked("claim", call, position, CoreNames.OBJECT, sent, operands);
    }

    /** A call of a static method of the core whose first argument is the queue. */
    Op call(String name, String rest, @Nullable Register result, Register... operands) {
        return InsnOp.invokeStatic(
                CoreNames.PREFETCH, name, "(" + CoreNames.PREFETCH_QUEUE + rest, result, List.of(operands));
    }

    private static Op linked(
            String bootstrap, InsnOp call, int position, String result, Register def, List<Register> operands) {
        MethodInsnNode method = RtOps.methodOf(call);
        StringBuilder descriptor = new StringBuilder("(").append(CoreNames.PREFETCH_QUEUE);
        descriptor.append('L').append(method.owner).append(';');
        for (Type argument : Type.getArgumentTypes(method.desc)) {
            descriptor.append(argument.getDescriptor());
        }
        descriptor.append(')').append(result);
        Handle handle =
                new Handle(Opcodes.H_INVOKESTATIC, CoreNames.PREFETCH, bootstrap, CoreNames.PREFETCH_CALL, false);
        return new InsnOp(
                new InvokeDynamicInsnNode(method.name, descriptor.toString(), handle, position), def, operands);
    }
}
