package dev.cleave.agent.transform;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.ir.ReturnOp;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Writes the entry of a helper (R63, R68): it reads what its caller has handed over. If the caller only asks it to
 * send, it runs a copy of the code that decides about its calls, and returns.
 */
final class HelperEntry {

    private final MethodBody body;
    private final Passages passages;

    HelperEntry(Editing editing) {
        this.body = editing.body();
        this.passages = editing.passages();
    }

    /**
     * Writes it in front of all else.
     *
     * @param contracts what is offered to callers of other classes
     * @param split what hands over a call that was sent, if anything does
     * @param ahead what hands over a queue, if anything does
     * @param nested what hands over a nest, if anything does
     */
    void write(
            String key,
            Set<String> contracts,
            @Nullable HelperWriter split,
            @Nullable PrefetchHelperWriter ahead,
            @Nullable StrandHelperWriter nested) {
        Register entered = body.fresh(RegisterKind.REFERENCE);
        List<Op> ops = new ArrayList<>(passages.enter(key, contracts, entered));
        if (split != null) {
            Register asked = body.fresh(RegisterKind.INT);
            ops.add(InsnOp.invokeStatic(
                    CoreNames.PASSAGE, "isAsked", "(" + CoreNames.OBJECT + ")Z", asked, List.of(entered)));
            ops.addAll(unless(asked, split.copy()));
        }
        if (ahead != null) {
            Register asked = body.fresh(RegisterKind.INT);
            ops.addAll(handAhead(entered, ahead));
            ops.add(passages.call("isAskedAhead", "(" + CoreNames.OBJECT + ")Z", asked, List.of(entered)));
            ops.addAll(unless(asked, ahead.copy()));
        }
        if (nested != null) {
            ops.add(InsnOp.invokeStatic(
                    CoreNames.STRANDS,
                    "nestOf",
                    "(" + CoreNames.OBJECT + ")" + CoreNames.STRANDS_TYPE,
                    nested.handed(),
                    List.of(entered)));
            LabelOp without = body.label();
            ops.add(new ConstOp(nested.base(), 0));
            ops.add(new BranchOp(Opcodes.IFNULL, List.of(nested.handed()), without));
            ops.add(passages.call("base", "()I", nested.base(), List.of()));
            ops.add(without);
        }
        if (split != null && (ahead != null || nested != null)) {
            ops.add(InsnOp.invokeStatic(
                    CoreNames.PASSAGE,
                    "sentOf",
                    "(" + CoreNames.OBJECT + ")" + CoreNames.OBJECT,
                    split.handed(),
                    List.of(entered)));
        } else if (split != null) {
            ops.add(new MoveOp(split.handed(), entered));
        }
        body.insertAtStart(ops);
    }

    private List<Op> handAhead(Register entered, PrefetchHelperWriter ahead) {
        return List.of(
                InsnOp.invokeStatic(
                        CoreNames.PASSAGE,
                        "queueOf",
                        "(" + CoreNames.OBJECT + ")" + CoreNames.PREFETCH_QUEUE,
                        ahead.handed(),
                        List.of(entered)),
                passages.call("base", "()I", ahead.base(), List.of()));
    }

    private List<Op> unless(Register asked, List<Op> copy) {
        LabelOp program = body.label();
        List<Op> ops = new ArrayList<>(List.of(new BranchOp(Opcodes.IFEQ, List.of(asked), program)));
        ops.addAll(copy);
        ops.addAll(returnAnything());
        ops.add(program);
        return ops;
    }

    private List<Op> returnAnything() {
        Type type = Type.getReturnType(body.original().desc);
        if (type.getSort() == Type.VOID) {
            return List.of(new ReturnOp(null));
        }
        RegisterKind kind = RegisterKind.of(type);
        Register result = body.fresh(kind);
        Object zero =
                switch (kind) {
                    case INT -> 0;
                    case LONG -> 0L;
                    case FLOAT -> 0f;
                    case DOUBLE -> 0d;
                    case REFERENCE -> null;
                };
        return List.of(new ConstOp(result, zero), new ReturnOp(result));
    }
}
