package dev.cleave.agent.plan.order;

import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.LineOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.method.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The result conversion of a call: the ops right behind it that move its result to a local, cast it for a generic type
 * or unbox it (R16). They move with the await, so that a {@code ClassCastException} keeps its line and its place among
 * the failures.
 */
public final class ResultConversion {

    private final List<Integer> ops = new ArrayList<>();
    private final Set<Register> results = new HashSet<>();

    /** Follows the result of a call. */
    public ResultConversion(Method method, int call) {
        Register result = method.op(call).def();
        if (result == null) {
            return;
        }
        results.add(result);
        for (int i = call + 1; i < method.graph().size(); i++) {
            Op op = method.op(i);
            if (op instanceof LineOp
                    || op instanceof LabelOp label && !isUsed(method.graph().body(), label)) {
                continue;
            }
            Register def = op.def();
            if (def == null || !sticks(op) || !results.contains(op.uses().get(0))) {
                return;
            }
            ops.add(i);
            results.add(def);
        }
    }

    /** The ops, in order. */
    public List<Integer> ops() {
        return ops;
    }

    /** The registers that the call and these ops write. */
    public Set<Register> results() {
        return results;
    }

    /** Whether a label is more than the place where the scope of a variable begins or ends. */
    private static boolean isUsed(MethodBody body, LabelOp label) {
        for (Handler handler : body.handlers()) {
            if (handler.start() == label || handler.end() == label || handler.target() == label) {
                return true;
            }
        }
        return body.ops().stream().anyMatch(op -> op.targets().contains(label));
    }

    private static boolean sticks(Op op) {
        if (op instanceof MoveOp) {
            return true;
        }
        if (!(op instanceof InsnOp insn)) {
            return false;
        }
        MethodInsnNode method = insn.method();
        boolean unboxes = method != null
                && insn.opcode() == Opcodes.INVOKEVIRTUAL
                && method.owner.startsWith("java/lang/")
                && method.name.endsWith("Value")
                && method.desc.startsWith("()");
        return insn.opcode() == Opcodes.CHECKCAST || unboxes;
    }
}
