package dev.cleave.agent.transform;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.GotoOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.method.Helper;
import dev.cleave.agent.plan.placement.MapFilling;
import dev.cleave.agent.plan.placement.StrandHelper;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnNode;

/**
 * Writes a helper whose calls are sent by strands of its callers (R71): called with a nest it takes from there where it
 * calls, and sends nothing itself; called without one it is as it is otherwise.
 */
final class StrandHelperWriter implements HandedCalls {

    private final Editing editing;
    private final MethodBody body;
    private final StrandHelper helper;
    private final RtOps rt;
    private final Register nest;
    private final Register base;
    private final Map<AbstractInsnNode, Register> keys = new IdentityHashMap<>();

    StrandHelperWriter(Editing editing, StrandHelper helper) {
        this.editing = editing;
        this.body = editing.body();
        this.helper = helper;
        this.rt = new RtOps(body);
        this.nest = body.fresh(RegisterKind.REFERENCE);
        this.base = body.fresh(RegisterKind.INT);
    }

    /** Holds the nest, or null. */
    @Override
    public Register handed() {
        return nest;
    }

    /** Holds the first row of the helper's calls. */
    Register base() {
        return base;
    }

    /** Whether a call is one that strands may send, or calls a helper with such calls. */
    @Override
    public boolean claims(int index) {
        return editing.original(index) instanceof InsnOp op && helper.calls().containsKey(op.insn());
    }

    /** Writes the claims of the calls that no other writer has replaced. */
    void write() {
        for (int i = 0; i < editing.original().size(); i++) {
            if (claims(i) && !editing.isReplaced(i)) {
                editing.replace(editing.original(i), editing.claim(i).written(), List.of());
            }
        }
    }

    /** The register that holds the key for which an instruction asks a map. */
    private Register key(AbstractInsnNode asks) {
        return keys.computeIfAbsent(asks, insn -> {
            int index = 0;
            while (!(editing.original(index) instanceof InsnOp op) || op.insn() != insn) {
                index++;
            }
            return StrandWriter.keepKey(editing, index);
        });
    }

    /** It takes what strands have sent first, or hands the nest on. */
    @Override
    public List<Op> takeFirst(int index, Op written, List<Op> otherwise) {
        InsnOp call = (InsnOp) editing.original(index);
        Register offset = body.fresh(RegisterKind.INT);
        Register row = body.fresh(RegisterKind.INT);
        List<Op> ops = new ArrayList<>();
        ops.add(new ConstOp(offset, helper.calls().get(call.insn())));
        ops.add(new InsnOp(new InsnNode(Opcodes.IADD), row, List.of(base, offset)));
        StrandHelper called = helper.called().get(call.insn());
        if (called != null && !called.functions().isEmpty()) {
            ops.addAll(editing.passages().giveHanded(called, nest, row, call, written, otherwise));
            return ops;
        }
        if (called != null) {
            String key = Helper.key(called.owner(), called.method().name, called.method().desc);
            ops.addAll(editing.passages().handNest(key, nest, row));
            ops.addAll(otherwise);
            ops.addAll(editing.passages().handedNest(written));
            return ops;
        }
        if (helper.walks().contains(call.insn())) {
            Register node = body.fresh(RegisterKind.REFERENCE);
            ops.add(StrandWriter.enter(node, nest, row));
            ops.addAll(editing.passages()
                    .handNest(
                            Helper.key(body.owner(), RtOps.methodOf(call).name, RtOps.methodOf(call).desc), node, row));
            ops.addAll(otherwise);
            ops.addAll(editing.passages().handedNest(written));
            return ops;
        }
        MapFilling mapping = helper.mappings().get(call.insn());
        if (mapping != null) {
            ops.addAll(ElsewhereOps.mapping(body, (InsnOp) written, nest, row, mapping));
            return ops;
        }
        LabelOp missing = body.label();
        LabelOp done = body.label();
        Register taken = body.fresh(RegisterKind.REFERENCE);
        AbstractInsnNode asks = helper.keys().get(call.insn());
        ops.add(
                asks == null
                        ? InsnOp.invokeStatic(
                                CoreNames.STRANDS,
                                "take",
                                "(" + CoreNames.STRANDS_TYPE + "I)" + CoreNames.OBJECT,
                                taken,
                                List.of(nest, row))
                        : StrandWriter.takeFor(taken, nest, row, key(asks)));
        ops.add(new BranchOp(Opcodes.IFNULL, List.of(taken), missing));
        ops.addAll(rt.await(call, taken));
        ops.add(new GotoOp(done));
        ops.add(missing);
        ops.addAll(otherwise);
        ops.add(done);
        return ops;
    }
}
