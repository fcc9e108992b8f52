package dev.cleave.agent.ir;

import dev.cleave.agent.dataflow.CopyPropagation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.objectweb.asm.Opcodes;

/** Changes of a body that must not change what the method does, as rewriters make them. */
enum Pass implements Consumer<MethodBody> {
    NONE {
        @Override
        public void accept(MethodBody body) {}
    },
    /** Every value goes through two fresh registers on its way. */
    DETOUR {
        @Override
        public void accept(MethodBody body) {
            for (Op op : List.copyOf(body.ops())) {
                Register def = op.def();
                if (def != null) {
                    Register first = body.fresh(def.kind());
                    Register second = body.fresh(def.kind());
                    body.insertAfter(
                            op, List.of(new MoveOp(first, def), new MoveOp(second, first), new MoveOp(def, second)));
                }
            }
        }
    },
    /** Every op is a block of its own, so every register crosses blocks and lives in a local. */
    ISLANDS {
        @Override
        public void accept(MethodBody body) {
            Set<LabelOp> entries = new HashSet<>();
            body.handlers().forEach(handler -> entries.add(handler.target()));
            for (Op op : List.copyOf(body.ops())) {
                if (op.fallsThrough() && !(op instanceof LabelOp label && entries.contains(label))) {
                    LabelOp next = body.label();
                    Register condition = body.fresh(RegisterKind.INT);
                    body.insertAfter(
                            op,
                            List.of(
                                    new ConstOp(condition, 0),
                                    new BranchOp(Opcodes.IFEQ, List.of(condition), next),
                                    next));
                }
            }
        }
    },
    /** As ISLANDS, but ops read the locals themselves again where that is the same. */
    COPIES_GONE {
        @Override
        public void accept(MethodBody body) {
            ISLANDS.accept(body);
            CopyPropagation.run(body);
        }
    },
    /** What runs is a copy of the method with registers of its own. */
    COPY {
        @Override
        public void accept(MethodBody body) {
            List<Op> region = List.copyOf(body.ops());
            Map<Register, Register> bank = new HashMap<>();
            UnaryOperator<Register> fresh = register -> bank.computeIfAbsent(register, r -> body.fresh(r.kind()));
            RegionCopy copy = RegionCopy.of(body, region, fresh, UnaryOperator.identity());
            LabelOp start = body.label();
            Register zero = body.fresh(RegisterKind.LONG);
            Register time = body.fresh(RegisterKind.LONG);
            Register order = body.fresh(RegisterKind.INT);
            List<Op> head = new ArrayList<>(List.of(
                    new ConstOp(zero, Long.MIN_VALUE),
                    InsnOp.invokeStatic("java/lang/System", "nanoTime", "()J", time, List.of()),
                    InsnOp.simple(Opcodes.LCMP, order, time, zero),
                    new BranchOp(Opcodes.IFGE, List.of(order), start)));
            List<Op> tail = new ArrayList<>(List.of(start));
            body.parameters().forEach(parameter -> tail.add(new MoveOp(fresh.apply(parameter), parameter)));
            tail.addAll(copy.ops());
            body.append(tail);
            copy.addHandlers();
            body.insertAtStart(head);
        }
    }
}
