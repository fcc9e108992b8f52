package dev.cleave.agent.plan.stream;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Definitions;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.placement.StreamPlan;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.FieldInsnNode;

/**
 * Finds the service that the calls of a function go to, among the values that the function is made with: it must be
 * known before the stream runs, since a local object may do anything between calls that were sent ahead (R3).
 */
final class StreamReceivers {

    private final Method method;

    /**
     * A value of the function's code.
     *
     * @param parameter the parameter that holds it, or the object that it is a field of; -1 for a static field
     */
    private record Receiver(int parameter, @Nullable FieldInsnNode field) {}

    StreamReceivers(Method method) {
        this.method = method;
    }

    /** Returns the object that holds the service when the stream is made. */
    StreamPlan.Given of(StreamCall call) throws Refused {
        List<Register> captured = method.op(call.made()).uses();
        Helper helper = call.helper();
        if (helper == null) {
            return new StreamPlan.Given(call.stage().op(), call.made(), captured.get(0), null);
        }
        Receiver found = common(helper);
        boolean isForeign = !helper.body().owner().equals(call.caller());
        boolean isHidden = isForeign && found != null && found.field() != null; // the class may not read that field
        if (found == null || isHidden || found.parameter() >= captured.size()) {
            throw local(call, helper);
        }
        if (found.parameter() < 0) {
            return new StreamPlan.Given(call.stage().op(), call.made(), null, found.field());
        }
        boolean isThis = found.parameter() == 0 && call.function().target().getOpcode() != Opcodes.INVOKESTATIC;
        if (found.field() != null && !isThis) {
            throw local(call, helper);
        }
        return new StreamPlan.Given(call.stage().op(), call.made(), captured.get(found.parameter()), found.field());
    }

    private Refused local(StreamCall call, Helper helper) {
        return method.refused(
                Rule.R3,
                call.stage().op(),
                helper.name() + " may be served by a local object",
                "call through a variable of the method, or a final field");
    }

    /** The receiver of all calls of a helper, null if they have not the same, or it is none. */
    private @Nullable Receiver common(Helper helper) {
        Receiver common = null;
        for (int send : helper.slice().sends()) {
            Receiver found = receiver(helper, send);
            if (found == null || common != null && !isSame(common, found)) {
                return null;
            }
            common = found;
        }
        return common;
    }

    private static boolean isSame(Receiver a, Receiver b) {
        boolean isSameField = a.field() == null
                ? b.field() == null
                : b.field() != null
                        && a.field().owner.equals(b.field().owner)
                        && a.field().name.equals(b.field().name);
        return a.parameter() == b.parameter() && isSameField;
    }

    private @Nullable Receiver receiver(Helper helper, int send) {
        Map<Integer, Helper> called = helper.called();
        Helper inner = called.get(send);
        InsnOp call = (InsnOp) helper.body().ops().get(send);
        if (inner == null) {
            return origin(helper, send, call.uses().get(0));
        }
        Receiver found = common(inner);
        boolean isForeign = !inner.body().owner().equals(helper.body().owner());
        if (found != null && found.field() != null && isForeign) {
            return null; // the class may not read that field
        }
        if (found == null || found.parameter() < 0) {
            return found;
        }
        Receiver holder = origin(helper, send, call.uses().get(found.parameter()));
        boolean isFieldOfField = holder != null && holder.field() != null && found.field() != null;
        if (holder == null || isFieldOfField) {
            return null;
        }
        return new Receiver(holder.parameter(), found.field() != null ? found.field() : holder.field());
    }

    /** The parameter, or its final field, that a register holds; null if it holds something else. */
    private @Nullable Receiver origin(Helper helper, int index, Register register) {
        Region whole = helper.slice().region();
        FieldInsnNode field = null;
        int at = index;
        Register wanted = register;
        for (int steps = 0; steps < whole.graph().size(); steps++) {
            BitSet definitions = whole.definitions(at, wanted);
            int definition = definitions.nextSetBit(0);
            if (definitions.cardinality() != 1) {
                return null;
            }
            if (definition >= whole.graph().size()) {
                return new Receiver(helper.body().parameters().indexOf(wanted), field);
            }
            at = definition;
            if (whole.graph().op(definition) instanceof InsnOp op && op.field() != null) {
                if (field != null || !isOwnConstant(helper, op)) {
                    return null;
                }
                field = op.field();
                if (op.opcode() == Opcodes.GETSTATIC) {
                    return new Receiver(-1, field);
                }
            } else if (!Definitions.passesOn(whole.graph().op(definition))) {
                return null;
            }
            wanted = whole.graph().op(definition).uses().get(0);
        }
        return null;
    }

    /** Whether an op reads a field of the class that no code changes. */
    private boolean isOwnConstant(Helper helper, InsnOp op) {
        FieldInsnNode field = op.field();
        boolean reads = op.opcode() == Opcodes.GETFIELD || op.opcode() == Opcodes.GETSTATIC;
        return field != null
                && reads
                && field.owner.equals(helper.body().owner())
                && method.helpers().effects().of(helper.body()).of(op).reads().isEmpty();
    }
}
