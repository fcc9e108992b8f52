package dev.cleave.agent.plan.sink;

import dev.cleave.agent.flow.BasicBlock;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.plan.method.Method;
import java.util.BitSet;

/**
 * Whether some code may take long enough to be worth waiting beside: it loops, or its instructions, those of the
 * methods that it calls included, are {@value #LONG} or more. An await elsewhere costs some tens of instructions
 * itself.
 */
final class Weight {

    private static final int LONG = 100;

    private final Method method;
    private final LoopNest nest;
    private final ControlFlowGraph blocks;

    Weight(Method method, LoopNest nest, ControlFlowGraph blocks) {
        this.method = method;
        this.nest = nest;
        this.blocks = blocks;
    }

    /** Whether ops that run behind a call take long; loops around the call do not count. */
    boolean isLong(int call, BitSet ops) {
        BasicBlock home = blocks.blockOf(method.op(call));
        int sum = 0;
        for (int i = ops.nextSetBit(0); i >= 0 && sum < LONG; i = ops.nextSetBit(i + 1)) {
            Op op = method.op(i);
            if (!op.isExecutable()) {
                continue;
            }
            BasicBlock block = blocks.blockOf(op);
            Loop loop = nest.innermost(block);
            boolean loops = loop != null && !loop.contains(home);
            sum += loops ? LONG : method.effects().work(op);
        }
        return sum >= LONG;
    }
}
