package dev.cleave.agent.plan.later;

import dev.cleave.agent.dataflow.Liveness;
import dev.cleave.agent.flow.BasicBlock;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Dominators;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.plan.MethodPlanner;
import dev.cleave.agent.plan.analysis.Eligible;
import dev.cleave.agent.plan.helper.Helpers;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.sink.AwaitSinking;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The calls of a method whose results may be used while they arrive (L5): what may run before a result is whole is what
 * may run before its await, wherever that stands ({@link AwaitSinking}).
 */
public final class LaterResults {

    private static final int MOST = 8;

    private LaterResults() {}

    /**
     * One call.
     *
     * @param region the ops that may run before its result is whole, by their indices
     * @param sent those among them that are remote calls: that holds if their receivers are stubs
     */
    record Source(InsnOp call, Type type, BitSet region, BitSet sent) {}

    /** Finds the calls of a body whose results may be used while they arrive, in the order of the program. */
    static List<Source> of(MethodBody body, Helpers helpers, Predicate<MethodInsnNode> isLater) {
        List<Source> sources = new ArrayList<>();
        if (body.ops().size() > MethodPlanner.LARGEST || Eligible.refusal(body) != null) {
            return sources;
        }
        ControlFlowGraph blocks = ControlFlowGraph.of(body);
        LoopNest nest = LoopNest.of(blocks, Dominators.of(blocks));
        Liveness liveness = Liveness.of(blocks);
        Method method = helpers.method(body);
        for (BasicBlock block : nest.reducible() ? blocks.reversePostOrder() : List.<BasicBlock>of()) {
            for (Op op : block.ops()) {
                int index = body.indexOf(op);
                boolean isCall = op instanceof InsnOp insn
                        && insn.def() != null
                        && method.effects().settingOf(op) != null
                        && isLater.test(method.callOf(index));
                if (isCall && method.eligible().allows(index) && sources.size() < MOST) {
                    Type type = Type.getReturnType(method.callOf(index).desc);
                    BitSet region = new AwaitSinking(method, blocks, nest, liveness, Map.of(), Map.of(), index)
                            .whileItArrives();
                    if (!region.isEmpty() && isArray(type)) {
                        BitSet sent = new BitSet();
                        region.stream().filter(method::isCandidate).forEach(sent::set);
                        sources.add(new Source((InsnOp) op, type, region, sent));
                    }
                }
            }
        }
        return sources;
    }

    /** Arrays that arrive part by part. */
    private static boolean isArray(Type type) {
        return type.getSort() == Type.ARRAY
                && type.getElementType().getSort() < Type.ARRAY
                && type.getDimensions() <= 2;
    }
}
