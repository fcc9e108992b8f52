package dev.cleave.agent.plan.slice;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.analysis.Definitions;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import java.util.BitSet;
import org.objectweb.asm.Opcodes;

/** Elements of arrays of its own that a slice need not write, because none of its ops reads them after that: {@code row[i] = price(row[i])}. */
final class UnreadElements {

    private final Method method;
    private final Region region;
    private final Aliases aliases;
    private final SubscriptTest subscripts;

    UnreadElements(Method method, Region region, Aliases aliases) {
        this.method = method;
        this.region = region;
        this.aliases = aliases;
        this.subscripts = new SubscriptTest(method, region);
    }

    /**
     * Whether an op writes an element that no op of a slice reads later.
     *
     * @param used the ops of the slice, with its sends
     */
    boolean isUnread(int index, InsnOp store, BitSet used) {
        if (!isBetween(store, Opcodes.IASTORE, Opcodes.SASTORE)) {
            return false;
        }
        Access write = method.effects().of(store).writes().get(0);
        BitSet made = region.origins(index, store.uses().get(0));
        for (int i = used.nextSetBit(0); i >= 0; i = used.nextSetBit(i + 1)) {
            Op use = method.op(i);
            for (int operand = 0; i != index && operand < use.uses().size(); operand++) {
                boolean isUse = mayBe(i, use.uses().get(operand), made) && !Definitions.passesOn(use);
                if (isUse && (operand != 0 || !isApart(made, index, write, i))) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean mayBe(int index, Register object, BitSet made) {
        return object.kind() == RegisterKind.REFERENCE
                && made.stream().anyMatch(each -> aliases.mayBe(index, object, each));
    }

    private boolean isApart(BitSet made, int writer, Access write, int reader) {
        if (!(method.op(reader) instanceof InsnOp op) || op.opcode() == Opcodes.ARRAYLENGTH) {
            return true; // a comparison, or the length, which never changes
        }
        return isBetween(op, Opcodes.IALOAD, Opcodes.SALOAD)
                && subscripts.isApartSince(
                        made,
                        writer,
                        write,
                        reader,
                        method.effects().of(op).reads().get(0));
    }

    private static boolean isBetween(InsnOp op, int first, int last) {
        return op.opcode() >= first && op.opcode() <= last;
    }
}
