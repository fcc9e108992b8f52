package dev.cleave.agent.plan.slice;

import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import java.util.BitSet;

/** A register as one op uses it. */
public record Use(int index, Register register) {

    /** Returns the first use of the value: this use, or the use by the first of the moves that lead to it. */
    public Use behindMoves(Method method, Region region) {
        Use use = this;
        while (true) {
            BitSet definitions = region.definitions(use.index, use.register);
            int definition = definitions.nextSetBit(0);
            if (definitions.cardinality() != 1
                    || definition >= method.graph().size()
                    || !(method.op(definition) instanceof MoveOp move)) {
                return use;
            }
            use = new Use(definition, move.use());
        }
    }
}
