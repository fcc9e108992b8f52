package dev.cleave.agent.transform;

import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.InsnNode;

/**
 * The positions that the calls of a helper have in the queue of the run-ahead that sends them.
 *
 * @param queue holds the queue, or null
 * @param base holds the position that {@code offset} counts from, null for 0
 */
record Ahead(Register queue, @Nullable Register base, int offset) {

    /** {@code position = base + offset}. */
    List<Op> position(MethodBody body, Register position) {
        if (base == null) {
            return List.of(new ConstOp(position, offset));
        }
        Register more = body.fresh(RegisterKind.INT);
        return List.of(
                new ConstOp(more, offset), new InsnOp(new InsnNode(Opcodes.IADD), position, List.of(base, more)));
    }
}
