package dev.cleave.agent.completeness;

import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.plan.analysis.OpGraph;
import dev.cleave.agent.plan.analysis.Region;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The ops of a method as they were read, and the branches that decide about them. */
final class ClockedMethod {

    private static final String CLOCK = DataFlowClock.class.getName().replace('.', '/');

    private final MethodBody body;
    private final List<Op> ops;
    private final List<int[]> deciders = new ArrayList<>();

    private ClockedMethod(MethodBody body) {
        this.body = body;
        this.ops = List.copyOf(body.ops());
        OpGraph graph = new OpGraph(body);
        BitSet all = new BitSet();
        all.set(0, graph.size());
        Region whole = new Region(graph, 0, all);
        for (int i = 0; i < graph.size(); i++) {
            deciders.add(whole.deciders(i));
        }
    }

    /** Makes the code of a body tell the clock what it does. */
    static void instrument(MethodBody body) {
        ClockedMethod method = new ClockedMethod(body);
        Register number = body.fresh(RegisterKind.INT);
        Register activation = body.fresh(RegisterKind.REFERENCE);
        for (int i = 0; i < method.ops.size(); i++) {
            Op op = method.ops.get(i);
            if (op.isExecutable()) {
                Register place = body.fresh(RegisterKind.INT);
                body.insertBefore(
                        op,
                        List.of(
                                new ConstOp(place, i),
                                InsnOp.invokeStatic(
                                        CLOCK, "at", "(Ljava/lang/Object;I)V", null, List.of(activation, place))));
            }
        }
        body.insertAtStart(List.of(
                new ConstOp(number, DataFlowClock.add(method)),
                InsnOp.invokeStatic(CLOCK, "enter", "(I)Ljava/lang/Object;", activation, List.of(number))));
    }

    List<Op> ops() {
        return ops;
    }

    List<Register> parameters() {
        return body.parameters();
    }

    /** The places of the branches that decide whether an op runs. */
    int[] deciders(int op) {
        return deciders.get(op);
    }

    /** As calls name the method. */
    String key() {
        return body.owner() + '.' + body.original().name + body.original().desc;
    }
}
