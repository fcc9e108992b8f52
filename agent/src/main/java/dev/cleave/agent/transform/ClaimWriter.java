package dev.cleave.agent.transform;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.objectweb.asm.Opcodes;

/** Writes what stands in the place of a call: take what was sent, or call as written (R3, R26). */
final class ClaimWriter {

    private final MethodBody body;
    private final RtOps rt;

    private final InsnOp call;
    private final Function<Op, List<Op>> before;
    private final Map<Register, Register> names = new HashMap<>();
    private final Set<Register> written = new HashSet<>();

    /**
     * Prepares it.
     *
     * @param original the ops of the body as they were when planned
     * @param before what stands where the call is made as written, given the call
     */
    ClaimWriter(MethodBody body, List<Op> original, InsnOp call, Function<Op, List<Op>> before) {
        this.body = body;
        this.rt = new RtOps(body);
        this.call = call;
        this.before = before;
        findNames(call, original);
    }

    /**
     * The code for a call.
     *
     * @param sent holds the sent call, or null
     * @param take puts it there
     * @param whenSent what else to do before the wait if the call was sent
     */
    List<Op> write(Register sent, List<Op> take, List<Op> whenSent) {
        return write(sent, take, whenSent, List.of());
    }

    /**
     * The code for a call behind others that may not have been awaited.
     *
     * @param whenNot what to do before the call is made as written: it awaits them
     */
    List<Op> write(Register sent, List<Op> take, List<Op> whenSent, List<Op> whenNot) {
        LabelOp asWritten = body.label();
        LabelOp done = body.label();
        List<Op> ops = new ArrayList<>(take);
        ops.add(new BranchOp(Opcodes.IFNULL, List.of(sent), asWritten));
        ops.addAll(whenSent);
        ops.addAll(rt.await(call, sent));
        ops.add(new GotoOp(done));
        ops.add(asWritten);
        ops.addAll(whenNot);
        ops.addAll(written());
        ops.add(done);
        return ops;
    }

    /**
     * The code for a call of a helper.
     *
     * @param handOver hands the call over
     */
    List<Op> handOver(Register sent, List<Op> take, List<Op> whenSent, Function<Register, List<Op>> handOver) {
        List<Op> ops = new ArrayList<>(take);
        if (!whenSent.isEmpty()) {
            LabelOp unsent = body.label();
            ops.add(new BranchOp(Opcodes.IFNULL, List.of(sent), unsent));
            ops.addAll(whenSent);
            ops.add(unsent);
        }
        ops.addAll(handOver.apply(sent));
        return ops;
    }

    /** Writes what stands where the call is made as written. */
    List<Op> written() {
        return before.apply(asWritten());
    }

    /** The call itself. */
    Op asWritten() {
        return call.copy(this::named, UnaryOperator.identity(), UnaryOperator.identity());
    }

    /** The local that an operand was loaded from, so that the JVM can name it when it is null. */
    private Register named(Register operand) {
        return names.getOrDefault(operand, operand);
    }

    private void findNames(InsnOp call, List<Op> original) {
        for (int i = original.indexOf(call) - 1; i >= 0; i--) {
            Op op = original.get(i);
            if (op instanceof LabelOp || !op.targets().isEmpty()) {
                return;
            }
            boolean isLoad = op instanceof MoveOp move
                    && move.use().isLocal()
                    && move.def().role() == Register.Role.TEMPORARY
                    && call.uses().contains(move.def());
            if (isLoad && written.stream().noneMatch(op.uses().get(0)::overlaps)) {
                names.put(op.def(), op.uses().get(0));
            }
            if (op.def() != null) {
                written.add(op.def());
            }
        }
    }
}
