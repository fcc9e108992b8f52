package dev.cleave.agent.ir;

import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One step of a {@link MethodBody}; immutable, compared by identity, part of at most one body at a time.
 *
 * <p>To change an op, {@link MethodBody#replace replace} it by a {@linkplain #copy copy}.
 */
public abstract sealed class Op
        permits BranchOp, CatchOp, ConstOp, GotoOp, InsnOp, LabelOp, LineOp, MoveOp, ReturnOp, SwitchOp, ThrowOp {

    /** Position in the body; renumbered by the body, valid only right after that. */
    int index = -1;

    Op() {}

    /** The registers that are read, in operand order; a register may occur twice. */
    public List<Register> uses() {
        return List.of();
    }

    /** The register that is written after the uses were read, if any. */
    public @Nullable Register def() {
        return null;
    }

    /** The labels that control may go to, in order, the default of a switch first. */
    public List<LabelOp> targets() {
        return List.of();
    }

    /** Whether control may go on to the next op. */
    public boolean fallsThrough() {
        return true;
    }

    /** Whether control may leave to a handler from here; linkage errors count, asynchronous exceptions do not. */
    public boolean mayThrow() {
        return false;
    }

    /** Whether this op becomes an instruction of its own; labels, lines and catches do not. */
    public boolean isExecutable() {
        return true;
    }

    /**
     * Returns a copy of the op with mapped registers and labels.
     *
     * @param uses maps each register that is read
     * @param defs maps the register that is written
     * @param labels maps each target; for a {@link LabelOp} the label itself
     */
    public abstract Op copy(UnaryOperator<Register> uses, UnaryOperator<Register> defs, UnaryOperator<LabelOp> labels);

    /** Returns a copy of the op with mapped targets. */
    public final Op redirected(UnaryOperator<LabelOp> labels) {
        return copy(UnaryOperator.identity(), UnaryOperator.identity(), labels);
    }

    /** Maps a list of registers, keeping order. */
    static List<Register> map(List<Register> registers, UnaryOperator<Register> map) {
        return registers.stream().map(map).toList();
    }
}
