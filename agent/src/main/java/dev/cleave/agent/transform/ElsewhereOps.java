package dev.cleave.agent.transform;

import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.placement.MapFilling;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;

/**
 * Writes copies of code of other classes: they use members of the program through call sites that look for these with the
 * rights of the class which the code comes from.
 */
final class ElsewhereOps {

    private static final String FUNCTION = "Ljava/util/function/Function;";
    private static final String PLATFORM = "java/";

    private ElsewhereOps() {}

    /** An op as a copy of it is written in a class that may be another one than its own. */
    static Op of(Op op, Map<AbstractInsnNode, String> elsewhere) {
        String owner = op instanceof InsnOp insn ? elsewhere.get(insn.insn()) : null;
        if (owner == null || !(op instanceof InsnOp insn)) {
            return op;
        }
        if (insn.field() != null && !insn.field().owner.startsWith(PLATFORM)) {
            var field = insn.field();
            boolean isStatic = insn.opcode() == Opcodes.GETSTATIC;
            String descriptor = (isStatic ? "()" : "(" + CoreNames.OBJECT + ")") + field.desc;
            return member(insn, descriptor, field.name, List.of(owner, field.owner, field.desc, insn.opcode()));
        }
        if (insn.method() != null && !insn.method().owner.startsWith(PLATFORM)) {
            var method = insn.method();
            boolean isStatic = insn.opcode() == Opcodes.INVOKESTATIC;
            String descriptor = isStatic ? method.desc : "(" + CoreNames.OBJECT + method.desc.substring(1);
            return member(insn, descriptor, method.name, List.of(owner, method.owner, method.desc, insn.opcode()));
        }
        return op;
    }

    private static Op member(InsnOp op, String descriptor, String name, List<Object> constants) {
        Handle bootstrap = new Handle(Opcodes.H_INVOKESTATIC, CoreNames.OTHER_CLASS, "member", CoreNames.MEMBER, false);
        return new InsnOp(
                new InvokeDynamicInsnNode(name, descriptor, bootstrap, constants.toArray()), op.def(), op.uses());
    }

    /** {@code holds = whether an object is of the class of a name}. */
    static Op isOf(Register object, String internalName, Register holds) {
        Handle bootstrap =
                new Handle(Opcodes.H_INVOKESTATIC, CoreNames.OTHER_CLASS, "test", CoreNames.TEST_CLASS, false);
        return new InsnOp(
                new InvokeDynamicInsnNode(
                        "isOf",
                        "(" + CoreNames.OBJECT + ")" + Type.BOOLEAN_TYPE.getDescriptor(),
                        bootstrap,
                        internalName.replace('/', '.')),
                holds,
                List.of(object));
    }

    /** {@code holds = whether the class of an object takes what is sent for one of its methods}. */
    static Op takes(Register object, String internalName, String contract, Register holds) {
        Handle bootstrap = new Handle(Opcodes.H_INVOKESTATIC, CoreNames.OTHER_CLASS, "takes", CoreNames.TAKES, false);
        return new InsnOp(
                new InvokeDynamicInsnNode(
                        "takes",
                        "(" + CoreNames.OBJECT + ")" + Type.BOOLEAN_TYPE.getDescriptor(),
                        bootstrap,
                        internalName.replace('/', '.'),
                        contract),
                holds,
                List.of(object));
    }

    /** {@code holds = whether a class takes what is sent for one of its static methods}. */
    static Op isOpen(String internalName, String contract, Register holds) {
        Handle bootstrap = new Handle(Opcodes.H_INVOKESTATIC, CoreNames.OTHER_CLASS, "open", CoreNames.TAKES, false);
        String descriptor = "()" + Type.BOOLEAN_TYPE.getDescriptor();
        return new InsnOp(
                new InvokeDynamicInsnNode("isOpen", descriptor, bootstrap, internalName.replace('/', '.'), contract),
                holds,
                List.of());
    }

    /**
     * Writes a call that fills a map: its function takes what was sent for the key.
     */
    static List<Op> mapping(MethodBody body, InsnOp call, Register nest, Register row, MapFilling filling) {
        Register type = body.fresh(RegisterKind.INT);
        Register frame = body.fresh(RegisterKind.REFERENCE);
        Register function = body.fresh(RegisterKind.REFERENCE);
        List<Register> operands = new ArrayList<>(call.uses());
        int last = operands.size() - 1;
        Op wraps = InsnOp.invokeStatic(
                CoreNames.SENT_MAPPING,
                "of",
                "(" + FUNCTION + "IILjava/lang/String;" + CoreNames.STRANDS_TYPE + ")" + FUNCTION,
                function,
                List.of(operands.get(last), row, type, frame, nest));
        operands.set(last, function);
        return List.of(
                new ConstOp(type, (int) filling.result()),
                new ConstOp(frame, filling.frame()),
                wraps,
                new InsnOp(call.insn(), call.def(), operands));
    }
}
